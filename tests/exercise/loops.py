"""Loops that learners might write, good and bad, as texts of their files."""

from textwrap import dedent

HEAD = """\
import json

from app.exercise.tools import run_tool

"""


def file_of(body: str) -> str:
    """A learner's file with a loop."""
    return HEAD + dedent(body)


PLAIN = """
    def run_agent(task, model, max_turns):
        messages = [{"role": "user", "content": task}]
        for turn in range(1, max_turns + 1):
            reply = model.create(messages)
            messages.append({"role": "assistant", "content": reply["content"]})
            if reply["stop_reason"] == "end_turn":
                return "".join(b["text"] for b in reply["content"] if b["type"] == "text")
            if reply["stop_reason"] != "tool_use":
                return f"stopped: {reply['stop_reason']}"
            results = []
            for block in reply["content"]:
                if block["type"] == "tool_use":
                    result = run_tool(block)
                    given = json.dumps(block["input"], sort_keys=True)
                    print(f"turn {turn}: {block['name']} {given} -> {result['content']}")
                    results.append(
                        {"type": "tool_result", "tool_use_id": block["id"], **result}
                    )
            messages.append({"role": "user", "content": results})
        return f"stopped: no answer after {max_turns} turns"
"""


def with_change(*changes: str) -> str:
    """The plain loop with changes: what stood there, what stands there now, and so on."""
    text = PLAIN
    for old, new in zip(changes[::2], changes[1::2], strict=True):
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return file_of(text)


RIGHT = {
    "plain": file_of(PLAIN),
    "while, other names": file_of("""
        def run_agent(task, model, max_turns):
            history, n = [dict(role="user", content=[{"type": "text", "text": task}])], 0
            while n < max_turns:
                n += 1
                answer = model.create(history)
                said, why = answer["content"], answer["stop_reason"]
                history += [{"role": "assistant", "content": said}]
                if why == "end_turn":
                    text = ""
                    for block in said:
                        if block["type"] == "text":
                            text += block["text"]
                    return text
                if why != "tool_use":
                    return "stopped: " + why
                history += [{"role": "user", "content": []}]
                for call in said:
                    if call["type"] != "tool_use":
                        continue
                    out = run_tool(call)
                    print(f"turn {n}:", call["name"], json.dumps(call["input"], sort_keys=True),
                          "->", out["content"])
                    out.update(type="tool_result", tool_use_id=call["id"])
                    history[-1]["content"].append(out)
            return f"stopped: no answer after {max_turns} turns"
    """),
    "recursion": file_of("""
        def run_agent(task, model, max_turns, turn=1, messages=None):
            messages = messages or [{"role": "user", "content": task}]
            if turn > max_turns:
                return f"stopped: no answer after {max_turns} turns"
            reply = model.create(messages)
            if reply["stop_reason"] == "end_turn":
                return "".join(b.get("text", "") for b in reply["content"])
            if reply["stop_reason"] != "tool_use":
                return f"stopped: {reply['stop_reason']}"
            results = [answered(b, turn) for b in reply["content"] if b["type"] == "tool_use"]
            more = [{"role": "assistant", "content": reply["content"]},
                    {"role": "user", "content": results}]
            return run_agent(task, model, max_turns, turn + 1, messages + more)


        def answered(block, turn):
            result = run_tool(block)
            given = json.dumps(block["input"], sort_keys=True)
            print(f"turn {turn}: {block['name']} {given} -> {result['content']}")
            return {"type": "tool_result", "tool_use_id": block["id"], **result}
    """),
    "an object": file_of("""
        class Agent:
            def __init__(self, task, model):
                self.messages, self.model = [{"role": "user", "content": task}], model
                self.turn = 0

            def ask(self):
                self.turn += 1
                reply = self.model.create(self.messages)
                self.messages += [{"role": "assistant", "content": reply["content"]}]
                return reply

            def run(self, block):
                result = run_tool(block)
                given = json.dumps(block["input"], sort_keys=True)
                print(f"turn {self.turn}: {block['name']} {given} -> {result['content']}")
                return {"type": "tool_result", "tool_use_id": block["id"], **result}

            def go(self, max_turns):
                while self.turn < max_turns:
                    match self.ask():
                        case {"stop_reason": "end_turn", "content": blocks}:
                            return "".join(b["text"] for b in blocks if b["type"] == "text")
                        case {"stop_reason": "tool_use", "content": blocks}:
                            calls = [b for b in blocks if b["type"] == "tool_use"]
                            self.messages += [
                                {"role": "user", "content": [self.run(b) for b in calls]}
                            ]
                        case {"stop_reason": reason}:
                            return f"stopped: {reason}"
                return f"stopped: no answer after {max_turns} turns"


        def run_agent(task, model, max_turns):
            return Agent(task, model).go(max_turns)
    """),
    "a bare except that catches nothing": with_change(
        "            reply = model.create(messages)\n",
        "            try:\n"
        "                reply = model.create(messages)\n"
        "            except:\n"
        "                continue\n",
    ),
    "a function with some arguments given": file_of(
        PLAIN.replace("run_agent(task", "go(more, task")
        + "\n\n    import functools\n    run_agent = functools.partial(go, 7)\n"
    ),
    "tools, and lines of its own": with_change(
        "(task, model, max_turns)",
        "(task, model, tools, max_turns)",
        "run_tool(block)",
        "tools.run(block)",
    ),
    "prints of its own": with_change(
        "            reply = model.create(messages)\n",
        "            print('turn', turn, 'begins')\n            reply = model.create(messages)\n",
    ),
    "a thread that stays behind": with_change(
        '        messages = [{"role": "user", "content": task}]\n',
        "        import threading, time\n"
        "        threading.Thread(target=time.sleep, args=(600,)).start()\n"
        '        messages = [{"role": "user", "content": task}]\n',
    ),
    "its own run_tool, which is replaced": file_of(
        PLAIN + "\n\n    def run_tool(block):\n        return {'content': 'mine'}\n"
    ),
}

