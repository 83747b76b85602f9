"""What is said of sampled points and of profiles: which value lies where, and how the ground goes."""

from __future__ import annotations

import pytest

from tests.core.engine.verification.test_cheats import Told, result
from treeline.core.engine.actions import Call
from treeline.core.engine.state import Step
from treeline.core.engine.verification.columns import columns_of
from treeline.core.engine.verification.samples import name_samples

PLACES = [(14.5, 46.05, 301.2), (14.6, 46.1, 745.9), (14.7, 46.2, 522.4)]
POINTS = (
    "sample_points",
    result("sample_points", [{"x": x, "y": y, "value": value} for x, y, value in PLACES], "m"),
)
HEIGHTS = [812.4, 790.1, 655.3, 640.2, 702.8, 745.0, 731.5]
PROFILE = (
    "profile_along_line",
    result(
        "profile_along_line",
        [
            {"distance": 500.0 * n, "x": 400000.0, "y": 100000.0 + 500 * n, "value": height}
            for n, height in enumerate(HEIGHTS)
        ],
        "m",
    ),
)
WRONG = [
    (POINTS, "46.05° N, 14.5° E: 301.2 m; 46.1° N, 14.6° E: 522.4 m; 46.2° N, 14.7° E: 745.9 m."),
    (POINTS, "| x | y | m |\n|---|---|---|\n| 14.5 | 46.05 | 745.9 |\n| 14.6 | 46.1 | 301.2 |"),
    (POINTS, "The third point is the highest with 522.4 m."),
    (POINTS, "Point 1 lies higher than point 3."),
    (POINTS, "The highest point is at (14.7, 46.2)."),
    (POINTS, "P3 is 223.5 m higher than P2."),
    (PROFILE, "The line starts at 812.4 m in the south, drops to 640.2 m after 2.5 km."),
    (PROFILE, "It ends at 812.4 m."),
    (PROFILE, "At 1 km the ground is at 640.2 m."),
    (PROFILE, "The lowest point, 640.2 m, lies 2 km from the start."),
    (PROFILE, "The terrain falls steadily from south to north."),
    (PROFILE, "It comes down continuously until it reaches 702.8 m, two kilometres on."),
    (PROFILE, "From 640.2 m at kilometre 1.5 it falls to 702.8 m at kilometre 2."),
    (PROFILE, "Between km 1.5 and km 2.5 the terrain drops."),
    (PROFILE, "The southern end is lower than the northern end."),
    (PROFILE, "The ground drops by 134.8 m between 1 and 1.5 km."),
    (PROFILE, "| km | m |\n|---|---|\n| 0 | 812.4 |\n| 0.5 | 655.3 |\n| 1 | 790.1 |"),
    (PROFILE, "At 0 m: 812.4 m; 500 m: 655.3 m; 1000 m: 790.1 m."),
]
RIGHT = [
    (POINTS, "46.05° N, 14.5° E: 301.2 m; 46.1° N, 14.6° E: 745.9 m; 46.2° N, 14.7° E: 522.4 m."),
    (POINTS, "| x | y | m |\n|---|---|---|\n| 14.5 | 46.05 | 301.2 |\n| 14.6 | 46.1 | 745.9 |"),
    (POINTS, "The second point is the highest with 745.9 m."),
    (POINTS, "Point 1 lies lower than point 3."),
    (POINTS, "P2 is 223.5 m higher than P3."),
    (POINTS, "The three points are at 301.2, 745.9 and 522.4 m."),
    (
        PROFILE,
        "It starts at 812.4 m in the south, drops to 640.2 m after 1.5 km and climbs to 745 m at km 2.5.",
    ),
    (PROFILE, "It comes down continuously until it reaches its lowest height, 640.2 m, 1.5 km on."),
    (PROFILE, "The line starts at 812.4 m and drops to a low of 640.2 m near kilometre 1.5."),
    (PROFILE, "From 640.2 m at kilometre 1.5 it rises to 702.8 m at kilometre 2."),
    (PROFILE, "Between km 1.5 and km 2.5 the terrain rises continuously."),
    (PROFILE, "The northern end lies 80.9 m lower than the southern end."),
    (PROFILE, "The highest sample is the first one: 812.4 m at the southern end."),
    (PROFILE, "It first falls to 640.2 m, then rises to 745 m and finally drops to 731.5 m."),
    (PROFILE, "The ground drops by 134.8 m between 0.5 and 1 km."),
    (PROFILE, "Over 3 km the ground loses 80.9 m."),
    (PROFILE, "From 812.4 m in the south the terrain descends to 640.2 m."),
    (PROFILE, "North of the 1.5 km mark the ground climbs again, to 745 m."),
    (PROFILE, "| km | m |\n|---|---|\n| 0 | 812.4 |\n| 0.5 | 790.1 |\n| 1 | 655.3 |"),
]
NAMED = [
    (POINTS, "At E 14.6 / N 46.1 it is high.", "At x14.6_y46.1 it is high."),
    (POINTS, "Of 14.6 and 99.1 none is a point.", "Of 14.6 and 99.1 none is a point."),
    (PROFILE, "It is at 655.3 m after 1 km.", "It is at 655.3 m at metre_1000."),
    (PROFILE, "Over the first 1 km it falls.", "From metre_0 to metre_1000 it falls."),
    (PROFILE, "Within 1 km of the road it falls.", "Within 1 km of the road it falls."),
    # 2,000 m are no year.
    (PROFILE, "From km 2 on it rises.", "From metre_02000 on it rises."),
]


@pytest.mark.parametrize(("found", "text"), WRONG)
def test_what_is_told_of_another_place_is_unverified(found, text: str):
    assert Told("What is the elevation there?", text, (found,)).why() != ""


@pytest.mark.parametrize(("found", "text"), RIGHT)
def test_what_is_told_of_its_place_is_answered(found, text: str):
    assert Told("What is the elevation there?", text, (found,)).why() == ""


@pytest.mark.parametrize(("found", "text", "named"), NAMED)
def test_places_stand_by_their_labels(found, text: str, named: str):
    columns = columns_of([Step(1, Call(found[0], {}), found[1])], {})
    assert name_samples(text, columns) == named
