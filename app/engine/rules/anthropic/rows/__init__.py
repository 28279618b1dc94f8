"""The table of rules of the Messages API, one file per section."""

from collections.abc import Mapping

from app.engine.rules.anthropic.rows import (
    content,
    envelope,
    pairing,
    roles,
    server_tools,
    thinking,
    tools,
)
from app.engine.rules.rule import Rule

_SECTIONS = (envelope, roles, content, tools, pairing, thinking, server_tools)

ROWS: tuple[Rule, ...] = tuple(rule for section in _SECTIONS for rule in section.RULES)
RULES: Mapping[str, Rule] = {rule.number: rule for rule in ROWS}
