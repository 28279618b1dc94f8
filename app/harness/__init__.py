"""The harness: what stands between a call that a model writes and the function that answers it.

Read `harness` first: the checks before a call, by the rules of a `policy`. `offer` is a harness in
one run: which tools each turn offers. `tools` holds the functions, `schemas` makes what
the model is told about them, `workspace` is the only door to files, `results` the one form of
answers.
"""

from app.harness.harness import Harness
from app.harness.offer import Offer
from app.harness.policy import Policy
from app.harness.tools import TOOLS

__all__ = ["TOOLS", "Harness", "Offer", "Policy"]
