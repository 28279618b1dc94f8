"""Runs against the real Messages API: replay what is recorded, then make one real call.

Read `replay` first: it walks with a `cursor` along what is `recorded`; `server` answers requests,
`calls` answers tool calls, a person's decisions and the helper agent's run among them. Then `live`,
and `effects`, which does what is next; `permits` says whether it may, `folders` where tools work.
Only `api` knows the anthropic SDK, and loads it at need.
"""

from app.live.cursor import AGAIN, Differs, Sent, Waiting
from app.live.live import Live
from app.live.orders import FOLDER_TOOLS, GRANTS, BadOrder, Order, offered
from app.live.recorded import CALL, DECIDE, TOOL, Try
from app.live.replay import Replayed
from app.live.state import NotNow, State
from app.live.subject import ASK_HELPER, CannotGoOn, shown_lesson

__all__ = [
    "AGAIN",
    "ASK_HELPER",
    "CALL",
    "DECIDE",
    "FOLDER_TOOLS",
    "GRANTS",
    "TOOL",
    "BadOrder",
    "CannotGoOn",
    "Differs",
    "Live",
    "NotNow",
    "Order",
    "Replayed",
    "Sent",
    "State",
    "Try",
    "Waiting",
    "offered",
    "shown_lesson",
]
