def run_agent(task, model, tools, max_turns=40):
    import json
    messages = [{"role": "user", "content": task}]
    for turn in range(max_turns):
        choice = model.create(messages)["choices"][0]
        reply = choice["message"]
        why = choice["finish_reason"]
        if why == "stop":
            return reply["content"]
        if why != "tool_calls":
            return f"stopped: {why}"
        for call in reply["tool_calls"]:
            asked = call["function"]
            name = asked["name"]
            args = json.loads(asked["arguments"])
            action = json.dumps({name: args})
            messages.append({"role": "assistant",
                             "content": action})
            text = tools.run({"id": call["id"],
                              "name": name,
                              "input": args})["content"]
            messages.append({"role": "tool",
                             "content": text})
    return f"stopped: no answer after {max_turns} turns"


BASE = "chat"
SLIP = "Writes down each call as JSON in a text, and its result without an id."
LEFT_OUT = (8, 21)
PUT_IN = (16, 17, 18)
DIALECT = "openai"
