def run_agent(task, model, tools, clock, seconds=30):
    messages = [{"role": "user", "content": task}]
    while clock.now < seconds:
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
    return f"stopped: no time left of {seconds} seconds"


BASE = "correct"
SLIP = "Its budget is time: it asks again for as long as seconds are left."
LEFT_OUT = (1, 3, 22)
PUT_IN = (1, 3, 22)
