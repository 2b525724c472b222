"""Numbers as reports write them: rounding happens here, never in results or JSON."""

from __future__ import annotations

import math

from kbai.core.intervals import LEVEL, Estimate

UNKNOWN = "?"
EXACT = "exact"
HALF_WIDTH = "+/-"
LEVEL_TEXT = f"{100 * LEVEL:g} %"
"""What all intervals are made for."""


def percent(share: float, *, signed: bool = False) -> str:
    """Return a share of 1 in percent."""
    return decimal(100 * share, signed=signed)


def decimal(value: float, *, digits: int = 1, signed: bool = False) -> str:
    """Return a rounded number; what rounds to zero has no minus sign."""
    return format(value, f"{'+' if signed else ''}z.{digits}f")


def half_width(estimate: Estimate, *, scale: float = 1.0, digits: int = 1) -> str:
    """Return how far the interval reaches from its middle to either side."""
    half = scale * (estimate.high - estimate.low) / 2
    return decimal(half, digits=digits) if math.isfinite(half) else UNKNOWN


def reach(estimate: Estimate, *, scale: float = 1.0) -> str:
    """Return how far the interval reaches towards 0.

    That of a chance has two different sides, and this one tells whether the number may be nothing.
    """
    is_below = estimate.value < 0
    side = estimate.high - estimate.value if is_below else estimate.value - estimate.low
    return decimal(scale * side) if math.isfinite(side) else UNKNOWN


def percent_range(share: Estimate) -> str:
    """Return the ends of the interval of a share, in percent."""
    return f"{percent(share.low)}-{percent(share.high)}"


def estimate_dict(estimate: Estimate) -> dict[str, float | None]:
    """Return a value and its interval for JSON, not rounded; an unknown end is None."""
    value, low, high = estimate
    return {
        "value": value,
        "low": low if math.isfinite(low) else None,
        "high": high if math.isfinite(high) else None,
    }
