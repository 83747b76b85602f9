"""Words of answers that neither question nor results carry: causes, other times, things not looked at."""

from __future__ import annotations

import pytest

from tests.core.engine.verification.test_cheats import Told, result, series
from treeline.core.engine.verification.answer_columns import AnswerColumns
from treeline.core.engine.verification.evidence import Evidence
from treeline.core.engine.verification.wording import (
    _are_alike,
    _forms,
    _other_times,
    is_carried,
    shown_by_indices,
)

FILES = [f"Bight_{date}_SST.tif" for date in ("2015-06-11", "2015-12-08", "2020-06-14", "2020-12-12")]
SEA = ("calc_batch_image_mean", series([13.8, 9.1, 14.9, 9.7], FILES, "degC"))
HABITATS = [
    {"class": 1, "name": "Seagrass", "area": 91.0, "percent": 26.0},
    {"class": 2, "name": "Sandbank", "area": 140.0, "percent": 40.0},
    {"class": 3, "name": "Saltmarsh", "area": 119.0, "percent": 34.0},
]
COVER = ("area_by_class", result("area_by_class", HABITATS, "km2", input_path="Bight_2020_habitats.tif"))
BOATS = ("count_objects", result("count_objects", 52, "", image_path="Bight_2020-06-14_RGB.tif"))
TEST = ("mann_kendall_test", result("mann_kendall_test", {"trend": "decreasing", "p": 0.021, "tau": -0.39}))
DEPTH = ("image_statistics", result("image_statistics", {"mean": 18.7, "median": 16.4, "max": 46.3}, "m"))
GROWN = ("percentage_change", result("percentage_change", 42.9, "%"))
CHEATS = {
    "a cause": Told("Which is largest?", "The sandbank, owing to strong tides.", (COVER,)),
    "a cause of the question": Told(
        "Is fishing why seagrass is small?", "Seagrass covers 91 km² because of fishing.", (COVER,)
    ),
    "people": Told("How many boats are there?", "52 boats, among them several trawlers.", (BOATS,)),
    "a record": Told("When was it warmest?", "On 14 June 2020, the warmest June on record.", (SEA,)),
    "an earlier time": Told(
        "How many boats are there?", "52 boats, more than in the previous year.", (BOATS,)
    ),
    "chance": Told("Was June 2020 warmer?", "June 2020 was 1.1 °C warmer, significantly so.", (SEA,)),
    "a level": Told("How sure is it?", "It is significant at the 1 % level.", (TEST,)),
    "the mean as half": Told("How deep is it?", "Half of the sea is deeper than 18.7 m.", (DEPTH,)),
    "a sign": Told("How did the area change?", "The area fell by 42.9 %.", (GROWN,)),
    "hectares": Told("How large is the sandbank?", "Sandbanks extend over 140 hectares.", (COVER,)),
    "a level of another way": Told("How sure is it?", "The null hypothesis cannot be rejected.", (TEST,)),
    "steps up to a turn": Told(
        "How did SST go?", "SST fell steadily from June 2015 to June 2020 and then declined.", (SEA,)
    ),
    "one in so many": Told(
        "How large is seagrass?", "One in three square kilometres of the map is seagrass.", (COVER,)
    ),
    "a word that judges": Told("Which is largest?", "Seagrass and saltmarsh are identical.", (COVER,)),
    "a method": Told("How deep is it?", "Its mean is 18.7 m; spikes were removed beforehand.", (DEPTH,)),
    "a mask": Told("How deep is it?", "Its mean is 18.7 m; a cloud mask was applied.", (DEPTH,)),
    "background of this place": Told(
        "How warm was it?", "It was 14.9 °C on 14 June 2020. Here bare soil kept the LST high.", (SEA,)
    ),
    "ends in time": Told("How did June go?", "June spread from 14.9 °C to 13.8 °C.", (SEA,)),
}
HONEST = {
    "no method": Told("How deep is it?", "Its mean is 18.7 m. No cloud mask was applied.", (DEPTH,)),
    "background": Told(
        "How warm was it?",
        "It was 14.9 °C on 14 June 2020. LST tells how warm the skin of soil, rock or leaves is.",
        (SEA,),
    ),
    "other words": Told(
        "Which is largest?", "The sandbank takes up the most space, two fifths of the map.", (COVER,)
    ),
    "a cause that is shown": Told(
        "Which is largest?",
        "The sandbank, because its 140 km² exceed the 119 km² of the saltmarsh.",
        (COVER,),
    ),
    "a reason of method": Told(
        "How many boats are there?",
        "52 boats. I can't say more because only one image was available.",
        (BOATS,),
    ),
    "words of method": Told(
        "Is there a trend?",
        "**Yes.** The Mann-Kendall test rejects the null hypothesis of no trend at the 5% level (p = 0.021).",
        (TEST,),
    ),
    "a spelling": Told(
        "Which is largest?", "In summary, I'd prioritize the sandbank: it's the dominant class.", (COVER,)
    ),
    "the rest": Told("How much is not sandbank?", "210 km² fall outside the sandbank.", (COVER,)),
    "a turn": Told(
        "How did SST go?",
        "It climbed from 9.1 °C in December 2015 to 14.9 °C in June 2020 before easing to 9.7 °C.",
        (SEA,),
    ),
    "a caveat": Told("How many boats are there?", "52 boats. Small ones may have been missed.", (BOATS,)),
    "left open": Told(
        "Was June 2020 warmer?",
        "Yes, 14.9 °C against 13.8 °C. Whether that is significant was not tested.",
        (SEA,),
    ),
    "the sea": Told("When was it warmest?", "The sea was warmest on 14 June 2020 at 14.9 °C.", (SEA,)),
    "a level": Told(
        "How sure is it?", "It is significant at the 5 % level but not at the 1 % level.", (TEST,)
    ),
    "half": Told("How deep is it?", "Half of the sea is deeper than 16.4 m.", (DEPTH,)),
    "extent": Told(
        "How large is the sandbank?", "The sandbank extends over 140 km², i.e. 14,000 hectares.", (COVER,)
    ),
}


