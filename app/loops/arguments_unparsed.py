def run_agent(task, model, tools, max_turns=40):
    messages = [{"role": "user", "content": task}]
    for turn in range(max_turns):
        choice = model.create(messages)["choices"][0]
        reply = choice["message"]
        why = choice["finish_reason"]
        messages.append(reply)
        if why == "stop":
            return reply["content"]
        if why != "tool_calls":
            return f"stopped: {why}"
        for call in reply["tool_calls"]:
            asked = call["function"]
            name = asked["name"]
            args = asked["arguments"]
            text = tools.run({"id": call["id"],
                              "name": name,
                              "input": args})["content"]
            messages.append({"role": "tool",
                             "tool_call_id": call["id"],
                             "content": text})
    return f"stopped: no answer after {max_turns} turns"


BASE = "chat"
SLIP = "Hands the tool the arguments as the text that they come in."
LEFT_OUT = (2, 16)
PUT_IN = (15,)
DIALECT = "openai"
