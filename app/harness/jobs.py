"""Tools that look at jobs which take their time."""

from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, Field, ValidationError

from app.harness.results import Report, ToolError, count, quoted
from app.harness.workspace import Workspace

ENDING = ".job.json"  # of a job's file
FACTS = ("job", "state")

JobName = Annotated[str, Field(description="The job, such as report-7.")]
Where = Annotated[
    dict[str, str],
    Field(
        description="What is true of a job: its name as job; its state: waiting, running or"
        " finished."
    ),
]


class _Job(BaseModel):
    """A job as its file holds it; one without `seconds_a_part` waits for ever."""

    parts: int = Field(ge=1)
    seconds_a_part: float | None = Field(None, gt=0)
    result: str

    def done(self, now: float) -> int | None:
        """How many of its parts are done; None where it waits."""
        return (
            None
            if self.seconds_a_part is None
            else min(self.parts, int(now // self.seconds_a_part))
        )

    def state(self, now: float) -> str:
        done = self.done(now)
        return "waiting" if done is None else "finished" if done == self.parts else "running"


def job_status(workspace: Workspace, job: JobName) -> Report:
    """Tell how far a job is, and its result once it is done."""
    found = _read(workspace, workspace.file(f"{job}{ENDING}"))
    state = found.state(workspace.now)
    if state == "finished":
        return Report(f"job {job} is finished", found.result)
    done = found.done(workspace.now) or 0
    return Report(f"job {job} is {state}, {done} of {found.parts} parts are done")


def find_jobs(workspace: Workspace, where: Where) -> Report:
    """Find the jobs of which all these facts are true."""
    for fact in where:
        if fact not in FACTS:
            raise ToolError(f"a job has no {quoted(fact)}; give {' or '.join(FACTS)}")
    found = []
    for file in workspace.files(workspace.folder(".")):
        name = file.name.removesuffix(ENDING)
        if file.name.endswith(ENDING):
            facts = {"job": name, "state": _read(workspace, file).state(workspace.now)}
            found += [name] if facts.items() >= where.items() else []
    return Report(count(len(found), "job is", "jobs are") + " like that", "\n".join(found))


def _read(workspace: Workspace, file: Path) -> _Job:
    try:
        return _Job.model_validate_json(workspace.read(file).text)
    except ValidationError as problem:
        raise ToolError(f"{quoted(file.name)} does not describe a job") from problem
