"""The scripted server and its teaching option."""

import pytest

from app.engine.script import ScriptedReply
from app.engine.server import ScriptedServer

USER = {"role": "user", "content": "hello"}


@pytest.mark.parametrize(
    ("options", "refused"),
    [({}, []), ({"strict": True}, ["A11"]), ({"strict": True, "checked": False}, [])],
)
def test_strict_alternation_is_an_option_of_a_checked_server(
    options: dict[str, bool], refused: list[str]
) -> None:
    server = ScriptedServer(script=(ScriptedReply("hello"),), **options)
    faults = server.check(server.body([USER, USER], {}))
    assert [fault.rule for fault in faults if fault.effect == "refuse"] == refused
