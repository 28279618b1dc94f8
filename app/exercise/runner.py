"""Runs the exercise's calls for the recorder."""

from collections.abc import Mapping
from typing import Any

from app.engine.steps import Result
from app.exercise.tools import run_tool

PRACTISED = run_tool  # as it was before a learner's file was given another one


class Practice:
    """The exercise's tools, as the recorder asks for them."""

    def run(self, call: Mapping[str, Any], decision: str = "") -> Result:
        """One call, which nobody is asked about; a failure is a result too."""
        given = PRACTISED(call)
        return Result(given["content"], given.get("is_error", False))
