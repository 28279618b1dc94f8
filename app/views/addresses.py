"""The address of every step: the one place that writes and reads them.

A page is `/lessons/{slug}?lanes=correct,forgot_results:unchecked&step=7`; what is the default is
left out, and the keys keep their order. What a person decided in a lane follows its name, in the
order in which they are asked: `asks:approve:deny`. Line by line, `at` counts the statements after
the step. A fragment, which is what changes from one step to another, is
`/steps/{digest}/{lang}/{slug}/{lanes}/{a}-{b}`, where `7.2` is the second statement after step 7;
one that fits whatever is shown now ends in `to-{b}`. Both carry the view state, which are
`VIEW_KEYS`, as their query. A page names the begin of its fragments' addresses once: `addresses.js`
makes the rest from the addresses of pages.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Self
from urllib.parse import quote

from app.engine.steps import DECISIONS
from app.lessons import Lesson
from app.said import Said, quoted

MOST_LANES = 4
MOST_DECISIONS = 20  # of a lane
MOST_DIGITS = 6  # a larger number is past every end
VIEW_KEYS = ("lang", "theme", "tab", "keys", "predict", "rows", "view", "size")
KEYS = ("lanes", "step", "at", *VIEW_KEYS)
THEMES = ("light", "dark")
SWITCH = ("checked", "unchecked")  # of a lane's server
SIZES = (100, 125, 150, 175, 200)  # of the presenter view, in hundredths


class BadAddress(ValueError):
    """An address that names something in the wrong form; the message is one sentence."""


@dataclass(frozen=True)
class Choice:
    """A lane by name, whether its server checks requests, and what a person decided in it: the
    lane's own decisions where there are none."""

    lane: str
    checked: bool
    decisions: tuple[str, ...] = ()

    def written(self, lesson: Lesson) -> str:
        """The lane as an address writes it."""
        switch = "checked" if self.checked else "unchecked"
        own = self.checked == lesson.lane(self.lane).checked
        return ":".join([self.lane, *([] if own else [switch]), *self.decisions])


@dataclass(frozen=True)
class View:
    """How a page is shown. `lang` is "" where the address names no language, `theme` where the
    reader's system decides."""

    lang: str = ""
    theme: str = ""
    tab: str = ""  # "" is messages[], "request" the whole request
    keys: bool = True  # whether single letters are shortcuts
    predict: bool = True  # whether a question comes before some steps
    rows: str = ""  # "" folds equal steps of several lanes, "all" shows each
    view: str = ""  # "" is the page, "present" the presenter view
    size: int = SIZES[0]  # of the presenter view

    @property
    def given(self) -> dict[str, str]:
        """The keys of an address with their values, defaults left out."""
        values = {
            "lang": self.lang,
            "theme": self.theme,
            "tab": self.tab,
            "keys": "" if self.keys else "off",
            "predict": "" if self.predict else "off",
            "rows": self.rows,
            "view": self.view,
            "size": "" if self.size == SIZES[0] else str(self.size),
        }
        return {key: value for key, value in values.items() if value}

    @property
    def query(self) -> list[str]:
        """The keys of an address as it writes them."""
        return [f"{key}={quote(value)}" for key, value in self.given.items()]

    def rule(self, number: str) -> str:
        """The address of a rule's page in the same language and colours."""
        return address(f"/rules/{number}", lang=self.lang, theme=self.theme)


