"""Which of the options fits what was found."""

from __future__ import annotations

import math
import re
from calendar import month_name
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from rapidfuzz.distance import OSA

from treeline.core.policies.planner.answering import Finding
from treeline.core.policies.planner.figures import COUNTED
from treeline.core.query.expression import (
    Anomaly,
    Combine,
    Compare,
    Correlation,
    Node,
    Seasonal,
    Steps,
    Trend,
    Variable,
)
from treeline.core.query.lexer import tokens_of
from treeline.core.query.names import Names
from treeline.core.query.numbers import unit_of_all
from treeline.core.query.phrases.values import Raw
from treeline.core.query.titles import short_title

_NUMBER = re.compile(r"(?<![\w.])[-+\u2212]?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?", re.IGNORECASE)
_DATE = re.compile(r"\d{4}-\d\d?(?:-\d\d?)?|\b(?:19|20)\d\d\b(?!\.\d)")
_NONE = re.compile(r"^(?:none|neither)\b|cannot be (?:told|determined)|not enough")
_NOTHING = re.compile(
    r"\bno (?:significant |clear |net |overall )?(?:trend|change|difference|declin|decreas|increas|drop|fall|"
    r"ris(?:e|ing)|loss|gain|growth|reduc|warming|cooling)|not significant|insignificant|stable|unchanged|"
    r"\bnot (?:change|declin|decreas|increas|drop|fall|ris)|"
    r"\b(?:stay|remain|kept|keep)(?:s|ed)? (?:within|about|roughly|nearly|almost|the same|level|constant|as)"
)
_RISING = re.compile(r"increas|ris(?:e|ing)|rose|grow|grew|warmer|higher|gain|upward|\bup\b(?! to)|greener")
_FALLING = re.compile(r"decreas|declin|drop|fell|fall|reduc|lower|loss|cooler|downward|\bdown\b(?! to)")


def choose(finding: Finding, choices: Sequence[str]) -> str | None:
    """Return the letter of the option that fits best, ``None`` where none can be told.

    Yes and no are the truth of a claim, a range of numbers fits what lies in it. Otherwise an
    option's numbers are compared with those found, its dates and names with those found, and its words
    of direction with the sign of the change. "None of these" fits where nothing else does.
    """
    if not choices:
        return None
    plain = _in_figures([without_letter(choice) for choice in choices])
    others = [i for i, choice in enumerate(plain) if _NONE.search(choice)]
    real = [i for i in range(len(plain)) if i not in others]
    found = _fit(finding, [plain[i] for i in real])
    if found is not None and not (others and _far(finding, [plain[i] for i in real])):
        return chr(ord("A") + real[found])
    return chr(ord("A") + others[0]) if others else None


_THESE = re.compile(
    r"\b(?:of|from|among) (?:these|those|the following)(?: (?:two|three|four|five|six))?"
    r"(?: (?:dates|days|images|scenes|months|years|seasons|classes|regions|areas|places|land covers?))?\b"
    r"(?! (?:is|was|comes|lies) (?:the )?(?:closest|nearest))",
    re.IGNORECASE,
)


_LONG = 6


def name_options(question: str, choices: Sequence[str]) -> str:
    """Return a question with its options in the place of "of these", so that only they are looked at."""
    names = [re.sub(r"^\(?[A-Ha-h][).:] +", "", choice.strip()) for choice in choices]
    real = [name for name in names if not _NONE.search(name.lower())]
    if len(real) < 2:
        return question
    listed = f"of {', '.join(real[:-1])} and {real[-1]}"
    return _THESE.sub(lambda _: listed, question, count=1)


