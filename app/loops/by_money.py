def run_agent(task, model, tools, prices, dollars=0.02):
    messages = [{"role": "user", "content": task}]
    spent = 0
    while spent < dollars:
        reply = model.create(messages)
        spent += prices.dollars(reply["usage"])
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
    return f"stopped: no money left of ${dollars}"


BASE = "correct"
SLIP = "Its budget is money: it asks again for as long as dollars are left."
LEFT_OUT = (1, 3, 22)
PUT_IN = (1, 3, 4, 6, 24)