START = '        messages = [{"role": "user", "content": task}]\n'
CREATE = "            reply = model.create(messages)\n"
RESULTS = '            messages.append({"role": "user", "content": results})\n'
REPLY = '            messages.append({"role": "assistant", "content": reply["content"]})\n'

# A loop, the script that shows what is wrong with it, the kind of feedback, a piece of what is said
WRONG: dict[str, tuple[str, str, str, str]] = {
    "nothing written": (
        file_of("def run_agent(task, model, max_turns):\n    '''Nothing.'''\n"),
        *("one_call", "no_text", "returned None"),
    ),
    "the answer without a loop": (
        file_of("def run_agent(task, model, max_turns):\n    return '2 + 3 is 5.'\n"),
        *("one_call", "never_asked", "never called model.create"),
    ),
    "the right answer, nothing appended": (
        file_of("""
            def run_agent(task, model, max_turns):
                messages = [{"role": "user", "content": task}]
                reply = model.create(messages)
                if reply["stop_reason"] == "end_turn":
                    return "".join(b["text"] for b in reply["content"] if b["type"] == "text")
                print('turn 1: add {"a": 2, "b": 3} ->', run_tool(reply["content"][0])["content"])
                return "2 + 3 is 5."
        """),
        *("one_call", "gave_up", "while the model was waiting for results"),
    ),
    "a bare except that swallows the refusal": (
        with_change(
            RESULTS,
            "",
            CREATE,
            "            try:\n"
            "                reply = model.create(messages)\n"
            "            except:\n"
            "                continue\n",
        ),
        *("one_call", "forgot_results", "lacks the results"),
    ),
    "a bare except around everything, for ever": (
        file_of("""
            def run_agent(task, model, max_turns):
                while True:
                    try:
                        model.create([{"role": "user", "content": task}])
                    except:
                        pass
        """),
        *("one_call", "forgot_round", "the same messages as the one before"),
    ),
    "spins without a call": (
        file_of("""
            def run_agent(task, model, max_turns):
                while True:
                    pass
        """),
        *("one_call", "spin", "did not end"),
    ),
    "spins and catches what stops it": (
        file_of("""
            def run_agent(task, model, max_turns):
                while True:
                    try:
                        pass
                    except:
                        pass
        """),
        *("one_call", "spin", "did not end"),
    ),
    "floods of print": (
        with_change(START, START + "        while True:\n            print('x' * 1000)\n"),
        *("one_call", "flood", "printed more than 100,000 characters"),
    ),
    "floods of print, caught": (
        with_change(
            START,
            START + "        while True:\n"
            "            try:\n"
            "                print('x' * 1000)\n"
            "            except:\n"
            "                pass\n",
        ),
        *("one_call", "flood", "printed more than 100,000 characters"),
    ),
    "exit()": (
        with_change(RESULTS, "            exit()\n"),
        *("one_call", "error", "exit()"),
    ),
    "os._exit": (
        with_change(RESULTS, "            import os; os._exit(3)\n"),
        *("one_call", "died", "ended the whole process"),
    ),
    "a text of 450 MB": (
        with_change(RESULTS, "            return 'x' * 45 * 10**7\n"),
        *("one_call", "error", "more memory"),
    ),
    "a list of 2 GB": (
        with_change(START, START + "        much = [0] * 2**28\n"),
        *("one_call", "error", "more memory"),
    ),
    "reads the keyboard": (
        with_change(START, START + "        input('go on? ')\n"),
        *("one_call", "error", "keyboard"),
    ),
    "recursion without an end": (
        file_of("def run_agent(task, model, max_turns):\n    return run_agent(task, model, 1)\n"),
        *("one_call", "error", "calls itself too deeply"),
    ),
    "no cap": (
        with_change("for turn in range(1, max_turns + 1)", "for turn in range(1, 1000)"),
        *("never_stops", "over_cap", "max_turns was 4"),
    ),
    "a cap too small": (
        with_change("range(1, max_turns + 1)", "range(1, max_turns)"),
        *("last_turn", "gave_up", "reply 1 ended with tool_use"),
    ),
    "the cap reached in silence": (
        with_change('return f"stopped: no answer after {max_turns} turns"', "return ''"),
        *("never_stops", "wrong_text", "stopped: no answer after 4 turns"),
    ),
    "an error made a success": (
        with_change("**result}", '"content": result["content"]}'),
        *("failing_tool", "lost_error", "is_error"),
    ),
    "an empty result skipped": (
        with_change(
            "                    results.append(\n",
            "                    if result['content']: results.append(\n",
        ),
        *("empty_result", "no_results", "no tool_result block"),
    ),
    "the thinking taken for text": (
        with_change('if b["type"] == "text")', 'if b["type"] != "tool_use")'),
        *("thinking", "error", "KeyError"),
    ),
    "a text instead of blocks": (
        with_change('"content": reply["content"]})', '"content": str(reply["content"])})'),
        *("one_call", "part_of_reply", "a text instead of the list"),
    ),
    "results before the reply": (
        with_change(REPLY, "", RESULTS, RESULTS + REPLY),
        *("one_call", "order", "the reply comes first"),
    ),
    "a result made up": (
        with_change("run_tool(block)\n", "{'content': '5'}\n"),
        *("one_call", "not_run", "did not run toolu_01 with run_tool"),
    ),
    "a call run twice": (
        with_change("= run_tool(block)\n", "= run_tool(block) and run_tool(block)\n"),
        *("one_call", "ran_twice", "it ran one call 2 times"),
    ),
    "a result without what the tool said": (
        with_change("**result}", '"content": "done"}'),
        *("one_call", "changed_result", "is not what the tool gave back"),
    ),
    "a result under an id of its own": (
        with_change('"tool_use_id": block["id"]', '"tool_use_id": "toolu_99"'),
        *("one_call", "wrong_id", "which no call of the reply is"),
    ),
    "a word beside the results": (
        with_change(
            '"content": results}', '"content": [*results, {"type": "text", "text": "ok"}]}'
        ),
        *("one_call", "extra", "send results alone"),
    ),
    "runs the calls of the turn before": (
        with_change(
            START,
            START + "        old = {'id': 'toolu_77', 'name': 'add', 'input': {'a': 1, 'b': 1}}\n",
            "result = run_tool(block)",
            "run_tool(old); result = run_tool(block)",
        ),
        *("one_call", "not_asked", "a call that reply 1 did not make"),
    ),
    "no lines": (
        with_change("                    print(f", "                    str(f"),
        *("one_call", "lines", 'turn 1: add {"a": 2, "b": 3} -> 5'),
    ),
    "turns counted from 0": (
        with_change('print(f"turn {turn}', 'print(f"turn {turn - 1}'),
        *("one_call", "lines", "turn 0"),
    ),
    "a task of its own": (
        with_change('"content": task}', '"content": task + "!"}'),
        *("one_call", "wrong_start", "one user message, the task"),
    ),
    "messages of no shape": (
        with_change(START, "        messages = [task]\n"),
        *("one_call", "wrong_start", "one user message, the task"),
    ),
    "messages that are no list": (
        with_change(START, "        messages = 7\n"),
        *("one_call", "error", "TypeError"),
    ),
    "forgets what was said": (
        with_change(RESULTS, RESULTS + "            messages = messages[-2:]\n"),
        *("one_call", "changed_past", "a history only grows"),
    ),
}

# A file without a loop that could be run, and a piece of the sentence.
UNGRADABLE = {
    "no run_agent": ("print('hello')\n", "has no function run_agent"),
    "no Python": ("def run_agent(:\n", "line 1: SyntaxError"),
    "a name that is not there": ("import json\nnonsense\n", "line 2: NameError"),
    "other arguments": ("def run_agent(question, model):\n    pass\n", "by these names"),
    "ends when loaded": ("import os; os._exit(0)\n", "ends Python when it is loaded"),
    "exits when loaded": ("exit()\n", "ends Python when it is loaded"),
    "async": (
        "async def run_agent(task, model, max_turns):\n    return ''\n",
        "must be a plain function, without async, yield",
    ),
    "a generator": (
        "def run_agent(task, model, max_turns):\n    yield ''\n",
        "must be a plain function, without async, yield",
    ),
    "run_agent is a number": ("run_agent = 7\n", "has no function run_agent"),
}
