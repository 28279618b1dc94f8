"""The harness: what stands between a call that a model writes and the function that answers it.

Read `harness` first: the `checks` before a call, by the rules of a `policy`; `calls` carries it
out: tries, effects, hooks. `offer` is a harness in one run: which tools each turn offers. `tools`,
`writing` and `building` hold the functions, `schemas` makes what the model is told about them,
`workspace` is the only door to files, `results` the one form of answers, `trouble` what a lesson
lets go wrong, `repeats` a guard around the calls of one run; `shell` runs commands in live runs,
and `closed` keeps the server's environment from them.
"""

from app.harness.calls import AskHelper, Handling
from app.harness.harness import Harness
from app.harness.offer import Offer
from app.harness.policy import Policy
from app.harness.repeats import Guard
from app.harness.results import Form
from app.harness.scratch import scratch
from app.harness.shell import LIVE_TOOLS
from app.harness.tools import TOOLS
from app.harness.trouble import Trouble

__all__ = [
    "LIVE_TOOLS",
    "TOOLS",
    "AskHelper",
    "Form",
    "Guard",
    "Handling",
    "Harness",
    "Offer",
    "Policy",
    "Trouble",
    "scratch",
]
