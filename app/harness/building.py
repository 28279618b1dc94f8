"""The tools that try out what was written: tests, and a build.

The tests of a workspace are rows of `tests.json`, each naming a file and what must or must not
stand in it: no code of a workspace is ever run. A build is played back from `build.log`.
"""

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from app.harness.results import Report, ToolError, count
from app.harness.schemas import Tool
from app.harness.workspace import Workspace

TESTS, LOG = "tests.json", "build.log"
EXIT = "exit "  # what the last line of a log begins with
MATTERS = ("error", "failed")  # words of the lines that matter, in lower case


class Test(BaseModel):
    """One row of the tests: `file` must hold `has`, and must not hold `lacks`."""

    model_config = ConfigDict(extra="forbid")

    test: str
    file: str
    has: str = ""
    lacks: str = ""

    def fault(self, workspace: Workspace) -> str:
        """Why it fails; "" where it passes."""
        try:
            text = workspace.read(workspace.file(self.file)).text
        except ToolError as refusal:
            return str(refusal)
        if self.has not in text:
            return f"{self.file} must hold: {self.has}"
        if self.lacks and self.lacks in text:
            return f"{self.file} must not hold: {self.lacks}"
        return ""


_Tests = TypeAdapter(list[Test])


def run_tests(workspace: Workspace) -> Report:
    """Run all tests of this workspace."""
    try:
        tests = _Tests.validate_json(workspace.read(workspace.file(TESTS)).text)
    except ValidationError as problem:
        right = "a list of tests, each with test, file and has"
        raise ToolError(f"{TESTS} must be {right}") from problem
    failed = [(test.test, fault) for test in tests if (fault := test.fault(workspace))]
    if not failed:
        return Report(f"{count(len(tests), 'test', 'tests')} passed")
    body = "\n".join(f"FAILED {name}: {fault}" for name, fault in failed)
    return Report(f"{len(failed):,} of {len(tests):,} tests failed", body, failed=True)


def run_build(workspace: Workspace) -> Report:
    """Build the program of this workspace."""
    text = workspace.read(workspace.file(LOG)).text.removesuffix("\n")
    log, _, last = text.rpartition("\n")
    if not last.startswith(EXIT):
        raise ToolError(f"the last line of {LOG} must say {EXIT}0, or another number")
    lines = log.split("\n") if log else []
    main = [line for line in lines if any(word in line.lower() for word in MATTERS)]
    number = last.removeprefix(EXIT)
    failed = number != "0"
    outcome = f"the build failed with exit code {number}" if failed else "the build is finished"
    return Report(outcome, log, main="\n".join(main), failed=failed)


BUILDING = (Tool.of(run_tests), Tool.of(run_build))
