def run_agent(task, model, tools, max_turns=40):
    messages = [{"role": "user", "content": task}]
    for turn in range(max_turns):
        reply = model.create(messages)
        messages.append({"role": "assistant",
                         "content": reply["content"]})
        calls = [block for block in reply["content"]
                 if block["type"] == "tool_use"]
        if calls:
            return "".join(block["text"]
                           for block in reply["content"]
                           if block["type"] == "text")
        results = []
        for call in calls:
            results.append({"type": "tool_result",
                            "tool_use_id": call["id"],
                            **tools.run(call)})
        messages.append({"role": "user",
                         "content": results})
    return f"stopped: no answer after {max_turns} turns"


BASE = "correct"
SLIP = "Goes on while there is no call, and ends at the first one."
LEFT_OUT = (7, 11, 12, 13, 14)
PUT_IN = (7, 8, 9)
