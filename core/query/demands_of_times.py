"""What a question says of times, courses and clouds that holds for its answer wherever it stands."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from treeline.core.query.expression import When
from treeline.core.query.phrases.comparisons import Change
from treeline.core.query.phrases.conditions import Limit, Operator
from treeline.core.query.phrases.counts import Area, Count, Share, Unit
from treeline.core.query.phrases.courses import Course
from treeline.core.query.phrases.phrase import Join, Word
from treeline.core.query.phrases.times import Clouds, Time
from treeline.core.query.phrases.values import Along, Amount, Each, Measure, Raw, Stat
from treeline.core.query.tokens import Token, content


def says_per(unit: str) -> Callable[[Sequence[Token]], bool]:
    """Return whether "per day" is said."""
    return lambda tokens: f"per {unit}" in " ".join(token.text for token in tokens)


def takes_a_statistic_of_all_dates(tokens: Sequence[Token]) -> bool:
    """Return whether the median, mean or the like of all dates is named."""
    said = content(tokens)
    return any(
        one.means(Stat)
        and other.text in ("of all dates", "of all images", "over all dates", "of all the dates")
        for one, other in pairwise(said)
    )


def asks_how_long_after(tokens: Sequence[Token]) -> bool:
    """Return whether the time from a day on is asked for, which is no length of a season or run."""
    return _HOW_LONG_AFTER.search(" ".join(token.text for token in tokens)) is not None


_HOW_LONG_AFTER = re.compile(
    r"\bhow long (?:after|before|since|from|until)\b|\bhow many days (?:after|before|following)\b"
)


def averages_a_statistic(tokens: Sequence[Token]) -> bool:
    """Return whether a statistic of the pixels is "averaged" by month, and so not taken over dates."""
    said = content(tokens)
    return any(
        one.means(Stat) and other.means(Raw) and last.text == "averaged"
        for one, other, last in zip(said, said[1:], said[2:], strict=False)
    )


def says_when_it_passes(tokens: Sequence[Token]) -> bool:
    """Return whether "ever" or "always" stands right before a second limit: "area above 0.6 ever above"."""
    said = content(tokens)
    limits = [place for place, token in enumerate(said) if token.means(Operator, Limit)]
    told = [place for place, token in enumerate(said) if token.text in ("ever", "always", "never")]
    return any(place + 1 in limits and limits[0] < place for place in told)


def skips_dates_without_clear_pixels(tokens: Sequence[Token]) -> bool:
    """Return whether dates on which nothing is clear are to be left out."""
    return any(_NOTHING_CLEAR.search(token.text) for token in tokens)


_NOTHING_CLEAR = re.compile(r"\b(?:dates|images|scenes|days|acquisitions) .*\bclear\b")


def crosses_last(tokens: Sequence[Token]) -> bool:
    """Return whether it is asked when a limit was last crossed: it may have stayed beyond it since."""
    return any(
        one.text.split()[-1] == "last" and other.text.split()[0] in _CROSSES
        for one, other in pairwise(tokens)
    )


_CROSSES = (
    "rise", "rose", "fall", "fell", "drop", "dropped", "climb", "climbed", "sink", "sank", "go", "went",
    "dip", "dipped",
)  # fmt: skip


def counts_clouds(tokens: Sequence[Token]) -> bool:
    """Return whether clouds are counted, which no mask tells apart, and not the pixels under them."""
    texts = [token.text for token in tokens]
    return any(f"{one} {other}" in ("how many clouds", "number of clouds") for one, other in pairwise(texts))


def asks_for_trends_of_pixels(tokens: Sequence[Token]) -> bool:
    """Return whether the trend of each pixel is meant: "mean of the per-pixel NDVI trend"."""
    each = [place for place, token in enumerate(tokens) if _PER_PIXEL in token.meanings]
    courses = [place for place, token in enumerate(tokens) if token.means(Course)]
    return any(place < course for place in each for course in courses)


_PER_PIXEL = Along("date", "both")


def tells_times_apart(tokens: Sequence[Token]) -> bool:
    """Return whether several times are each asked about by itself: "in 2016 and 2017 separately"."""
    told = content(tokens)
    return any(
        Word("separately") in after.meanings and before.means(Time) for before, after in pairwise(told)
    )


def follows_a_course(tokens: Sequence[Token]) -> bool:
    """Return whether something is followed over time, of which the mean of the dates tells nothing."""
    return any(Each("time") in token.meanings for token in tokens)


def counts_what_is_left_out(tokens: Sequence[Token]) -> bool:
    """Return whether it is counted without saying what: "how many are cloud-free", and no pixels named."""
    counted = any(isinstance(m, Count) for token in tokens for m in token.meanings)
    return counted and not any(re.search(r"\b(?:pixel|cell)", token.text) for token in tokens)


def speaks_of_a_rise(tokens: Sequence[Token]) -> bool:
    """Return whether a rise is set against a limit, and not the level: "show a rise above 0.1"."""
    texts = [token.text for token in tokens]
    return any(
        re.match(r"(?:rise|gain|increase) (?:above|over)", text)
        and {"a", "an"} & set(texts[max(k - 2, 0) : k])
        for k, text in enumerate(texts)
    )


def speaks_of_signed_changes(tokens: Sequence[Token]) -> bool:
    """Return whether changes up or down are told apart: "the largest positive change"."""
    return any(token.text.split()[-1] in ("positive", "negative") for token in tokens)


def subtracts_times(tokens: Sequence[Token]) -> bool:
    """Return whether one time is subtracted from another: "2016-05-26 minus 2016-04-26", which has a sign."""
    return any(
        one.means(Time) and joint.text == "minus" and other.means(Time)
        for one, joint, other in zip(tokens, tokens[1:], tokens[2:], strict=False)
    )


def statistics_over_time(tokens: Sequence[Token]) -> list[Stat]:
    """Return the statistics that are said to be over time: "max over time", and then another in space."""
    return [
        meaning
        for one, other in pairwise(token for token in tokens if token.kind != "filler")
        for meaning in one.meanings
        if isinstance(meaning, Stat) and Each("time") in other.meanings
    ]


def asks_for_the_end_of_a_rank(tokens: Sequence[Token]) -> bool:
    """Return whether things are ranked and the last of them is asked for, which is no last date."""
    return any(token.text.startswith("rank") for token in tokens)


def takes_from_a_rank(*ends: str) -> Callable[[Sequence[Token]], bool]:
    """Return whether things are ranked, and which comes first or last is asked at the end."""
    return lambda tokens: asks_for_the_end_of_a_rank(tokens) and tokens[-1].text in ends


def asks_for_a_value_found(tokens: Sequence[Token]) -> bool:
    """Return whether one of several values is asked for, and no pixel: "report the top value"."""
    return bool(_VALUE_FOUND.search(" ".join(token.text for token in tokens)))


_VALUE_FOUND = re.compile(r"\b(?:which value|(?:top|highest|largest|greatest|lowest|smallest) values?)\b")


def counts_crossings(tokens: Sequence[Token]) -> bool:
    """Return whether it is asked how often a limit was crossed, which is not how many dates lie beyond it."""
    said = " ".join(token.text for token in tokens)
    return bool(_HOW_OFTEN.search(said)) and any(token.text in _PASSES for token in tokens)


_HOW_OFTEN = re.compile(r"\b(?:how many times|how often|number of times|how frequently)\b")


def names_crossings(tokens: Sequence[Token]) -> bool:
    """Return whether it is asked how often a limit was crossed; what "passes" it may have risen above it."""
    return counts_crossings(tokens) and any(token.text.startswith("cross") for token in tokens)


_PASSES = ("cross", "crossed", "crosses", "pass", "passed", "passes")


def speaks_of_cloudy_dates(tokens: Sequence[Token]) -> bool:
    """Return whether clouds are said of dates, or beside what is measured, and not of pixels."""
    return not any(word in token.text for token in tokens for word in _UNDER_CLOUD)


_UNDER_CLOUD = ("pixel", "under", "beneath", "below", "where", "part", "area", "only", "cloud-covered")


def averages_each_date(tokens: Sequence[Token]) -> bool:
    """Return whether the one statistic that is said is to be told for each date."""
    each = any(Each("date") in token.meanings and token.text != "daily" for token in tokens)
    each |= any(
        one.text.split()[-1] in ("each", "every", "per") and Unit("date") in noun.meanings
        for one, noun in pairwise(tokens)
    )
    pooled = any(Along("date") in token.meanings for token in tokens)
    return each and not pooled and sum(token.means(Stat) for token in tokens) == 1


def says_each_date(tokens: Sequence[Token]) -> bool:
    """Return whether something is asked of each date: one thing of all of them is no answer."""
    return any(Each("date") in token.meanings and token.text != "daily" for token in tokens)


def asks_how_long(tokens: Sequence[Token]) -> bool:
    """Return whether days are a length of time: "how many days before D was the last image"."""
    return _LENGTH_IN_DAYS.search(" ".join(token.text for token in tokens)) is not None


_LENGTH_IN_DAYS = re.compile(
    r"\b(?:how many|number of) days (?:before|after|since|until|till|past|ago|earlier|later)\b"
)


def says_when_it_was(tokens: Sequence[Token]) -> bool:
    """Return whether "the last time" is that of what follows: "the last time the forest was cloud-free"."""
    for place, token in enumerate(tokens):
        if token.text.endswith(" time") and any(isinstance(m, Time) and m.when.pick for m in token.meanings):
            return any(after.means(Clouds) for after in tokens[place + 1 :])
    return False


def speaks_of_all_images(tokens: Sequence[Token]) -> bool:
    """Return whether something is taken over images, and none of them is looked for."""
    words = " ".join(token.text for token in tokens)
    return _OVER_IMAGES.search(words) is not None and _LOOKED_FOR.search(words) is None


_OVER_IMAGES = re.compile(
    r"\b(?:across|over|throughout) (?:all )?(?:the )?(?:available )?(?:images|dates|scenes|acquisitions)\b"
)
_LOOKED_FOR = re.compile(r"\b(?:which|what|when|date|image|scene|acquisition|day)\b")


def counts_pixels_for_all_dates(tokens: Sequence[Token]) -> bool:
    """Return whether pixels are counted that pass a limit "for all dates", which is no count of each date."""
    return _FOR_ALL.search(" ".join(token.text for token in tokens)) is not None


_FOR_ALL = re.compile(
    r"\b(?:how many|number of|count of) (?:pixels|cells)\b.*"
    r"\bfor all (?:the )?(?:dates|images|scenes|acquisitions)\b"
)


def names_that(period: str) -> Callable[[Sequence[Token]], bool]:
    """Return what tells whether a period that was found is named again: "in that year"."""
    endings = (f"that {period}", f"that very {period}", f"the same {period}")

    def demand(tokens: Sequence[Token]) -> bool:
        return any(token.text.endswith(endings) and Word("it") in token.meanings for token in tokens)

    return demand


def asks_from_when_to_when(tokens: Sequence[Token]) -> bool:
    """Return whether it is asked when something began and ended: "and from when to when"."""
    return any(token.text.startswith("from when") for token in tokens)


def says_throughout(tokens: Sequence[Token]) -> bool:
    """Return whether something is said to stay above or below a limit: at all times, not on the whole.

    "Throughout 2017" says so of a time, where "throughout the scene" is of the ground.
    """
    told = [token for token in tokens if token.kind != "filler" or token.text in _THROUGHOUT]
    through = any(one.text in _THROUGHOUT and other.means(Time) for one, other in pairwise(told))
    return through or any(token.text.startswith(_STAYS) for token in tokens)


def says_throughout_the_ground(tokens: Sequence[Token]) -> bool:
    """Return whether something is said to hold everywhere: "above 0.7 throughout the scene"."""
    told = [token for token in tokens if token.kind != "filler" or token.text == "throughout"]
    return any(
        one.text.startswith("throughout the ") or one.text == "throughout" and other.means(Unit)
        for one, other in zip(told, [*told[1:], *told[-1:]], strict=True)
    )


_THROUGHOUT = ("throughout", "all through", "the whole of")
_STAYS = (
    "stay",
    "remain",
    "keep above",
    "keep below",
    "keeps ",
    "kept above",
    "kept below",
    "held ",
    "hold ",
    "holds ",
)


def tells_when_clouds_are(tokens: Sequence[Token]) -> bool:
    """Return whether it is said of cloudy or clear dates when they are: "are in 2017"."""
    return any(_CLOUDY_DATES.search(dates.text) and verb.text in _ARE for dates, verb in pairwise(tokens))


_CLOUDY_DATES = re.compile(r"(?:cloud|clear).* (?:dates|days|images|scenes|acquisitions)$")


_ARE = ("are", "is", "were", "was", "fall", "fell", "lie", "lay")


def names_each_season(tokens: Sequence[Token]) -> bool:
    """Return whether seasons are told one by one, which is no time in one."""
    words = {word for token in tokens for word in token.text.split()}
    return {"spring", "summer", "winter"} <= words


def names_the_days_of_a_change(tokens: Sequence[Token]) -> bool:
    """Return whether a change is told with the time from which and that to which it is meant.

    A difference may be one of two grounds, in the time from one to the other.
    """
    times = [any(isinstance(m, Time) for m in token.meanings) for token in tokens]
    between = any(Word("between") in token.meanings for token in tokens)
    joined = any(
        Join("to") in token.meanings or between and Join("and") in token.meanings and times[place - 1]
        for place, token in enumerate(tokens)
        if any(times[:place]) and any(times[place:])
    )
    return joined and any(_is_change_in_time(token) for token in tokens)


def _is_change_in_time(token: Token) -> bool:
    told = any(isinstance(meaning, Change) and meaning.how == "difference" for meaning in token.meanings)
    return told and not _BETWEEN_GROUNDS.search(token.text)


_BETWEEN_GROUNDS = re.compile(r"differ|gap|margin|contrast|discrepancy|disparity|diverge|deviation|apart")


def drops(tokens: Sequence[Token]) -> bool:
    """Return whether "drop" is what something did, and leaves nothing out: "did the forest's NDVI drop"."""
    said = [token.text for token in tokens]
    return "drop" in said and bool({"did", "does", "do"} & {*said[: said.index("drop")]})


_HOW_IT_FALLS = (
    "most",
    "the most",
    "least",
    "the least",
    "by",
    "below",
    "under",
    "furthest",
    "farthest",
    "faster",
)


def falls(tokens: Sequence[Token]) -> bool:
    """Return whether "fall" is what a number does, and no season: right after what is measured."""
    return any(
        after.text == "fall"
        and (before.means(Raw, Stat, Measure) or last is not None and last.text in _HOW_IT_FALLS)
        and not (last and last.means(Time))
        for before, after, last in zip(tokens, tokens[1:], (*tokens[2:], None), strict=False)
    )


def speaks_of_dates_alone(tokens: Sequence[Token]) -> bool:
    """Return whether dates are what a question limits: no pixels, area or share is told of beside them."""
    meant = [meaning for token in tokens for meaning in token.meanings]
    dates = any(isinstance(m, Unit) and m.of in ("date", "image") for m in meant)
    return dates and not any(isinstance(m, Area | Share) or getattr(m, "of", None) == "pixel" for m in meant)


def times_around_a_condition(tokens: Sequence[Token]) -> tuple[When, When] | None:
    """Return both times of "NDVI in 2017 of the pixels with NDVI above 0.6 in 2016"; else ``None``.

    The first is that of what is measured, the second that of the condition, which no word before it begins.
    """
    told = [
        (place, m.when) for place, token in enumerate(tokens) for m in token.meanings if isinstance(m, Time)
    ]
    begins = [place for place, token in enumerate(tokens) if _begins_a_condition(token)]
    if len(told) != len(("measured", "held")) or told[0][1] == told[1][1] or not begins:
        return None
    (first, measured), (last, held) = told
    return (measured, held) if first < begins[0] < last else None


def _begins_a_condition(token: Token) -> bool:
    """Return whether a word begins what pixels are limited by: pixels, where, whose."""
    return Unit("pixel") in token.meanings or (Word("where") in token.meanings and token.text != "with")


def counts_dates_of_each_pixel(tokens: Sequence[Token]) -> bool:
    """Return whether it is asked how often each pixel was something, which is told pixel by pixel."""
    texts = " ".join(token.text for token in tokens)
    return _HOW_OFTEN_EACH_PIXEL.search(texts) is not None


_HOW_OFTEN_EACH_PIXEL = re.compile(
    r"\bhow (?:often|many (?:times|dates|days|images|scenes)) (?:was|is|were|has|had|did) each pixel\b"
)


def looks_for_an_end_of_the_images(tokens: Sequence[Token]) -> bool:
    """Return whether the first or last image is looked for: no period is."""
    told = [token for token in tokens if token.kind != "filler"]
    return any(
        one.text in ("first", "last", "earliest", "latest")
        and any(isinstance(m, Unit) and m.of == "date" for m in other.meanings)
        for one, other in pairwise(told)
    )


def asks_which_of_another_time(tokens: Sequence[Token]) -> bool:
    """Return whether the same is asked of another time: "lowest in 2016, and which in 2017"."""
    texts = " ".join(token.text for token in tokens)
    return _AND_WHICH.search(texts) is not None


_AND_WHICH = re.compile(r"\band (?:which|which one|what) (?:in|on|of) \S+\s*\??$")


def asks_something_else_of_another_time(tokens: Sequence[Token]) -> bool:
    """Return whether "when" or "where" is asked of another time, and was not asked before."""
    texts = " ".join(token.text for token in tokens)
    found = _AND_WHEN_OR_WHERE.search(texts)
    return found is not None and found[1] not in texts[: found.start()].split()


_AND_WHEN_OR_WHERE = re.compile(r"\band (when|where) (?:in|on|of) \S+\s*\??$")


def lengths_of_time(tokens: Sequence[Token]) -> Iterable[float]:
    """Yield the numbers of days, weeks or months that something lasts: of "within ten days" 10."""
    for before, number, unit in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if before.text in ("within", "for") and unit.text.endswith(("days", "weeks", "months", "years")):
            yield from (m.number.value for m in number.meanings if isinstance(m, Amount))


def states_when_an_extreme_was(tokens: Sequence[Token]) -> bool:
    """Return whether it is said when an extreme was: "the highest NDVI of 2017 was reached in July"."""
    return _EXTREME_WAS.match(" ".join(token.text for token in tokens)) is not None


_EXTREME_WAS = re.compile(
    r"(?:in \S+ ?,? )?(?:the )?(?:highest|lowest|maximum|minimum|peak|greatest|smallest)\b.*"
    r"\b(?:(?:was )?reached|was found|was recorded|fell|occurred|came|was) (?:in|on|during)\b"
)
