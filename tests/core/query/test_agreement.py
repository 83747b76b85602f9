"""Words that bear on the whole question rule out readings that only seem to answer it."""

from __future__ import annotations

import pytest

from tests.core.query.workspaces import DEMO, MEADOWS
from treeline.core.query.expression import Correlation
from treeline.core.query.paraphrase import paraphrase
from treeline.core.query.reading import read


@pytest.mark.parametrize(
    "question",
    [
        "How many hectares are above 700 m, i.e. above 800 m?",
        "How many hectares are above 700 m (i.e. below 700 m)?",
        "How many dates are there with clouds (i.e. completely clear)?",
        "What share of the cloudy dates are in 2017?",
        "What is the mean NDVI on the dates with clouds in 2017, with clouds?",
        "Do most cloudy dates fall within winter?",
        "At what rate did mean NDVI change from 2015-08-30 to 2016-08-14?",
        "At what rate per day did mean NDVI change from 2015-08-30 to 2016-08-14?",
        "How much did mean NDVI change from 2015-08-30 to 2016-08-14 by least squares?",
        "What is the maximum, over the forest, of the mean NDVI over time?",
        "Which of the three classes has the highest mean NDVI on 2016-08-14?",
        "What is the cloud frequency?",
        "Is NDVI higher than 0.7 anywhere?",
        "Is there NDVI above 0.9?",
        "What is NDVI?",
        "What is the mean NDVI of our field on 2016-08-14?",
        "What's the average NDVI of my plot?",
        "What does NDVI mean?",
        "How is NDVI computed?",
        "In 2016, which date was greener than 14 August?",
        "When did mean NDVI last rise above 0.7?",
        "For 2016-08-14: mean NDVI, mean elevation, forest area.",
        "Is there a cloud-free NDVI image in 2016?",
        "mean NDVI (B08 - B03) / (B08 + B03) on 2015-07-11",
        "How many times did mean NDVI pass 0.6 in 2016?",
        "area where the forest is greener than 0.8 on 2016-08-14",
        "Is NDVI above the mean of 2016?",
        "monthly change in mean NDVI",
        "Is more than 0.5 of the area forest?",
        "How many polygons are smaller than 0.5?",
        "Is the share of forest above 0.6?",
        "mean polygon size per class",
        "total area covered by the NDVI raster",
        "How much did it change from 2016 to 2017?",
        "How many pixels changed?",
        "On 14 August 2016 mean NDVI was highest in which band of 100 m of elevation?",
        "How many images are there in 2016, and how many show zero clouds?",
        "Of the five scenes, which one is greenest?",
        "Smallest polygon in the vector file: its class and its area in m2, please.",
        "Rank the 2016 images by mean NDVI. Which date is last?",
        "difference between the fall of the mean NDVI of forest and that of grassland from 14 August 2016 to "
        "4 August 2017",
        "How many pixels have an NDVI difference (2016-05-26 minus 2016-04-18) greater than 0.1?",
        "Rank the classes by mean NDVI on 2016-08-14, lowest first. Which comes second?",
        "Rank the classes by mean NDVI on 2016-08-14, lowest first. Which comes last?",
        "When was it greener on average (NDVI), on 20 Aug 2015 or ten days later, on 30 Aug 2015?",
        "Compute max over time per pixel for 2017 NDVI; report the spatial average.",
        "largest positive change in mean NDVI between consecutive images of 2017, which dates?",
        "Map the NDVI change over time",
        "map of NDVI over time",
        "NDVI change over time",
        "How green was summer 2017? Use the mean NDVI of June through August.",
        "Between the image with the highest NDVI mean and that with the lowest, how many days are there?",
        "By how many percent is the greenest date's mean NDVI above the median date's?",
        "By how much is the mean NDVI of 2016-08-14 above the median date's?",
        "Is the mean NDVI of 2016-08-14 above the median date?",
    ],
)
def test_what_its_words_rule_out_is_not_read(question: str):
    assert read(question, MEADOWS).status != "read"


@pytest.mark.parametrize(
    "question",
    [
        "Does the mean LST of forest differ from that of cropland on 2021-06-19?",
        "How many metres does LST change per 100 m of elevation on 2021-06-19?",
        "By how many metres is forest greener than cropland on 2021-06-19?",
        "How many kelvin steeper is forest than cropland?",
        "By how many percentage points is forest higher than cropland?",
        "How much does the minimum LST change per 100 m of elevation on 2021-06-19?",
        "area of regions with mean NDVI above 0.5 in 2022",
        "how many hectares lie in regions with a mean NDVI above 0.5 in 2022",
        "How many hectares of forest are above 500 m, and what share of the forest is that?",
        "What is the area, in hectares, and the mean LST, in °C, of Larchford on 2021-06-19?",
        "Which of the three hottest dates has the highest mean NDVI?",
        "Map the NDVI of water and of built-up on 2022-07-18",
        "How many clouds are there on 2022-07-18?",
        "How high is the forest on average above the cropland?",
        "Map of LST of forest versus water on 2022-07-18",
        "Is the mean slope of cropland gentler than 5 degrees?",
        "Was the NDVI of forest on average greener than 0.5 on 2022-07-18?",
        "What percentage of Oakhollow is grassland and what percentage is cropland?",
        "Is the forest cooler than water on 2022-07-18? Which?",
        "Which region cooled the most between 2022-07-18 and 2022-08-20 and by how many metres?",
    ],
)
def test_what_would_be_another_thing_is_not_read(question: str):
    assert read(question, DEMO).status != "read"


