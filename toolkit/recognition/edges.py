"""Whether a value begins and ends abruptly on the ground, as what a program wrote for no data does.

A measured value has neighbours that are near to it: rain falls off towards dry ground, land towards the sea.
Next to a hole the values are those of the whole image.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Half of the pixels next to a hole differ from its value by more than the median of all does; next to what
# was measured, few do. On a straight line the measured ones may be alike, so that more is wanted of it.
_ABRUPT, _ABRUPT_ON_LINE = 0.25, 0.35
_PAIRS, _PAIRS_ON_LINE = 30, 24
# Beside a value that lies anywhere half of the pixels are that far, but for chance; beside measured ones
# of real images at most a third were.
_ANYWHERE = 0.4
# By so much more often than all pixels the neighbours of strewn ones have the same value, by chance.
_MORE_OFTEN = 0.1
# So much of a line holds other values where the line before it holds none: no rain begins like that.
_BEGINS = 0.25
# Where neighbours differ by more than so much of what any two pixels do, single steps tell nothing.
_ROUGH = 0.5
# The lowest values of such ground; so many standard errors the shares of their high neighbours, and of
# those of a strewn value, must differ by.
_LOWEST, _RELATED, _UNRELATED = 0.1, 5.0, 3.0

# Heights step more beside a hole than anywhere: many of its neighbours lie further from it than almost any
# two neighbours elsewhere do. Of the sea, whose coast is a part of the relief, hardly any do.
_STEEPEST, _STEPPED = 0.99, 0.3

# So many pieces of so many pixels lie on a line to within the rounding to whole pixels, which is 0.29 of one:
# a shore that bends by a circle of 300 pixels is off by more.
_LINES, _LENGTH, _OFF_LINE = 3, 48, 0.36
# Among classes a line is telling sooner, as the others show whether their outlines are ragged.
_LINES_OF_CLASS = 2
# Of the other neighbours so many are alike in what was enlarged.
_REPEATS = 0.5

# What is outside of a map has so much of the rim of its raster, and next to nothing inside of it.
_ON_RIM, _ENCLOSED, _SMALLEST_MAP = 0.5, 0.002, 16

Pairs = tuple[NDArray[Any], NDArray[Any]]


def ends_abruptly(windows: Sequence[NDArray[Any]], value: float, ignored: Sequence[float]) -> bool:
    """Tell whether the pixels next to a value are as far from it as pixels anywhere.

    Parameters
    ----------
    windows : sequence of ndarray
        Parts of a raster, two-dimensional, as stored.
    value : float
        That may be no data.
    ignored : sequence of float
        Other values that are no data.
    """
    parts, others = _mask_fills(windows, value, ignored)
    if others.size < _PAIRS or _roughness(parts, value, others) > _ROUGH:
        return False
    number = abrupt = 0
    for there, far, first, second in _beside(parts, value, others):
        number, abrupt = number + int(there.sum()), abrupt + int((there & far).sum())
        on_line, far_on_line = there.sum(axis=1), (there & far).sum(axis=1)
        whole = np.all(first == value, axis=1) | np.all(second == value, axis=1)
        straight = (far_on_line >= _ABRUPT_ON_LINE * on_line) | (
            whole & (on_line >= _BEGINS * there.shape[1])
        )
        if np.any((on_line >= _PAIRS_ON_LINE) & straight):
            return True
    return number >= _PAIRS and abrupt >= _ABRUPT * number


def lies_anywhere(
    windows: Sequence[NDArray[Any]], value: float, ignored: Sequence[float], strewn: bool = False
) -> bool:
    """Tell whether the pixels next to a value are those of the whole image, wherever it lies.

    Where neighbours differ as much as any two pixels do, that is true of measured values too; there a value
    must be strewn as well, its pixels no nearer to each other than chance would have them.

    Parameters
    ----------
    windows : sequence of ndarray
        Parts of a raster, two-dimensional, as stored.
    value : float
        That may be no data.
    ignored : sequence of float
        Other values that are no data.
    strewn : bool
        Whether it must be strewn everywhere.
    """
    parts, others = _mask_fills(windows, value, ignored)
    number = abrupt = 0
    for there, far, *_ in _beside(parts, value, others):
        number, abrupt = number + int(there.sum()), abrupt + int((there & far).sum())
    if number < _PAIRS or abrupt < _ANYWHERE * number:
        return False
    smooth = not strewn and _roughness(parts, value, others) <= _ROUGH
    return smooth or _is_strewn(parts, value)


def lies_unrelated(windows: Sequence[NDArray[Any]], value: float, ignored: Sequence[float]) -> bool:
    """Tell whether a strewn value at one end of all has neighbours like any, as no other one there has.

    Known of ground that is rough, but on which near pixels are more alike than far ones.

    Parameters
    ----------
    windows : sequence of ndarray
        Parts of a raster, two-dimensional, as stored.
    value : float
        That may be no data.
    ignored : sequence of float
        Other values that are no data.
    """
    parts, others = _mask_fills([window.astype(np.float64) for window in windows], value, ignored)
    if others.size < _PAIRS or not _is_strewn(parts, value):
        return False
    if value > np.median(others):
        # What holds of low values among high ones holds of high ones among low.
        parts, others, value = [-part for part in parts], -others, -value
    middle, low = float(np.median(others)), float(np.quantile(others, _LOWEST))
    if value > low:
        return False
    number, high = np.zeros(3), np.zeros(3)
    for first, second in _pairs(parts):
        for pixel, beside in ((first, second), (second, first)):
            known = np.isfinite(beside) & (beside != value)
            strewn = pixel == value
            other = np.isfinite(pixel) & ~strewn
            for place, chosen in enumerate((other, other & (pixel <= low), strewn)):
                number[place] += np.count_nonzero(chosen & known)
                high[place] += np.count_nonzero(chosen & known & (beside > middle))
    if number.min() < _PAIRS:
        return False
    share = high / number
    # The standard error of a share is at most that of a half.
    error = 0.5 / np.sqrt(number)
    related = share[1] + _RELATED * error[1] < share[0]
    return bool(related and share[2] - _UNRELATED * error[2] > (share[0] + share[1]) / 2)


def _is_strewn(parts: Sequence[NDArray[Any]], value: float) -> bool:
    """Tell whether the neighbours of a value have it hardly more often than all pixels do."""
    everywhere = float(np.mean(np.concatenate([(part == value).ravel() for part in parts])))
    ends = both = 0
    for first, second in _pairs(parts):
        one, other = first == value, second == value
        ends, both = ends + int(one.sum()) + int(other.sum()), both + 2 * int((one & other).sum())
    return both <= (everywhere + _MORE_OFTEN) * ends


def _beside(
    parts: Sequence[NDArray[Any]], value: float, others: NDArray[np.float64]
) -> Iterator[tuple[NDArray[np.bool_], NDArray[np.bool_], NDArray[Any], NDArray[Any]]]:
    """Yield of each pair of lines where a value has a neighbour, where that is far from it, and the lines.

    Far is what differs by more than the median of all values does.
    """
    usual = float(np.median(np.abs(others - value))) if others.size else np.inf
    for first, second in _pairs(parts):
        beside = np.where((first == value) & (second != value), second, np.nan)
        beside = np.where((second == value) & (first != value), first, beside)
        yield np.isfinite(beside), np.abs(beside - value) > usual, first, second


def steps_abruptly(windows: Sequence[NDArray[Any]], value: float, ignored: Sequence[float]) -> bool:
    """Tell whether many neighbours of a value are further from it than other neighbours are apart.

    Few different values are enough, as of low land in whole metres, and so is a hole in land of which
    another part is as low.

    Parameters
    ----------
    windows : sequence of ndarray
        Parts of a raster, two-dimensional, as stored.
    value : float
        That may be no data.
    ignored : sequence of float
        Other values that are no data.
    """
    share = _share_of_steps(windows, value, ignored)
    return share is not None and share >= _STEPPED


def joins_smoothly(windows: Sequence[NDArray[Any]], value: float, ignored: Sequence[float]) -> bool:
    """Tell whether few neighbours of a value are further from it than others are apart, as at a shore."""
    share = _share_of_steps(windows, value, ignored)
    return share is not None and share < _STEPPED


def _share_of_steps(windows: Sequence[NDArray[Any]], value: float, ignored: Sequence[float]) -> float | None:
    """Return which share of a value's neighbours steps away; ``None`` where there are too few or all do."""
    parts, others = _mask_fills(windows, value, ignored)
    beside, elsewhere = [], []
    for first, second in _pairs(parts):
        step = np.abs(first - second)
        one, other = first == value, second == value
        beside.append(step[(one != other) & np.isfinite(step)])
        elsewhere.append(step[~(one | other) & np.isfinite(step)])
    around, usual = np.concatenate(beside), np.concatenate(elsewhere)
    if min(around.size, usual.size) < _PAIRS or _roughness(parts, value, others) > _ROUGH:
        return None
    # Where the land is flat, the least step that there is at all says nothing.
    least = float(usual[usual > 0].min(initial=np.inf))
    steepest = max(float(np.quantile(usual, _STEEPEST)), least)
    return float(np.mean(around > steepest))


