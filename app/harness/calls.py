"""What happens once the checks of a call are passed: its tries, its effects, its hooks.

The model's failure goes back to it at once. The environment's is tried again, where a repeat can do
no harm; if it stays, the model is told whose it is. What was mended on the way is no news to it.
"""

import errno
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from app.engine.steps import OUTAGE, Attempt, Ending, Helped, Hook, Json, Result
from app.harness.changes import changes, files_of
from app.harness.clock import Clock
from app.harness.results import WORDS, Form, Report, ToolError, count, done, error, short, visible
from app.harness.schemas import HELPER, WORKSPACE, Tool
from app.harness.trouble import Trouble, trouble_at
from app.harness.workspace import Workspace

AskHelper = Callable[[str], Helped]  # gives a task to the agent's helper

NEVER, SAFE, ASK, ALWAYS = "never", "safe", "ask", "always"  # which calls are tried again
ENVIRONMENT = "environment"  # whose failure it is
TRIES = 3
LONGEST_WAIT = 8  # seconds between two tries; the first wait is one, each next twice as long
REASON_LIMIT = 200  # characters of an unexpected exception that the model is told
HOOK_LIMIT = 600  # characters of what a hook says
PASSING = frozenset(  # what the system reports and another try may mend
    {errno.EAGAIN, errno.EBUSY, errno.EIO, errno.ENETDOWN, errno.ENETUNREACH, errno.EHOSTUNREACH}
)


@dataclass(frozen=True)
class Handling:
    """How an agent's calls are carried out.

    `retry` says which calls are tried again when the environment fails: `never`, `safe` (those that
    can do no harm twice), `ask` (these, and others where a person agrees) or `always`; `stops` ends
    the run where it fails for good. `troubles` are what a lesson lets go wrong; `hooks` names, for
    each tool, the tools that the harness runs after it; `form` is the form of results; `helper`
    runs the agent's helper on a task.
    """

    retry: str = SAFE
    stops: bool = False
    troubles: tuple[Trouble, ...] = ()
    hooks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    form: Form = WORDS
    helper: AskHelper | None = field(default=None, repr=False, compare=False)


PLAINLY = Handling()


class _Failed(Exception):
    """The environment failed in one try. `lost` where the call may have taken effect."""

    def __init__(self, said: str, lost: bool = False) -> None:
        super().__init__(said)
        self.lost = lost


class _Passing(_Failed):
    """A failure that another try may mend."""


