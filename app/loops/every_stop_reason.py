def run_agent(task, model, tools, max_turns=40):
    messages = [{"role": "user", "content": task}]
    for turn in range(max_turns):
        reply = model.create(messages)
        why = reply["stop_reason"]
        messages.append({"role": "assistant",
                         "content": reply["content"]})
        if why in ("pause_turn", "compaction"):
            continue
        if why in ("end_turn", "stop_sequence"):
            return "".join(part.get("text", "")
                           for part in reply["content"])
        if why != "tool_use":
            return f"stopped: {why}"
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


BASE = None
SLIP = "Goes on after a pause, and ends at every other reason to stop as the API's table says."
