"""Whether the option that an answer chooses is the one that its evidence carries."""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator, Sequence

from treeline.core.engine.verification.claims import Claim, claims_in, dates_in, letter_in
from treeline.core.engine.verification.grounded_answer import GroundedAnswer
from treeline.core.engine.verification.labels import labels_in
from treeline.core.engine.verification.nearest_numbers import describe_nearest
from treeline.core.engine.verification.shares import find_shares

_WORD = re.compile(r"[^\W\d_]{3,}")
# Words of an option that follow from a number that is higher or lower than another, or from a sign.
_COMPARING = re.compile(
    r"(?:yes|no|not|none|true|false|the|and|are|was|were|has|have|had|than|with|from|over|time|there|this|"
    r"that|it|"
    r"increas|decreas|ris|rose|fall|fell|declin|grow|grew|drop|stable|constant|chang|trend|significan|signal|"
    r"higher|lower|highest|lowest|larger|smaller|more|less|most|least|above|below|warmer|cooler|colder|"
    r"hotter|"
    r"wetter|drier|drying|wetting|greening|browning|positive|negative|upward|downward|warming|cooling|"
    r"equal|same|"
    r"about|around|approximately|between|only|both|neither|either|first|second|last|later|earlier|cannot|"
    r"does|"
    r"did|per|cent|percent|degree|celsius|kelvin|hectare|meter|metre|squar|pixel|kilomet|value|mean|"
    r"average|for|its|date|month|season|year|"
    r"stay|remain|part|half|third|quarter|tenth|majority|minority)",
    re.I,
)
_SEASON_OF: dict[int, tuple[str, ...]] = dict.fromkeys((12, 1, 2), ("winter",))
_SEASON_OF |= dict.fromkeys((3, 4, 5), ("spring",)) | dict.fromkeys((6, 7, 8), ("summer",))
_SEASON_OF |= dict.fromkeys((9, 10, 11), ("autumn", "fall"))


def find_false_choice(grounded: GroundedAnswer) -> Iterator[str]:
    """Yield why the option that is chosen is not the one that the evidence carries."""
    option = grounded.option
    numbers, dates = claims_in(option), dates_in(option)
    if not option:
        return
    if (named := letter_in(grounded.answer.text, len(grounded.state.choices))) not in (
        "",
        grounded.answer.choice,
    ):
        yield f"The text chooses {named}, and the answer {grounded.answer.choice}."
    if numbers and not grounded.answer.expression and (other := _other_option(grounded, numbers[0])):
        yield f"The answer gives {other}, which is another option than {option!r}."
    founded = all(grounded.follows(c) for c in numbers) or _is_nearest(grounded, numbers)
    founded = founded or _is_class(grounded, option)
    if numbers and not founded and not _is_range_of_change(grounded, option, numbers):
        held = describe_nearest(grounded, numbers[0])
        yield f"The option {option!r} is not what the evidence gives: {held}"
    for date in dates:
        if not any(known.startswith(date) for known in grounded.evidence.dates):
            yield f"No cited step is of {date}, which the option names."
    parts = find_shares(option)
    told = [c.number for c in grounded.claims if c.unit == "%"] or grounded.evidence.per_cents()
    if parts and not any(low <= n <= high for n in told for low, high in parts):
        yield f"The option {option!r} is another part than the evidence gives."
    # What is computed by an expression names classes that its results number.
    if grounded.answer.expression and option.casefold() in grounded.answer.text.casefold():
        return
    known = labels_in(option, grounded.columns)
    bare = re.sub(r"\([^()]*\)", " ", option).strip() or option  # what an option says beside its name
    missing = [w for w in _WORD.findall(bare.casefold()) if not (known or _carries(grounded, w))]
    if missing and not numbers and not dates:
        yield f"No cited step carries the option {option!r}: none says {' or '.join(missing[:3])}."


def _other_option(grounded: GroundedAnswer, chosen: Claim) -> str:
    """Return the number of the answer that is that of an option which was not chosen; else nothing."""
    found = grounded.value() or (
        grounded.answer_columns.claims[0] if len(grounded.answer_columns.claims) == 1 else None
    )
    if found is None or not grounded.follows(found):
        return ""
    apart = abs(found.number - chosen.number)
    others = [claims_in(text) for text in grounded.state.choices if text != grounded.option]
    nearer = any(
        len(c) == 1
        and c[0].unit in (chosen.unit, found.unit)
        and abs(found.number - c[0].number) <= c[0].half
        for c in others
    )
    return found.text if nearer and apart > chosen.half else ""


def _is_class(grounded: GroundedAnswer, option: str) -> bool:
    """Return whether an option is the number of a class or zone that the answer names."""
    labels = {
        word for c in grounded.columns if not c.dated for word in (*c.numbers, *c.aliases) if word.isdigit()
    }
    named = re.search(
        rf"\b(?:class|zone|category|cluster)s? {re.escape(option.strip())}\b", grounded.text, re.I
    )
    return option.strip() in labels and named is not None


def _is_nearest(grounded: GroundedAnswer, option: Sequence[Claim]) -> bool:
    """Return whether an option is the nearest to a number that the answer gives and that is founded."""
    value = grounded.value()
    found = [value] if value else [c for c in grounded.claims if not grounded.is_given(c)]
    of_options = [n for text in grounded.state.choices for n in claims_in(text)[:1]]
    return any(
        grounded.follows(claim)
        and min(of_options, key=lambda n: abs(n.number - claim.number)).number == option[0].number
        for claim in found
    )


_RANGE = re.compile(r"\d\s*%?\s*(?:to|and|-|\u2013)\s*\d")
_FALLS = re.compile(r"\b(?:fell|fall|drop|declin|decreas|lost|loss|down)", re.I)


def _is_range_of_change(grounded: GroundedAnswer, option: str, numbers: Sequence[Claim]) -> bool:
    """Return whether an option is a range that holds the change in the answer: "fell by 0.1 to 0.3"."""
    value = grounded.value()
    if value is None or len(numbers) != 2 or not _RANGE.search(option) or not grounded.follows(value):
        return False
    low, high = sorted(abs(claim.number) for claim in numbers)
    # A fall is told by its size: the change itself is below 0.
    return low <= (-value.number if _FALLS.search(option) else value.number) <= high


def _carries(grounded: GroundedAnswer, word: str) -> bool:
    if word[:6] in grounded.evidence.words or word in _periods(grounded) or _COMPARING.match(word):
        return True
    return word in grounded.state.question.casefold() or _names_a_number(grounded, word)


def _periods(grounded: GroundedAnswer) -> frozenset[str]:
    """The months and seasons that the dates of the evidence lie in, as the northern half names them."""
    months = {int(date[5:7]) for date in grounded.evidence.dates if len(date) >= 7}
    return frozenset(
        name for month in months for name in (calendar.month_name[month].casefold(), *_SEASON_OF[month])
    )


def _names_a_number(grounded: GroundedAnswer, word: str) -> bool:
    """Return whether a word is in the name of a class whose number stands in the evidence."""
    numbers = (int(number) for number, name in grounded.legend.items() if word in name)
    named = {label for column in grounded.columns for label in (*column.numbers, *column.aliases)}
    return any(str(n) in named or n in grounded.evidence.numbers for n in numbers)
