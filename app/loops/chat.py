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
        if why != "tool_calls":
            return f"stopped: {why}"
        for call in reply["tool_calls"]:
            asked = call["function"]
            name = asked["name"]
            args = json.loads(asked["arguments"])
            text = tools.run({"id": call["id"],
                              "name": name,
                              "input": args})["content"]
            messages.append({"role": "tool",
                             "tool_call_id": call["id"],
                             "content": text})
    return f"stopped: no answer after {max_turns} turns"


BASE = None
SLIP = "Speaks chat completions: parses arguments, and answers each call in a message of its own."
DIALECT = "openai"
