"""Results of tools as they are stored, and read again."""

from dataclasses import asdict
from typing import Any

from pydantic import TypeAdapter, ValidationError

from app.engine.steps import FAILURES, Attempt, Change, Check, Hook, Json, Result

WRONG = "a stored result is in no right form"
# What of a result is stored besides what the model gets and the checks: where there is any.
MORE: dict[str, TypeAdapter[Any]] = {
    "tries": TypeAdapter(tuple[Attempt, ...]),
    "changes": TypeAdapter(tuple[Change, ...]),
    "hooks": TypeAdapter(tuple[Hook, ...]),
}


def stored_result(result: Result) -> Json:
    """A result as it is stored."""
    return {
        "content": result.content,
        "is_error": result.is_error,
        "checks": stored_checks(result.checks),
        **({"failure": result.failure} if result.failure else {}),
        **({"ends": result.ends} if result.ends else {}),
        **({"watched": True} if result.watched else {}),
        **{key: [asdict(one) for one in kept] for key in MORE if (kept := getattr(result, key))},
    }


def read_result(body: Json) -> Result:
    """A stored result. Raises ValueError where it is in no right form."""
    content, failed = body.get("content"), body.get("is_error", False)
    failure, ends = body.get("failure", ""), body.get("ends", "")
    watched = body.get("watched", False)
    if not (isinstance(content, str) and isinstance(failed, bool) and isinstance(watched, bool)):
        raise ValueError(WRONG)
    if failure not in ("", *FAILURES) or not isinstance(ends, str):
        raise ValueError(WRONG)
    try:
        more = {key: kind.validate_python(body.get(key, ())) for key, kind in MORE.items()}
    except ValidationError as wrong:
        raise ValueError(WRONG) from wrong
    checks = read_checks(body.get("checks", []))
    return Result(content, failed, checks, failure=failure, ends=ends, watched=watched, **more)


def stored_checks(checks: tuple[Check, ...]) -> list[Any]:
    """Checks as they are stored."""
    return [[one.name, one.passed, one.said, one.made] for one in checks]


def read_checks(stored: Any) -> tuple[Check, ...]:
    """Stored checks. Raises ValueError where they are in no right form."""
    if not isinstance(stored, list):
        raise ValueError(WRONG)
    return tuple(_check(one) for one in stored)


def _check(stored: Any) -> Check:
    match stored:
        case [str(name), bool(passed), str(said)]:
            return Check(name, passed, said)
        case [str(name), bool(passed), str(said), bool(made)]:
            return Check(name, passed, said, made)
    raise ValueError("a stored check is in no right form")
