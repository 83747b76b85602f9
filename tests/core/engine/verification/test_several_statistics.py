"""Several statistics of the same images: each number is of the one that it is told as."""

from __future__ import annotations

import pytest

from tests.core.engine.verification.test_cheats import Told, series
from treeline.core.engine.actions import Observation

DAYS = ["2016-05-26", "2016-08-14", "2017-08-04"]
FILES = [f"Loka_{day}_NDVI.tif" for day in DAYS]
FOUND = {
    "mean": [0.7237, 0.7341, 0.6538],
    "median": [0.7433, 0.7478, 0.6709],
    "std": [0.0721, 0.0585, 0.0757],
    "min": [0.1042, 0.2319, 0.1987],
    "max": [0.8891, 0.8744, 0.8566],
}


def call(statistic: str, values: list[float], files: list[str]) -> tuple[str, Observation]:
    found = series(values, files, "index")
    arguments = {"file_list": files, "statistic": statistic}
    return "image_statistics", Observation(
        "result", found.text, value=values, arguments=arguments, unit="index"
    )


OF_ALL = tuple(call(name, values, FILES) for name, values in FOUND.items())
OF_EACH = tuple(call(name, [values[n]], FILES[n : n + 1]) for n in range(3) for name, values in FOUND.items())
OF_ONE = tuple(call(name, [values[1]], FILES[1:2]) for name, values in FOUND.items())
TABLE = "| Date | Mean | Median | Std |\n|---|---|---|---|\n| 2016-05-26 | {} | {} | {} |"

OF_DATES = [
    ("On 14 August 2016 the mean was 0.734 and the median 0.748.", True),
    ("On 14 August 2016 the median was 0.734 and the mean 0.748.", False),
    (
        "The standard deviation was highest on 4 August 2017 (0.076) and lowest on 14 August 2016 (0.058).",
        True,
    ),
    ("The standard deviation was highest on 26 May 2016 (0.072).", False),
    ("The highest maximum, 0.874, occurred on 14 August 2016.", False),
    ("The lowest minimum was 0.104 on 26 May 2016.", True),
    ("The lowest minimum was 0.199 on 4 August 2017.", False),
    (TABLE.format(0.724, 0.743, 0.072), True),
    (TABLE.format(0.743, 0.724, 0.072), False),
    (TABLE.format(0.724, 0.743, 0.104), False),
    ("The median exceeds the mean on all three dates.", True),
    ("The mean exceeds the median on all three dates.", False),
    ("The mean of 14 August 2016 (0.734) is higher than its median (0.748).", False),
]
OF_ONE_DATE = [
    ("Mean 0.734, median 0.748, standard deviation 0.058, minimum 0.232, maximum 0.874.", True),
    ("Mean 0.748, median 0.734, standard deviation 0.058, minimum 0.232, maximum 0.874.", False),
    ("The mean is 0.734 \u00b1 0.058.", True),
    ("The mean is 0.734 \u00b1 0.232.", False),
    ("No pixel lies below 0.232.", True),
    ("All pixels lie above 0.23.", True),
]


@pytest.mark.parametrize(("text", "right"), OF_DATES)
def test_of_several_dates_each_number_is_of_its_statistic(text: str, right: bool):
    question = "Give mean, median, standard deviation, minimum and maximum NDVI of each date."
    for steps in (OF_ALL, OF_EACH):
        assert (Told(question, text, steps).why() == "") is right


@pytest.mark.parametrize(("text", "right"), OF_ONE_DATE)
def test_of_one_date_each_number_is_of_its_statistic(text: str, right: bool):
    question = "Give mean, median, standard deviation, minimum and maximum NDVI on 2016-08-14."
    assert (Told(question, text, OF_ONE).why() == "") is right
