"""The folder that the tools of a run see: a copy of the lesson's, or the one of this server."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from app.lessons import Lesson
from app.live.scratch import forget, scratch
from app.live.state import NotNow, State
from app.said import Said, quoted
from app.store import Run


@dataclass(frozen=True)
class Folders:
    """`data` is where this server stores things, `workspace` the folder it was started on."""

    data: Path
    workspace: Path | None

    @property
    def mark(self) -> str:
        """What tells this server's folder from another's, without saying where it is."""
        place = str(self.workspace.resolve()) if self.workspace else ""
        return hashlib.sha256(place.encode()).hexdigest()[:16]

    def begin(self, run: Run, lesson: Lesson) -> None:
        """Copy the lesson's workspace for a run."""
        scratch(self._copies, run.id, _original(lesson, run))

    def forget(self, id: str) -> None:
        """Take a run's copy away."""
        forget(self._copies, id)

    def of(self, run: Run, lesson: Lesson | None) -> Path:
        """The folder of a run's tools; `lesson` is the one it names, where it is here. Raises
        NotNow."""
        if run.lesson:
            if lesson is None:
                raise NotNow(
                    Said(
                        "The lesson %(lesson)s is not here, so its tools cannot run.",
                        lesson=quoted(run.lesson),
                    )
                )
            return scratch(self._copies, run.id, _original(lesson, run))
        if run.settings.get("folder") != self.mark:
            raise NotNow(
                Said("This run was started on another folder, so its tools cannot run here.")
            )
        if self.workspace is None:
            return scratch(self._copies, run.id, self._copies / "none")
        return self.workspace

    def here(self, run: Run, lesson: Lesson | None) -> Path | None:
        """The same; None where there is none."""
        try:
            return self.of(run, lesson)
        except NotNow:
            return None

    def to_pack(self, state: State) -> Path | None:
        """The files of a run's workspace where they are a lesson's own; a person's folder stays
        where it is."""
        return self.here(state.run, state.lesson) if state.run.lesson else None

    @property
    def _copies(self) -> Path:
        return self.data / "workspaces"


def _original(lesson: Lesson, run: Run) -> Path:
    """The workspace that a run's lane begins with; the lesson's where the lane is gone."""
    lane = next((lane for lane in lesson.lanes if lane.name == run.lane), None)
    asked = run.settings.get("lang")  # a run from a file may hold anything there
    lang = asked if asked in lesson.languages else lesson.language
    return lesson.workspace(lang, lane.workspace if lane else "")