@pytest.mark.parametrize("cheat", CHEATS)
def test_what_nothing_carries_is_unverified(cheat: str):
    assert CHEATS[cheat].why() != ""


@pytest.mark.parametrize("honest", HONEST)
def test_plain_words_are_carried(honest: str):
    assert HONEST[honest].why() == ""


def test_a_word_that_nothing_shows_is_named():
    assert CHEATS["people"].why() == "No cited step shows 'trawlers'."


@pytest.mark.parametrize(
    ("years", "text", "right"),
    [
        ((2019,), "It is warmer than in the previous year.", False),
        ((2019, 2020), "It is warmer than in the previous year.", True),
        ((2012, 2021), "It is warmer than in the previous decade.", False),
        ((2011, 2021), "It is warmer than in the previous decade.", True),
    ],
)
def test_another_time_is_told_where_results_are_of_two_dates_and_a_decade_of_ten_years(
    years: tuple[int, ...], text: str, right: bool
):
    dates = frozenset(f"{year}-06-11" for year in years)
    answer = AnswerColumns("How warm is it?", text, "", [], None, [], [], Evidence(dates=dates))
    assert (not list(_other_times(answer))) is right


@pytest.mark.parametrize(("word", "carried"), [("zq", True), ("zqx", False), ("zqxv", False)])
def test_words_of_two_letters_are_not_looked_at(word: str, carried: bool):
    assert is_carried(word, frozenset()) is carried


@pytest.mark.parametrize(("word", "stem"), [("goes", "go"), ("is", ""), ("maps", "map"), ("bus", "bu")])
def test_an_ending_leaves_two_letters_at_least(word: str, stem: str):
    assert (stem in _forms(word)) is bool(stem)
    assert min(map(len, _forms(word))) >= 2


@pytest.mark.parametrize(
    ("word", "other", "alike"),
    [
        ("vegetation", "vegetated", True),
        ("harvest", "harvard", False),
        ("season", "sea", False),
        ("forest", "forests", True),
    ],
)
def test_forms_of_a_word_share_all_but_its_ending(word: str, other: str, alike: bool):
    assert _are_alike(word, other) is _are_alike(other, word) is alike


def test_only_a_doubled_consonant_counts_once():
    assert "plan" in _forms("planned") and "plan" not in _forms("planted")


def test_an_index_shows_what_it_is_of_and_the_name_of_a_file_shows_nothing():
    assert "water" in shown_by_indices("valley_mndwi.tif")
    assert "forest" not in shown_by_indices("forest_ndvi.tif, the trees of the valley")
