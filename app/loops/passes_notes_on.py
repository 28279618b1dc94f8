def run_agent(task, model, tools, max_turns=40):
    messages = [{"role": "user", "content": task}]
    for turn in range(max_turns):
        reply = model.create(messages)
        messages.append({"role": "assistant",
                         "content": reply["content"]})
        if reply["stop_reason"] == "end_turn":
            return "".join(block["text"]
                           for block in reply["content"]
                           if block["type"] == "text")
        if reply["stop_reason"] != "tool_use":
            return f"stopped: {reply['stop_reason']}"
        calls = [block for block in reply["content"]
                 if block["type"] == "tool_use"]
        results = []
        for call in calls:
            results.append({"type": "tool_result",
                            "tool_use_id": call["id"],
                            **tools.run(call)})
        messages.append({"role": "user",
                         "content": results})
        messages += tools.notes(messages)
    return f"stopped: no answer after {max_turns} turns"


BASE = "correct"
SLIP = "Appends the system messages of its harness after the results."
PUT_IN = (22,)
