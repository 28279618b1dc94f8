def run_agent(task, model, tools, max_turns=40):
    messages = [{"role": "user", "content": task}]
    def run_tools(reply):
        results = [{"type": "tool_result",
                    "tool_use_id": call["id"],
                    **tools.run(call)}
                   for call in reply["content"]
                   if call["type"] == "tool_use"]
        return [{"role": "assistant",
                 "content": reply["content"]},
                {"role": "user", "content": results}]

    reply = model.create(messages)
    if reply["stop_reason"] == "tool_use":
        messages += run_tools(reply)
        reply = model.create(messages)
    if reply["stop_reason"] == "tool_use":
        messages += run_tools(reply)
        reply = model.create(messages)
    if reply["stop_reason"] == "tool_use":
        messages += run_tools(reply)
        reply = model.create(messages)
    return "".join(b.get("text", "")
                   for b in reply["content"])


BASE = "correct"
SLIP = "Has the same if three times in place of a loop: a fourth round never comes."
LEFT_OUT = (3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22)
PUT_IN = (3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 22, 23, 24)
