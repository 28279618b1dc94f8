"""Whether a value is a JSON Schema of draft 2020-12, by the kinds of its keywords' values.

Source: the meta-schema of that draft. Unknown keywords are allowed; patterns are not compiled and
references are not followed.
"""

from collections.abc import Callable, Iterable
from typing import Any

Fits = Callable[[Any], bool]

TYPES = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})
# Keywords that hold one schema, a list of schemas, and schemas by name.
ONE = frozenset(
    "additionalProperties contains contentSchema else if items not propertyNames then "
    "unevaluatedItems unevaluatedProperties".split()
)
SEVERAL = frozenset("allOf anyOf oneOf prefixItems".split())
NAMED = frozenset("$defs definitions dependentSchemas patternProperties properties".split())


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_list(value: Any) -> bool:
    return isinstance(value, list)


def _is_switch(value: Any) -> bool:
    return isinstance(value, bool)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_above_zero(value: Any) -> bool:
    return _is_number(value) and value > 0


def _is_count(value: Any) -> bool:
    return _is_number(value) and value >= 0 and value == value // 1


def _is_names(value: Any) -> bool:
    texts = isinstance(value, list) and all(isinstance(name, str) for name in value)
    return texts and len(set(value)) == len(value)


def _is_names_by_name(value: Any) -> bool:
    return isinstance(value, dict) and all(_is_names(names) for names in value.values())


def _is_type(value: Any) -> bool:
    names = [value] if isinstance(value, str) else value
    return _is_names(names) and bool(names) and TYPES.issuperset(names)


KEYWORDS: dict[str, Fits] = {
    **dict.fromkeys(
        "$anchor $comment $dynamicAnchor $dynamicRef $id $ref $schema contentEncoding "
        "contentMediaType description format pattern title".split(),
        _is_text,
    ),
    **dict.fromkeys("enum examples".split(), _is_list),
    **dict.fromkeys("deprecated readOnly uniqueItems writeOnly".split(), _is_switch),
    **dict.fromkeys("exclusiveMaximum exclusiveMinimum maximum minimum".split(), _is_number),
    **dict.fromkeys(
        "maxContains maxItems maxLength maxProperties minContains minItems minLength "
        "minProperties".split(),
        _is_count,
    ),
    "dependentRequired": _is_names_by_name,
    "multipleOf": _is_above_zero,
    "required": _is_names,
    "type": _is_type,
}


def is_schema(value: Any) -> bool:
    """Whether a JSON value is a schema, with all schemas inside it."""
    rest = [value]
    while rest:
        schema = rest.pop()
        if isinstance(schema, bool):
            continue
        if not isinstance(schema, dict):
            return False
        for keyword, given in schema.items():
            inner = _inside(keyword, given)
            if inner is None or (keyword in KEYWORDS and not KEYWORDS[keyword](given)):
                return False
            rest += inner
    return True


def _inside(keyword: str, given: Any) -> Iterable[Any] | None:
    """The schemas that a keyword holds; None where it should hold some and does not."""
    if keyword in ONE:
        return [given]
    if keyword in SEVERAL:
        return given if isinstance(given, list) and given else None
    if keyword in NAMED:
        return given.values() if isinstance(given, dict) else None
    return ()
