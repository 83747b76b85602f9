"""A small benchmark in the published layout, with answers computed from its pixels by numpy."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tests.rasters import write_raster

SIDE = 30
DATES = ("2021-06-03", "2021-07-12", "2021-08-20")


def write_benchmark(root: Path) -> dict[str, str]:
    """Write ``benchmark/question.json`` and the data beside it; return the right answer of each question."""
    rng = np.random.default_rng(7)
    written = [make(root / "benchmark" / "data" / f"question{n}", n, rng) for n, make in enumerate(MAKERS, 1)]
    questions = {str(n): publish_question(n, entry) for n, entry in enumerate(written, start=1)}
    (root / "benchmark" / "question.json").write_text(json.dumps(questions))
    return {n: entry["answer"] for n, entry in enumerate(written, start=1)}


def publish_question(
    number: int, entry: dict[str, Any], dialog: Sequence[dict[str, Any]] = ()
) -> dict[str, Any]:
    """Return a question as Earth-Agent publishes it; the regimes' names are not always spelled alike."""
    regimes = ("Autonomous Planning", "Instruction Following")
    types = [name.lower() if number % 4 == 0 else name for name in regimes]
    common = {"data": entry["data_dir"], "gt_answer": {"whitelist": [[entry["answer"]]]}}
    texts = (entry["question"], entry["instruction"])
    return {
        "evaluation": [
            {"type": type_, "question": text, **common} for type_, text in zip(types, texts, strict=True)
        ],
        "choices": entry["choices"],
        "dialogs": list(dialog),
    }


def _warmest(folder: Path, number: int, rng: np.random.Generator) -> dict[str, Any]:
    """Which date has the highest mean land surface temperature?"""
    layers = {date: rng.uniform(285 + 4 * i, 300 + 4 * i, (SIDE, SIDE)) for i, date in enumerate(DATES)}
    _write(folder, {f"Lake_{date}_LST.tif": layer for date, layer in layers.items()})
    means = {date: layer.mean() for date, layer in layers.items()}
    best = max(means, key=lambda date: means[date])
    return _entry(
        number,
        "Based on the LST data of the lake from June to August 2021, on which date was the mean LST highest?",
        list(DATES),
        "ABC"[DATES.index(best)],
    )


def _share(folder: Path, number: int, rng: np.random.Generator) -> dict[str, Any]:
    """Which share of an area exceeds a limit of NDVI?"""
    layer = rng.uniform(0.05, 0.85, (SIDE, SIDE)).astype("float32")
    _write(folder, {"Forest_2021-07-12_NDVI.tif": layer})
    share = 100 * float((layer > 0.6).mean())
    choices = [f"{share * factor:.2f}%" for factor in (0.5, 0.8, 1.0, 1.3)]
    text = "Based on the NDVI data of the forest on July 12, 2021, calculate the percentage of the area with NDVI above 0.6."  # noqa: E501
    return _entry(number, text, choices, "C")


def _make_question(folder: Path, number: int, rng: np.random.Generator) -> dict[str, Any]:
    """How high is an index that must be made of two bands, with a number for an answer?"""
    green, swir = (rng.integers(low, high, (SIDE, SIDE)) for low, high in ((4000, 6000), (1000, 2000)))
    names = [f"Greenland_sur_refl_b{band}_2022-09-12.tif" for band in ("04", "06")]
    _write(folder, dict(zip(names, (green, swir), strict=True)), "int16")
    mean = float(((green - swir) / (green + swir)).mean())
    text = "Based on the sur_refl_b04 and sur_refl_b06 data in Greenland, calculate the mean NDSI value of Greenland on 2022-09-12. The answer should be kept to three decimal places."  # noqa: E501
    return _entry(number, text, [], f"{mean:.3f}")


def _difference(folder: Path, number: int, rng: np.random.Generator) -> dict[str, Any]:
    """By how much did a mean change between two dates?"""
    first, second = (rng.uniform(low, low + 0.2, (SIDE, SIDE)) for low in (0.3, 0.5))
    _write(folder, {"Valley_2021-06-03_NDVI.tif": first, "Valley_2021-08-20_NDVI.tif": second})
    change = float(second.mean() - first.mean())
    choices = [f"{change + step:.2f}" for step in (-0.15, 0.1, 0.0, 0.2)]
    steps = "First list the input TIFF files, then compute the mean NDVI on June 3, 2021 and on August 20, 2021, and finally calculate the difference between the two."  # noqa: E501
    text = "Based on the NDVI data of the valley, by how much did the mean NDVI increase from June 3, 2021 to August 20, 2021?"  # noqa: E501
    return {**_entry(number, text, choices, "C"), "instruction": steps}


MAKERS = (_warmest, _share, _make_question, _difference)


def _entry(number: int, text: str, choices: list[str], answer: str) -> dict[str, Any]:
    return {
        "question": text,
        "instruction": f"First list the input TIFF files, then {text[0].lower()}{text[1:]}",
        "choices": [f"{letter}. {choice}" for letter, choice in zip("ABCD", choices, strict=False)],
        "answer": answer,
        "data_dir": f"benchmark/data/question{number}",
    }


def _write(folder: Path, layers: dict[str, Any], dtype: str = "float32") -> None:
    folder.mkdir(parents=True)
    for name, layer in layers.items():
        write_raster(folder / name, layer.astype(dtype))
