"""The presenter view of one lane or of several."""

from functools import lru_cache
from typing import Any

from app.views.addresses import Place
from app.views.picture import Picture
from app.views.present import one, several
from app.web import lanes
from app.web.languages import Language
from app.web.site import reading_of

KEPT = 64
TEMPLATE = "present.html"
PARTS = "present_parts.html predict_parts.html"  # the macros that draw the pieces


def last(place: Place, language: Language) -> int:
    """The number of the last step, or of the last row of several lanes."""
    if len(place.choices) > 1:
        return lanes.last(place, language)
    return reading_of(place.lesson, place.choices[0], language).last


def context(place: Place, language: Language) -> dict[str, Any]:
    """What of the view stays from step to step."""
    if len(place.choices) > 1:
        reading = lanes.reading_of(place.lesson, place.choices, language)
        return {"heads": several.heads(reading)}
    (choice,) = place.choices
    reading_alone = reading_of(place.lesson, choice, language)
    return {"heads": (), "reading": reading_alone, "checked": choice.checked}


@lru_cache(maxsize=KEPT)
def picture(place: Place, language: Language) -> Picture:
    """The pieces of the view at a step."""
    if len(place.choices) > 1:
        return several.picture(lanes.reading_of(place.lesson, place.choices, language), place)
    return one.picture(reading_of(place.lesson, place.choices[0], language), place)