@dataclass
class Call:
    """One call whose checks are passed, with all its tries. Nothing is raised: whatever happens is
    a result."""

    tool: Tool
    values: Json
    workspace: Workspace
    handling: Handling
    clock: Clock
    registry: Mapping[str, Tool]

    def __post_init__(self) -> None:
        self.tries: list[Attempt] = []
        self.last: _Failed | None = None
        self.agreed = False  # a person, to another try
        self.helped: Helped | None = None
        self.began = self.clock.now
        self.watched = self.tool.writes or bool(self.handling.hooks.get(self.tool.name))
        self.before = files_of(self.workspace) if self.watched else None

    def run(self) -> Result | None:
        """The result; None where a person must decide whether the call is tried again."""
        retry = self.handling.retry
        repeats = retry == ALWAYS or (retry in (SAFE, ASK) and self.tool.repeatable)
        result = self._tried(repeats)
        asks = retry == ASK and not repeats and isinstance(self.last, _Passing)
        return None if asks else self._whole(result)

    def decided(self, agreed: bool) -> Result:
        """The result, once a person has decided about another try."""
        assert self.last is not None  # else nobody would have been asked
        self.agreed = agreed
        return self._whole(self._tried(True) if agreed else self._failed(self.last))

    def taken_up(self, tries: Sequence[Attempt], agreed: bool) -> Result:
        """The same for a call that another process tried: `tries` are all that failed. What became
        of the workspace by them nobody knows here."""
        last = tries[-1]
        self.tries, self.last = [*tries], _Passing(last.said, last.lost)
        self.began = self.clock.now - last.started - last.seconds
        return replace(self.decided(agreed), watched=False)

    def _whole(self, result: Result) -> Result:
        """A result with everything that the trace keeps of its call."""
        hooks = () if result.is_error else self._hooks()
        said = "".join(f"\n\nAfter it the harness ran {hook.name}. {hook.said}" for hook in hooks)
        after = None if self.before is None else files_of(self.workspace)
        simulated = any(attempt.simulated for attempt in self.tries)
        told = simulated or len(self.tries) > 1 or result.failure == ENVIRONMENT
        return replace(
            result,
            content=result.content + said,
            tries=tuple(self.tries) if told else (),
            changes=changes(self.before, after),
            hooks=hooks,
            helped=self.helped,
            watched=after is not None,
        )

    def _tried(self, repeats: bool) -> Result:
        """The answer of the last try, in its form."""
        # Here, as a start of the server has no use for it.
        from tenacity import Retrying, retry_if_exception_type, stop_after_attempt, wait_exponential

        retrying = Retrying(
            sleep=self.clock.sleep,
            stop=stop_after_attempt(TRIES if repeats else 1),
            wait=wait_exponential(max=LONGEST_WAIT),
            retry=retry_if_exception_type(_Passing),
            reraise=True,
        )
        try:
            said, failed = retrying(self._try)
            return Result(said, failed)  # what it tried out failed; the call did not
        except ToolError as refusal:
            return Result(error(str(refusal), self.handling.form), True, failure="model")
        except _Failed as failed_for_good:
            self.last = failed_for_good
            return self._failed(self.last)

    def _failed(self, failed: "_Failed") -> Result:
        """What the model gets where the environment failed for good."""
        said = str(failed) if self.handling.retry == NEVER else self._told(failed)
        ends = f"{OUTAGE}{failed}" if self.handling.stops else ""
        return Result(error(said, self.handling.form), True, failure=ENVIRONMENT, ends=ends)

    def _try(self) -> tuple[str, bool]:
        """One try; what became of it is written down. Raises ToolError and _Failed."""
        started = self.clock.now
        trouble = trouble_at(self.handling.troubles, self.tool.name, started)
        try:
            if trouble:
                self.clock.sleep(trouble.seconds)
                if trouble.kind == "outage":
                    raise _Passing(trouble.said)
            answer = self._run()
            if trouble and trouble.kind == "answer_lost":
                raise _Passing(trouble.said, lost=True)
        except _Failed as failed:
            self._write_down(started, str(failed), trouble is not None, failed.lost)
            raise
        except ToolError as refusal:
            self._write_down(started, str(refusal), False)
            raise
        self._write_down(started, "", trouble is not None)
        return answer

    def _write_down(self, started: float, said: str, simulated: bool, lost: bool = False) -> None:
        since, took = started - self.began, self.clock.now - started
        self.tries.append(Attempt(round(since, 3), round(took, 3), said, simulated, lost))

    def _run(self) -> tuple[str, bool]:
        """The tool's own answer. Raises ToolError, and _Failed for what the model cannot mend."""
        try:
            values = {**self.values, HELPER: self._ask} if self.tool.needs_helper else self.values
            return answer_of(self.tool, values, self.workspace, self.handling.form)
        except ToolError:
            raise
        except Exception as problem:  # a tool's fault ends one call, never the run
            if _may_pass(problem):
                raise _Passing(_reason(problem), lost=self.tool.writes) from problem
            raise _Failed(f"{self.tool.name} failed: {_reason(problem)}") from problem

    def _ask(self, task: str) -> Ending:
        """Let the helper do a task. Raises ToolError where there is none."""
        if self.handling.helper is None:
            raise ToolError("there is no helper here; do it yourself")
        self.helped = self.handling.helper(task)
        return self.helped.run.ending

    def _told(self, failed: _Failed) -> str:
        """What the model must know of a failure that stayed."""
        if not isinstance(failed, _Passing):
            return str(failed)
        name = self.tool.name
        tries = count(len(self.tries), "try", "tries")
        lost = any(one.lost for one in self.tries)
        done = (
            f"{name} may have taken effect or not: look before you call it again"
            if lost and self.tool.writes
            else "nothing was done"
        )
        once = "" if self.tool.repeatable else " It was not tried again: twice could do harm."
        if self.agreed:
            once = ""
        elif self.handling.retry == ASK and once:
            once = " A person was asked, and it was not tried again."
        return (
            f"{name} could not be carried out: {failed} ({tries}). The environment failed, not your"
            f" call; {done}.{once}"
        )

    def _hooks(self) -> tuple[Hook, ...]:
        """What the harness runs by itself after a call that was done."""
        ran = []
        for name in self.handling.hooks.get(self.tool.name, ()):
            hook = self.registry[name]
            try:
                said, failed = answer_of(hook, hook.values({}), self.workspace, WORDS)
            except ToolError as refusal:
                said, failed = error(str(refusal)), True
            except Exception as problem:
                said, failed = error(f"{name} failed: {_reason(problem)}"), True
            ran.append(Hook(name, not failed, short(said, HOOK_LIMIT)))
        return tuple(ran)


def answer_of(tool: Tool, values: Json, workspace: Workspace, form: Form) -> tuple[str, bool]:
    """Run a tool's function: its answer in its form, and whether what it tried out failed. Raises
    what the function raises."""
    given = {**values, WORKSPACE: workspace} if tool.needs_workspace else values
    answer = tool.function(**given)
    return done(answer, form, tool.name), isinstance(answer, Report) and answer.failed


def _may_pass(problem: Exception) -> bool:
    if isinstance(problem, ConnectionError | TimeoutError | InterruptedError):
        return True
    return isinstance(problem, OSError) and problem.errno in PASSING


def _reason(problem: Exception) -> str:
    """An exception in words, without the machine's own paths that an OSError repeats."""
    kind = type(problem).__name__
    words = getattr(problem, "strerror", None) or str(problem)
    return short(visible(f"{kind}: {words}" if words else kind), REASON_LIMIT)
