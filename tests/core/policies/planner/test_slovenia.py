"""Questions on real rasters in many wordings; each number is compared with a few lines of numpy."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyogrio.raw
import pytest
import rasterio
import shapely
from rasterio import features

from tests.core.policies.planner.arrays import Array, ratio, read, scene, series
from tests.core.policies.planner.conftest import Ask, answer_of


def ndvi(root: Path, first: str = "", last: str = "9999") -> dict[str, Array]:
    return series(root / "ndvi", "Slovenia_NDVI_", first, last)


def clear(root: Path, first: str, last: str) -> list[float]:
    masks = series(root / "cloud_mask", "Slovenia_CLM_", first, last)
    means = []
    for date, values in ndvi(root, first, last).items():
        kept = values[masks[date] == 0]
        if kept.size:
            means.append(float(np.nanmean(kept)))
    return means


def mean(arrays: dict[str, Array]) -> float:
    return float(np.mean([np.nanmean(a) for a in arrays.values()]))


def shares(arrays: dict[str, Array], limit: float) -> Array:
    return np.array([100 * np.mean(a > limit) for a in arrays.values()])


def of_scene(root: Path, date: str) -> Array:
    bands = scene(root / "scenes", date)
    return ratio(bands["B08"], bands["B04"])


PIXEL_HA = 0.01  # 10 m pixels, to the accuracy of the grid's transform

SERIES: list[tuple[str, Callable[[Path], float]]] = [
    ("Mean NDVI from April to September 2017", lambda r: mean(ndvi(r, "2017-04", "2017-09"))),
    (
        "What is the difference between the mean NDVI of 2017 and the mean NDVI of 2016?",
        lambda r: mean(ndvi(r, "2017", "2017")) - mean(ndvi(r, "2016", "2016")),
    ),
    (
        "When was the mean NDVI closest to 0.5?",
        lambda r: min(abs(np.nanmean(a) - 0.5) for a in ndvi(r).values()),
    ),
    (
        "What is the mean NDVI in mid-June?",
        lambda r: mean({d: a for d, a in ndvi(r).items() if "06-11" <= d[5:10] <= "06-20"}),
    ),
    (
        "How many more images are there in 2017 than in 2016?",
        lambda r: len(ndvi(r, "2017", "2017")) - len(ndvi(r, "2016", "2016")),
    ),
    (
        "How many more images are there in 2016 than in 2017?",
        lambda r: len(ndvi(r, "2016", "2016")) - len(ndvi(r, "2017", "2017")),
    ),
    ("What is the mean NDVI of 2016?", lambda r: mean(ndvi(r, "2016", "2016"))),
    ("Average NDVI in July 2017", lambda r: mean(ndvi(r, "2017-07", "2017-07"))),
    ("mean ndvi from 2016-05 to 2016-09", lambda r: mean(ndvi(r, "2016-05", "2016-09"))),
    (
        "What was the average vegetation index between May 2016 and September 2016?",
        lambda r: mean(ndvi(r, "2016-05", "2016-09")),
    ),
    ("What is the mean NDVI during the summer of 2017?", lambda r: mean(ndvi(r, "2017-06", "2017-08"))),
    ("maximum NDVI over all dates", lambda r: max(float(np.nanmax(a)) for a in ndvi(r).values())),
    ("What is the smallest value of NDVI on 2017-07-15?", lambda r: float(np.nanmin(ndvi(r)["2017-07-15"]))),
    ("standard deviation of NDVI on 15 July 2017", lambda r: float(np.nanstd(ndvi(r)["2017-07-15"]))),
    (
        "10th percentile of the NDVI on July 15, 2017",
        lambda r: float(np.nanpercentile(ndvi(r)["2017-07-15"], 10)),
    ),
    ("median ndvi on 20170715", lambda r: float(np.nanmedian(ndvi(r)["2017-07-15"]))),
    (
        "What percentage of the area has NDVI above 0.7 on 2016-08-14?",
        lambda r: shares(ndvi(r, "2016-08-14", "2016-08-14"), 0.7)[0],
    ),
    (
        "share of pixels below an NDVI of 0.5 on 2017-07-15",
        lambda r: 100 * np.mean(ndvi(r)["2017-07-15"] < 0.5),
    ),
    (
        "How much of the area lay between NDVI 0.4 and 0.6 on 2017-07-15?",
        lambda r: 100 * np.mean((ndvi(r)["2017-07-15"] >= 0.4) & (ndvi(r)["2017-07-15"] <= 0.6)),
    ),
    (
        "How many dates have more than 60 % of the area above NDVI 0.7?",
        lambda r: np.sum(shares(ndvi(r), 0.7) > 60),
    ),
    (
        "Count the dates in 2017 on which at least half of the area is above NDVI 0.5",
        lambda r: np.sum(shares(ndvi(r, "2017", "2017"), 0.5) >= 50),
    ),
    (
        "How many dates in 2017 have a mean NDVI more than 20 % above the mean?",
        lambda r: sum(
            np.nanmean(a) > 1.2 * mean(ndvi(r, "2017", "2017")) for a in ndvi(r, "2017", "2017").values()
        ),
    ),
    (
        "difference in mean NDVI between April to September 2016 and April to September 2017",
        lambda r: mean(ndvi(r, "2017-04", "2017-09")) - mean(ndvi(r, "2016-04", "2016-09")),
    ),
    (
        "Did the average NDVI increase from 2016 to 2017?",
        lambda r: mean(ndvi(r, "2017", "2017")) - mean(ndvi(r, "2016", "2016")),
    ),
    (
        "mean NDVI on the last date minus mean NDVI on the first date",
        lambda r: float(np.nanmean(ndvi(r)["2017-12-22"]) - np.nanmean(ndvi(r)["2015-07-11"])),
    ),
    (
        "On how many dates does over 60 percent of the area exceed an NDVI of 0.7?",
        lambda r: np.sum(shares(ndvi(r), 0.7) > 60),
    ),
    (
        "For how many images is less than 20 % of the area above an NDVI of 0.3?",
        lambda r: np.sum(shares(ndvi(r), 0.3) < 20),
    ),
    (
        "How many dates have a mean NDVI below 0.2?",
        lambda r: sum(np.nanmean(a) < 0.2 for a in ndvi(r).values()),
    ),
    (
        "What percentage of dates have a mean NDVI above 0.6?",
        lambda r: 100 * np.mean([np.nanmean(a) > 0.6 for a in ndvi(r).values()]),
    ),
    (
        "How many hectares have an NDVI over 0.6 on 2016-08-14?",
        lambda r: np.sum(ndvi(r)["2016-08-14"] > 0.6) * PIXEL_HA,
    ),
    (
        "By how much did the mean NDVI change between 2015-07-11 and 2015-08-20?",
        lambda r: np.nanmean(ndvi(r)["2015-08-20"]) - np.nanmean(ndvi(r)["2015-07-11"]),
    ),
]


@pytest.mark.sample(8)
@pytest.mark.parametrize(("question", "expected"), SERIES, ids=[question for question, _ in SERIES])
def test_series(ask: Ask, slovenia: Path, question: str, expected: Callable[[Path], float]) -> None:
    answer = answer_of(ask(question, slovenia / "ndvi", slovenia / "cloud_mask"))
    assert answer.value == pytest.approx(float(expected(slovenia)), rel=2e-3, abs=1e-4)
    assert answer.evidence


SCENES: list[tuple[str, Callable[[Path], float]]] = [
    ("mean NIR on 2015-07-11", lambda r: np.mean(scene(r / "scenes", "2015-07-11")["B08"])),
    ("mean SWIR1 on 30 August 2015", lambda r: np.mean(scene(r / "scenes", "2015-08-30")["B11"])),
    ("mean B11 on 30 August 2015", lambda r: np.mean(scene(r / "scenes", "2015-08-30")["B11"])),
    (
        "On how many dates is mean NDVI above 0.5?",
        lambda r: sum(
            np.mean(of_scene(r, d)) > 0.5
            for d in ("2015-07-11", "2015-07-31", "2015-08-20", "2015-08-30", "2015-09-09")
        ),
    ),
    ("Mean NDVI on 2015-08-30", lambda r: np.mean(of_scene(r, "2015-08-30"))),
    (
        "mean red reflectance where NDVI > 0.7 on 2015-07-11",
        lambda r: np.mean(scene(r / "scenes", "2015-07-11")["B04"][of_scene(r, "2015-07-11") > 0.7]),
    ),
    (
        "What is the mean NIR where the NDVI lies below 0.6 on 2015-07-11?",
        lambda r: np.mean(scene(r / "scenes", "2015-07-11")["B08"][of_scene(r, "2015-07-11") < 0.6]),
    ),
    (
        "What percentage of the area has NDVI > 0.7 and NIR > 0.25 on 2015-08-30?",
        lambda r: (
            100
            * np.mean((of_scene(r, "2015-08-30") > 0.7) & (scene(r / "scenes", "2015-08-30")["B08"] > 0.25))
        ),
    ),
    (
        "mean EVI on 2015-08-30",
        lambda r: np.mean(
            2.5
            * (scene(r / "scenes", "2015-08-30")["B08"] - scene(r / "scenes", "2015-08-30")["B04"])
            / (
                scene(r / "scenes", "2015-08-30")["B08"]
                + 6 * scene(r / "scenes", "2015-08-30")["B04"]
                - 7.5 * scene(r / "scenes", "2015-08-30")["B02"]
                + 1
            )
        ),
    ),
]


@pytest.mark.parametrize(("question", "expected"), SCENES, ids=[q for q, _ in SCENES])
def test_scenes(ask: Ask, slovenia: Path, question: str, expected: Callable[[Path], float]) -> None:
    answer = answer_of(ask(question, slovenia / "scenes"))
    assert answer.value == pytest.approx(float(expected(slovenia)), rel=2e-3, abs=1e-4)


@pytest.mark.parametrize(
    ("question", "label"),
    [
        ("On which date is the mean NDVI highest?", "2016-08-14"),
        ("When was the NDVI lowest on average?", "2017-09-08"),
        ("Between which consecutive dates of 2017 did mean NDVI increase most?", "2017-08-24"),
        ("Which image is the greenest?", "2016-08-14"),
        ("In which year is the mean NDVI highest?", "2016"),
        ("Which month of 2016 had the highest average NDVI?", "2016-08"),
    ],
)
def test_when(ask: Ask, slovenia: Path, question: str, label: str) -> None:
    found = answer_of(ask(question, slovenia / "ndvi"))
    assert label in found.text


def test_highest_date_is_numpys(ask: Ask, slovenia: Path) -> None:
    means = {date: float(np.nanmean(a)) for date, a in ndvi(slovenia).items()}
    best = max(means, key=lambda date: means[date])
    answer = answer_of(ask("the date of the highest mean NDVI", slovenia / "ndvi", slovenia / "cloud_mask"))
    assert best in answer.text
    assert answer.value == pytest.approx(means[best], abs=1e-5)


@pytest.mark.parametrize(
    "question",
    ["Mean NDVI per scene", "What is the mean NDVI of each date?", "list the average ndvi for every image"],
)
def test_mean_of_each_scene(ask: Ask, slovenia: Path, question: str) -> None:
    text = answer_of(ask(question, slovenia / "scenes")).text
    for date in ("2015-07-11", "2015-07-31", "2015-08-20", "2015-08-30", "2015-09-09"):
        provider = float(np.nanmean(read(slovenia / "ndvi" / f"Slovenia_NDVI_{date}.tif")))
        said = float(text.split(f"{date} ")[1].split(";")[0].split(". ")[0].rstrip("."))
        assert said == pytest.approx(provider, abs=1e-3)


def test_trend_and_its_significance(ask: Ask, slovenia: Path) -> None:
    from datetime import date as day

    import pymannkendall
    from scipy import stats

    means = [float(np.nanmean(a)) for a in ndvi(slovenia).values()]
    days = [day.fromisoformat(d[:10]).toordinal() for d in ndvi(slovenia)]
    line = stats.linregress(np.array(days) / 365.25, means)
    slope = answer_of(ask("linear trend of mean NDVI per year", slovenia / "ndvi"))
    assert slope.value == pytest.approx(line.slope, abs=2e-4)
    answer = answer_of(ask("Is there a significant trend in mean NDVI?", slovenia / "ndvi"))
    p = pymannkendall.original_test(means).p
    assert "no significant trend" in answer.text and f"p = {p:.4g}" in answer.text
    number = answer_of(ask("p-value of the trend in mean NDVI", slovenia / "ndvi"))
    assert number.value == pytest.approx(p, rel=1e-6)


def test_clouds_are_left_out_when_asked(ask: Ask, slovenia: Path) -> None:
    expected = float(np.mean(clear(slovenia, "2017-05", "2017-05")))
    for question in (
        "mean ndvi of May 2017 without clouds",
        "What is the mean NDVI in May 2017 with cloudy pixels masked out?",
    ):
        answer = answer_of(ask(question, slovenia / "ndvi", slovenia / "cloud_mask"))
        assert answer.value == pytest.approx(expected, abs=1e-5), question


def test_a_test_of_one_verdict_is_no_question_of_clouds(ask: Ask, slovenia: Path) -> None:
    found = ask("Is there a significant trend in mean NDVI?", slovenia / "ndvi", slovenia / "cloud_mask")
    answer = answer_of(found)
    assert answer.text.startswith("No, there is no significant trend by Mann-Kendall at 5 %: p = 0.779")
    assert "Cloudy pixels are included; without them the answer is the same." in answer.text


def test_change_is_told_in_value_and_per_cent(ask: Ask, slovenia: Path) -> None:
    first, last = (float(np.nanmean(ndvi(slovenia)[d])) for d in ("2015-07-11", "2015-08-20"))
    question = "By how much did the mean NDVI change between 2015-07-11 and 2015-08-20?"
    assert answer_of(ask(question, slovenia / "ndvi")).value == pytest.approx(last - first, abs=1e-4)
    question = "By what percentage did the mean NDVI drop from 2015-07-11 to 2015-08-20?"
    answer = answer_of(ask(question, slovenia / "ndvi"))
    assert answer.value == pytest.approx(100 * (last - first) / first, abs=1e-2) and answer.unit == "%"


def test_a_static_raster_conditions_every_date(ask: Ask, slovenia: Path) -> None:
    elevation = read(next((slovenia).glob("*DEM*.tif")))
    values = ndvi(slovenia)["2017-07-15"]
    answer = answer_of(ask("mean NDVI where the elevation is above 720 m on 2017-07-15", slovenia))
    assert answer.value == pytest.approx(float(np.nanmean(values[elevation > 720])), abs=1e-4)


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("What is the mean land surface temperature?", ("no land surface temperature here",)),
        ("mean NDVI on 2018-05-05", ("2018-05-05", "2017-12-22")),
        ("What is the answer to everything?", ("everything",)),
        ("mean rainfall in 2016", ("no precipitation here",)),
        ("How many dates have more than 60 % of the area?", ("I cannot fit", "60 %")),
        ("What area is covered by NDVI on 2017-07-15?", ("I cannot fit", "area")),
    ],
)
def test_declines_and_says_why(ask: Ask, slovenia: Path, question: str, words: tuple[str, ...]) -> None:
    finished = ask(question, slovenia / "ndvi", slovenia / "cloud_mask")
    assert finished.status == "declined" and finished.answer is not None
    assert finished.answer.value is None
    for word in words:
        assert word in finished.answer.text.replace("LST", "land surface temperature")


@pytest.mark.parametrize(
    ("question", "choices", "letter"),
    [
        ("What is the mean NDVI on 2015-07-11?", ("0.61", "0.73", "0.85", "0.52"), "B"),
        ("On which date is the mean NDVI highest?", ("July 11, 2015", "14 August 2016", "2017-07-15"), "B"),
        (
            "What share of the area has NDVI above 0.6 on 2015-07-11?",
            ("88.1%", "91.4%", "95.0%", "99.9%"),
            "C",
        ),
        (
            "By how much did the mean NDVI change between 2015-07-11 and 2015-08-20?",
            ("Increase of 0.555", "Decrease of 0.555", "No change"),
            "B",
        ),
        (
            "Is there a significant trend in mean NDVI?",
            ("significant increase", "significant decrease", "no significant trend"),
            "C",
        ),
        (
            "How many dates have more than 60 % of the area above NDVI 0.7?",
            ("3 dates", "5 dates", "9 dates"),
            "B",
        ),
    ],
)
def test_options(ask: Ask, slovenia: Path, question: str, choices: tuple[str, ...], letter: str) -> None:
    assert answer_of(ask(question, slovenia / "ndvi", choices=choices)).choice == letter


def test_a_resumed_plan_takes_the_same_way(slovenia: Path, tmp_path: Path) -> None:
    import threading

    from treeline.core.disclosure.strategies import STRATEGIES
    from treeline.core.engine.actions import Answer, Call
    from treeline.core.engine.environment import Environment
    from treeline.core.engine.rundata import RunData
    from treeline.core.engine.state import State, Step
    from treeline.core.policies.planner import Planner
    from treeline.core.workspace import Workspace
    from treeline.toolkit import SkillTree, registry

    data = RunData(Workspace(tmp_path / "w", [slovenia / "scenes"]), "run")
    environment = Environment(data, STRATEGIES["progressive"](SkillTree.of(registry())), registry())
    state, first, stop = State("On which date is the mean NDVI highest?"), Planner(data), threading.Event()
    decision = first.decide(state, print, stop)
    while not isinstance(decision.action, Answer):
        # A planner that knows nothing but the record proposes the same as the one that made it.
        assert Planner(data).decide(state, print, stop) == decision
        observation = environment.act(decision.action, state)
        assert observation.is_success, observation.text
        state = state.after(Step(len(state.steps) + 1, decision.action, observation, decision.thought))
        decision = first.decide(state, print, stop)
    assert Planner(data).decide(state, print, stop) == decision
    assert any(isinstance(step.action, Call) for step in state.steps)


def test_cloud_free_dates_are_counted(ask: Ask, slovenia: Path) -> None:
    masks = series(slovenia / "cloud_mask", "Slovenia_CLM_", "2016", "2016")
    expected = sum(not np.any(mask > 0) for mask in masks.values())
    question = "How many cloud-free dates are there in 2016?"
    assert answer_of(ask(question, slovenia / "ndvi", slovenia / "cloud_mask")).value == expected


def after(root: Path, year: str) -> tuple[str, list[str]]:
    """Return the date of the highest mean of a year, and all that come after it."""
    means = {date: float(np.nanmean(values)) for date, values in ndvi(root).items()}
    peak = max((date for date in means if date.startswith(year)), key=lambda date: means[date])
    return peak, [date for date in means if date > peak]


def test_dates_after_one_that_is_found(ask: Ask, slovenia: Path) -> None:
    peak, later = after(slovenia, "2017")
    means = {date: float(np.nanmean(values)) for date, values in ndvi(slovenia).items()}
    first = next(date for date in later if means[date] < 0.6)
    answer = answer_of(
        ask("When did mean NDVI first fall below 0.6 after its peak in 2017?", slovenia / "ndvi")
    )
    assert first in answer.text
    days = (np.datetime64(first) - np.datetime64(peak)).astype(int)
    question = "How many days after its peak in 2017 did mean NDVI first fall below 0.6?"
    assert answer_of(ask(question, slovenia / "ndvi")).value == days
    _, later = after(slovenia, "20")
    answer = answer_of(ask("How many images were taken after the greenest date?", slovenia / "ndvi"))
    assert answer.value == len(later)
    answer = answer_of(ask("lowest mean NDVI after the greenest date", slovenia / "ndvi"))
    assert answer.value == pytest.approx(min(means[date] for date in later), abs=1e-5)


def test_images_of_a_year_that_is_found(ask: Ask, slovenia: Path) -> None:
    years = {date[:4] for date in ndvi(slovenia)}
    greenest = max(years, key=lambda year: mean(ndvi(slovenia, year, year)))
    answer = answer_of(ask("How many images were taken in the greenest year?", slovenia / "ndvi"))
    assert answer.value == len(ndvi(slovenia, greenest, greenest))


def test_a_change_of_each_pixel_is_that_of_pixels_clear_on_both_dates(ask: Ask, slovenia: Path) -> None:
    first, last = "2017-05-01", "2017-06-20"
    masks = series(slovenia / "cloud_mask", "Slovenia_CLM_", first, last)
    values = ndvi(slovenia, first, last)
    both = (masks[first] == 0) & (masks[last] == 0)
    expected = float(np.nanmean((values[last] - values[first])[both]))
    apart = np.nanmean(values[last][masks[last] == 0]) - np.nanmean(values[first][masks[first] == 0])
    assert abs(expected - apart) > 1e-4
    question = f"Mean NDVI change from {first} to {last} for pixels clear on both dates"
    answer = answer_of(ask(question, slovenia / "ndvi", slovenia / "cloud_mask"))
    assert answer.value == pytest.approx(expected, abs=1e-5)


def test_a_date_with_one_property_that_has_another(ask: Ask, slovenia: Path) -> None:
    held = [np.nanmean(a) > 0.5 and np.nanstd(a) < 0.1 for a in ndvi(slovenia).values()]
    question = "How many dates with a mean NDVI above 0.5 have a standard deviation of NDVI below 0.1?"
    assert answer_of(ask(question, slovenia / "ndvi")).value == sum(held)


@pytest.mark.parametrize(
    ("question", "choices", "letter"),
    [
        (
            "From 2017-07-25 to 2017-07-30 the mean NDVI over all pixels ...",
            (
                "rose",
                "stayed within 0.02",
                "fell by 0.02 to 0.1",
                "fell by 0.1 to 0.3",
                "fell by more than 0.3",
            ),
            "D",
        ),
        (
            "Which band is brightest on average in the 30 August 2015 scene?",
            ("B03", "B04", "B05", "B12"),
            "C",
        ),
    ],
)
def test_options_that_complete_a_sentence_or_name_bands(
    ask: Ask, slovenia: Path, question: str, choices: tuple[str, ...], letter: str
) -> None:
    folder = "scenes" if "band" in question else "ndvi"
    assert answer_of(ask(question, slovenia / folder, choices=choices)).choice == letter


def test_polygons_with_one_property_that_have_another(ask: Ask, slovenia: Path) -> None:
    question = "How many polygons larger than 1 ha have a mean NDVI above 0.7 on 2016-08-14?"
    answer = answer_of(ask(question, slovenia / "ndvi", slovenia / "Slovenia_LULC.gpkg"))
    _, _, found, _ = pyogrio.raw.read(slovenia / "Slovenia_LULC.gpkg", columns=[])
    polygons = shapely.from_wkb(found)
    values = ndvi(slovenia)["2016-08-14"]
    with rasterio.open(next((slovenia / "ndvi").glob("*2016-08-14*"))) as raster:
        inside = [
            features.rasterize([(p, 1)], values.shape, transform=raster.transform) == 1 for p in polygons
        ]
    held = [
        p.area > 1e4 and m.any() and np.nanmean(values[m]) > 0.7
        for p, m in zip(polygons, inside, strict=True)
    ]
    assert answer.value == sum(held)
    assert "7 regions have no valid pixel" in answer.text


def test_polygons_of_another_class_are_left_out_as_regions_and_not_as_dates(ask: Ask, slovenia: Path) -> None:
    question = "How many forest polygons had a mean NDVI above 0.74 on 2017-07-05?"
    answer = answer_of(ask(question, slovenia / "ndvi", slovenia / "Slovenia_LULC.gpkg"))
    _, _, found, (names,) = pyogrio.raw.read(slovenia / "Slovenia_LULC.gpkg", columns=["LULC_NAME"])
    values = ndvi(slovenia)["2017-07-05"]
    with rasterio.open(next((slovenia / "ndvi").glob("*2017-07-05*"))) as raster:
        inside = [
            features.rasterize([(shape, 1)], values.shape, transform=raster.transform) == 1
            for shape in shapely.from_wkb(found)[names == "forest"]
        ]
    assert answer.value == sum(np.nanmean(values[mask]) > 0.74 for mask in inside if mask.any())
    assert f"{len(found) - len(inside)} regions have no valid pixel" in answer.text
