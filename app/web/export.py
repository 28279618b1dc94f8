"""What can be taken away: a run as one file that needs no server, and its trace as lines."""

import base64
import hashlib
import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from fastapi import APIRouter
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from app import paths
from app.views.addresses import Place, View, read_choices
from app.views.controls import MOST_TICKS, MOST_WORDS
from app.views.export import Film, film_of, unlinked
from app.views.picture import Picture, Piece
from app.views.runs import run_lines
from app.views.sentences import Sentence
from app.web import lane, lanes
from app.web.languages import Language
from app.web.queries import asked, one_of
from app.web.site import reading_of, site_of

router = APIRouter()

# The single pieces and the lists of a page that its file shows; what leads elsewhere is left out.
ONE = (
    *("state", "now", "band", "where", "terminal", "sent", "foot"),
    *("chat", "plot", "messages", "pending"),
    *("after", "recap"),
)
SEVERAL = ("now", "fill", "rows", "after", "recap")
EACH = ("ending", "bars")  # one for each of several lanes

TEMPLATES = {lane: "export_lane.html", lanes: "export_lanes.html"}
STYLES = {
    lane: ("base.css", "places.css", "lane.css", "predict.css", "export.css"),
    lanes: ("base.css", "places.css", "lane.css", "compare.css", "predict.css", "export.css"),
}
SCRIPTS = ("messages.js", "export.js")


@dataclass(frozen=True)
class Told:
    """A step in the list of all; `within` tells that a row of cells has no room for it."""

    step: int
    turn: int
    kind: str
    sentence: Sentence
    within: bool


@router.api_route("/lessons/{slug}/export.html", methods=["GET", "HEAD"], include_in_schema=False)
def export_file(request: Request, slug: str) -> Response:
    """The lanes of an address as one HTML file. 404 and 422 as for a lesson's page."""
    place, language = _place(request, slug)
    html = exported(place, language)
    headers = download(place, "html")
    policy = _policy(_style(place, language), _script())
    headers["Content-Security-Policy"] = f"{policy}; frame-ancestors 'self'"
    return Response(html.encode("utf-8", "backslashreplace"), 200, headers, "text/html")


@router.api_route("/lessons/{slug}/trace.jsonl", methods=["GET", "HEAD"], include_in_schema=False)
def trace_file(request: Request, slug: str) -> Response:
    """The steps of the lanes of an address, one JSON object a line."""
    place, language = _place(request, slug)
    lines = [
        line
        for choice in place.choices
        for line in run_lines(reading_of(place.lesson, choice, language), choice.checked)
    ]
    text = "".join(f"{line}\n" for line in lines)
    return Response(text, 200, download(place, "jsonl"), "application/jsonl")


def _place(request: Request, slug: str) -> tuple[Place, Language]:
    """The lanes that an address names, at their start."""
    site = site_of(request)
    found = asked(request, ("lanes", "lang"))
    lesson = site.library.find(slug)
    language = site.language(request, one_of(found, "lang", tuple(site.languages)))
    choices = read_choices(found.get("lanes"), lesson)
    view = View(theme=found.get("theme", ""), rows="all")
    return Place(lesson, choices, 0, view, "", language.code), language


def download(place: Place, kind: str) -> dict[str, str]:
    """The headers of a file about some lanes."""
    name = f"{place.lesson.slug}.{kind}"
    plain = name if name.isascii() and name.isprintable() and '"' not in name else f"lesson.{kind}"
    return {
        "Cache-Control": "no-cache",
        "Content-Disposition": f'attachment; filename="{plain}"',
        "Content-Language": place.lang,
        "Vary": "Accept-Language",
    }


# --- the file


def exported(place: Place, language: Language) -> str:
    """The lanes of a place as one HTML file: it opens from a disk and loads nothing."""
    kind = _kind(place)
    last = kind.last(place, language)
    return file_of(
        place,
        language,
        template=TEMPLATES[kind],
        # Not the kept pictures: a long run would push all others out.
        pictures=[kind.picture.__wrapped__(place.at(step), language) for step in range(last + 1)],
        names=_names(place),
        turns=_turns(place, language),
        style=_style(place, language),
        parts_of=lambda piece: kind.PARTS,
        title=_title(place),
        context=kind.context(place, language),
    )


