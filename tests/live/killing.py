"""What makes a server kill itself at one point."""

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

from app.harness import Harness
from app.live import effects
from app.store.store import Store


def kill_itself(point: str, arrived: Path) -> None:
    """Make this process kill itself at a point; `arrived` is there once a request has left."""
    if point == "before the intent":
        _at("claim", before=_always)
    elif point == "after the intent":
        _at("claim", after=_always)
    elif point == "request out":
        _at(
            "renew",
            before=lambda id, effect, attempt, partial, **_: not partial and arrived.exists(),
        )
    elif point == "streaming":
        _at("renew", after=lambda *given, **_: bool(given[3]))
    elif point == "before the reply is stored":
        _at("finish", before=_a("reply"))
    elif point == "after the reply is stored":
        _at("finish", after=_a("reply"))
    elif point == "while a tool runs":
        effects.harness_of = lambda subject, folder: _Dying(folder, subject.tools)
    elif point == "after its result is stored":
        _at("finish", after=_a("tool result"))
    else:
        raise LookupError(point)


def _die(*_: Any) -> Any:
    os.kill(os.getpid(), signal.SIGKILL)


class _Dying(Harness):
    run = _die


def _always(*_: Any, **__: Any) -> bool:
    return True


def _never(*_: Any, **__: Any) -> bool:
    return False


def _a(kind: str) -> Callable[..., bool]:
    return lambda *given, **_: given[3] == kind


def _at(
    name: str, before: Callable[..., bool] = _never, after: Callable[..., bool] = _never
) -> None:
    """Die before or after a method of the store, where its arguments say so."""
    inner = getattr(Store, name)

    def method(self: Store, *given: Any, **named: Any) -> Any:
        if before(*given, **named):
            _die()
        found = inner(self, *given, **named)
        if after(*given, **named):
            _die()
        return found

    setattr(Store, name, method)
