def run_agent(task, model, tools, max_turns=40):
    messages = [{"role": "user", "content": task}]
    for turn in range(max_turns):
        reply = model.create(messages)
        messages.append({"role": "assistant",
                         "content": reply["content"]})
        why = reply["stop_reason"]
        if why in ("pause_turn", "compaction"):
            continue
        if why in ("end_turn", "stop_sequence"):
            return "".join(b.get("text", "")
                           for b in reply["content"])
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


BASE = "correct"
SLIP = "Acts on every stop_reason: goes on after a pause, takes a stop_sequence for an end."
LEFT_OUT = (7, 8, 9, 10, 11, 12)
PUT_IN = (7, 8, 9, 10, 11, 12, 13, 14)