def _mask_fills(
    windows: Sequence[NDArray[Any]], value: float, ignored: Sequence[float]
) -> tuple[list[NDArray[Any]], NDArray[np.float64]]:
    """Return the windows with NaN for what is known to be no data, and all values but the one looked at."""
    parts = [np.where(np.isfinite(part) & ~np.isin(part, ignored), part, np.nan) for part in windows]
    others = np.concatenate([part[np.isfinite(part) & (part != value)] for part in parts])
    return parts, others.astype(np.float64)


def _pairs(parts: Sequence[NDArray[Any]]) -> Iterator[Pairs]:
    """Yield the pixels on both sides of each border of rows, and of columns, a line each."""
    for part in parts:
        yield part[:-1], part[1:]
        yield part[:, :-1].T, part[:, 1:].T


def _roughness(parts: Sequence[NDArray[Any]], value: float, others: NDArray[np.float64]) -> float:
    """Return by how much neighbours differ, of what any two pixels differ by."""
    steps = np.concatenate([np.abs(a - b)[(a != value) & (b != value)] for a, b in _pairs(parts)])
    steps = steps[np.isfinite(steps)]
    # A fixed seed: a file must be described the same way each time.
    shuffled = np.random.default_rng(0).permutation(others)
    usual = float(np.abs(shuffled - others).mean())
    return float(steps.mean()) / usual if steps.size and usual else np.inf


