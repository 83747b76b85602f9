"""What an answer says besides: warnings that its steps met, each once, and files that nobody could read."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from treeline.core.engine.actions import Observation, ProductRecord
from treeline.core.engine.calls import file_name, texts
from treeline.core.engine.verification.phrases import ENDINGS

_MOST = 4
_LEAST_SHARE, _HALF = 0.05, 0.5
_EMPTY = r"^No pixel of .* is valid, so it gives no number"
_COUNTED = r"(\d+) of (\d+) (?:numbers \(\w+\)|rasters) (?:are missing|have no valid pixel) and were left out"
_LEFT_OUT = rf"{_EMPTY}|{_COUNTED}"
_EMPTIED = r"^No pixel of \S+ is valid: "
_CLOUDED = "marks, such as clouds, covers every pixel"
_VARYING = re.compile(rf"[\w.~-]+\.{ENDINGS}(?:#[\w -]+?(?= |$|\.))?|[-+]?\d[\d.e+-]*", re.IGNORECASE)


def warnings_in(observations: Iterable[Observation]) -> list[str]:
    """Return in sentences what bears on an answer that rests on these observations.

    Repairs of a call's arguments are left out: they change how something is said, not what it means.
    """
    observations = list(observations)
    warnings = [w for o in observations for w in o.warnings if w not in o.repairs]
    products = [product for o in observations for product in o.products]
    limited = any("condition_path" in (o.arguments or {}) for o in observations)
    others = [w for w in warnings if not re.search(_LEFT_OUT, w)]
    emptied = [w for w in others if re.search(_EMPTIED, w)]
    others = [w for w in others if w not in emptied]
    most = max((sum(bool(re.search(_EMPTIED, w)) for w in o.warnings) for o in observations), default=0)
    # Two series, such as of two years, are emptied by a step each.
    most = max(most, len({product.date for product in products if product.date and product.valid_share == 0}))
    without = _without_pixels(warnings, most, _parts_of_ground(observations))
    if without and emptied and all(_CLOUDED in w for w in emptied):
        without = [f"{without[0].rstrip('.')}: what marks clouds covers them.", *without[1:]]
    elif emptied:  # of several the first says why; what is made of an empty raster is empty for that alone
        others.insert(0, emptied[0])
    return [*without, *_name_alike_once(others), *_few_pixels(products, limited)]


def _parts_of_ground(observations: Iterable[Observation]) -> dict[int, str]:
    """Return what was measured apart, classes or regions, by how many of them a table has.

    A warning of a step counts numbers alone; what they are of is told by a table with as many.
    """
    observations = list(observations)
    drawn = [o for o in observations if "vector_path" in (o.arguments or {})]
    regions = {product.path for observation in drawn for product in observation.products}
    found: dict[int, str] = {}
    for observation in observations:
        rows = observation.value
        if not isinstance(rows, list) or not rows or not isinstance(rows[0], dict):
            continue
        arguments = observation.arguments or {}
        if "zones_path" in arguments:
            found[len(rows)] = "region"
        elif "class" in rows[0]:
            found[len(rows)] = "class"
        elif "classes_path" in arguments:
            noun = "region" if arguments["classes_path"] in regions else "class"
            numbers = [number for name, number in rows[0].items() if name != "date"]
            found[len(numbers)] = noun
            # Of polygons outside the ground that counts a table has no number, or not even a row.
            found.setdefault(sum(number is not None for number in numbers), noun)
    return found


def _without_pixels(warnings: Sequence[str], emptied: int, parts: Mapping[int, str]) -> list[str]:
    """Say how many dates, classes or regions have no pixel, once, however many steps met it.

    Parameters
    ----------
    emptied : int
        The most rasters without a pixel that one step wrote, or the dates of those that all wrote.
    parts : mapping
        What so many numbers are of, where it is not dates.
    """
    named = {w for w in warnings if re.search(_EMPTY, w)}
    counted = [match for w in dict.fromkeys(warnings) if (match := re.match(_COUNTED, w))]
    counts: Counter[str] = Counter()
    if named:
        counts["date"] = len(named)
    elif counted:
        for match in counted:
            missing, of = int(match[1]), int(match[2])
            # A table has no row for a region without a pixel.
            counts[parts.get(of) or parts.get(of - missing) or "date"] += missing
    elif emptied > 1:
        counts["date"] = emptied
    if not counts:
        return [w for w in dict.fromkeys(warnings) if re.search(_LEFT_OUT, w)]
    return [_say_left_out(noun, count) for noun, count in counts.items()]


def _say_left_out(noun: str, count: int) -> str:
    if count == 1:
        return f"One {noun} has no valid pixel and was left out."
    return f"{count} {noun}{'es' if noun.endswith('s') else 's'} have no valid pixel and were left out."


def _name_alike_once(warnings: Sequence[str]) -> list[str]:
    groups: dict[str, list[str]] = {}
    for warning in dict.fromkeys(warnings):
        groups.setdefault(_VARYING.sub("*", warning), []).append(warning)
    told = []
    for several in list(groups.values())[:_MOST]:
        more = f" (and {len(several) - 1} more of this kind)" if len(several) > 1 else ""
        told.append(f"{several[0].strip().rstrip('.')}{more}.")
    return told


def _few_pixels(products: Iterable[ProductRecord], limited: bool) -> list[str]:
    """Say on which dates less than half of the pixels are left; hardly any is a warning of its own.

    Where the question is limited to some ground, the rest of it is no fault of the data, and said not to be.
    """
    shares: dict[str, float] = {}
    for product in products:
        if product.valid_share is not None and product.kind == "raster":
            key = product.date or ""
            shares[key] = min(shares.get(key, 1.0), product.valid_share)
    if len(shares) > 1:
        shares.pop("", None)
    few = {date: share for date, share in shares.items() if _LEAST_SHARE <= share < _HALF}
    if not few:
        return []
    least = min(few, key=lambda date: few[date])
    if len(shares) == 1:
        ground = " and in the ground that is asked of" if limited else ""
        return [f"Only {few[least]:.0%} of the pixels are valid{ground}."]
    dates = "one date" if len(few) == 1 else f"{len(few)} dates"
    return [
        f"On {dates} of {len(shares)} less than half of the pixels are valid "
        f"(fewest on {least}: {few[least]:.0%})."
    ]


_MOST_NAMES = 3


def files_left_out(problems: Mapping[str, str], observations: Iterable[Observation]) -> list[str]:
    """Say which files of a series that the calls read were left out, because nobody can read them.

    Parameters
    ----------
    problems : mapping
        File name to what is wrong with it, as the workspace found it.
    """
    files = {file_name(text) for o in observations for text in texts(o.arguments)}
    read = Counter(_series(file) for file in files)
    names = [name for name in sorted(problems) if read[_series(name)] > 1]
    if not names:
        return []
    shown = ", ".join(names[:_MOST_NAMES])
    rest = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    count = "One file of this series" if len(names) == 1 else f"{len(names)} files of this series"
    return [f"{count} cannot be read and {'was' if len(names) == 1 else 'were'} left out: {shown}{rest}."]


def coarser_left_out(
    coarser: Mapping[tuple[Path, int], Path], observations: Iterable[Observation]
) -> list[str]:
    """Say which files show what the calls read with larger pixels, and were left out.

    Parameters
    ----------
    coarser : mapping
        File and band to the file that shows it finer, as the workspace found it.
    """
    read = {file_name(text) for o in observations for text in texts(o.arguments)}
    names = sorted({path.name for (path, _), finer in coarser.items() if finer.name in read})
    if not names:
        return []
    shown = ", ".join(names[:_MOST_NAMES])
    rest = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    return [f"Of the same band at several pixel sizes the finest is used, without {shown}{rest}."]


def _series(file: str) -> str:
    """Return a file's name without what tells the files of a series apart: numbers, as in dates."""
    return re.sub(r"\d+", "#", file)
