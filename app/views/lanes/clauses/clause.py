"""A clause, which says what some lanes do: `(who, how many they are) -> sentence`."""

from collections.abc import Callable

from markupsafe import Markup

Clause = Callable[[Markup, int], Markup]