_FROM_TO = re.compile(
    r"(?:from|between) (?P<first>[^,?]{4,40}?) (?:to|and) (?P<last>[^,?]{4,40}?)(?:,? the |, )"
    r"(?P<measure>[^?]+?)[\s.:\u2026]*"
    r"|(?!(?:by|how|what|which|did|does|do|was|is|are|has|have)\b)(?:the )?(?P<named>[^?]+?),? "
    r"(?:from|between) (?P<start>[^,?]{4,40}?) (?:to|and) (?P<end>[^,?]{4,40}?)[\s.:\u2026]*",
    re.IGNORECASE,
)
_HELPS = re.compile(r"^(?:it )?(?:has |had |did |was |is )", re.IGNORECASE)


def complete_by_direction(question: str, choices: Sequence[str]) -> str:
    """Return a sentence that options complete with a rise or a fall as the question of how much it changed.

    "From July to August the mean NDVI ..." with "rose", "fell by 0.1 to 0.3" asks for the change.
    """
    real = [choice for choice in map(without_letter, choices) if not _NONE.search(choice)]
    found = _FROM_TO.fullmatch(question.strip())
    if found is None or len(real) < 2 or not all(map(_tells_a_direction, real)):
        return question
    measure = found["measure"] or found["named"]
    first, last = found["first"] or found["start"], found["last"] or found["end"]
    return f"By how much did the {measure} change from {first} to {last}?"


def _tells_a_direction(choice: str) -> bool:
    """Return whether an option begins with a rise, a fall or none: "fell by 0.1", "stayed within 0.02"."""
    begins = " ".join(_HELPS.sub("", choice).split()[:2])
    return any(pattern.match(begins) for pattern in (_RISING, _FALLING, _NOTHING))


def with_titles(choices: Sequence[str], names: Names) -> tuple[str, ...]:
    """Return options with the title of the variable that they name as a sensor's band: "B05 (red edge)"."""
    titles = [_title_of(choice, names) for choice in choices]
    return tuple(
        f"{choice} ({title})" if title else choice for choice, title in zip(choices, titles, strict=True)
    )


def _title_of(choice: str, names: Names) -> str:
    tokens = tokens_of(without_letter(choice), names)
    meant = tokens[0].meanings if len(tokens) == 1 else ()
    roles = {m.node.role for m in meant if isinstance(m, Raw) and isinstance(m.node, Variable)}
    title = short_title(roles.pop()) if len(roles) == 1 else ""
    return "" if title.lower() in choice.lower() else title


def find_first_label(labels: Sequence[str], choices: Sequence[str]) -> int | None:
    """Return the place of the first label that an option names; ``None`` where none does."""
    plain = [without_letter(choice) for choice in choices]
    named = (k for k, label in enumerate(labels) if any(_names(label, choice) for choice in plain))
    return next(named, None)


def doubt(finding: Finding, choices: Sequence[str], chosen: str | None) -> str:
    """Return in a sentence that the option chosen is far from what was found; empty where it is not.

    A number is far that is further from the nearest option than two options lie apart, and a count that is
    none of the options, as large ones are rounded. A date or name that no option holds is far where no number
    speaks for an option either.
    """
    plain = _in_figures([without_letter(choice) for choice in choices])
    if chosen is None or _NONE.search(plain[ord(chosen) - ord("A")]):
        return ""
    real = [choice for choice in plain if not _NONE.search(choice)]
    labels = [label for label in finding.labels if label]
    if any(_names(label.lower(), choice) for label in labels for choice in real):
        return ""
    numbers = Numbers.of(real)
    wanted = _numbers_of(finding, numbers)
    if finding.truth is not None and _by_truth(plain, finding.truth) is not None:
        return ""
    if not wanted or not numbers.step or _by_range(real, finding) is not None:
        return f"No option names {labels[0]}." if labels and not (wanted and numbers.step) else ""
    gaps = [
        (_gap(wanted[0], choice, numbers), letter) for letter, choice in _letters_of(plain) if choice in real
    ]
    known = [(gap, letter) for gap, letter in gaps if gap is not None]
    outside = _are_ranges(real) and finding.value is not None
    if not known:
        return ""
    gap, nearest = min(known)
    counted = finding.unit in COUNTED and gap > _ROUNDING * abs(wanted[0])
    if gap <= numbers.step and not outside and not counted:
        return ""
    option = choices[ord(nearest) - ord("A")].strip()
    return f"No option is near: found {wanted[0]:.4g}, nearest {nearest} ({option})."


