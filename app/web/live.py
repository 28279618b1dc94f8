"""Live runs on the web: who may do what, and a run's state as its page needs it."""

import hashlib
import hmac
import secrets
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import Response

from app.live import CALL, Live, Sent, State, shown_lesson
from app.prices import cost_of, dated
from app.store import Run as StoredRun
from app.views.reading import Reading
from app.views.run import Call, Next, Run, Tried, used_of, verdict_of
from app.web.languages import Language

BROWSER = "halqa_browser"  # the cookie that tells this browser's runs
UNLOCKED = "halqa_live"  # the cookie of a browser that gave the password
YEAR = 31_536_000
DECIDING = ("invalid_request_error", "request_too_large")  # errors that judge the request itself


def live_of(request: Request) -> Live:
    """The live runs of the application."""
    live: Live = request.app.state.live
    return live


# --- who


def owner_of(request: Request) -> str:
    """The digest of this browser's token; "" where it has none yet."""
    token = request.cookies.get(BROWSER, "")
    return _digest(token) if token else ""


def owners_of(request: Request) -> list[str]:
    """Whose runs this browser may change: its own, and on a private server the terminal's."""
    own = owner_of(request)
    terminal = [] if live_of(request).settings.live_password else [""]
    return [*([own] if own else []), *terminal]


def may_act(request: Request, run: StoredRun) -> bool:
    """Whether this browser may go on with a run."""
    return run.owner in owners_of(request)


def unlocked(request: Request) -> bool:
    """Whether this browser may make real calls: there is no password, or it gave it."""
    password = live_of(request).settings.live_password
    if password is None:
        return True
    given = request.cookies.get(UNLOCKED, "")
    return hmac.compare_digest(given.encode(), _proof(password.get_secret_value()).encode())


def right_password(request: Request, given: str) -> bool:
    """Whether a password is the one that is set."""
    password = live_of(request).settings.live_password
    wanted = password.get_secret_value() if password else ""
    return hmac.compare_digest(given.encode(), wanted.encode())


def unlock(request: Request, response: Response) -> None:
    """Let this browser make real calls."""
    password = live_of(request).settings.live_password
    assert password is not None
    _remember(request, response, UNLOCKED, _proof(password.get_secret_value()))


def remember_owner(request: Request, response: Response, token: str) -> None:
    """Let this browser find its runs again."""
    _remember(request, response, BROWSER, token)


def token_of(request: Request) -> tuple[str, str]:
    """This browser's token, or a new one, and its digest."""
    token = request.cookies.get(BROWSER) or secrets.token_urlsafe(24)
    return token, _digest(token)


def _remember(request: Request, response: Response, name: str, value: str) -> None:
    secure = request.url.scheme == "https"
    response.set_cookie(name, value, max_age=YEAR, httponly=True, samesite="lax", secure=secure)


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _proof(password: str) -> str:
    return hmac.new(password.encode(), b"halqa live", hashlib.sha256).hexdigest()


# --- a run


def run_of(state: State, live: Live, language: Language, mine: bool) -> Run:
    """A run as its page needs it."""
    lesson = shown_lesson(state.run, state.subject)
    trace, words = state.replayed.trace, language.words
    reading = Reading(lesson, lesson.lanes[0], trace, words, language.code, scripted=False)
    differs = state.replayed.differs
    return Run(
        reading,
        urlsplit(live.settings.anthropic_base_url).netloc,
        state.run.model,
        tuple(_call(sent, state.run.model) for sent in state.replayed.sent if sent.tries),
        dated(),
        _next(state, mine),
        (differs.what, differs.recorded, differs.now) if differs else None,
    )


def _next(state: State, mine: bool) -> Next:
    lease, waiting = state.lease, state.waiting
    if state.under_way and lease is not None:
        return Next("under way", lease.effect, lease.attempt, since=lease.started)
    if waiting is None:
        return Next("")
    if not mine:
        return Next("not yours")
    name = str(waiting.body.get("name", "")) if waiting.what != CALL else ""
    what = (
        waiting.what
        if waiting.asks
        else "lost"
        if state.lost
        else "retry"
        if state.replayed.failed
        else waiting.what
    )
    given = waiting.body.get("input") if waiting.asks else None
    return Next(what, waiting.effect, waiting.attempt, name, given=given)


def _call(sent: Sent, model: str) -> Call:
    tries, accepted = [], None
    for one in sent.tries:
        error, failure = one.error, one.failure
        if error is None or failure is None or one.outcome is None:
            continue
        named = " ".join(str(p) for p in (error.get("status"), error.get("type")) if p)
        wait, partial = error.get("wait"), one.outcome.body.get("partial")
        tries.append(
            Tried(
                one.attempt,
                named,
                failure.sentence,
                str(error.get("message") or ""),
                wait if isinstance(wait, int | float) else None,
                partial if isinstance(partial, dict) else None,
            )
        )
        if error.get("status") in (400, 413) or error.get("type") in DECIDING:
            accepted = False
    answer = sent.answer
    used = None
    if answer is not None:
        accepted = True
        usage = answer.body.get("usage")
        used = used_of(usage, cost_of(model, usage, answer.created))
    verdict = verdict_of(sent.faults, accepted)
    return Call(sent.turn, tuple(tries), sent.faults, verdict, used, sent.helper)
