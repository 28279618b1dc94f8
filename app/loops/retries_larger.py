def run_agent(task, model, tools, max_turns=40):
    messages = [{"role": "user", "content": task}]
    for turn in range(max_turns):
        reply = model.create(messages)
        if reply["stop_reason"] == "max_tokens":
            reply = model.create(messages,
                                 max_tokens=4096)
        messages.append({"role": "assistant",
                         "content": reply["content"]})
        if reply["stop_reason"] == "end_turn":
            return "".join(b.get("text", "")
                           for b in reply["content"])
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
    return f"stopped: no answer after {max_turns} turns"


BASE = "correct"
SLIP = "Asks once more with a larger max_tokens when a reply was cut off."
LEFT_OUT = (8, 9, 10)
PUT_IN = (5, 6, 7, 11, 12)
