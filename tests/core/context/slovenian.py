"""Twelve questions on Sentinel-2 images of Slovenia, and the calls that a sensible analyst makes for each."""

from __future__ import annotations

from typing import Any

from tests.core.context.replaying import (
    AREAS,
    CLASSES,
    MEANS,
    SHARE,
    TREND,
    Need,
    Question,
    difference,
    number,
    of_class,
    slope,
)

_LULC, _DEM = "Slovenia_LULC.tif", "Slovenia_DEM.tif"
_FOREST, _GRASSLAND = 2, 3
# Of each season of two years one that is listed once.
_DAYS = (
    "2015-08-30",
    "2015-09-29",
    "2016-01-07",
    "2016-03-27",
    "2016-04-26",
    "2016-06-25",
    "2016-08-24",
    "2016-10-23",
    "2017-01-01",
    "2017-03-12",
    "2017-05-31",
    "2017-06-10",
)


_KEYS = tuple(f"m{n}" for n, _ in enumerate(_DAYS))


def _means(key: str, period: str = "") -> Need:
    handle = f"@ndvi[{period}]" if period else "@ndvi"
    return Need(key, MEANS, lambda results: {"file_list": handle})


def _by_class(key: str, day: str) -> Need:
    arguments: dict[str, Any] = {"file_list": f"@ndvi[{day}]", "classes_path": _LULC}
    return Need(key, CLASSES, lambda results: dict(arguments))


def _apart(results: Any, first: int, second: int) -> dict[str, float]:
    return {"a": of_class(results["a"], first), "b": of_class(results["a"], second)}


SLOVENIAN = (
    Question("What is the mean NDVI on 2016-06-25?", (_means("a", "2016-06-25"),), lambda r: number(r["a"])),
    Question("What is the highest mean NDVI of all dates?", (_means("a"),), lambda r: max(r["a"])),
    Question(
        "By how much do the mean NDVI on 2016-06-25 and on 2017-06-10 differ?",
        (_means("a", "2016-06-25"), _means("b", "2017-06-10"), difference("c", "a", "b")),
        lambda r: number(r["c"]),
    ),
    Question(
        "By how much does the mean NDVI change from 2016-01-07 to 2016-06-25, in per cent?",
        (
            _means("a", "2016-01-07"),
            _means("b", "2016-06-25"),
            difference("c", "a", "b", "percentage_change"),
        ),
        lambda r: r["c"],
        "%",
    ),
    Question(
        "What is the mean NDVI of forest on 2016-06-25?",
        (_by_class("a", "2016-06-25"),),
        lambda r: of_class(r["a"], _FOREST),
    ),
    Question(
        "How far apart are the mean NDVI of forest and of grassland on 2016-06-25?",
        (
            _by_class("a", "2016-06-25"),
            Need("b", "difference", lambda r: _apart(r, _FOREST, _GRASSLAND), ("a",)),
        ),
        lambda r: r["b"],
    ),
    Question(
        "How large a share has an NDVI above 0.5 on 2016-06-25?",
        (Need("a", SHARE, lambda r: {"image_paths": "@ndvi[2016-06-25]", "threshold": 0.5}),),
        lambda r: number(r["a"]),
        "%",
    ),
    Question(
        "What is the slope of the mean NDVI over all dates of 2016?",
        (_means("a", "2016"), Need("b", TREND, lambda r: {"y": r["a"]}, ("a",))),
        lambda r: slope(r["b"]),
    ),
    Question(
        "By how much does the average of the mean NDVI of 2016 differ from that of 2017?",
        (
            _means("a", "2016"),
            _means("b", "2017"),
            Need("c", "mean", lambda r: {"x": r["a"]}, ("a",)),
            Need("d", "mean", lambda r: {"x": r["b"]}, ("b",)),
            difference("e", "c", "d"),
        ),
        lambda r: r["e"],
    ),
    Question(
        "How high does forest lie on average, and how large is it?",
        (
            Need("a", CLASSES, lambda r: {"file_list": _DEM, "classes_path": _LULC}),
            Need("b", AREAS, lambda r: {"input_path": _LULC}),
        ),
        lambda r: of_class(r["a"], _FOREST),
        text=lambda r: (
            f"It lies {of_class(r['a'], _FOREST):.2f} m high, and {_area(r['b']):.2f} ha are forest."
        ),
    ),
    Question(
        "How far apart are the highest and the lowest mean NDVI of forest on twelve clear days?",
        (
            *(_by_class(f"m{n}", day) for n, day in enumerate(_DAYS)),
            Need("z", "difference", lambda r: _ends([of_class(r[key], _FOREST) for key in _KEYS]), _KEYS),
        ),
        lambda r: r["z"],
    ),
    Question(
        "What is the mean of the three highest mean NDVI of all dates?",
        (_means("a"), Need("b", "mean", lambda r: {"x": sorted(r["a"])[-3:]}, ("a",))),
        lambda r: r["b"],
    ),
)


def _area(rows: Any) -> float:
    return next(float(row["area"]) for row in rows if row["class"] == _FOREST)


def _ends(values: list[float]) -> dict[str, float]:
    return {"a": min(values), "b": max(values)}