def doubt_direction(expression: Node, finding: Finding, choices: Sequence[str]) -> str:
    """Return in a sentence that all options tell which way something went, and that no change was found.

    A number that is no change is above 0 whatever happened: its sign says nothing of a rise.
    """
    real = [choice for choice in map(without_letter, choices) if not _NONE.search(choice)]
    tells = [bool(_RISING.search(choice)) != bool(_FALLING.search(choice)) for choice in real]
    numeric = finding.value is not None and not finding.labels and finding.truth is None
    if (
        not numeric
        or len(real) < 2
        or not all(t or _NOTHING.search(c) for t, c in zip(tells, real, strict=True))
    ):
        return ""
    if any(isinstance(part, _CHANGES) for part in expression.walk()):
        return ""
    return "The options tell of a rise or a fall, and no change was asked for: ask by how much it changed."


_CHANGES = (Anomaly, Combine, Compare, Correlation, Seasonal, Steps, Trend)

# By how much of itself a large count may be rounded in an option.
_ROUNDING = 0.05


def _letters_of(choices: Sequence[str]) -> list[tuple[str, str]]:
    return [(chr(ord("A") + i), choice) for i, choice in enumerate(choices)]


def unit_of_options(choices: Sequence[str]) -> str:
    """Return the unit that the options are given in; empty where they differ or have none."""
    return unit_of_all([_DATE.sub(" ", without_letter(choice)) for choice in choices])


def without_letter(choice: str) -> str:
    """Return an option in small letters without the letter that it begins with."""
    text = re.sub(r"\s+", " ", choice).strip().lower().replace("\u2212", "-").replace("\u2013", "-")
    return re.sub(r"^\(?[a-h][).:] +", "", text)


_SHARES = {
    r"three quarters": 75,
    r"two thirds": 67,
    r"(?:a|one) third": 33,
    r"(?:a|one) quarter": 25,
    r"(?:a |one )?half": 50,
    r"(?:nearly|almost|practically) (?:all|everything)": 97,
    r"(?:hardly|scarcely) any|(?:nearly|almost|practically) (?:none|nothing)": 3,
    r"all of (?:them|it)|everything": 100,
    r"none of (?:them|it)|nothing": 0,
}


def _in_figures(choices: list[str]) -> list[str]:
    """Return options that all tell a share in words ("about three quarters") with it in per cent."""
    found = [
        next((f"{share} %" for words, share in _SHARES.items() if re.search(rf"\b(?:{words})\b", choice)), "")
        for choice in choices
    ]
    return found if found and all(found) else choices


def _fit(finding: Finding, choices: list[str]) -> int | None:
    if finding.truth is not None:
        certain = _by_truth(choices, finding.truth)
        if certain is not None:
            return certain
    ranged = _by_range(choices, finding)
    if ranged is not None:
        return ranged
    numbers = Numbers.of(choices)
    scores = [_score(finding, choice, numbers) for choice in choices]
    known = [score for score in scores if score is not None]
    if not known:
        return None
    best = max(known)
    return (
        None if scores.count(best) > 1 and len(set(known)) == 1 and len(choices) > 1 else scores.index(best)
    )


def _by_truth(choices: Sequence[str], truth: bool) -> int | None:
    """Return the only option that begins with yes, or no."""
    wanted = r"(?:yes|true)\b" if truth else r"(?:no|false)\b"
    fitting = [i for i, choice in enumerate(choices) if re.match(wanted, choice)]
    return fitting[0] if len(fitting) == 1 else None


# --- Ranges ---------------------------------------------------------------------------------------