def runs_straight(windows: Sequence[NDArray[Any]], value: float) -> bool:
    """Tell whether the outlines of a value are straight lines, which ends of tiles and gaps of scans are.

    Shores and the edges of clouds are ragged, and single pixels have no lines; the lines may run in any
    direction. What was brought to a finer grid has straight outlines of all values and tells nothing.

    Parameters
    ----------
    windows : sequence of ndarray
        Parts of a raster, two-dimensional, as stored.
    value : float
        That may be no data.
    """
    return not _repeats_its_neighbours(windows, value) and _count_lines(windows, value) >= _LINES


def alone_runs_straight(windows: Sequence[NDArray[Any]], value: float, others: Sequence[float]) -> bool:
    """Tell whether the outlines of a class are straight lines, and those of no other class are.

    Parameters
    ----------
    windows : sequence of ndarray
        Parts of a raster, two-dimensional, as stored.
    value : float
        That may be no data.
    others : sequence of float
        The other classes; one that lies along the straight outline has a part of it.
    """
    lines = _count_lines(windows, value)
    return lines >= _LINES_OF_CLASS and all(2 * _count_lines(windows, other) <= lines for other in others)


def lies_around(windows: Sequence[NDArray[Any]], value: float) -> bool:
    """Tell whether a value lies around all others and nowhere among them, as what is outside of a map does.

    Known of a raster that is small enough to be sampled as a whole.

    Parameters
    ----------
    windows : sequence of ndarray
        Parts of a raster, two-dimensional, as stored.
    value : float
        That may be no data.
    """
    if len(windows) != 1 or min(windows[0].shape) < _SMALLEST_MAP:
        return False
    from scipy import ndimage

    plane = windows[0] == value
    rim = np.concatenate([plane[0], plane[-1], plane[:, 0], plane[:, -1]])
    if not plane[[0, 0, -1, -1], [0, -1, 0, -1]].all() or rim.mean() < _ON_RIM:
        return False
    labels, _ = ndimage.label(plane)
    outside = np.unique(np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]]))
    inside = plane & ~np.isin(labels, outside)
    return bool(inside.sum() <= _ENCLOSED * (~plane).sum())


def _count_lines(windows: Sequence[NDArray[Any]], value: float) -> int:
    """Return how many straight pieces the outlines of a value have."""
    planes = (plane for part in windows for plane in (part == value, (part == value).T))
    return sum(
        _straight_lines(plane[:-1] & ~plane[1:]) + _straight_lines(plane[1:] & ~plane[:-1])
        for plane in planes
    )


def _straight_lines(border: NDArray[np.bool_]) -> int:
    """Return how many straight pieces the connected parts of a border have, of a gentle slope to its rows."""
    if np.count_nonzero(border) < _LENGTH:
        return 0
    # Imported where it is used: most rasters have no value that is looked at so closely.
    from scipy import ndimage

    labels, _ = ndimage.label(border, structure=np.ones((3, 3)))
    number = 0
    for part, place in enumerate(ndimage.find_objects(labels), start=1):
        if place[1].stop - place[1].start < _LENGTH:
            continue
        columns, rows = np.nonzero((labels[place] == part).T)
        for first in range(0, columns.size - _LENGTH + 1, _LENGTH):
            number += _is_line(columns[first : first + _LENGTH], rows[first : first + _LENGTH])
    return number


def _is_line(columns: NDArray[np.intp], rows: NDArray[np.intp]) -> bool:
    """Tell whether pixels lie on a line, one in each column, as near to it as whole numbers can."""
    if np.any(np.diff(columns) != 1):
        return False
    along = columns - columns.mean()
    across = rows - rows.mean()
    # Least squares through the mean.
    slope = float(along @ across) / float(along @ along)
    return bool(np.std(across - slope * along) <= _OFF_LINE)


def _repeats_its_neighbours(windows: Sequence[NDArray[Any]], value: float) -> bool:
    """Tell whether most neighbours of the other values are alike to the last digit."""
    alike = number = 0
    for first, second in _pairs(windows):
        others = (first != value) & (second != value)
        number += int(others.sum())
        alike += int((others & (first == second)).sum())
    return alike > _REPEATS * number
