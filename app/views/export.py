"""A whole run for a file that needs no server: every piece once, and which of them each step
shows."""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from urllib.parse import quote

from app.views.addresses import Place
from app.views.picture import Picture, Piece

# What leads to the server, or opens what the file lacks: in what our own templates write `<` and
# `>` are escaped.
_TAG = re.compile("<[a-z][^<>]*>")
_LEADING = re.compile(r'\s(?:href="(?!#)|hx-[\w:-]+="|popovertarget="(?!look-back"))[^"]*"')


@dataclass(frozen=True)
class Frame:
    """What one step shows otherwise than the step before it; pieces go by their numbers.

    `lists` says of a list how many of its pieces stay at its begin, and which follow them.
    """

    single: dict[str, int]
    lists: dict[str, tuple[int, tuple[int, ...]]]


@dataclass(frozen=True)
class Film:
    """All pieces of a run, each once, and a frame for each step."""

    pieces: tuple[Piece, ...]
    frames: tuple[Frame, ...]


def film_of(pictures: Iterable[Picture], names: Collection[str]) -> Film:
    """A run from the pictures of all its steps: of each the single pieces and lists in `names`."""
    pieces: list[Piece] = []
    frames: list[Frame] = []
    newest: dict[str, int] = {}  # by the id of a piece, the number of its newest form
    single: dict[str, int] = {}
    lists: dict[str, tuple[int, ...]] = {}

    def number_of(piece: Piece) -> int:
        known = newest.get(piece.id)
        if known is None or pieces[known] != piece:
            newest[piece.id] = known = len(pieces)
            pieces.append(piece)
        return known

    for picture in pictures:
        frame = Frame({}, {})
        for name, piece in picture.single.items():
            if name in names and single.get(name) != (number := number_of(piece)):
                frame.single[name] = single[name] = number
        for name, shown in picture.lists.items():
            if name not in names:
                continue
            before, now = lists.get(name), tuple(map(number_of, shown))
            if before != now:
                kept = _same(before or (), now)
                frame.lists[name] = kept, now[kept:]
                lists[name] = now
        frames.append(frame)
    return Film(tuple(pieces), tuple(frames))


def _same(before: tuple[int, ...], after: tuple[int, ...]) -> int:
    """How many items two lists share at their begin."""
    pairs = enumerate(zip(before, after, strict=False))
    return next((n for n, (a, b) in pairs if a != b), min(len(before), len(after)))


def unlinked(html: str) -> str:
    """A piece without links to the server, which is not there when a file is opened."""
    return _TAG.sub(lambda tag: _LEADING.sub("", tag[0]), html)


def file_address(place: Place, name: str, step: int | None = None) -> str:
    """The address of a file of some lanes, at a step where it depends on one."""
    query = "&".join(f"{key}={quote(value, safe=',:')}" for key, value in file_query(place, step))
    return f"{file_path(place, name)}?{query}"


def file_path(place: Place, name: str) -> str:
    """The address of a file without its query."""
    return f"/lessons/{quote(place.lesson.slug, safe='')}/{name}"


def file_query(place: Place, step: int | None) -> list[tuple[str, str]]:
    """The keys of a file's address with their values."""
    keys = [
        ("lanes", place.lanes),
        ("step", str(step or "")),
        ("lang", place.view.lang),
        ("theme", place.view.theme),
    ]
    return [(key, value) for key, value in keys if value]