def _by_range(choices: Sequence[str], finding: Finding) -> int | None:
    """Return the only option whose range holds the number found, where the options are ranges."""
    ranges = [_range(choice) for choice in choices]
    if finding.value is None or finding.labels or sum(r is not None for r in ranges) < 2:
        return None
    value = finding.value * (100.0 if _in_percent(finding, choices) else 1.0)
    fitting = [i for i, r in enumerate(ranges) if r is not None and r[0] <= value <= r[1]]
    return fitting[0] if len(fitting) == 1 else None


# What may stand after the numbers of a range, and bears on none of its ends.
_UNIT = re.compile(
    r"(?:(?<=\d)|(?<=more)|(?<=less)|(?<=fewer))\s*"
    r"(?:pixels|dates|days|weeks|months|years|scenes|images|regions|classes|polygons|patches"
    r"|hectares?|ha|acres?|(?:square |sq ?)?(?:kilomet|met)(?:re|er)s?|[km]?m[2\u00b2]?|[cm]m|feet|foot|ft"
    r"|miles?|mi|kelvins?|k|(?:deg(?:rees?)? ?|\u00b0 ?)?(?:celsius|fahrenheit|[cf])"
    r"|deg(?:rees?)?|\u00b0|per ?cent|%)"
    r"(?:\s*(?:/|per)\s*(?:\d+ ?)?[a-z]+)?(?![a-z0-9])"
)


def _are_ranges(choices: Sequence[str]) -> bool:
    """Return whether there are several options and each is a range: a number outside fits none of them."""
    return len(choices) > 1 and all(_range(choice) is not None for choice in choices)


def _range(choice: str) -> tuple[float, float] | None:
    """Return the ends of "5-10", "fewer than 5", "more than 20"; an end that does not belong is moved."""
    plain = _UNIT.sub(" ", choice).strip(" .~")
    if moves := _BY.match(plain):
        return _range_of_change(moves[0], plain[moves.end() :])
    number = _NUMBER.pattern
    both = re.fullmatch(
        rf"(?:between |from )?({number})\s*(?:to|and)\s*({number})",
        re.sub(r"(?<=\d) *- *(?=\d)", " to ", plain),
        re.IGNORECASE,
    )
    if both:
        return _value(both[1]), _value(both[2])
    one = re.fullmatch(
        rf"(?P<w>[a-z<>= ]*?)\s*(?P<n>{number})(?P<o> or (?:more|less|fewer))?", plain, re.IGNORECASE
    )
    if one is None:
        return None
    value, word = _value(one["n"]), f"{one['w']}{one['o'] or ''}"
    for pattern, ends in _WORDS:
        if re.search(pattern, word):
            return ends(value)
    return None


# What a change is told with before how much it is: "fell by", "a rise of".
_BY = re.compile(rf"(?:it |an? )?(?:{_RISING.pattern}|{_FALLING.pattern})[a-z]* (?:by|of) ")


def _range_of_change(moves: str, much: str) -> tuple[float, float] | None:
    """Return the ends of "fell by up to 10": what falls is below 0, and what rises above it."""
    found = _range(much)
    if found is None or found[1] < 0:
        return None
    low, high = max(found[0], 0.0), found[1]
    return (-high, -low) if _FALLING.search(moves) else (low, high)


_WORDS = (
    (r"or more|at least|>=", lambda value: (value, math.inf)),
    (r"or (?:less|fewer)|at most|<=|up to", lambda value: (-math.inf, value)),
    (r"(?:more|greater|higher) than|above|over|>", lambda value: (math.nextafter(value, math.inf), math.inf)),
    (r"(?:less|fewer|lower) than|below|under|<", lambda value: (-math.inf, math.nextafter(value, -math.inf))),
)


def _value(text: str) -> float:
    return float(text.replace(",", "").replace("\u2212", "-"))


