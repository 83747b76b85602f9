"""Statistics that an answer names are those that results give, or that their numbers come to."""

from __future__ import annotations

import pytest

from tests.core.engine.verification.test_cheats import Told, result, series
from treeline.core.engine.verification.clauses import clauses_of, headings_of

MEANS = (
    "calc_batch_image_mean",
    series(
        [281.2, 290.6, 297.9, 288.3],
        [f"Drava_2018-{day}_LST.tif" for day in ("03-04", "05-11", "07-22", "10-02")],
        "K",
    ),
)
ZONES = (
    "zonal_statistics",
    result(
        "zonal_statistics",
        [
            {"zone": 1, "name": "Ruše", "mean": 301.4},
            {"zone": 2, "name": "Selnica", "mean": 298.2},
            {"zone": 3, "name": "Lovrenc", "mean": 295.7},
        ],
        "K",
        input_path="Drava_2018-07-22_LST.tif",
    ),
)
LIST = "{} LST of each zone:\n\n- Ruše: 301.4 K\n- Selnica: 298.2 K\n- Lovrenc: 295.7 K"
TABLE = "| Zone | {} LST (K) |\n|---|---|\n| Ruše | 301.4 |\n| Selnica | 298.2 |\n| Lovrenc | 295.7 |"


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("The mean stays above 280 K on every date.", True),
        ("The median stays above 280 K on every date.", False),
        ("The sum stays above 280 K on every date.", False),
        ("The mean LST rose by 9.4 K from 4 March to 11 May 2018.", True),
        ("The standard deviation of the LST rose by 9.4 K from 4 March to 11 May 2018.", False),
        ("The maximum LST rose by 9.4 K from 4 March to 11 May 2018.", False),
        ("The maximum was 297.9 K, on 22 July 2018.", True),
        ("The maximum was reached on 22 July 2018.", True),
        ("The mean of the four dates is 289.5 K.", True),
        ("The median of the four dates is 289.45 K.", True),
        ("This is the mean of each date, not the median.", True),
        ("It spans 16.7 K, from a minimum of 281.2 K to a maximum of 297.9 K.", True),
    ],
)
def test_a_statistic_that_nothing_gives_is_told_of_nothing(text: str, right: bool):
    assert (Told("How did the LST develop in 2018?", text, (MEANS,)).why() == "") is right


@pytest.mark.parametrize(
    "layout", [LIST, TABLE, "{} LST by zone: Ruše 301.4 K, Selnica 298.2 K, Lovrenc 295.7 K."]
)
@pytest.mark.parametrize(("statistic", "right"), [("Mean", True), ("Median", False), ("Maximum", False)])
def test_what_heads_numbers_is_said_of_each(layout: str, statistic: str, right: bool):
    assert (Told("How warm are the zones?", layout.format(statistic), (ZONES,)).why() == "") is right


def test_a_clause_stands_below_what_leads_it_in():
    text = "Means:\n- forest 0.7\n- water 0.1, the least\n\nAll is told. By area: forest 12 ha, water 3 ha."
    assert list(zip(clauses_of(text), headings_of(text), strict=True)) == [
        ("Means:", ""),
        ("- forest 0.7", "Means:"),
        ("- water 0.1", "Means:"),
        ("the least", "Means:"),
        ("All is told.", ""),
        ("By area: forest 12 ha", ""),
        ("water 3 ha.", "By area"),
    ]
