"""An answer beside the columns of what it rests on: what it says, of which dates, classes and zones."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from treeline.core.engine.checks import COUNT
from treeline.core.engine.state import Step
from treeline.core.engine.verification.claims import SPANS, Claim, claims_in, dates_in
from treeline.core.engine.verification.clauses import (
    clauses_of,
    goes_on_from,
    headings_of,
    is_appositive,
    is_lone_extreme,
    refers,
    without_standard,
)
from treeline.core.engine.verification.columns import Column
from treeline.core.engine.verification.degree_words import (
    end_in_time,
    with_verb_of,
    with_what_it_is_more_than,
)
from treeline.core.engine.verification.evidence import Evidence
from treeline.core.engine.verification.facts import Fact, facts_of
from treeline.core.engine.verification.guesses import is_guess
from treeline.core.engine.verification.labels import columns_for, find_dates, find_names, labels_in
from treeline.core.engine.verification.origins import Origins
from treeline.core.engine.verification.percent import change_of
from treeline.core.engine.verification.phrases import multiplies, way
from treeline.core.engine.verification.sentence_grounds import Grounds, Verdict, changes_of_labels, ends_of
from treeline.core.engine.verification.statements import verdicts
from treeline.core.engine.verification.statistic_words import (
    find_statistics,
    statistic_of,
    with_statistic_of,
)


def _is_count(claim: Claim) -> bool:
    """Return whether a number tells how many things there are, or how long something took."""
    return claim.unit == COUNT or claim.thing in SPANS or bool(claim.thing) and claim.number % 1 == 0


# What is told more coarsely, in parts of it, is some number of the results by chance.
_COARSE = 0.1
# What stands in brackets tells more of what a clause is of: by share it leads with 76 % (387 ha).
_IN_BRACKETS = re.compile(r"\([^()]*\)")
_ASIDE = re.compile(r", (?:though|although|while|despite) [^,;]*,")
# Of longer columns some two numbers differ by anything.
_MOST_PAIRED = 12


def _table(column: Column) -> tuple[str, str, bool, frozenset[str]]:
    """Return what the columns of one table by date and by class have in common."""
    return column.quantity, column.unit, column.dated, frozenset(column.numbers)


@dataclass(frozen=True)
class AnswerColumns:
    """An answer beside the columns of what it rests on.

    Attributes
    ----------
    question, text, option : str
        The option is that which was chosen; empty where there is none.
    claims : sequence of Claim
        The numbers of the text that are not those of the question.
    value : Claim, optional
        The number of the answer.
    columns : sequence of Column
        The columns of the results.
    years : mapping
        Of how many dates of each year the data have rasters.
    legend : mapping
        Names of classes by their number, as text.
    origins : mapping
        What the results of each step were computed from, by its number.
    """

    question: str
    text: str
    option: str
    claims: Sequence[Claim]
    value: Claim | None
    columns: Sequence[Column]
    steps: Sequence[Step]
    evidence: Evidence
    years: Mapping[str, int] = field(default_factory=dict)
    legend: Mapping[str, str] = field(default_factory=dict)
    origins: Mapping[int, Origins] = field(default_factory=dict)

    @cached_property
    def clauses(self) -> list[str]:
        """What the answer states, one thing each; a chosen option is one too.

        What only refers to the clause before, as "which is the lowest", begins with what that names.
        """
        found, before, nearest = list[str](), list[str](), list[str]()
        for clause in clauses_of(self.text):
            if found and (dates := dates_in(found[-1])):
                clause = goes_on_from(clause, max(dates))
            if found:
                clause = with_verb_of(", ".join(found[-2:]), with_statistic_of(found[-1], clause))
            if before:
                clause = with_what_it_is_more_than(clause, before[0])
            if found and not before and (label := self._label_told(found[-1])) and is_lone_extreme(clause):
                clause = f"{label}: {clause}"
            own = labels_in(clause, self.columns)
            begins = clause[:1].isupper()  # a sentence of its own
            if nearest and not begins and is_appositive(clause):  # "than in April, the coolest month"
                clause, own = f"{nearest[-1]}: {clause}", nearest[-1:]
                nearest = own
            elif len(before) == 1 and refers(clause, before[0]):
                nearest = own or before
                clause, own = f"{before[0]}: {clause}", before
            else:
                nearest = own or nearest
            # "Cooler than the land below 300 m, and it ..." goes on of what is cooler.
            before = (labels_in(without_standard(clause), self.columns) if own else own) or before
            found.append(clause)
        return [*found, *([self.option] if self.option else [])]

    @cached_property
    def headings(self) -> list[str]:
        """What each clause stands below, in their order; empty for one that stands below nothing."""
        return [*headings_of(self.text), *([""] if self.option else [])]

    def _label_told(self, clause: str) -> str:
        """Return what the only number of a clause is of, where results have it of one date or name alone."""
        told = [claim for claim in claims_in(clause) if not claim.limit]
        several = [column for column in self.columns if column.has_several]
        labels = {
            label
            for claim in told
            for column in several
            for label, number in column.numbers.items()
            if abs(number - claim.number) <= claim.half * (1 + 1e-6)
        }
        return labels.pop() if len(told) == 1 and len(labels) == 1 else ""

    @cached_property
    def facts(self) -> list[Fact]:
        """The numbers of the results, with what they are."""
        return facts_of(self.steps, self.origins, self.columns)

    @cached_property
    def names_of_facts(self) -> frozenset[str]:
        """The classes and zones that numbers of the results are of."""
        return frozenset[str]().union(*(fact.names for fact in self.facts))

    @cached_property
    def tabled_names(self) -> frozenset[str]:
        """The classes and zones that stand in a table."""
        return frozenset(label for column in self.columns if not column.dated for label in column.numbers)

    @cached_property
    def ground(self) -> Grounds:
        """What sentences are held against."""
        return Grounds(
            self.columns,
            self.evidence.units,
            dates_in(self.question),
            find_names(self.question, self.columns),
            self.question,
            self.evidence.told,
            self.evidence.usual,
        )

    @cached_property
    def changes(self) -> list[Column]:
        """How much classes and zones change between the dates that are spoken of, by their names."""
        return changes_of_labels(self.columns, dates_in(f"{self.question} {self.text}"))

    def verdicts(self, sentence: str) -> list[Verdict]:
        """Return the verdicts of the columns on a sentence.

        None is false on a guess, nor where the numbers of the sentence are those of others.
        """
        if sentence not in self._judged:
            told = _ASIDE.sub(" ", sentence)
            found = list(verdicts(self.ground, told))
            own = self.narrowed(sentence)
            if own is not self and not all(verdict.true for verdict in found):
                in_own = list(verdicts(own.ground, told))
                found = found if not all(verdict.true for verdict in in_own) else in_own
            unsure = is_guess(sentence) or self.is_of_others(sentence)
            self._judged[sentence] = [each for each in found if each.true] if unsure else found
        return self._judged[sentence]

    def narrowed(self, clause: str) -> AnswerColumns:
        """Return the answer beside those columns alone that the numbers of a clause are of.

        What has most by its share need not have most pixels, nor what fell most in one year in another: where
        a clause tells the number of a label that it names, it is of that table. Where it tells none, or none
        of a table, all columns stand.
        """
        clause = _ASIDE.sub(" ", self.with_its_number(clause))
        bare = _IN_BRACKETS.sub(" ", clause)
        own = self._columns_told(bare if claims_in(bare) else clause)
        return replace(self, columns=own) if own and len(own) < len(self.columns) else self

    def with_its_number(self, clause: str) -> str:
        """Return a clause with the next one, where that tells its number: has the largest share, 18 %."""
        place = self.clauses.index(clause) + 1 if clause in self.clauses else 0
        following = self.clauses[place] if 0 < place < len(self.clauses) else ""
        goes_on = not following[:1].isupper() and not labels_in(following, self.columns)
        alone = all(claim.limit for claim in claims_in(clause))
        return f"{clause}, {following}" if following and goes_on and alone else clause

    def _columns_told(self, clause: str) -> list[Column]:
        """Return the columns with a number of a label as a clause tells both, and those of their tables."""
        claims = [c for c in claims_in(clause) if not (c.limit or _is_count(c) or c.unit == "1")]
        labels = [*find_dates(clause, self.columns), *find_names(clause, self.columns)]
        numbers = {
            row[0]
            for column in self.columns
            for label in labels
            if column.has_several and len(row := column.under(label)) == 1 and row[0]
            for claim in claims
            if not column.is_of_other_quantity(claim.unit) and self.shows(claim, row)
        }
        # A number that stands in a table by date and by class is in a column of each.
        told = [c for c in self.columns if c.has_several and not numbers.isdisjoint(c.numbers.values())]
        tables = {_table(column) for column in told if column.of}
        return [c for c in self.columns if c in told or c.of and _table(c) in tables]

    @cached_property
    def _judged(self) -> dict[str, list[Verdict]]:
        """The verdicts on the sentences so far: each of its numbers asks for those on a whole sentence."""
        return {}

    def is_of_others(self, sentence: str) -> bool:
        """Return whether a sentence states numbers of results, none of which labels have or differ by."""
        told = [
            c
            for c in claims_in(sentence)
            if not c.limit
            and not _is_count(c)
            and c.text not in self.tabled_names
            and c.half <= _COARSE * abs(c.number)
            and not (c.unit == "1" and multiplies(sentence))
        ]
        found = [n for n in self.evidence.numbers if n not in self.evidence.noted]
        shown = [claim for claim in told if self.shows(claim, found)]
        return bool(shown) and not any(self.shows(claim, self._labelled) for claim in shown)

    @cached_property
    def _labelled(self) -> list[float]:
        """The numbers of columns, and what those of short ones differ by, also in per cent."""
        found = [n for column in self.columns for n in column.numbers.values()]
        short = [[*c.numbers.values()] for c in self.columns if len(c.numbers) <= _MOST_PAIRED]
        pairs = [pair for row in short for pair in itertools.permutations(row, 2)]
        return [*found, *(a - b for a, b in pairs), *(change_of(a, b) for a, b in pairs if a)]

    def holds(self, claim: Claim) -> bool:
        """Return whether a number is a limit in a true sentence, how many lie beyond one, or a change."""
        of = self._clauses_by_claim.get(claim, [])
        if any(self._is_change(claim, part) for part in of):
            return True
        verdicts = [verdict for part in of for verdict in self.verdicts(part)]
        return any(v.true and (claim.limit or claim.number == v.count) for v in verdicts)

    @cached_property
    def _clauses_by_claim(self) -> dict[Claim, list[str]]:
        """The clauses that state each number, so that a text is read once and not for each of them."""
        found: dict[Claim, list[str]] = {}
        for clause in self.clauses:
            for claim in dict.fromkeys(claims_in(clause)):
                found.setdefault(claim, []).append(clause)
        return found

    def _is_change(self, claim: Claim, clause: str) -> bool:
        """Return whether a number tells how much something changes between the ends that its clause names.

        How much a share changes is told in points of per cent, and is no change in per cent; what changes in
        a unit of time is a rate.
        """
        said = way(clause)
        if not said or claim.limit or claim.per or claim.unit in ("", "%"):
            return False
        moves = [e for e in ends_of(self.ground, clause) if e.change * said > 0]
        return any(
            claim.unit in self.evidence.units.get(each.first, ()) and self.shows(claim, [abs(each.change)])
            for each in moves
        )

    @cached_property
    def labels(self) -> list[str]:
        """The dates, classes and zones that the answer names."""
        return labels_in(f"{self.text} {self.option}", self.columns)

    @cached_property
    def only_number(self) -> Claim | None:
        """The number of an answer that states one."""
        numbers = {claim.number: claim for claim in self.claims or claims_in(self.option)}
        if self.value is not None:
            numbers.setdefault(self.value.number, self.value)
        rounded = [
            c for c in numbers.values() if self.value is None or abs(c.number - self.value.number) > c.half
        ]
        return (
            self.value
            if self.value and not rounded
            else rounded[0]
            if len(rounded) == 1 and not self.value
            else None
        )

    @cached_property
    def records(self) -> list[Mapping[str, Any]]:
        """The results that are records."""
        return [step.observation.value for step in self.steps if isinstance(step.observation.value, dict)]

    @cached_property
    def asks_of_label(self) -> bool:
        """Whether the question asks for the statistic of one label, such as the maximum of a year.

        Of a time that has several numbers, one of them may be called the largest: that is no statistic of it.
        """
        named = find_statistics(self.question)
        if len(named) > 2:  # it asks for a table of them
            return False
        known = [c for c in self.columns if statistic_of(c.quantity) in named]
        labels = labels_in(self.question, known)
        return len(labels) == 1 and not any(len(column.under(labels[0])) > 1 for column in known)

    def labels_of_question(self) -> list[str]:
        """Return the dates, classes and zones that the question names; the first or last date counts."""
        named = labels_in(self.question, self.columns)
        end = end_in_time(self.question)
        dated = [column for column in self.columns if column.dated and column.has_several]
        if named or not end or len(dated) != 1:
            return named
        return [min(dated[0].numbers) if end == -1 else max(dated[0].numbers)]

    def shows(self, claim: Claim, numbers: Sequence[float]) -> bool:
        """Return whether one of some numbers is what is claimed."""
        return any(self._shows_one(claim, number) for number in numbers)

    def _shows_one(self, claim: Claim, number: float) -> bool:
        known = self._shown.get((claim, number))
        if known is None:
            alone = replace(self._nothing, numbers=(number,))
            known = self._shown[claim, number] = alone.shows(claim, falls=True)
        return known

    @cached_property
    def _shown(self) -> dict[tuple[Claim, float], bool]:
        """Which number is what is claimed: each rule asks it of the same ones."""
        return {}

    @cached_property
    def _nothing(self) -> Evidence:
        return Evidence(units=self.evidence.units, computed=self.evidence.computed)

    def with_numbers(self, units: Mapping[float, tuple[str, ...]]) -> Evidence:
        """Return evidence of some numbers alone, with their units."""
        return Evidence(tuple(units), units=units)

    def wrong_label(self, claim: Claim, label: str, clause: str) -> str:
        """Return why a number is not that of a label, where it is that of another; else nothing."""
        own = [n for column in columns_for(clause, self.columns) for n in column.under(label)]
        if not own or self.shows(claim, [*own, *self.evidence.noted]):
            return ""
        for column in self.columns:
            if column.under(label):
                others = [o for o, n in column.numbers.items() if self.shows(claim, [n])]
                if others:
                    held = ", ".join(f"{n:.6g}" for n in list(dict.fromkeys(own))[:3])
                    other = others[0] if others[0] != label else column.of
                    return f"{claim.text} is of {other}; {label} has {held}."
        return ""
