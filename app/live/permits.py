"""Whether a press may do what it asks for: caps on money, a key, the tools of this server."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from app import prices
from app.harness import TOOLS
from app.live.cursor import Waiting
from app.live.orders import GRANTS, offered
from app.live.state import NotNow, State
from app.said import Said, quoted
from app.settings import Settings

if TYPE_CHECKING:
    from app.store.store import Store


def may_call(state: State, settings: Settings, store: "Store", now: float) -> None:
    """Raises NotNow where a cap or a missing key forbids a call."""
    if not settings.live:
        raise NotNow(Said("Live is off: there is no key."))
    caps = (settings.live_run_usd, settings.live_day_usd)
    if caps != (None, None) and not prices.known(state.run.model):
        raise NotNow(
            Said("This server has a cap on money, and the price of this model is unknown.")
        )
    if caps[0] is not None and store.spent(state.run.id) >= caps[0]:
        raise NotNow(Said("This run has reached its cap of %(cap)s.", cap=f"${caps[0]:,.2f}"))
    if caps[1] is not None and store.spent(since=now - now % 86_400) >= caps[1]:
        raise NotNow(
            Said("The runs of today have reached their cap of %(cap)s.", cap=f"${caps[1]:,.2f}")
        )


def may_use(state: State, waiting: Waiting, folder_tools: Sequence[str]) -> None:
    """Raises NotNow where a run may not use here the tool that it waits for; `folder_tools` are
    those of a task of one's own. A run may come from a file, so what it says of its tools is judged
    again at each call; what it was not given, the harness refuses."""
    tool, lesson = str(waiting.body.get("name")), state.run.lesson
    if tool not in waiting.by.tools or tool in (TOOLS if lesson else folder_tools):
        return
    if tool in GRANTS and not lesson:
        said = "This server was started without %(option)s, so %(tool)s cannot run."
        raise NotNow(Said(said, option=GRANTS[tool], tool=tool))
    known = ", ".join(offered(state.lesson, folder_tools))
    said = "There is no tool %(tool)s here; there are %(known)s."
    raise NotNow(Said(said, tool=quoted(tool), known=known))