def _in_percent(finding: Finding, choices: Sequence[str]) -> bool:
    """Return whether all options are in per cent and what was found is a fraction."""
    return finding.unit == "1" and all(re.search(r"\d ?%", choice) for choice in choices)


# --- Scores ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Numbers:
    """What the numbers of all options have in common.

    Attributes
    ----------
    rows : mapping
        The numbers of each option; 0 of one that says nothing changed, beside others that say how much.
    spans : tuple of float
        How far the options' first, second, ... numbers lie apart; 0 where they are all the same.
    signed, percent : bool
        One of them bears a sign; all are in per cent.
    step : float
        The least distance between two different numbers that options have in the same position; 0
        where there are none.
    """

    rows: Mapping[str, list[float]]
    spans: tuple[float, ...]
    signed: bool
    percent: bool
    step: float = 0.0

    @classmethod
    def of(cls, choices: Sequence[str]) -> Numbers:
        """Return what options have in common."""
        found = {choice: _numbers_in(choice) for choice in choices}
        if any(found.values()):
            found = {c: row or ([0.0] if _NOTHING.search(c) else []) for c, row in found.items()}
        rows = list(found.values())
        columns = [[v for v in column if v is not None] for column in zip_longest(*rows)]
        signed = any(v < 0 for row in rows for v in row) or any(
            re.search(r"(?<!\w)\+ ?\d", choice) for choice in choices
        )
        percent = bool(choices) and all(re.search(r"\d ?%", choice) for choice in choices)
        ordered = [sorted(set(column)) for column in columns]
        steps = [b - a for column in ordered for a, b in zip(column, column[1:], strict=False)]
        spans = tuple(max(c) - min(c) for c in columns if c)
        return cls(found, spans, signed, percent, min(steps, default=0.0))

    def span(self, position: int, *values: float) -> float:
        """Return what a distance is compared with: the span, or the size of the values without one."""
        span = self.spans[position] if position < len(self.spans) else 0.0
        return span or max(*(abs(value) for value in values), 1e-12)


def _numbers_in(choice: str) -> list[float]:
    """Return the numbers of an option that are no dates; a hyphen between two numbers is no sign."""
    plain = _DATE.sub(" ", choice)
    plain = re.sub(r"(?<=[\d%]) ?-(?=\d)", " to ", plain)
    return [_value(match) for match in _NUMBER.findall(plain)]


def _score(finding: Finding, choice: str, numbers: Numbers) -> float | None:
    parts = (
        _by_label(finding, choice),
        _by_number(finding, choice, numbers),
        _by_word(finding, choice, numbers),
    )
    known = [part for part in parts if part is not None]
    return sum(known) if known else None


def _by_label(finding: Finding, choice: str) -> float | None:
    if not finding.labels or not any(finding.labels):
        return None
    named = [_names(label, choice) for label in finding.labels]
    share = sum(named) / len(named)
    return 6.0 * share - 3.0


def _names(label: str, choice: str) -> bool:
    """Return whether an option names a date or a name."""
    label = label.lower()
    if period := re.fullmatch(r"(\d{4})-(\d\d)", label):
        name = month_name[int(period[2])].lower()
        in_year = rf",? {period[1]}\b" if re.search(r"\d{4}", choice) else r"(?!\w)"
        return re.search(rf"{label}|\b(?:{name}|{name[:3]}\.?){in_year}", choice) is not None
    if not re.fullmatch(r"\d{4}-\d\d-\d\d.*", label):
        if re.search(rf"(?<!\w){re.escape(label)}(?!\w)", choice) is not None:
            return True
        if (bare := re.sub(r" \d{4}$", "", label)) != label and not re.search(r"\d{4}", choice):
            return re.search(rf"(?<!\w){re.escape(bare)}(?!\w)", choice) is not None
        # One of the two may be misspelled: "schrubland" in the data, "shrubland" in the options.
        return len(label) >= _LONG and OSA.distance(label, choice, score_cutoff=1) <= 1
    year, month, day = (int(part) for part in label[:10].split("-"))
    name = month_name[month].lower()
    names = rf"(?:{name}|{name[:3]}\.?)"
    pattern = rf"{label[:10]}|\b{names} 0?{day}\b(?!\d)|\b0?{day}(?:st|nd|rd|th)? {names}\b"
    return re.search(pattern, choice) is not None and (str(year) in choice or not re.search(r"\d{4}", choice))


