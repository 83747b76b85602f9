"""The text of an observation: short whatever the result is, with dates where numbers have them."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from treeline.core.engine.actions import ProductRecord
from treeline.core.engine.table_units import is_by_class, measures_of
from treeline.toolkit.lists import rows_of

# Characters of a result, which a language model reads again at every later turn.
_LONGEST_RESULT = 3_000
# Dated numbers that are all told; of more, the first ones with the extremes and the mean of all.
_PAIRS_IN_FULL = 60
_PAIRS_OF_MORE = 24
# Texts of a list, such as file names, that are shown.
_NAMES = 12
# From here on six digits would leave out metres of a coordinate, or pixels of a count.
_LARGE = 1e5
# Units that tell nothing of a number.
_UNTOLD = frozenset({"", "1", "index", "class", "count", "date", "probability"})
_AREAS = frozenset({"m2", "ha", "km2", "acre"})
# A table of no more rows than these is shown as JSON: names over columns would not be shorter.
_ROWS_AS_JSON = 3


def result_text(
    value: Any,
    dates: Sequence[str] = (),
    step: int = 0,
    unit: str = "",
    files: Sequence[str] = (),
    units: Sequence[str] = (),
) -> str:
    """Return a result as text; a long one is cut by rows, with what is left out and how to get it.

    Numbers have their unit behind them; of a table it is told which columns are in it.

    Parameters
    ----------
    value : Any
        As JSON.
    dates : sequence of str
        Of the rasters that a list of numbers or rows belongs to, in its order; empty when it has none.
    step : int
        The step that gave it, by which its rows are asked for.
    unit : str
        Of the numbers; empty where they have none.
    files : sequence of str
        Names of those rasters, which tell them apart where dates do not; empty where names do not either.
    units : sequence of str
        Of each of those rasters, where they have several; else empty.
    """
    rounded = _round(value) if isinstance(value, list | dict) else _without_noise(value)
    text = _text(rounded, _origins(dates, files, units), step)
    if unit in _UNTOLD or value is None:
        return text
    if _is_numeric(value):
        return f"{text} {unit}" if not isinstance(value, list) else f"{text}\n(unit: {unit})"
    return f"{text}{_unit_of_table(value, unit)}"


def _unit_of_table(value: Any, unit: str) -> str:
    """Return what is told of the unit of a table: of its areas, its statistics, or all of its numbers."""
    rows = rows_of(value) if isinstance(value, list) else [value]
    if not rows or not all(isinstance(row, dict) for row in rows):
        return f"\n(unit: {unit})" if isinstance(value, list) and all(map(_is_numeric, value)) else ""
    if unit in _AREAS:
        return f"\n(areas in {unit})"
    measures = measures_of(rows)
    if measures:
        return f"\n({', '.join(measures)} in {unit})"
    return f"\n(unit: {unit})" if all(map(is_by_class, rows)) else ""


def _is_numeric(value: Any) -> bool:
    """Return whether a result is a number, or a list of numbers of which some may be missing."""
    items = value if isinstance(value, list) else [value]
    known = [item for item in items if item is not None]
    return bool(known) and all(isinstance(n, int | float) and not isinstance(n, bool) for n in known)


def _is_of_several_rasters(value: Any) -> bool:
    """Return whether a result is a list of tables, one of each raster."""
    return isinstance(value, list) and rows_of(value) is not value


def _origins(dates: Sequence[str], files: Sequence[str], units: Sequence[str]) -> list[dict[str, str]]:
    """Return what tells the rasters of a result apart: dates, files where these do not, units that differ."""
    alone = len(set(dates)) == len(dates) and all(dates)
    told = {"date": dates, "file": () if alone else files, "unit": units}
    known = {name: texts for name, texts in told.items() if len(texts) == len(dates) and any(texts)}
    return [dict(zip(known, texts, strict=True)) for texts in zip(*known.values(), strict=True)]


def _text(value: Any, origins: Sequence[Mapping[str, str]], step: int) -> str:
    of_each = isinstance(value, list) and len(origins) == len(value)
    if of_each and all(isinstance(row, dict) for row in value):
        return _rows_text([{**told, **row} for told, row in zip(origins, value, strict=True)], step)
    if _is_of_several_rasters(value):
        rows = rows_of(value)
        return _rows_text([{**origins[row["raster"] - 1], **row} for row in rows] if of_each else rows, step)
    names = [" ".join(filter(None, (told.get("date"), told.get("file")))) for told in origins]
    if of_each and all(names) and _are_truths(value):
        return _truths_text(value, names)
    numbers = isinstance(value, list) and all(isinstance(item, int | float | None) for item in value)
    if not (numbers and of_each and all(names)) or len(value) < 2:
        return _rows_text(value, step)
    units = [told.get("unit", "") for told in origins]
    pairs = [
        f"{name} {_number(item)} {unit}".rstrip()
        for name, item, unit in zip(names, value, units, strict=True)
    ]
    if len(pairs) <= _PAIRS_IN_FULL:
        return "; ".join(pairs)
    known = [(item, name) for item, name in zip(value, names, strict=True) if item is not None]
    lines = ["; ".join(pairs[:_PAIRS_OF_MORE]), _rest_of_rows(_PAIRS_OF_MORE, len(pairs), step, "numbers")]
    if known:
        (low, first), (high, last) = min(known), max(known)
        mean = sum(item for item, _ in known) / len(known)
        lines.append(
            f"{len(pairs)} numbers, {names[0]} to {names[-1]}: lowest {_number(low)} ({first}), highest "
            f"{_number(high)} ({last}), mean {_number(mean)}"
        )
    return "\n".join(lines)


def _are_truths(value: Sequence[Any]) -> bool:
    return any(item is not None for item in value) and all(isinstance(item, bool | None) for item in value)


def _truths_text(value: Sequence[bool | None], dates: Sequence[str]) -> str:
    """Return of how many dates something is true, and of which: a list of truths has to be counted first."""
    true, missing = ([d for d, item in zip(dates, value, strict=True) if item is w] for w in (True, None))
    lines = [f"true for {len(true)} of {len(value)}{': ' * bool(true)}{', '.join(true)}"]
    if missing:
        lines.append(f"missing for {len(missing)}: {', '.join(missing)}")
    return "\n".join(lines)


def _rows_text(value: Any, step: int) -> str:
    head, rows, kind = _rows_of(value)
    names = isinstance(value, list) and all(isinstance(item, str) for item in value)
    shown = rows[:_NAMES] if names else rows
    whole = value if isinstance(value, str) else _json(value)
    if not head and len(whole) <= _LONGEST_RESULT and len(shown) == len(rows):
        return whole
    return "\n".join([*head, *_shorten_rows(shown, step, kind, len(rows), _LONGEST_RESULT)])


def _rows_of(value: Any) -> tuple[list[str], list[str], str]:
    """Return the head of a table, the rows of a value, and what they are."""
    if isinstance(value, str):
        return [], value.splitlines() or [""], "lines"
    if isinstance(value, dict):
        pairs = rows_of(value)
        return (
            [],
            [_json(row) if isinstance(row, dict) else f"{row[0]}: {_json(row[1])}" for row in pairs],
            "rows",
        )
    if not isinstance(value, list):
        return [], [_json(value)], "rows"
    names = _columns(value) if len(value) > _ROWS_AS_JSON else []
    # Names over the columns, once, cost a model fewer tokens than names in every row.
    if names:
        return [" | ".join(names)], [" | ".join(_cell(row[name]) for name in names) for row in value], "rows"
    return [], [_json(item) for item in value], "rows"


def _columns(rows: Sequence[Any]) -> list[str]:
    """Return the names that all rows of a table share; none where they are no such rows."""
    names = next((list(row) for row in rows if isinstance(row, dict)), [])
    alike = all(isinstance(row, dict) and list(row) == names for row in rows)
    return [str(name) for name in names] if alike else []


def _cell(item: Any) -> str:
    return item if isinstance(item, str) else _number(item) if isinstance(item, float) else _json(item)


def _shorten_rows(rows: Sequence[str], step: int, kind: str, total: int, longest: int) -> list[str]:
    """Return as many rows as fit, then what is left out."""
    kept, length = list[str](), 0
    for row in rows:
        length += len(row) + 1
        if kept and length > longest:
            break
        kept.append(_shorter(row, longest))
    return kept if len(kept) == total else [*kept, _rest_of_rows(len(kept), total, step, kind)]


def _rest_of_rows(shown: int, total: int, step: int, kind: str) -> str:
    more = f'; get_rows(rows="@result{step}", first={shown + 1}) gives them' if step else ""
    return f"... {total - shown} of {total} {kind} are left out: {shown + 1} to {total}{more}"


def _number(value: float | None) -> str:
    return "none" if value is None else f"{value:.6g}" if abs(value) < _LARGE else f"{round(value, 2):.15g}"


def _without_noise(value: Any) -> Any:
    """Return a number without what binary fractions add to it: 32.71 for 32.710000000000036."""
    return float(f"{value:.12g}") if isinstance(value, float) and math.isfinite(value) else value


def _round(value: Any) -> Any:
    """Return a result whose decimals are shown to six digits, of large numbers to hundredths."""
    match value:
        case float():
            return float(_number(value))
        case dict():
            return {name: _round(item) for name, item in value.items()}
        case list():
            return [_round(item) for item in value]
        case _:
            return value


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


def shorten(value: Any, longest: int) -> str:
    """Return a value as text in one piece, its end left out where it is too long."""
    return _shorter(value if isinstance(value, str) else _json(value), longest)


def shorten_by_lines(text: str, longest: int) -> str:
    """Return as many whole lines of a text as fit, then how many are left out."""
    if len(text) <= longest:
        return text
    lines = text.splitlines()
    return "\n".join(_shorten_rows(lines, 0, "lines", len(lines), longest))


def _shorter(text: str, longest: int) -> str:
    left = len(text) - longest
    return text if left <= 0 else f"{text[:longest]} ... ({left} more characters)"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


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
            lines.append(f"  values {_number(low)} to {_number(high)}, mean {_number(mean)}")
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