@dataclass(frozen=True)
class Place:
    """A step of a lesson: where a page stands. `digest` and `lang` are for its fragments.

    `statement` is 0 but where a lane is walked line by line: there it counts those after the step.
    """

    lesson: Lesson
    choices: tuple[Choice, ...]
    step: int
    view: View
    digest: str
    lang: str
    statement: int = 0

    def at(self, step: int, statement: int | None = None) -> Self:
        """The same page at another step; line by line, at the first statement after it."""
        if statement is None:
            statement = min(self.statement, 1)
        return replace(self, step=step, statement=statement)

    def with_lanes(self, *choices: Choice, step: int) -> Self:
        """The same lesson with other lanes; several are not walked line by line."""
        statement = min(self.statement, 1) if len(choices) == 1 else 0
        return replace(self, choices=choices, step=step, statement=statement)

    def decided(self, lane: int, decisions: tuple[str, ...]) -> Self:
        """The step after this one, where a person decided in a lane, named by its number."""
        choices = list(self.choices)
        choices[lane] = replace(choices[lane], decisions=decisions)
        return replace(self, choices=tuple(choices), step=self.step + 1, statement=0)

    def seen(self, **changes: str | bool | int) -> Self:
        """The same step in another view; the presenter view goes by steps."""
        view = replace(self.view, **changes)  # type: ignore[arg-type]
        return replace(self, view=view, statement=0 if view.view else self.statement)

    @property
    def lanes(self) -> str:
        """The lanes as an address writes them."""
        return ",".join(choice.written(self.lesson) for choice in self.choices)

    @property
    def page(self) -> str:
        """The page's address."""
        return self.beside("")

    def beside(self, what: str) -> str:
        """The address of another page about this step: `/difference`, `/source`."""
        keys = []
        if self.lanes != ",".join(self.lesson.shown):
            keys.append(f"lanes={self.lanes}")
        if self.step:
            keys.append(f"step={self.step}")
        if self.statement:
            keys.append(f"at={self.statement}")
        keys += self.view.query
        return f"/lessons/{quote(self.lesson.slug, safe='')}{what}" + (
            f"?{'&'.join(keys)}" if keys else ""
        )

    @property
    def trace(self) -> str:
        """The address of the page with a row for each call."""
        return replace(self, statement=0).beside("/trace")

    @property
    def dialects(self) -> str:
        """The address of the page that shows this turn's request in both dialects."""
        return replace(self, statement=0).beside("/dialects")

    def to_lanes(self, *choices: Choice) -> str:
        """The address that leads to other lanes at the turn that these have reached."""
        keys = [f"from={self.lanes}", f"lanes={replace(self, choices=choices).lanes}"]
        if self.step:
            keys.append(f"step={self.step}")
        if self.statement:
            keys.append(f"at={self.statement}")
        keys += self.view.query
        return f"/lessons/{quote(self.lesson.slug, safe='')}/lanes?{'&'.join(keys)}"

    def guessed(self, option: int) -> str:
        """The page's address after a guess, for a browser without a script."""
        return f"{self.page}{'&' if '?' in self.page else '?'}guess={option}"

    @property
    def fragments(self) -> str:
        """What the addresses of this page's fragments begin with."""
        slug = quote(self.lesson.slug, safe="")
        return f"/steps/{self.digest}/{self.lang}/{slug}/{self.lanes}/"


def read_choices(text: str | None, lesson: Lesson) -> tuple[Choice, ...]:
    """The lanes that an address names; those shown first where it names none.

    Raises BadAddress, and UnknownLane listing the lesson's lanes.
    """
    if text is None:
        return tuple(Choice(name, lesson.lane(name).checked) for name in lesson.shown)
    choices = tuple(_read_choice(part, lesson) for part in text.split(","))
    names = [choice.lane for choice in choices]
    if len(choices) > MOST_LANES:
        said = "A page shows one to %(most)s lanes; this address names %(number)s."
        raise BadAddress(Said(said, most=MOST_LANES, number=len(names)))
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice:
        raise BadAddress(
            Said("The lane %(lane)s stands twice in lanes; name each lane once.", lane=twice)
        )
    return choices


def _read_choice(part: str, lesson: Lesson) -> Choice:
    name, *options = part.split(":")
    checked = lesson.lane(name).checked
    if options and options[0] in SWITCH:
        checked = options.pop(0) == SWITCH[0]
    wrong = next((option for option in options if option not in DECISIONS), None)
    if wrong is not None:
        raise BadAddress(
            Said(
                "The lane %(lane)s has no option %(option)s; it may have %(known)s.",
                lane=name,
                option=quoted(wrong),
                known=listed([*SWITCH, *DECISIONS]),
            )
        )
    return Choice(name, checked, within(options))


