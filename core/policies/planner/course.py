"""The course from a question to its answer: read it, carry out what it stands for, say what was found."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from treeline.core.context.guardrails import Guardrail
from treeline.core.engine.actions import ASKING, OFFERING, Answer, AnswerPart, Decision
from treeline.core.engine.actions import Reading as Choice
from treeline.core.engine.disclosure import Disclosure
from treeline.core.engine.rundata import RunData
from treeline.core.engine.verification.grounds import empty_map
from treeline.core.policies.planner.advice import NO_ADVICE, Advice, find_pitfalls
from treeline.core.policies.planner.answering import Finding
from treeline.core.policies.planner.choices import (
    choose,
    complete_by_direction,
    doubt,
    doubt_direction,
    name_options,
    unit_of_options,
    with_titles,
)
from treeline.core.policies.planner.derivation import Derivation, DerivedRole, RoleRequest
from treeline.core.policies.planner.each_option import EachOption, ask_each_option
from treeline.core.policies.planner.figures import join_words
from treeline.core.policies.planner.grounds import Grounds
from treeline.core.policies.planner.layers import layers_of, months_of_no_year
from treeline.core.policies.planner.materials import TAKEN_FROM, Materials
from treeline.core.policies.planner.named_tools import told_tool
from treeline.core.policies.planner.outcomes import (
    NO_PIXEL,
    Outcome,
    agree,
    both_ways,
    differ_in_clouds,
    expression_to_follow,
    fullest_of,
    in_unit,
    of_options,
    short_text,
    text_of,
)
from treeline.core.policies.planner.phrases import phrase
from treeline.core.policies.planner.plan import (
    CannotAnswer,
    Feedback,
    Plan,
    Steps,
)
from treeline.core.policies.planner.remarks import coarser_left_out, files_left_out, warnings_in
from treeline.core.policies.planner.scope import (
    NOTHING,
    HandedLayers,
    allowed_layers,
    allowed_tools,
    obey,
    preferred_tools,
    tools_under,
)
from treeline.core.policies.planner.variables import at_site
from treeline.core.policies.planner.work import Work
from treeline.core.policies.reading_choice import AS_IT_STANDS, HowToRead
from treeline.core.query.dates import find_no_days
from treeline.core.query.examples import asks_for_help
from treeline.core.query.expression import Node, Several
from treeline.core.query.form import from_json, to_json
from treeline.core.query.holdings import inventory_of
from treeline.core.query.inventory import STATIC_ROLES, Inventory
from treeline.core.query.kinds import IllTyped, kind_of
from treeline.core.query.largest import largest_part
from treeline.core.query.names import names_of
from treeline.core.query.reading import Reading
from treeline.core.query.sayings import CannotSay
from treeline.core.query.titles import short_title
from treeline.core.query.wording import lightest_wording, read_plainly
from treeline.core.workspace.area import without_rasters
from treeline.core.workspace.class_names import NamesBeside
from treeline.toolkit.errors import UnknownTool
from treeline.toolkit.index.catalogue import indices
from treeline.toolkit.raster.classes import CLASS_ROLES, STYLE, class_legend, usual_colour
from treeline.toolkit.raster.source import Source
from treeline.toolkit.variables import VARIABLES

T = TypeVar("T")
# A person is asked to choose among no more than these.
_MOST_READINGS = 4
# So many reasons why files hold nothing that is known are told; the Data page has all.
_MOST_REASONS = 2
_MOST_TITLES = 5
_MOST_NAMES = 3
# Of two years, so that what is asked of months, seasons or years could be read of them.
_SUPPOSED = tuple(dt.date(year, month, 15) for year in (2020, 2021) for month in range(1, 13))
_OF_SCENES = ("reflectance", "quality")
_MOST_FOUND = 2 * _MOST_READINGS  # each with clouds and without
Reader = Callable[[str, Inventory, Node | None], Reading]

# What tools write on the way: it is made of a condition that only a question can give.
_NO_VARIABLES = frozenset(
    {
        "mask",
        "distance",
        "difference",
        "absolute_difference",
        "composite",
        "expression",
        "classes",
        "emissivity",
        "zone_values",
    }
)


@dataclass(frozen=True, slots=True)
class Interpretation:
    """What is to be carried out of a question.

    Attributes
    ----------
    expressions : sequence of Node
    chosen : int
        Which of what they give is meant, from 1; 0 where that is open.
    first : int
        The number of the first reading, where it is asked which is meant.
    left_out : str
        That a part of the question is left out, and which words.
    each : EachOption, optional
        Where the options are questions themselves, of which the one expression holds all.
    """

    expressions: Sequence[Node]
    chosen: int = 0
    first: int = 1
    left_out: str = ""
    each: EachOption | None = None


def of_offers(number: int, count: int) -> tuple[int, int, int]:
    """Return which offer a number stands for, which reading of it, and the first number of its readings.

    The offers come first; then, where an offer can be meant in several ways, the readings of each.
    """
    if number <= count:
        return number - 1, 0, count + 1 + (number - 1) * _MOST_FOUND
    offer, reading = divmod(number - count - 1, _MOST_FOUND)
    if offer >= count:
        raise CannotAnswer("There is no such reading of the question.", f"There are {count}.")
    return offer, reading + 1, 0


@dataclass(frozen=True)
class Courses:
    """What a course to an answer is made of.

    Attributes
    ----------
    rules : tuple of Guardrail
        What was learned from earlier attempts at the question.
    advice : Advice
        What the task card says.
    how : HowToRead
    reader : callable
        Reads the question.
    """

    data: RunData
    disclosure: Disclosure
    rules: tuple[Guardrail, ...] = ()
    handed: HandedLayers = NOTHING
    advice: Advice = NO_ADVICE
    how: HowToRead = AS_IT_STANDS
    reader: Reader = read_plainly

    def of(self, question: str, choices: tuple[str, ...] = ()) -> Generator[Decision, Feedback, None]:
        """Yield the decisions that lead to an answer; the last one is the answer."""
        work = self.work
        try:
            if not work.materials.derivation.layers and not self.inventory.grounds:
                raise CannotAnswer(
                    "The workspace holds no usable raster.", "Add GeoTIFF files, then ask again."
                )
            meant = self._interpret_options(question, choices)
            if meant is None:
                reading = self.read(complete_by_direction(name_options(question, choices), choices))
                meant = self.interpret(reading)
                if meant is None:
                    yield Decision(self._decline(reading), "I cannot read this question and say why.")
                    return
                for note in reading.notes if reading.status != "declined" or meant.left_out else ():
                    work.plan.remark(note)
            yield from look_around(work.plan, self.data, self.handed)
            choices = with_titles(choices, names_of(self.inventory)) if choices else ()
            found = yield from self._carry_out(meant, choices)
            for place, each in enumerate(found):
                found[place] = yield from of_options(work, each, choices)
            answer = self._answer(found, choices, meant)
            doubts = " ".join(filter(None, [meant.left_out, _tell_changed(work.plan.changed)]))
            text = f"{answer.text} {doubts}".strip()
            answer = replace(answer, text=text, unverified=doubts or answer.unverified)
            yield Decision(answer, _explain(answer))
        except CannotAnswer as problem:
            taken = [remark for remark in work.plan.remarks if remark.startswith(TAKEN_FROM)]
            yield Decision(
                Answer(" ".join([problem.text, *taken]), evidence=tuple(work.plan.evidence), declined=True),
                "I cannot answer this and say why.",
            )
        except UnknownTool as problem:
            yield Decision(
                Answer(str(problem), evidence=tuple(work.plan.evidence), declined=True),
                "A tool that I need is not at hand here.",
            )

    @cached_property
    def work(self) -> Work:
        """The work of this course in the data of the run."""
        tools = tools_under(self.disclosure)
        layers = allowed_layers(self.handed.beside(layers_of(self.data.workspace.collections)), self.rules)
        plan = Plan(tools, self.disclosure)
        preferred = (*preferred_tools(self.rules), *self.advice.tools)
        derivation = Derivation(allowed_tools(tools, self.rules), layers, preferred)
        materials = Materials(plan, derivation, self.handed.clear, self.how.one_by_one)
        chain = self.advice.tools if self.how.one_by_one else ()
        return Work(plan, materials, Grounds(self.data.workspace), area=self.data.area, chain=chain)

    @cached_property
    def inventory(self) -> Inventory:
        """What a question may name: what is there, and what tools can make of it."""
        derivation = self.work.materials.derivation
        methods = [tool.name.replace("_", " ") for tool in derivation.registry if tool.kit == "Inversion"]
        roles = _derivable_roles(derivation)
        return inventory_of(self.data.workspace, roles, methods, self.data.area is not None)

    def read(self, question: str) -> Reading:
        """Return what a question is read as; a fragment changes the question that it follows."""
        former = self._former()
        reading = self.reader(question, self.inventory, former)
        if former is None and self.how.former and reading.status == "declined":
            return replace(reading, notes=(*reading.notes, _EARLIER_FORM))
        return reading

    def _former(self) -> Node | None:
        """Return the expression of the question that is followed; ``None`` where its form is earlier."""
        try:
            return from_json(dict(self.how.former)) if self.how.former else None
        except ValueError:
            return None

    def say(self, expression: Node) -> str:
        """Return an expression in words."""
        try:
            return lightest_wording(expression, self.inventory)
        except CannotSay:
            return phrase(expression)

    def interpret(self, reading: Reading) -> Interpretation | None:
        """Return what is to be carried out; ``None`` where nothing of the question is."""
        number = self.how.reading
        if self.how.partial and reading.status != "read":
            part = largest_part(reading.question, self.inventory)
            return (
                Interpretation((part.expression,), number, left_out=_remark_on(part.left_out))
                if part
                else None
            )
        if reading.status != "declined":
            return Interpretation(reading.expressions, number)
        if number and reading.offers:
            offer, chosen, first = of_offers(number, len(reading.offers))
            return Interpretation((reading.offers[offer][1],), chosen, first)
        return None

    def _interpret_options(self, question: str, choices: tuple[str, ...]) -> Interpretation | None:
        """Return the questions that the options are as one; ``None`` where they are none that can be read."""
        each = ask_each_option(question, choices, names_of(self.inventory))
        readings = [self.read(asked) for asked in each.questions] if each is not None else []
        if each is None or not all(reading.status == "read" for reading in readings):
            return None
        answers = Several(tuple(reading.expressions[0] for reading in readings))
        for note in dict.fromkeys(note for reading in readings for note in reading.notes):
            self.work.plan.remark(note)
        return Interpretation((answers,), self.how.reading, each=each)

    def _decline(self, reading: Reading) -> Answer:
        if asks_for_help(reading.question):
            return Answer(self._what_to_ask(), declined=True)
        absent = dict(reading.missing)
        unknown, unplaced = reading.left_out
        by_hand = told_tool(self.work.plan.registry, reading.question, unknown, unplaced)
        reasons = [f"I do not know {quote_words(unknown)}."] if unknown else []
        unplaced = () if find_no_days(reading.question) else unplaced  # its note says what does not fit
        if unplaced and reading.offers:
            reasons.append(f"I cannot fit {quote_words(unplaced)} into the question.")
        elif unplaced:
            reasons.append(f"I know the words of {quote_words(unplaced)}, but cannot read them together.")
        reasons += filter(None, [by_hand])
        reasons += [*self._reasons_of_classes([*unknown, *unplaced]), *reading.notes]
        if not reasons and not absent:
            reasons.append("I cannot read that question.")
        reasons += filter(
            None, map(self.work.materials.ways_to, filter(None, dict.fromkeys(absent.values())))
        )
        if any(absent.values()):
            reasons += self._reasons_of_files()
        if not self.inventory.dates and (months := months_of_no_year(self.work.materials.derivation.layers)):
            reasons.append(months)
        elif undated := self._undated(reading):
            reasons.append(undated)
        text = " ".join(reasons)
        offers = tuple(Choice(n, said) for n, (said, _) in enumerate(reading.offers, start=1))
        if offers:
            text += f" {OFFERING}: {offers[0].read_as}."
        return Answer(text, declined=True, readings=offers)

    def _undated(self, reading: Reading) -> str:
        """Return that no raster has a date, where the question could be read if they had some."""
        layers = [one for one in self.work.materials.derivation.layers if one.role not in STATIC_ROLES]
        names = [item.address for layer in layers for item in layer.items]
        if self.inventory.dates or not names:
            return ""
        held = tuple(
            one if one.role in STATIC_ROLES else replace(one, dates=_SUPPOSED, images=len(_SUPPOSED))
            for one in self.inventory.holdings
        )
        supposed = self.reader(reading.question, replace(self.inventory, holdings=held), self._former())
        if supposed.uncovered or supposed.missing:
            return ""
        told = join_words(names) if len(names) <= _MOST_NAMES else f"{names[0]} and {len(names) - 1} more"
        return (
            f"The question is one of dates, and nothing tells that of {told}: say it in names "
            "(ndvi_2021-07-12.tif), on the Data page or by `treeline correct`."
        )

    def _what_to_ask(self) -> str:
        """Return what a question can be of, for somebody who asks for help."""
        # What a scene's bands are called says least of what can be asked.
        collections = sorted(
            self.data.workspace.collections.values(),
            key=lambda each: each.role in VARIABLES and VARIABLES[each.role].kind in _OF_SCENES,
        )
        titles = list(dict.fromkeys(filter(None, (short_title(each.role) for each in collections))))
        if len(titles) > _MOST_TITLES:
            titles = [*titles[:_MOST_TITLES], f"{len(titles) - _MOST_TITLES} other variables"]
        dates = sorted({m.date.date() for each in collections for m in each.members if m.date})
        there = f"There {'is' if len(titles) == 1 else 'are'} {join_words(titles)}" if titles else ""
        if dates:
            several = f"{len(dates)} dates from {dates[0]} to {dates[-1]}"
            there += f", of {several if len(dates) > 1 else dates[0]}"
        return f"Ask a question of the data here in plain words. {there}{'.' if there else ''}".strip()

    def _reasons_of_classes(self, words: Iterable[str]) -> list[str]:
        """Return that nothing names the classes that are there, where a question uses a usual name."""
        if not any(map(usual_colour, words)):
            return []
        firsts = (each.members[0] for each in self.data.workspace.collections.values())
        classes = (
            Source(first.description, first.band) for first in firsts if first.band.role in CLASS_ROLES
        )
        beside = NamesBeside(self.data.workspace)
        unnamed = [
            source.path for source in classes if not class_legend(source).names and not beside.of(source)
        ]
        return [
            f"{path.name} holds classes as numbers, and nothing says which number is what. Give them names "
            f"by a file beside it: on the page Data, add {path.stem}{STYLE} (the style that QGIS saves) or "
            f"{path.name}.aux.xml (GDAL's categories)."
            for path in unnamed[:1]
        ]

    def _reasons_of_files(self) -> list[str]:
        """Return why files hold no variable that is known, among which may be what is missing."""
        held: dict[str, list[str]] = {}
        for raster in self.data.workspace.rasters:
            if not any(band.role for band in raster.bands):
                for warning in raster.warnings[:1]:
                    held.setdefault(warning, []).append(raster.path.name)
        by_number = sorted(held.items(), key=lambda item: -len(item[1]))[:_MOST_REASONS]
        more = (f" and {len(names) - 1} more" * (len(names) > 1) for _, names in by_number)
        return [f"{names[0]}{rest}: {why}" for (why, names), rest in zip(by_number, more, strict=True)]

    def _carry_out(self, meant: Interpretation, choices: tuple[str, ...]) -> Steps[list[Outcome]]:
        """Return what each reading gives, with and without clouds where that matters; only the one meant.

        A reading that cannot be carried out is left out while another one can. A single number is given
        in the unit of the options, if they have one.
        """
        found: list[Outcome] = []
        problem: CannotAnswer | None = None
        common, unit = self.work.plan.account, unit_of_options(choices)
        for expression in meant.expressions[:_MOST_READINGS]:
            # What was noted before is of every reading; what each notes itself is of none of the others.
            self.work.plan.account = common.copy()
            obeyed, notes = obey(expression, self.rules)
            for note in notes:
                self.work.plan.remark(note)
            try:
                for each in (yield from self._of_each_place(check_types(obeyed), choices)):
                    found.append((yield from in_unit(self.work, each, unit)))
            except CannotAnswer as reason:
                problem = problem or reason
        if not found:
            raise problem or CannotAnswer("I cannot read that question.")
        if not meant.chosen:
            return found
        chosen = _nth(found, meant.chosen)
        if chosen.finding is NO_PIXEL:
            raise CannotAnswer(NO_PIXEL.text)
        return [chosen]

    def _of_each_place(self, expression: Node, choices: tuple[str, ...]) -> Steps[list[Outcome]]:
        """Return what an expression gives; of each of a few places where it names none of them."""
        common = self.work.plan.account
        found = yield from both_ways(self.work, expression)
        places = next((each.account.places for each in found if each.account.places), [])
        placed = [(place, at_site(place, expression)) for place in places]
        # Options are of one place, and nobody reads a list of many.
        if choices or not 1 < len(placed) <= _MOST_READINGS or placed[0][1] == expression:
            return found
        apart: list[Outcome] = []
        for _, there in placed:
            self.work.plan.account = common.copy()
            with suppress(CannotAnswer):
                apart += yield from both_ways(self.work, there)
        if len(apart) > len(found):
            return apart
        for each in found:
            each.account.places.clear()  # the others have nothing of what is asked
        return found

    def _answer(self, found: list[Outcome], choices: tuple[str, ...], meant: Interpretation) -> Answer:
        """Return the answer to the readings of a question: one, or several that may agree."""
        self.work.plan.account = found[0].account
        if (fullest := fullest_of(found)) is not None:
            self.work.plan.account = fullest.account
            return self._give(fullest, choices, meant)
        if not agree(found) and not self.how.partial:
            chosen = {_choose(each.finding, choices, meant) for each in found} if choices else {None}
            if chosen == {None} or len(chosen) > 1:
                return self._ask(found, meant.first)
        if len({each.finding.text for each in found}) > 1 and not self.how.partial:
            ways = "; ".join(self.say(each.expression) for each in found)
            self.work.plan.remark(f"So it is in each of {len(found)} readings: {ways}.")
        # Of a number with and without the date that it is of, the fuller is told.
        fuller = next((each for each in found if each.finding.labels), found[0])
        if fuller is not found[0] and agree(found):
            self.work.plan.account = fuller.account
            return self._give(fuller, choices, meant)
        return self._give(found[0], choices, meant)

    def _ask(self, found: Sequence[Outcome], first: int) -> Answer:
        readings = tuple(
            Choice(n, self.say(each.expression), text_of(each.finding))
            for n, each in enumerate(found, start=first)
        )
        told = (short_text(each) for each in found)
        lines = " ".join(f"({n}) {text}" for n, text in enumerate(told, start=first))
        shared = [
            one for one in found[0].account.remarks if all(one in each.account.remarks for each in found)
        ]
        why = (
            "Clouds make a difference here."
            if differ_in_clouds(found)
            else f"That can be meant in {len(readings)} ways that differ."
        )
        return Answer(
            " ".join([why, lines, *shared, ASKING]),
            evidence=tuple(self.work.plan.evidence),
            readings=readings,
            expression=expression_to_follow(found),
        )

    def _give(self, found: Outcome, choices: tuple[str, ...], meant: Interpretation) -> Answer:
        plan, finding, expression = self.work.plan, found.finding, found.expression
        if nothing := empty_map(finding.product, plan.observations):
            raise CannotAnswer(" ".join(nothing), " ".join(self.work.emptied))
        if self.data.area is not None and (beyond := without_rasters(self.data.area, self.data.workspace)):
            plan.remark(beyond)
        workspace, seen = self.data.workspace, plan.observations
        for remark in (*files_left_out(workspace.problems, seen), *coarser_left_out(workspace.coarser, seen)):
            plan.remark(remark)
        for pitfall in find_pitfalls(self.advice, self.work, expression):
            plan.remark(pitfall)
        aimless = "" if self.how.partial or meant.each else doubt_direction(expression, finding, choices)
        choice = None if aimless else _choose(finding, choices, meant)
        told = meant.each.tell(finding) if meant.each else finding.text
        seen = [*self.handed.met_by(plan.observations), *plan.observations]
        sentences = [told, *plan.remarks, *warnings_in(seen)]
        if choices and choice is None and not aimless and not meant.each:
            sentences.append("None of the options fits.")
        untold = "" if choices else untold_place(plan.account.places)
        unfit = meant.each.doubt(finding) if meant.each else doubt(finding, choices, choice)
        doubted = aimless or unfit or untold
        return Answer(
            " ".join(filter(None, [*sentences, doubted])),
            finding.value,
            finding.unit,
            choice,
            tuple(plan.evidence),
            read_as=self.say(expression),
            expression=to_json(expression),
            parts=self._parts(found),
            map=finding.product,
            unverified="" if self.how.partial else doubted,
        )

    def _parts(self, found: Outcome) -> tuple[AnswerPart, ...]:
        """Return the answers one by one where several things were asked in one."""
        expression, parts = found.expression, found.finding.parts
        if not isinstance(expression, Several):
            return ()
        return tuple(
            AnswerPart(self.say(node), part.text, part.value, part.unit)
            for node, part in zip(expression.of, parts, strict=True)
        )


def _choose(finding: Finding, choices: Sequence[str], meant: Interpretation) -> str | None:
    """Return the letter of the option that is meant, or fits."""
    return meant.each.choose(finding) if meant.each else choose(finding, choices)


def untold_place(places: Sequence[str]) -> str:
    """Return in a sentence that a question leaves open which of several places is meant."""
    return f"The question names none of {len(places)} places." if places else ""


_EARLIER_FORM = "The question before was kept in an earlier form and cannot be followed: ask in full."


def _derivable_roles(derivation: Derivation) -> list[str]:
    """Return the variables of the ground that tools can make of what is there."""
    known = [role for role in VARIABLES if role not in _NO_VARIABLES]
    found = derivation.find("emissivity", RoleRequest(lambda item: True))
    # Told apart from the temperature by a retrieval, it is a variable; made of the NDVI it is a means to one.
    beside = isinstance(found, DerivedRole) and (found.tool.band_of("emissivity") or 1) > 1
    more = ("emissivity",) if beside else ()
    return [role for role in (*known, *more, *_catalogued_roles()) if derivation.can_find(role)]


def _catalogued_roles() -> list[str]:
    """Return the roles of spectral indices that the catalogue alone knows, where the name is that of one.

    Names of three letters and fewer are other things as well (TWI, TCI, SI).
    """
    roles = Counter(index.role for index in indices().values())
    return [role for role, count in roles.items() if role not in VARIABLES and count == 1 and len(role) > 3]


def look_around(plan: Plan, data: RunData, handed: HandedLayers = NOTHING) -> Steps[None]:
    """List the folder first, where the workspace is a single folder of files and nobody did before."""
    if handed.looked:
        return
    folders = [source for source in data.workspace.sources if Path(source).is_dir()]
    if len(folders) == 1 and "get_filelist" in plan.registry:
        yield from plan.call("get_filelist", "First I look at what there is.", dir_path=str(folders[0]))


def quote_words(words: tuple[str, ...]) -> str:
    """Return words in quotation marks, as a list in a sentence."""
    return ", ".join(f"\u201c{word}\u201d" for word in words)


def _remark_on(words: tuple[str, ...]) -> str:
    return "Only a part of the question was read" + (
        f"; it leaves out {quote_words(words)}." if words else "."
    )


def _nth(items: Sequence[T], number: int) -> T:
    if number > len(items):
        raise CannotAnswer("There is no such reading of the question.", f"There are {len(items)}.")
    return items[number - 1]


def _tell_changed(changed: Sequence[str]) -> str:
    """Return that an answer is of other calls than those that its question was read as."""
    if not changed:
        return ""
    told = "; ".join(changed)
    return f"Not as planned: {told} changed, so this is not what the question was read as."


def _explain(answer: Answer) -> str:
    return "I ask which is meant." if answer.readings else "That answers the question."


def check_types(expression: Node) -> Node:
    """Return an expression whose nodes fit together.

    Raises
    ------
    CannotAnswer
        They do not; says which and why.
    """
    try:
        kind_of(expression)
    except IllTyped as error:
        raise CannotAnswer(str(error)) from error
    return expression
