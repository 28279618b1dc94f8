def run_agent(task, model, tools, max_turns=40):
    import json
    messages = [{"role": "user", "content": task}]
    for turn in range(max_turns):
        choice = model.create(messages)["choices"][0]
        reply = choice["message"]
        why = choice["finish_reason"]
        messages.append(reply)
        if why == "stop":
            return reply["content"]
        if why != "function_call":
            return f"stopped: {why}"
        asked = reply["function_call"]
        name = asked["name"]
        args = json.loads(asked["arguments"])
        text = tools.run({"id": name,
                          "name": name,
                          "input": args})["content"]
        messages.append({"role": "function",
                         "name": name,
                         "content": text})
    return f"stopped: no answer after {max_turns} turns"


BASE = None
SLIP = "Speaks the older form: one call in a reply, answered under its function's name."
DIALECT = "openai"