@pytest.mark.parametrize(
    "modifier", ["clear dates", "cloud-free dates only", "forest", "above 600 m", "per month"]
)
@pytest.mark.parametrize(
    "question",
    [
        "amplitude of the mean NDVI in 2016",
        "standard deviation over the dates of the mean NDVI of 2017",
        "highest mean NDVI of 2016",
        "On which date of 2016 was mean NDVI lowest",
        "trend of the mean NDVI",
        "median NDVI of 2016",
        "number of dates in 2016 with mean NDVI above 0.6",
    ],
)
def test_what_stands_in_brackets_is_never_passed_over(question: str, modifier: str):
    plain = read(question, MEADOWS).expressions
    assert plain and not set(plain) & set(read(f"{question} ({modifier})", MEADOWS).expressions)


@pytest.mark.parametrize(
    ("question", "another"),
    [
        (
            "which class has the highest share of pixels above 0.8 on 2016-08-14",
            "which class has the most area above 0.8 on 2016-08-14",
        ),
        (
            "area where the maximum NDVI of 2017 is below 0.5",
            "maximum over the dates of the area with NDVI below 0.5 in 2017",
        ),
        ("area of the largest class", "largest class"),
        ("number of images and mean NDVI in 2016", "number of images and mean NDVI"),
        ("number of images and mean NDVI in 2016", "number of images overall and mean NDVI in 2016"),
        ("number of images and first date in 2016", "number of images; and when is the first date in 2016"),
    ],
)
def test_what_seems_alike_is_told_apart(question: str, another: str):
    found = read(question, MEADOWS)
    assert found.status == "read"
    assert found.expressions != read(another, MEADOWS).expressions


def test_a_relation_across_regions_is_of_their_means():
    (across,) = read("correlation between elevation and LST across regions on 2021-06-19", DEMO).expressions
    (within,) = read("correlation between elevation and LST in each region on 2021-06-19", DEMO).expressions
    assert isinstance(across, Correlation) and (across.over, across.by) == ("zone", None)
    assert isinstance(within, Correlation) and within.over == "pixel" and within.by is not None


def test_an_aside_says_again_what_was_said():
    told = read("On which date was NDVI most uneven, i.e. its standard deviation largest?", MEADOWS)
    plain = read("On which date was NDVI most uneven?", MEADOWS)
    assert told.expressions == plain.expressions != ()


def test_what_asks_at_the_end_asks_as_at_the_beginning():
    last = read("Forest above 700 m - how many hectares?", MEADOWS)
    first = read("How many hectares of forest above 700 m?", MEADOWS)
    assert last.expressions == first.expressions != ()


def test_a_unit_between_commas_is_that_of_what_is_asked():
    inserted = read("What is the longest gap, in days, between two successive images?", MEADOWS)
    assert inserted.expressions == read("What is the longest gap between images?", MEADOWS).expressions != ()


def test_what_is_ruled_out_is_not_offered_either():
    found = read("What is the mean NDVI, with clouds, on 2016-08-14?", MEADOWS)
    under_cloud = read("mean NDVI of the cloudy pixels on 2016-08-14", MEADOWS).expressions
    assert under_cloud and not set(under_cloud) & {expression for _, expression in found.offers}


def test_a_class_that_is_not_there_is_refused_with_those_that_are():
    (note,) = read("mean NDVI of water on 2016-08-14", MEADOWS).notes
    assert "artificial surface, cultivated land, forest, grassland" in note


@pytest.mark.parametrize(
    "question",
    [
        "percentage of forest with NDVI above the scene mean on 2016-08-14",
        "area of forest with NDVI above the scene average on 2016-08-14",
        "share of forest pixels above the scene mean NDVI on 2016-08-14",
    ],
)
def test_the_mean_of_a_ground_is_not_that_of_the_scene(question: str):
    assert read(question, MEADOWS).status == "declined"
    own = question.replace("the scene mean", "the mean").replace("the scene average", "the average")
    assert read(own, MEADOWS).status == "read"


def test_the_scene_mean_is_of_all_ground():
    (found,) = read("map where NDVI of the forest is above the scene mean on 2016-08-14", MEADOWS).expressions
    assert "> (mean over all pixels of NDVI)) on 2016-08-14" in paraphrase(found, MEADOWS)


def test_what_passes_a_limit_is_no_share_of_itself():
    found = read("What share of the forest had NDVI above 0.8 on 2016-08-14 where it is steep?", MEADOWS)
    assert found.status == "asks"
    shares = [paraphrase(node, MEADOWS) for node in found.expressions]
    assert all(text.count("> 0.8") == 1 for text in shares), shares
