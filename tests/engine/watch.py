"""An independent witness: runs a loop file under `bdb` and prints the lines that ran.

It imports nothing of ours, not even the loop as a module.
"""

import bdb
import json
import sys
from contextlib import suppress
from pathlib import Path


class Model:
    """Gives the replies of a file, one after the other."""

    def __init__(self, replies):
        self.replies = replies

    def create(self, messages, **changes):
        return self.replies.pop(0)


class Tools:
    """Answers every call alike; nobody guards them."""

    stuck = ""

    def notes(self, messages):
        return []

    def run(self, call):
        return {"content": "5"}


class Clock:
    """Stands still."""

    now = 0.0


class Prices:
    """Nothing costs anything."""

    def dollars(self, usage):
        return 0.0


class Witness(bdb.Bdb):
    """Writes down each line of the loop that runs."""

    def __init__(self, code):
        super().__init__()
        self.code, self.lines = code, []

    def user_line(self, frame):
        if frame.f_code is self.code:
            self.lines.append(frame.f_lineno)
        self.set_step()


path, replies = sys.argv[1], json.loads(sys.argv[2])
names = {"print": lambda *values: None}  # what a loop prints is no part of the report
exec(compile(Path(path).read_text(encoding="utf-8"), path, "exec"), names)
witness = Witness(names["run_agent"].__code__)
with suppress(Exception):  # a loop may fall over what it is given; the lines until then count
    offered = {"max_turns": 6, "clock": Clock(), "prices": Prices()}
    taken = names["run_agent"].__code__.co_varnames[: names["run_agent"].__code__.co_argcount]
    given = {name: value for name, value in offered.items() if name in taken}
    witness.runcall(names["run_agent"], "Go.", Model(replies), Tools(), **given)
print(json.dumps(witness.lines))
