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
            messages.append({"role": "user",
                             "content": "Go on."})
            continue
        calls = [block for block in reply["content"]
                 if block["type"] == "tool_use"]
        results = []
        for call in calls:
            results.append({"type": "tool_result",
                            "tool_use_id": call["id"],
                            **tools.run(call)})
        messages.append({"role": "user",
                         "content": results})
    return f"stopped: no answer after {max_turns} turns"


BASE = "correct"
SLIP = "Appends what the person writes next, and leaves the calls unanswered."
LEFT_OUT = (12,)
PUT_IN = (12, 13, 14)