def _by_number(finding: Finding, choice: str, numbers: Numbers) -> float | None:
    """Return minus the distance of the nearest of an option's numbers to each number found."""
    options = numbers.rows[choice]
    wanted = _numbers_of(finding, numbers)
    if not options or not wanted:
        return None
    falls = _FALLING.search(choice) is not None
    total = 0.0
    for target in wanted[: len(options)]:
        total += min(
            _distance(target, option, numbers.span(position, target, option), numbers.signed, falls)
            for position, option in enumerate(options)
        )
    return -total


def _numbers_of(finding: Finding, numbers: Numbers) -> list[float]:
    values = [finding.value] if finding.value is not None else []
    if not finding.labels or finding.value is None:
        values += [v for v in finding.numbers if v not in values]
    scale = 100.0 if numbers.percent and finding.unit == "1" else 1.0
    return [scale * v for v in values if v is not None]


def _distance(target: float, option: float, span: float, signed: bool, falls: bool) -> float:
    """Return how far two numbers are apart in spans of the options: 0 to 2."""
    compared = target if signed else abs(target)
    chosen = -abs(option) if falls and (signed or target > 0) else option if signed else abs(option)
    apart = abs(compared - chosen) / span
    # Far beyond all options the nearest must still win, but one number not outweigh the others.
    return 2.0 * apart / (1.0 + apart)


def _gap(target: float, choice: str, numbers: Numbers) -> float | None:
    """Return how far an option's nearest number is from one that was found; ``None`` without a number."""
    size = float if numbers.signed else abs
    falls = numbers.signed and _FALLING.search(choice) is not None
    options = [-abs(option) if falls else size(option) for option in numbers.rows[choice]]
    return min((abs(size(target) - option) for option in options), default=None)


def _by_word(finding: Finding, choice: str, numbers: Numbers) -> float | None:
    rising, falling = bool(_RISING.search(choice)), bool(_FALLING.search(choice))
    if finding.text.startswith(("No, there is no significant", "There is no significant")):
        return 1.0 if _NOTHING.search(choice) or choice.startswith("no") else -1.0
    if finding.text.startswith("Yes, there is a significant"):
        if _NOTHING.search(choice):
            return -1.0
        up = "upward" in finding.text
        return None if rising == falling else 1.0 if rising == up else -1.0
    if finding.value and _NOTHING.search(choice):
        return 1.0 if numbers.rows[choice] == [0.0] else None  # no change has no wrong direction
    if not finding.value or rising == falling:
        return None
    return 1.0 if (finding.value > 0) == rising else -1.0


def _far(finding: Finding, choices: Sequence[str]) -> bool:
    """Return whether what was found is none of the options: no label of it, or no number near it."""
    if finding.labels and any(finding.labels):
        return not any(_names(label, choice) for label in finding.labels for choice in choices)
    if _are_ranges(choices):
        return finding.value is not None and _by_range(choices, finding) is None
    rows = [_numbers_in(choice) for choice in choices]
    if finding.value is None or len(choices) < 2 or any(len(row) != 1 for row in rows):
        return False
    numbers = Numbers.of(choices)
    target = _numbers_of(finding, numbers)[0]
    gaps = [gap for choice in choices if (gap := _gap(target, choice, numbers)) is not None]
    # A count is one of them or none, but that large ones are rounded.
    counted = finding.unit in COUNTED and bool(gaps) and min(gaps) > _ROUNDING * abs(target)
    return counted or 0 < numbers.step / 2 < min(gaps)