def read_decisions(text: str | None) -> tuple[str, ...]:
    """What a person decided, as in `approve,deny`; nothing where it is left out.

    Raises BadAddress.
    """
    given = text.split(",") if text else []
    for one in given:
        if one not in DECISIONS:
            raise BadAddress(not_among("decide", one, DECISIONS))
    return within(given)


def within(decisions: Sequence[str]) -> tuple[str, ...]:
    """Decisions, as many as a lane may have. Raises BadAddress."""
    if len(decisions) > MOST_DECISIONS:
        said = "A person decides at most %(most)s times in a lane; this names %(number)s decisions."
        raise BadAddress(Said(said, most=MOST_DECISIONS, number=len(decisions)))
    return tuple(decisions)


def read_step(text: str | None) -> int:
    """The number of a step; 0 where none is named. Raises BadAddress."""
    if text is None:
        return 0
    if not (text.isascii() and text.isdigit()):
        raise BadAddress(
            Said(
                "%(key)s is %(value)s; it must be a number, 0 or more, such as %(example)s.",
                key="step",
                value=quoted(text),
                example="step=7",
            )
        )
    return int(text) if len(text.lstrip("0")) <= MOST_DIGITS else 10**MOST_DIGITS


def read_statement(text: str | None, choices: Sequence[Choice], view: View) -> int:
    """The number of a statement after a step; 0 where none is named. Raises BadAddress."""
    if text is None:
        return 0
    if len(choices) > 1 or view.view:
        raise BadAddress(
            Said("One lane is walked line by line, on its page: leave out at, or name one.")
        )
    if not text.isascii() or not text.isdigit() or not text.strip("0"):
        raise BadAddress(
            Said(
                "%(key)s is %(value)s; it must be a number, 1 or more, such as %(example)s.",
                key="at",
                value=quoted(text),
                example="at=1",
            )
        )
    return read_step(text)


def read_guess(text: str | None) -> int:
    """The number of the option that was guessed; 0 where none is named. Raises BadAddress."""
    if text is None:
        return 0
    if text not in ("1", "2", "3", "4"):
        raise BadAddress(not_among("guess", text, ("1", "2", "3", "4")))
    return int(text)


def read_view(value_of: Callable[[str], str | None], languages: Iterable[str]) -> View:
    """The view state of an address; `value_of` gives the value of a key, or None.

    Raises BadAddress, listing what exists.
    """
    allowed = {
        "lang": tuple(languages),
        "theme": THEMES,
        "tab": ("request",),
        "keys": ("off",),
        "predict": ("off",),
        "rows": ("all",),
        "view": ("present",),
        "size": tuple(str(size) for size in SIZES),
    }
    for key, known in allowed.items():
        value = value_of(key)
        if value is not None and value not in known:
            raise BadAddress(not_among(key, value, known))
    return View(
        lang=value_of("lang") or "",
        theme=value_of("theme") or "",
        tab=value_of("tab") or "",
        keys=value_of("keys") != "off",
        predict=value_of("predict") != "off",
        rows=value_of("rows") or "",
        view=value_of("view") or "",
        size=int(value_of("size") or SIZES[0]),
    )


def not_among(key: str, value: str, known: Sequence[str]) -> Said:
    """The sentence for a value that a key may not have."""
    return Said(
        "%(key)s is %(value)s; it may be %(known)s.",
        key=key,
        value=quoted(value),
        known=listed(known),
    )


def address(path: str, **keys: str) -> str:
    """An address with a query; keys without a value are left out."""
    query = "&".join(f"{key}={quote(value)}" for key, value in keys.items() if value)
    return f"{path}?{query}" if query else path


def listed(names: Sequence[str]) -> str:
    """Names with commas between them."""
    return ", ".join(names)
