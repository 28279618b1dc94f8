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
            got = tools.run(call)
            if got.pop("is_error", False):
                print(call["name"], got.pop("content"))
            results.append(got | {"type": "tool_result",
                           "tool_use_id": call["id"]})
        messages.append({"role": "user",
                         "content": results})
    return f"stopped: no answer after {max_turns} turns"


BASE = "correct"
SLIP = "Prints a failure where nobody reads it, and tells the model nothing of it."
LEFT_OUT = (17, 18, 19)
PUT_IN = (17, 18, 19, 20, 21)
