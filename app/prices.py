"""What a reply cost, by the prices that ship with genai-prices."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import version
from typing import Any

# The day whose prices a scripted run is billed by.
SCRIPTED_AT = datetime(2026, 9, 1, tzinfo=UTC).timestamp()


@dataclass(frozen=True)
class Prices:
    """What a loop gets as `prices`: those of one model at one time, in seconds since 1970."""

    model: str
    when: float | None

    def dollars(self, usage: Mapping[str, Any]) -> float:
        """What a reply cost, from its `usage`. Raises LookupError where no price is known."""
        cost = cost_of(self.model, usage, self.when)
        if cost is None:
            raise LookupError(f"no price is known for {self.model}")
        return cost


@cache
def known(model: str) -> bool:
    """Whether the price of a model is known."""
    return cost_of(model, {"input_tokens": 1, "output_tokens": 1}) is not None


def cost_of(
    model: str, usage: Any, when: float | None = None, provider: str = "anthropic"
) -> float | None:
    """Dollars for a usage as the Messages API reports it, by the prices of a time in seconds since
    1970; None where the provider has no such model, or its price is not known."""
    if not isinstance(usage, dict):
        return None
    from genai_prices import Usage, calc_price  # half a second

    cached, written = (
        _count(usage, "cache_read_input_tokens"),
        _count(usage, "cache_creation_input_tokens"),
    )
    try:
        price = calc_price(
            Usage(
                # the API counts what came from a cache apart
                input_tokens=_count(usage, "input_tokens") + cached + written,
                cache_read_tokens=cached,
                cache_write_tokens=written,
                output_tokens=_count(usage, "output_tokens"),
            ),
            model_ref=model,
            provider_id=provider,
            genai_request_timestamp=None if when is None else datetime.fromtimestamp(when, UTC),
        )
    except (LookupError, ValueError):
        return None
    return float(price.total_price)


def dated() -> str:
    """From when the prices are."""
    return f"genai-prices {version('genai-prices')}"


def _count(usage: Mapping[str, Any], key: str) -> int:
    value = usage.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0
