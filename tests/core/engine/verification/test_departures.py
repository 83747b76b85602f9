"""How something stands to what it was set against, without "than": lower by so much, warmer pixels."""

from __future__ import annotations

import pytest

from tests.core.engine.verification.test_cheats import Told, result
from tests.core.engine.verification.test_verification import why
from treeline.core.engine.actions import Answer, Call, Observation, ProductRecord
from treeline.core.engine.state import Step

NOW, THEN = "Vale_2022-07-10_NDVI.tif", "Vale_2021-07-12_NDVI.tif"


def carried_out(
    number: int, tool: str, value: object, unit: str = "", product: ProductRecord | None = None, **given
):
    products = (product,) if product else ()
    observed = Observation("result", str(value), value=value, arguments=given, unit=unit, products=products)
    return Step(number, Call(tool, given), observed)


ANOMALY = carried_out(
    1,
    "calculate_anomaly",
    "Result saved at an.tif",
    product=ProductRecord("an.tif", "an.tif", "anomaly", "1", minimum=-0.4, maximum=0.2, mean=-0.0412),
    image_path=NOW,
    baseline_list=[THEN],
    output_path="an.tif",
)
MEAN = carried_out(2, "image_statistics", [-0.0412], "1", file_list=["an.tif"], statistic="mean")
PART = carried_out(3, "calculate_threshold_ratio", 12.4, "%", image_paths="an.tif", threshold=0)
CLASSES = carried_out(
    2,
    "statistics_by_class",
    [{"forest": -0.031, "meadow": -0.082, "water": -0.004}],
    "1",
    file_list=["an.tif"],
    classes_path="Vale_LULC.tif",
    statistic="mean",
)
ASKED = "How does the NDVI of 10 July 2022 differ from that of 12 July 2021?"


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("It is lower by 0.041 on average.", True),
        ("On average it was 0.041 lower.", True),
        ("The mean is 0.041 below the reference.", True),
        ("Only 12.4 % of the pixels were greener in 2022 than in 2021.", True),
        ("Only 12.4 % of the pixels were greener in 2022.", True),
        ("Just 12.4 % of the area was greener in 2022 than a year earlier.", True),
        ("Just 12.4 % of the area is greener than a year before.", True),
        ("On average NDVI was 0.041 below that of 2021.", True),
        ("In 2021 it was 0.041 higher on average.", True),
        ("In 2021 it was 0.041 lower on average.", False),
        ("On average NDVI was 0.041 above that of 2021.", False),
        ("It is higher by 0.041 on average.", False),
        ("On average it was 0.041 higher.", False),
        ("The mean is 0.041 above the reference.", False),
        ("Only 12.4 % of the pixels were browner in 2022 than in 2021.", False),
        ("Just 12.4 % of the area is lower than a year before.", False),
    ],
)
def test_the_sign_of_an_anomaly_tells_which_is_more(text: str, right: bool):
    found = why(Answer(text), ANOMALY, MEAN, PART, question=ASKED)
    assert (not found) is right, found


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("It was less green throughout.", True),
        ("It was lower everywhere: meadow has -0.082.", True),
        ("It was below normal throughout.", True),
        ("It was greener throughout.", False),
        ("It was higher everywhere: meadow has -0.082.", False),
        ("It was above normal throughout.", False),
    ],
)
def test_what_is_less_throughout_is_less_in_each_class(text: str, right: bool):
    found = why(Answer(text), ANOMALY, CLASSES, question="How does 10 July 2022 compare with its baseline?")
    assert (not found) is right, found


def test_of_two_dates_told_the_other_way_round_the_earlier_one_is_higher():
    asked = "How does the NDVI of 12 July 2021 differ from that of 10 July 2022?"
    assert not why(Answer("It is higher by 0.041 on average."), ANOMALY, MEAN, question=asked)
    assert not why(Answer("The baseline is higher by 0.041."), ANOMALY, MEAN, question=ASKED)


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("Every class warmed.", True),
        ("Every class cooled.", False),
        ("All classes became warmer.", True),
        ("All classes became cooler.", False),
    ],
)
def test_which_way_all_classes_went_is_told_by_their_differences(text: str, right: bool):
    made = ProductRecord("d.tif", "products/d.tif", role="difference", unit="K", minimum=-2.0, maximum=9.0)
    given = {"image_a_path": "Soca_2020-07-05_LST.tif", "image_b_path": "Soca_2021-07-08_LST.tif"}
    steps = (
        ("calculate_tif_difference", Observation("result", "", arguments=given, products=(made,))),
        (
            "statistics_by_class",
            result(
                "statistics_by_class",
                [{"1": 2.61, "2": 5.22, "3": 7.28}],
                "K",
                file_list=["products/d.tif"],
                classes_path="Soca_LULC.tif",
                statistic="mean",
            ),
        ),
    )
    assert (Told("How did the classes change?", text, steps).why() == "") == right
