"""What a clause mentions: its numbers, and the classes and dates that it names."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from tests.core.engine.verification.test_cheats import Told, result, series
from treeline.core.engine.verification.attributions import _mentions


@pytest.mark.parametrize(
    ("classes", "clause", "named"),
    [
        (["beech forest"], "The forest covers it.", ["forest"]),
        (["open water"], "The water covers it.", ["water"]),
        (["paved road"], "The road covers it.", []),  # so short a word is often of something else
        (["paved road"], "The paved road covers it.", ["paved road"]),
    ],
)
def test_of_a_class_the_kind_names_it_too_where_it_is_no_short_word(
    classes: list[str], clause: str, named: list[str]
):
    answer = SimpleNamespace(
        legend=dict(enumerate(classes)), names_of_facts=frozenset[str](), columns=list[object]()
    )
    assert [mention.label for mention in _mentions(answer, clause)] == named  # type: ignore[arg-type]


POOLED = (
    "calc_batch_image_pooled_statistics",
    result(
        "calc_batch_image_pooled_statistics",
        {"mean": 0.6594, "std": 0.1047, "min": 0.0515, "max": 0.8602, "sum": 60788.4, "count": 92187},
        "1",
        file_list=[f"Lake_2017-{day}_NDVI.tif" for day in ("06-20", "07-05", "07-25", "08-24")],
    ),
)


@pytest.mark.parametrize(
    "text",
    [
        "Pooled, the mean NDVI of June to August 2017 was 0.659.",
        "The mean NDVI from June to August 2017 was 0.659.",
        "The mean NDVI between June and August 2017 was 0.659.",
        "The mean NDVI of June through August 2017 was 0.659.",
        "The mean NDVI from 2017-06-20 to 2017-08-24 was 0.659.",
    ],
)
def test_what_is_of_a_time_may_be_told_behind_its_end(text: str):
    assert Told("How green was it in summer 2017?", text, (POOLED,)).why() == ""


@pytest.mark.parametrize(
    "text",
    [
        "The mean NDVI of August 2017 was 0.659.",
        "The mean NDVI of July to August 2017 was 0.659.",
        "The mean NDVI of June and August 2017 was 0.659.",
        "The mean NDVI of June 2017 and August 2017 was 0.659.",
        "The mean NDVI from 2017-07-05 to 2017-08-24 was 0.659.",
    ],
)
def test_what_is_of_a_longer_time_is_none_of_a_part(text: str):
    assert "0.659 is of 2017-06-20" in Told("How green was it in summer 2017?", text, (POOLED,)).why()


@pytest.mark.parametrize(("held", "right"), [(3, True), (5, False)])
def test_the_highest_of_all_dates_is_of_one_and_stands_beside_the_others(held: int, right: bool):
    files = [f"Lake_2021-0{month}-03_NDVI.tif" for month in (5, 6, 7)]
    shares = ("calc_batch_threshold_ratio", series([12.0, 42.1, 30.5], files, "%"))
    told = Told(
        "Which share lay above 0.5 on 3 June 2021?",
        "42.1 % lay above 0.5 on 3 June 2021 - the highest share of all dates.",
        (shares,),
        context={"holdings": f"@ndvi: rasters of 2021: {held}"},
    )
    assert (told.why() == "") == right
