"""The text of an observation: short whatever the result is, with dates where numbers have them."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from treeline.core.engine.actions import ProductRecord

_LONGEST_TEXT = 2_000
_PAIRS_IN_FULL = 40


def result_text(value: Any, dates: Sequence[str] = ()) -> str:
    """Return a result as text.

    Parameters
    ----------
    value : Any
        As JSON.
    dates : sequence of str
        Of the rasters that a list of numbers belongs to, in its order; empty when it has none.
    """
    numbers = isinstance(value, list) and all(isinstance(item, int | float | None) for item in value)
    if not numbers or len(dates) != len(value) or len(value) < 2 or not all(dates):
        return shorten(value)
    pairs = [f"{date} {_number(item)}" for date, item in zip(dates, value, strict=True)]
    if len(pairs) <= _PAIRS_IN_FULL:
        return "; ".join(pairs)
    known = [(item, date) for item, date in zip(value, dates, strict=True) if item is not None]
    ends = [*pairs[:3], f"... {len(pairs) - 5} more ...", *pairs[-2:]]
    if not known:
        return "; ".join(ends)
    (low, first), (high, last) = min(known), max(known)
    mean = sum(item for item, _ in known) / len(known)
    summary = (
        f"{len(pairs)} numbers: lowest {_number(low)} ({first}), highest {_number(high)} ({last}), "
        f"mean {_number(mean)}"
    )
    return f"{'; '.join(ends)}\n{summary}"


def _number(value: float | None) -> str:
    return "none" if value is None else f"{value:.6g}"


def as_json(value: Any) -> Any:
    """Return a value as what JSON can hold; NaN and infinity become ``None``."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    match value:
        case bool() | int() | str() | None:
            return value
        case float():
            return value if math.isfinite(value) else None
        case dict():
            return {str(key): as_json(item) for key, item in value.items()}
        case list() | tuple():
            return [as_json(item) for item in value]
        case Path():
            return str(value)
        case _:
            return str(value)


def shorten(value: Any, longest: int = _LONGEST_TEXT) -> str:
    """Return a value as text; of a long list the first three and the last two items are kept."""
    if isinstance(value, list) and len(value) > 6 and all(isinstance(item, str) for item in value):
        value = [*value[:3], f"... {len(value) - 5} more ...", *value[-2:]]
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= longest else f"{text[: longest // 2]} ... {text[-longest // 4 :]}"


def only_tells_paths(value: Any, products: Sequence[ProductRecord]) -> bool:
    """Return whether a result says no more than where each product was saved."""
    texts = value if isinstance(value, list) else [value]
    saved = [text for text in texts if isinstance(text, str) and text.startswith("Result saved at ")]
    return bool(saved) and len(saved) == len(texts) == len(products)


def product_lines(products: Sequence[ProductRecord]) -> list[str]:
    """Return the names, what, when and with which values, in at most two lines a role."""
    lines = []
    for role in dict.fromkeys(product.role for product in products):
        group = [product for product in products if product.role == role]
        lines.append(f"wrote {_names(group)}: {role} [{group[0].unit or '1'}]{_when(group)}")
        known = [product for product in group if product.minimum is not None and product.mean is not None]
        if known:
            low = min(product.minimum for product in known if product.minimum is not None)
            high = max(product.maximum for product in known if product.maximum is not None)
            mean = sum(product.mean for product in known if product.mean is not None) / len(known)
            lines.append(f"  values {low:.4g} to {high:.4g}, mean {mean:.4g}")
    return lines


def _names(group: Sequence[ProductRecord]) -> str:
    first, last, handle = group[0].name, group[-1].name, group[0].handle
    if len(group) == 1:
        return f"{first} ({handle})" if handle else first
    return (
        f"{handle}, {len(group)} rasters, {first} to {last}"
        if handle
        else f"{len(group)} x {first} to {last}"
    )


def _when(group: Sequence[ProductRecord]) -> str:
    dates = sorted(product.date for product in group if product.date)
    if not dates:
        return ""
    return f", {dates[0]}" + (f" to {dates[-1]}" if dates[-1] != dates[0] else "")
