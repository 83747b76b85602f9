"""What an answer says that classes and marks of rasters that tools made mean, and how much of which there is.

Class 2 of burn severity is unburned ground, and what a viewshed does not mark cannot be seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from treeline.core.engine.state import Step
from treeline.core.engine.verification.answer_columns import AnswerColumns
from treeline.core.engine.verification.claims import Claim, claims_in
from treeline.core.engine.verification.clauses import clauses_of, is_negated, sentences
from treeline.core.engine.verification.columns import Column
from treeline.core.engine.verification.labels import find_names
from treeline.core.engine.verification.product_legends import legends_of_steps, marks_of_steps
from treeline.core.engine.verification.results import is_number, numbers_in

# Between a number and what it is said to mean, either of which stands first.
_MEANS = (
    r"(?:\s?(?:[,(=:\u2013-]|is|are|was|were|means?|stands for|denotes|i\.?e\.?,?|that is,?|which|namely|"
    r"called|the|of|for|areas?|land|ground|pixels?|parts?|burn(?:ed|t)?|one|ones|with))*\s?"
)


# What is told of ground that a mask does not mark, and of what it does.
_REST = re.compile(
    r"\b(?:not?|none|neither|nor|never|cannot|without|rest|remain\w*|others?|otherwise|elsewhere|else|outside|"
    r"beyond|excluded?|excluding|hidden|hides?|invisible|unseen|unmarked|blocked|obscured|concealed|screened|"
    r"sheltered|shad(?:ow|ed)\w*|out of (?:sight|view)|dead (?:ground|zone)|blind|background|free|clear|"
    r"unaffected|untouched|unchanged|un\w+ed|lack\w*|miss\w*|less|below|under|dry|except|apart from|"
    r"(?:class|value|code|number|category) 0|zeros?)\b|n't\b|\|\s*0\s*\|",
    re.I,
)
_DENIES = re.compile(
    r"\b(?:is|are|was|were|can|could|does|do|did|has|have|had|lies?)(?:n't| not)\b|\bcannot\b|"
    r"\b(?:hidden|invisible|unseen|unmarked|out of (?:sight|view)|dead ground|outside)\b|"
    r"\b(?:class|value|code) 0\b",
    re.I,
)
_MARKS = {"0", "1"}
# Ways of ground that a mask of change marks: in names of classes and keys of results, and in answers.
_INCREASE, _DECREASE = re.compile(r"increas|gain|growth"), re.compile(r"decreas|loss|decline")
_DIRECTION = re.compile(
    r"\b(?:(?P<up>increas\w*|gain\w*|r[io]se[ns]?|rising|grew|grown|growth|(?:high|green|warm|hott|wett|moist|bright)er|"
    r"climb\w*|upwards?|positive(?:ly)?|improv\w*|recover\w*)|"
    r"decreas\w*|los[st]\w*|losing|lose|fell|falls?|fallen|drop\w*|declin\w*|(?:low|brown|cool|cold|dri|dark)er|"
    r"downwards?|negative(?:ly)?|degrad\w*|deteriorat\w*)\b",
    re.I,
)
_OR = re.compile(r"\bor\b")
_GROUND_THAT = {1: "increased", -1: "decreased", 0: "did not change"}


def find_misnamed_classes(answer: AnswerColumns) -> Iterator[str]:
    """Yield which classes of rasters that tools made are called what others of them are, in sentences."""
    legends = {tuple(sorted(legend.items())) for legend in legends_of_steps(answer.steps).values()}
    for legend in map(dict, sorted(legends)):
        for sentence in (*sentences(answer.text), answer.option):
            yield from _misnamed(sentence, legend)


def find_misplaced_classes(answer: AnswerColumns) -> Iterator[str]:
    """Yield how much there is of a class of a raster that a tool made, where that is of another of them."""
    legends = legends_of_steps(answer.steps)
    for step in answer.steps:
        legend, rows = legends.get(step.number, {}), _rows_by_class(step)
        known = Column(dict.fromkeys(legend.values(), 0.0))
        for clause in answer.clauses if rows and legend else ():
            named = find_names(clause, [known])
            told = [claim for claim in claims_in(clause) if claim in answer.claims and not claim.limit]
            if len(named) != 1 or is_negated(clause, clause.casefold().find(named[0])):
                continue
            own = [n for number, row in rows.items() if legend.get(number) == named[0] for n in row]
            for claim in told:
                of = [number for number, row in rows.items() if answer.shows(claim, row)]
                if of and not answer.shows(claim, own) and not _is_elsewhere(answer, claim, step):
                    yield f"{claim.text} is of {legend.get(of[0], of[0])}, not of {named[0]}."


def find_exchanged_marks(answer: AnswerColumns) -> Iterator[str]:
    """Yield how much ground a mask does not mark, where it is told of what it marks; and the other way."""
    marks = marks_of_steps(answer.steps)
    for step in answer.steps:
        rows = _rows_by_class(step) if step.number in marks else {}
        if rows.keys() != _MARKS:
            continue
        own = (marks[step.number].get("1", "marked"), marks[step.number].get("0", "not marked"))
        for sentence in (*sentences(answer.text), answer.option):
            both = all(_sides(answer, rows, sentence))
            for part in clauses_of(sentence) if both else (sentence,):
                marked, unmarked = _sides(answer, rows, part)
                if any(_is_elsewhere(answer, claim, step) for claim in (*marked, *unmarked)):
                    continue
                if unmarked and not marked and not _tells_rest(part, own[1]):
                    yield f"{unmarked[0].text} is of what the mask does not mark ({own[1]})."
                elif marked and not unmarked and _DENIES.search(part):
                    yield f"{marked[0].text} is of what the mask marks ({own[0]})."


def _sides(
    answer: AnswerColumns, rows: Mapping[str, Sequence[float]], part: str
) -> tuple[list[Claim], list[Claim]]:
    """Return the numbers of a part of an answer that are of marked ground alone, and of the rest alone."""
    told = [claim for claim in claims_in(part) if claim in answer.claims and not claim.limit]
    of = [(claim, answer.shows(claim, rows["1"]), answer.shows(claim, rows["0"])) for claim in told]
    marked = [claim for claim, one, other in of if one and not other]
    return marked, [claim for claim, one, other in of if other and not one]


def _tells_rest(clause: str, name: str) -> bool:
    """Return whether a clause is of what a mask does not mark, in words of a rest or in its own name."""
    return _REST.search(clause) is not None or re.search(rf"\b{re.escape(name)}\b", clause, re.I) is not None


def _rows_by_class(step: Step) -> dict[str, list[float]]:
    """Return the numbers of each class of a table, by its number as text."""
    rows: Sequence[Any] = step.observation.value if isinstance(step.observation.value, list) else []
    known = [row for row in rows if isinstance(row, dict) and is_number(row.get("class"))]
    return {
        f"{row['class']:g}": [float(n) for key, n in row.items() if key != "class" and is_number(n)]
        for row in known
    }


def _is_elsewhere(answer: AnswerColumns, claim: Claim, step: Step) -> bool:
    """Return whether another step found a number, too."""
    others = [n for each in answer.steps if each is not step for n in numbers_in(each.observation.value)]
    return answer.shows(claim, others)


def find_exchanged_directions(answer: AnswerColumns) -> Iterator[str]:
    """Yield how much ground gained, where it is told of what lost, of a mask of change; and the other way."""
    legends = legends_of_steps(answer.steps)
    for step in answer.steps:
        ways = _ways_of_ground(step, legends.get(step.number, {}))
        for sentence in sentences(answer.text) if ways[1] and ways[-1] else ():
            yield from _exchanged(answer, sentence, ways)


def _ways_of_ground(step: Step, legend: Mapping[str, str]) -> dict[int, list[float]]:
    """Return the numbers of ground that gained (1), of what lost (-1) and of what did neither (0)."""
    found: dict[int, list[float]] = {1: [], -1: [], 0: []}
    value = step.observation.value
    for key, number in value.items() if isinstance(value, dict) else ():
        if (of := _way_of_name(str(key))) and is_number(number):
            found[of].append(float(number))
    for number, row in _rows_by_class(step).items() if legend else ():
        found[_way_of_name(legend.get(number, ""))] += row
    return found


def _way_of_name(name: str) -> int:
    return 1 if _INCREASE.match(name) else -1 if _DECREASE.match(name) else 0


def _exchanged(answer: AnswerColumns, sentence: str, ways: Mapping[int, Sequence[float]]) -> Iterator[str]:
    words = [
        (match.start(), 1 if match["up"] else -1)
        for match in _DIRECTION.finditer(sentence)
        if not is_negated(_OR.sub("  ", sentence), match.start())  # 9.1 %, or 9.2 ha, denies nothing
    ]
    told: list[tuple[int, Claim, int]] = []
    for claim in claims_in(sentence):
        of = [way for way, numbers in ways.items() if answer.shows(claim, numbers)]
        if claim in answer.claims and not claim.limit and len(of) == 1:
            told.append((sentence.find(claim.text), claim, of[0]))
    in_turn = _take_turns([place for place, _ in words], [place for place, _, _ in told])
    if not words:
        return
    for n, (place, claim, own) in enumerate(told):
        before = [way for at, way in words if at < place]
        if len(words) > 1 and not in_turn and not before:
            return  # which word each number belongs to is not told
        said = words[min(n, len(words) - 1)][1] if in_turn or len(words) == 1 else before[-1]
        if own != said and not (own == 0 and _REST.search(sentence)):
            yield f"{claim.text} is of what {_GROUND_THAT[own]}."


def _take_turns(one: Sequence[int], other: Sequence[int]) -> bool:
    """Return whether as many places of one kind as of another stand in turn."""
    pairs = [*zip(one, other, strict=False)]
    before = [a < b for a, b in pairs]
    merged = [place for a, b in pairs for place in sorted((a, b))]
    return len(one) == len(other) and len(set(before)) == 1 and merged == sorted(merged)


def _misnamed(sentence: str, legend: Mapping[str, str]) -> Iterator[str]:
    names = {name: number for number, name in legend.items()}
    words = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    named = rf"(?<![\w-])(?P<name>{words})(?![\w-])"
    for pattern in (
        rf"\b(?:class|level|category|value|code) (?P<number>\d{{1,2}})\b{_MEANS}{named}",
        rf"{named}{_MEANS}\b(?:class|level|category|value|code) (?P<number>\d{{1,2}})\b",
    ):
        for match in re.finditer(pattern, sentence, re.I):
            number, name = match["number"], match["name"].casefold()
            if number in legend and names[name] != number and not is_negated(sentence, match.start("name")):
                yield f"Class {number} is {legend[number]}; {name} is class {names[name]}."
