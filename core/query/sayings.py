"""Words for statistics, trends, pictures and facts, which a paraphrase puts together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from treeline.core.query.expression import (
    Aggregate,
    Anomaly,
    Combine,
    Composite,
    Correlation,
    Facts,
    Node,
    Phenology,
    Place,
    Profile,
    Trend,
    Variable,
    When,
    Zones,
)
from treeline.core.query.kinds import kind_of
from treeline.core.query.objects import Objects
from treeline.core.query.slots import Leaf
from treeline.core.query.words import nth, plural
from treeline.toolkit.series import SIGNIFICANCE

_STATISTICS = {
    "mean": "mean", "median": "median", "min": "minimum", "max": "maximum", "sum": "sum",
    "std": "standard deviation", "variance": "variance", "range": "range", "iqr": "interquartile range",
    "cv": "coefficient of variation", "skewness": "skewness", "kurtosis": "kurtosis", "mode": "mode",
    "entropy": "entropy", "mad": "median absolute deviation", "rms": "root mean square",
    "otsu": "Otsu threshold", "moran": "Moran's I",
}  # fmt: skip
_AXES = {
    "pixel": "over all pixels",
    "date": "over the dates",
    "zone": "over the zones",
    "period": "over the periods",
    "all": "over all pixels and dates",
}
_PICTURES: dict[tuple[str, ...], str] = {
    ("red", "green", "blue"): "true colour image",
    ("nir", "red", "green"): "false colour image",
}
_FACTS = {
    "images": "number of images", "dates": "available dates", "first_date": "start of the archive",
    "last_date": "end of the archive",
    "bands": "bands", "variables": "which variables", "crs": "coordinate reference system",
    "pixel_size": "pixel size", "extent": "spatial extent", "ground_area": "area of the study area",
    "sensors": "which sensor", "classes": "which classes are there", "gap": "longest gap between images",
    "interval": "average interval between images", "span": "time span of the archive",
    "days_between": "number of days between", "nearest_date": "nearest available image to",
    "shape": "number of rows and columns",
    "available": "whether there is", "files": "list of files",
    "features": "number of features", "nodata": "value of missing data",
}  # fmt: skip

OF_EACH_DATE = " of each date"


class CannotSay(ValueError):
    """There are no words for a part of an expression."""


class Speaker(Protocol):
    """What says the parts of a node."""

    def body(self, node: Node) -> str:
        """Return a node in words."""

    def part(self, node: Node) -> str:
        """Return a node in words, in brackets unless it is a bare name or number."""

    def each(self, by: Zones | str) -> str:
        """Return groups in words."""

    def unit(self, node: Node) -> str:
        """Return what varies in a series."""

    def slots(self, leaf: Leaf) -> str:
        """Return where, how clear and when."""

    def when(self, when: When) -> list[str]:
        """Return a time in words."""

    def is_of_all_zones(self, node: Aggregate) -> bool:
        """Return whether a table is of the ground of all classes or features."""


def say_trend(speaker: Speaker, node: Trend) -> str:
    """Return a fact of a trend."""
    name = {
        "slope": "trend",
        "relative": "relative trend",
        "significance": "significant trend",
        "p_value": "p-value of the trend",
        "direction": "direction of the trend",
        "r2": "r2 of the trend",
        "tau": "kendall's tau of the trend",
        "pearson": "correlation with time",
        "spearman": "rank correlation with time",
    }.get(node.gives)
    if name is None:
        raise CannotSay(f"There are no words for the {node.gives} of a trend.")
    method = {
        "linear": " by least squares",
        "mann_kendall": " by mann-kendall",
        "theil_sen": " by theil-sen",
    }
    along = " per pixel" if "pixel" in kind_of(node).axes else ""
    text = f"{name}{along} of ({speaker.body(node.of)}){method.get(node.method, '')}"
    if node.gives in ("slope", "relative") and node.per != "year":
        text += f" per {node.per}"
    return text + (f" at {node.level * 100:g} %" if node.level != SIGNIFICANCE else "")


def say_phenology(speaker: Speaker, node: Phenology) -> str:
    """Return a fact of the growing season."""
    limit = f" above {speaker.part(node.limit)}" if node.limit is not None else ""
    by = f" {speaker.each(node.by)}" if node.by is not None else ""
    return f"{node.gives} of the growing season of ({speaker.body(node.of)}){limit}{by}"


def say_picture(speaker: Speaker, node: Composite) -> str:
    """Return a colour picture."""
    first = node.bands[0]
    roles = tuple(band.role for band in node.bands if isinstance(band, Variable))
    name = _PICTURES.get(roles)
    if name is None or not isinstance(first, Variable):
        return "rgb image of " + " and ".join(f"({speaker.body(band)})" for band in node.bands)
    return f"{name}{speaker.slots(first)}"


def say_objects(speaker: Speaker, node: Objects) -> str:
    """Return what is asked of things in pictures."""
    name = f"({node.name})" if node.name else "objects"
    wanted = "farthest" if node.farthest else "closest"
    text = {
        "scene": f"pictures that show {name}",
        "count": f"number of {name} in each picture",
        "area": f"area of {name} in each picture",
        "centroids": f"centre of each of {name}",
        "distance": f"distance between the two {wanted} of {name}",
        "pair": f"the two {wanted} of {name}",
        "described": f"where {name} is",
        "change": f"change of {name} between the pictures",
        "destroyed": f"number of destroyed {name} between the pictures",
    }[node.about]
    scale = f", {node.gsd:g} m for each pixel" if node.gsd is not None else ""
    return f"{text}{scale}{', sorted' if node.rank else ''}"


def say_fact(speaker: Speaker, node: Facts) -> str:
    """Return a fact of the data."""
    if node.about == "available" and isinstance(node.of, When):
        return f"whether there is an image {' '.join(speaker.when(node.of))}"
    name = _FACTS.get(node.about)
    if name is None:
        raise CannotSay(f"There are no words for the fact {node.about}.")
    by = f" {speaker.each(node.by)}" if node.by is not None else ""
    if node.of is None:
        return f"{name} in {node.unit}" if node.unit else f"{name}{by}"
    if isinstance(node.of, When) and node.about in ("days_between", "nearest_date"):
        return f"{name} {' and '.join(str(span.first) for span in node.of.spans)}"
    if isinstance(node.of, When):
        return f"{name} {' '.join(speaker.when(node.of))}{by}"
    of = "" if node.about == "available" else " of"
    return f"{name}{of} ({speaker.body(node.of)}){by}"


def say_statistic(speaker: Speaker, node: Aggregate) -> str:
    """Return a statistic with its axis and groups."""
    by = f" {speaker.each(node.by)}" if node.by is not None else ""
    if node.statistic in _TRUTHS:
        text = _TRUTHS[node.statistic](speaker, node) + by
        listed = node.statistic in ("count", "area", "share") and "date" in kind_of(node).axes
        return f"({text}){OF_EACH_DATE}" if listed and node.over == "pixel" else text
    name = _STATISTICS.get(node.statistic, "")
    if node.statistic == "percentile" and node.parameter is not None:
        name = f"{nth(node.parameter)} percentile"
    if node.statistic == "trimmed_mean" and node.parameter is not None and node.parameter >= 1:
        name = f"{node.parameter:g} % trimmed mean"
    if not name:
        raise CannotSay(f"There are no words for {node.statistic}.")
    weight = f" weighted by {speaker.part(node.weight)}" if node.weight is not None else ""
    axis = "over the points" if isinstance(node.of, Profile) else _AXES[node.over]
    return f"{name} {axis} of {speaker.part(node.of)}{weight}{by}"


def _count(speaker: Speaker, node: Aggregate) -> str:
    of = speaker.body(node.of)
    if node.over == "pixel":
        return f"number of pixels with ({of})"
    if node.over == "date" and "pixel" in kind_of(node.of).axes:
        return f"number of dates per pixel with ({of})"
    # A condition of each class on each date has two nouns: those that count are the dates.
    noun = "date" if node.over == "date" and "zone" in kind_of(node.of).axes else speaker.unit(node.of)
    return f"number of {plural(noun)} with ({of})"


def _share(speaker: Speaker, node: Aggregate) -> str:
    of = speaker.body(node.of)
    if node.over == "pixel":
        base = "the pixels" if node.within is None else f"({speaker.body(node.within)})"
        if node.within is None and speaker.is_of_all_zones(node):
            return " ".join((f"share of {base}", *_time_of_ground(speaker, node.of)))
        return f"share of {base} with ({of})"
    if "pixel" in kind_of(node.of).axes:
        return f"share of the dates per pixel with ({of})"
    return f"share of the dates with ({of})"


def _area(speaker: Speaker, node: Aggregate) -> str:
    unit = {"": "", "acre": " in acres"}.get(node.unit, f" in {node.unit}")
    if speaker.is_of_all_zones(node):
        return " ".join((f"area{unit}", *_time_of_ground(speaker, node.of)))
    return f"area{unit} of ({speaker.body(node.of)})"


def _time_of_ground(speaker: Speaker, ground: Node) -> list[str]:
    return speaker.when(ground.when) if isinstance(ground, Place) else []


def _say_on_axis(word: str) -> Callable[[Speaker, Aggregate], str]:
    def say(speaker: Speaker, node: Aggregate) -> str:
        return f"({speaker.body(node.of)}) on {word} {node.over}"

    return say


def _run(words: str) -> Callable[[Speaker, Aggregate], str]:
    return lambda speaker, node: f"{words} with ({speaker.body(node.of)})"


_TRUTHS: dict[str, Callable[[Speaker, Aggregate], str]] = {
    "count": _count,
    "share": _share,
    "area": _area,
    "all": _say_on_axis("every"),
    "any": _say_on_axis("any"),
    "longest_run": _run("longest run of dates"),
    "runs": _run("number of runs of dates"),
    "onsets": _run("number of crossings into dates"),
    "crossings": _run("number of crossings into or out of dates"),
}


def say_combination(speaker: Speaker, node: Combine) -> str:
    """Return two values set against each other."""
    left, right = speaker.part(node.left), speaker.part(node.right)
    infix = {
        "difference": "minus",
        "ratio": "divided by",
        "product": "times",
        "sum": "plus",
        "percent_change": "in per cent change from",
        "absolute_difference": "in absolute difference from",
        "normalised_difference": "in normalised difference with",
    }
    return f"{left} {infix[node.how]} {right}"


def say_anomaly(speaker: Speaker, node: Anomaly) -> str:
    """Return how far something lies from its usual state."""
    name = {"difference": "anomaly", "z_score": "z-score", "percent": "per cent anomaly"}[node.how]
    return f"{name} of {speaker.part(node.of)} against {speaker.part(node.base)}"


def say_correlation(speaker: Speaker, node: Correlation) -> str:
    """Return how two things go together."""
    names = {
        "pearson": "correlation",
        "spearman": "rank correlation",
        "r2": "r-squared",
        "slope": "regression slope",
        "scatter": "scatter plot",
    }
    if node.gives not in names:
        raise CannotSay(f"There are no words for the {node.gives} of two things.")
    sides = f"{speaker.part(node.left)} and {speaker.part(node.right)}"
    by = f" {speaker.each(node.by)}" if node.by is not None else ""
    return f"{names[node.gives]} {_AXES[node.over]} between {sides}{by}"
