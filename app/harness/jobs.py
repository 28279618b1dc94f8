"""A tool that looks at a job which takes its time."""

from typing import Annotated

from pydantic import BaseModel, Field, ValidationError

from app.harness.results import Report, ToolError, quoted
from app.harness.workspace import Workspace

JobName = Annotated[str, Field(description="The job, such as report-7.")]


class _Job(BaseModel):
    """A job as its file holds it; one without `seconds_a_part` waits for ever."""

    parts: int = Field(ge=1)
    seconds_a_part: float | None = Field(None, gt=0)
    result: str


def job_status(workspace: Workspace, job: JobName) -> Report:
    """Tell how far a job is, and its result once it is done."""
    file = workspace.file(f"{job}.job.json")
    try:
        found = _Job.model_validate_json(workspace.read(file).text)
    except ValidationError as problem:
        raise ToolError(f"{quoted(file.name)} does not describe a job") from problem
    if found.seconds_a_part is None:
        return Report(f"job {job} is waiting, 0 of {found.parts} parts are done")
    done = min(found.parts, int(workspace.now // found.seconds_a_part))
    if done == found.parts:
        return Report(f"job {job} is finished", found.result)
    return Report(f"job {job} is running, {done} of {found.parts} parts are done")