def file_of(
    place: Place,
    language: Language,
    *,
    template: str,
    pictures: Sequence[Picture],
    names: Collection[str],
    turns: Sequence[int],
    style: str,
    parts_of: Callable[[Piece], str],
    title: str,
    context: Mapping[str, Any],
) -> str:
    """Pictures of all steps as one HTML file; `parts_of` names the macros that draw a piece."""
    film = film_of(pictures, names)
    script = _script()
    words = language.words
    last = len(pictures) - 1
    frames = {
        "turns": turns,
        "keys": {
            "on": str(words.gettext("Keys N and P: on").unescape()),
            "off": str(words.gettext("Keys N and P: off").unescape()),
        },
        "frames": [[frame.single, frame.lists] for frame in film.frames],
    }

    def piece_of(piece: Piece) -> Markup:
        drawn: str = language.templates.globals["draw"](parts_of(piece), piece)  # type: ignore[operator]
        return Markup(unlinked(drawn))  # noqa: S704 (what a template drew is escaped)

    return language.templates.get_template(template).render(
        language=language,
        lesson=place.lesson,
        theme=place.view.theme,
        place=place,
        picture=pictures[-1],
        film=film,
        all_steps=list(_told(film, turns)),
        many=last > MOST_WORDS,
        title=title,
        at_last=Markup('<b id="at">%s</b>') % last,
        policy=_policy(style, script),
        style=Markup(style),  # noqa: S704 (our own files)
        script=Markup(script),  # noqa: S704
        frames=Markup(json.dumps(frames, separators=(",", ":")).replace("<", "\\u003c")),  # noqa: S704
        piece_of=piece_of,
        **context,
    )


def _kind(place: Place) -> ModuleType:
    return lane if len(place.choices) == 1 else lanes


def _names(place: Place) -> tuple[str, ...]:
    if len(place.choices) == 1:
        return ONE
    return (*SEVERAL, *(f"{each}-{choice.lane}" for each in EACH for choice in place.choices))


def _turns(place: Place, language: Language) -> list[int]:
    """The turn of each step, or of each row of several lanes."""
    if len(place.choices) == 1:
        reading = reading_of(place.lesson, place.choices[0], language)
        return [step.turn for step in reading.trace.steps]
    return [row.turn for row in lanes.reading_of(place.lesson, place.choices, language).lanes.rows]


def _told(film: Film, turns: Sequence[int]) -> Iterator[Told]:
    """Each step with its sentence."""
    last = len(turns) - 1
    shown = 0
    for step, (frame, turn) in enumerate(zip(film.frames, turns, strict=True)):
        shown = frame.single.get("now", shown)
        now = film.pieces[shown].data
        opens = step > 0 and turn != turns[step - 1]
        within = step == 0 or (last > MOST_TICKS and not opens)
        yield Told(step, turn, now.kind, now.sentence, within)


def _title(place: Place) -> str:
    names = ", ".join(choice.lane for choice in place.choices)
    return f"{place.lesson.title(place.lang)} · {names} · Halqa"


def _style(place: Place, language: Language) -> str:
    return style_of(STYLES[_kind(place)], language)


def style_of(names: Sequence[str], language: Language) -> str:
    """Our own style sheets, by name, as one text; where a language is written from the right, with
    the font of its letters, which the fonts of many systems tear apart in code."""
    fonts = [_font("vazirmatn-arabic")] if language.direction == "rtl" else []
    return "\n".join((*fonts, *(_text(name) for name in names)))


def _script() -> str:
    return "\n".join(_text(name) for name in SCRIPTS)


def _text(name: str) -> str:
    return (paths.STATIC / name).read_text(encoding="utf-8")


def _font(name: str) -> str:
    """A font of the page as a rule that holds the font itself."""
    (rule,) = (rule for rule in _text("fonts.css").splitlines() if name in rule)
    found = re.search(r"url\((.*?)\)", rule)
    assert found
    data = base64.b64encode((paths.STATIC / found[1]).read_bytes()).decode()
    return rule.replace(found[0], f"url(data:font/woff2;base64,{data})")


def _policy(style: str, script: str) -> str:
    """What the file allows itself: this style and this script, the fonts that it
    holds, and to load nothing."""
    return (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; "
        "font-src data:; base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
