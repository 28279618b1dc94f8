"""The rows of the table: what was measured, against what, and whether it meets its target."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from tests.bench.measure import Figure

HEADS = ("row", "product", "floor", "ratio", "target", "met", "the field")
LEFT = ("row", "target", "the field")


@dataclass(frozen=True)
class Row:
    """One line of the table.

    `ratio` and `ratio_p95` are what the targets are about: product over floor where less is
    better, or whatever `name` says. `most` and `least` are the targets, `most_p95` that of the
    p95; a row without any only informs. `field` is where others are.
    """

    name: str
    product: Figure
    unit: str
    floor: Figure | None = None
    ratio: float | None = None
    ratio_p95: float | None = None
    most: float | None = None
    most_p95: float | None = None
    least: float | None = None
    field: str = ""

    @property
    def met(self) -> bool | None:
        """Whether the row meets its targets; None where it has none."""
        value = self.product.median if self.ratio is None else self.ratio
        held = [
            None if self.most is None else value <= self.most,
            None if self.least is None else value >= self.least,
            None if self.most_p95 is None else (self.ratio_p95 or 0) <= self.most_p95,
        ]
        known = [one for one in held if one is not None]
        return all(known) if known else None

    @property
    def target(self) -> str:
        """The targets in words."""
        unit = "" if self.ratio is None else "×"
        said = [f"≤ {self.most:g}{unit}"] if self.most is not None else []
        said += [f"≥ {self.least:g}{unit}"] if self.least is not None else []
        said += [f"p95 ≤ {self.most_p95:g}×"] if self.most_p95 is not None else []
        return ", ".join(said)

    def cells(self) -> tuple[str, ...]:
        """The row as the table prints it."""
        ratio = "" if self.ratio is None else f"{self.ratio:.2f}×"
        if self.ratio_p95 is not None:
            ratio += f" ({self.ratio_p95:.2f}×)"
        met = {True: "yes", False: "NO", None: ""}[self.met]
        floor = _shown(self.floor, self.unit) if self.floor else ""
        product = _shown(self.product, self.unit)
        return self.name, product, floor, ratio, self.target, met, self.field

    def as_json(self) -> dict[str, Any]:
        """The row with its verdict, as JSON types."""
        return {**asdict(self), "target": self.target, "met": self.met}


def against(name: str, product: Figure, floor: Figure, unit: str, **targets: Any) -> Row:
    """A row whose ratios are product over floor, of the medians and of the p95."""
    return Row(
        name,
        product,
        unit,
        floor,
        ratio=product.median / floor.median,
        ratio_p95=product.p95 / floor.p95,
        **targets,
    )


def _shown(figure: Figure, unit: str) -> str:
    median = f"{figure.median:,.0f}" if figure.median >= 100 else f"{figure.median:.3g}"
    if figure.n == 1:
        return f"{median} {unit}".strip()
    p95 = f"{figure.p95:,.0f}" if figure.p95 >= 100 else f"{figure.p95:.3g}"
    return f"{median} ({p95}) {unit}".strip()


def table(rows: Sequence[Row]) -> str:
    """All rows under their heads; medians, with the p95 in brackets."""
    lines = [HEADS, *(row.cells() for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEADS))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if head in LEFT else cell.rjust(width)
            for head, cell, width in zip(HEADS, line, widths, strict=True)
        ).rstrip()
        for line in lines
    )
