"""The planner as a policy: it has the question read, carries the expression out, and answers."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from pathlib import Path

from treeline.core.context.guardrails import Guardrail, of_context
from treeline.core.disclosure import Disclosure, Progressive
from treeline.core.engine.actions import Action, Answer, Call, Decision
from treeline.core.engine.actions import Reading as Choice
from treeline.core.engine.rundata import RunData
from treeline.core.engine.state import State
from treeline.core.policies.planning.advice import NO_ADVICE, Advice, advice_of, pitfalls_met
from treeline.core.policies.planning.answering import Finding, finding_of
from treeline.core.policies.planning.choices import choose
from treeline.core.policies.planning.derivation import Derivation
from treeline.core.policies.planning.grounds import Grounds
from treeline.core.policies.planning.handed import NOTHING, Handed, tools_under
from treeline.core.policies.planning.layers import layers_of
from treeline.core.policies.planning.materials import Materials
from treeline.core.policies.planning.phrases import phrase
from treeline.core.policies.planning.plan import CannotAnswer, Feedback, NoPixel, Plan, Steps
from treeline.core.policies.planning.remarks import heard, unread
from treeline.core.policies.planning.restraint import (
    allowed_layers,
    allowed_tools,
    masked,
    obey,
    preferred_tools,
)
from treeline.core.policies.planning.variables import cloud_share_by_date, needs_clouds
from treeline.core.policies.planning.work import Work
from treeline.core.query.expression import Node
from treeline.core.query.form import to_json
from treeline.core.query.holdings import inventory_of
from treeline.core.query.inventory import Inventory
from treeline.core.query.kinds import IllTyped, kind_of
from treeline.core.query.largest import largest_part
from treeline.core.query.paraphrase import CannotSay, paraphrase
from treeline.core.query.reading import Reading, read
from treeline.toolkit import SkillTree, registry
from treeline.toolkit.variables import VARIABLES

Course = Generator[Decision, Feedback, None]
Told = tuple[Node, Finding]
_MOST_READINGS = 4


Read = Callable[[str, Inventory], Reading]


class Planner:
    """Answers questions without a language model.

    Parameters
    ----------
    data : RunData
        The workspace's collections are all that it sees; numbers come from observations alone.
    disclosure : Disclosure, optional
        What it has to open before a call; progressive by default.
    handed : Handed, optional
        What other members of a team made for it.
    read : callable
        Reads a question into expressions.
    partial : bool
        Whether the largest part that is understood is carried out where the whole is not.
    """

    name = "planner"

    def __init__(
        self,
        data: RunData,
        disclosure: Disclosure | None = None,
        handed: Handed | None = None,
        *,
        read: Read = read,
        partial: bool = False,
    ) -> None:
        self.data = data
        self.handed = handed or NOTHING
        self.registry = registry()
        self.disclosure = disclosure or Progressive(SkillTree.of(self.registry))
        self.read = read
        self.partial = partial
        self._course: Course | None = None
        self._proposed: Decision | None = None
        self._fed = 0

    def decide(self, state: State, notify: Callable[[str], None], stop: threading.Event) -> Decision:
        """Return the next action.

        The plan is fed the recorded observations that it has not seen. Where a record differs from
        what the plan would do, as after a change of the workspace, the plan starts anew from there.
        """
        if self._course is None or self._proposed is None or self._fed > len(state.steps):
            self._begin(state)
        assert self._course is not None and self._proposed is not None
        while self._fed < len(state.steps):
            step = state.steps[self._fed]
            if not _same(step.action, self._proposed.action):
                notify("The record differs from the plan; planning anew.")
                self._begin(state)
                self._fed = len(state.steps)
                break
            self._fed += 1
            self._proposed = self._course.send(Feedback(step.number, step.observation))
        return self._proposed

    def course(self, state: State) -> Course:
        """Yield the decisions that lead to an answer; each is sent what became of it."""
        return Courses(
            self.data,
            self.disclosure,
            self.read,
            of_context(state.context),
            self.handed,
            advice_of(state.context),
            self.partial,
        ).of(state.question, state.choices)

    def _begin(self, state: State) -> None:
        self._course = self.course(state)
        self._proposed = next(self._course)
        self._fed = 0


@dataclass(frozen=True)
class Courses:
    """What a course to an answer is made of.

    Attributes
    ----------
    rules : tuple of Guardrail
        What was learned from earlier attempts at the question.
    advice : Advice
        What the task card says.
    """

    data: RunData
    disclosure: Disclosure
    read: Read
    rules: tuple[Guardrail, ...] = ()
    handed: Handed = NOTHING
    advice: Advice = NO_ADVICE
    partial: bool = False

    def of(self, question: str, choices: tuple[str, ...] = ()) -> Course:
        """Yield the decisions that lead to an answer; the last one is the answer."""
        work = self.work()
        try:
            if not work.materials.derivation.layers:
                raise CannotAnswer(
                    "The workspace holds no usable raster.", "Add GeoTIFF files, then ask again."
                )
            inventory = self.inventory(work)
            reading = self.read(question, inventory)
            expressions, left_out, notes = reading.expressions, "", reading.notes
            if self.partial and reading.status != "read":
                expressions, left_out = _largest(question, inventory)
                notes = ()
            if not expressions:
                raise _unread_words(reading)
            for note in notes:
                work.plan.remark(note)
            yield from look_around(work.plan, self.data, self.handed)
            found = yield from self._findings(work, expressions)
            answer = replace(self._answer(work, found, choices, inventory), unverified=left_out)
            yield Decision(
                answer, "That answers the question." if not answer.declined else "I ask which is meant."
            )
        except CannotAnswer as problem:
            yield Decision(
                Answer(problem.text, evidence=tuple(work.plan.evidence), declined=True),
                "I cannot answer this and say why.",
            )

    def inventory(self, work: Work) -> Inventory:
        """Return what a question may name: what is there, and what tools can make of it."""
        derivation = work.materials.derivation
        methods = [tool.name.replace("_", " ") for tool in derivation.registry if tool.kit == "Inversion"]
        return inventory_of(self.data.workspace, _made_roles(derivation), methods)

    def work(self) -> Work:
        """Return an empty work in the data of the run."""
        tools = tools_under(self.disclosure)
        layers = allowed_layers(self.handed.beside(layers_of(self.data.workspace.collections)), self.rules)
        plan = Plan(tools, self.disclosure)
        preferred = (*preferred_tools(self.rules), *self.advice.tools)
        derivation = Derivation(allowed_tools(tools, self.rules), layers, preferred)
        return Work(plan, Materials(plan, derivation, self.handed.clear), Grounds(self.data.workspace))

    def _findings(self, work: Work, expressions: tuple[Node, ...]) -> Steps[list[Told]]:
        """Return what the readings of a question give; one that cannot be carried out is left out.

        Raises
        ------
        CannotAnswer
            None of them can.
        """
        found: list[Told] = []
        problem: CannotAnswer | None = None
        for expression in expressions[:_MOST_READINGS]:
            obeyed, notes = obey(expression, self.rules)
            for note in notes:
                work.plan.remark(note)
            try:
                found += yield from both_ways(work, check_types(obeyed))
            except CannotAnswer as reason:
                problem = problem or reason
        if not found:
            raise problem or CannotAnswer("I cannot read that question.")
        return found

    def _answer(
        self, work: Work, found: list[Told], choices: tuple[str, ...], inventory: Inventory
    ) -> Answer:
        """Return the answer where all readings say the same, else the question which is meant."""
        if len({finding.text for _, finding in found}) > 1:
            return _asking(work, found, inventory)
        return self._said(work, *found[0], choices, inventory)

    def _said(
        self, work: Work, expression: Node, finding: Finding, choices: tuple[str, ...], inventory: Inventory
    ) -> Answer:
        for remark in unread(self.data.workspace.problems, work.plan.observations):
            work.plan.remark(remark)
        for pitfall in pitfalls_met(self.advice, work, expression):
            work.plan.remark(pitfall)
        choice = choose(finding, choices)
        parts = [finding.text, *work.plan.remarks, *heard(work.plan.observations)]
        if choices and choice is None:
            parts.append("None of the options fits.")
        return Answer(
            " ".join(parts), finding.value, finding.unit, choice, tuple(work.plan.evidence),
            expression=to_json(expression), read_as=read_as(expression, inventory), map=finding.product,
        )  # fmt: skip


def read_as(expression: Node, inventory: Inventory) -> str:
    """Return an expression in words that lead to it again, or at least in words."""
    try:
        return paraphrase(expression, inventory)
    except CannotSay:
        return phrase(expression)


def _made_roles(derivation: Derivation) -> list[str]:
    """Return the variables of the ground that tools can make of what is there."""
    return [
        role
        for role in VARIABLES
        if role not in _NO_VARIABLES and not derivation.has(role) and derivation.can_find(role)
    ]


# What tools write on the way: it is made of a condition that only a question can give.
_NO_VARIABLES = frozenset(
    {"mask", "distance", "difference", "composite", "expression", "classes", "emissivity"}
)


def both_ways(work: Work, expression: Node) -> Steps[list[Told]]:
    """Return what an expression gives, and what without clouds where nothing was said of them.

    The second is worked out only where clouds are known of the dates that were taken, and given only
    where it differs in what would be shown.
    """
    found = yield from _found(work, expression)
    if not needs_clouds(expression) or not (yield from _cloudy(work)):
        return [(expression, found)]
    without = masked(expression)
    try:
        clear = yield from _found(work, without)
    except NoPixel:
        return [(expression, found), (without, Finding("Without cloudy pixels no pixel is left."))]
    except CannotAnswer as problem:
        work.plan.remark(f"Cloudy pixels are included; without them: {problem.reason}")
        return [(expression, found)]
    if _alike(found, clear):
        work.plan.remark("Cloudy pixels are included; without them the answer is the same.")
        return [(expression, found)]
    return [(expression, found), (without, clear)]


def _found(work: Work, expression: Node) -> Steps[Finding]:
    value = yield from work.value(expression)
    return finding_of(work, expression, value)


def _alike(one: Finding, other: Finding) -> bool:
    """Return whether two findings show the same, whatever they say of clouds."""
    plain = other.text.replace(" without cloudy pixels", "")
    return plain == one.text and not one.product


def _cloudy(work: Work) -> Steps[bool]:
    """Return whether a cloud is known on one of the dates that were taken with their clouds."""
    for layer in work.under_clouds:
        try:
            shares = yield from cloud_share_by_date(work, layer)
        except CannotAnswer:
            continue
        if any(share > 0 for share in shares.values()):
            return True
    return False


def _largest(question: str, inventory: Inventory) -> tuple[tuple[Node, ...], str]:
    """Return the largest part of a question that is understood, and what it leaves out, in a sentence."""
    part = largest_part(question, inventory)
    if part is None:
        return (), ""
    words = joined_words(part.left_out)
    return (
        part.expression,
    ), f"Only a part of the question was read; it leaves out {words}." if words else ""


def _asking(work: Work, found: list[Told], inventory: Inventory) -> Answer:
    """Return the question which of several readings is meant, each with its value."""
    told = tuple(finding.text for _, finding in found)
    lines = " ".join(f"({n}) {text}" for n, text in enumerate(told, start=1))
    return Answer(
        f"That can be read in {len(told)} ways that differ. {lines} Which is meant?",
        evidence=tuple(work.plan.evidence), declined=True,
        readings=tuple(
            Choice(n, read_as(expression, inventory), finding.text)
            for n, (expression, finding) in enumerate(found, start=1)
        ),
        read_as="; or: ".join(read_as(expression, inventory) for expression, _ in found),
    )  # fmt: skip


def _unread_words(reading: Reading) -> CannotAnswer:
    """Return what to raise for a question that cannot be read: the words, why, and what comes near."""
    words = joined_words(reading.uncovered)
    reasons = [f"I do not know {words}."] if words else []
    reasons += reading.notes or ([] if words else ["I cannot read that question."])
    offers = " ".join(f"I can answer: {text}." for text, _ in reading.offers[:1])
    return CannotAnswer(" ".join(reasons), offers)


def joined_words(words: tuple[str, ...]) -> str:
    """Return words in quotation marks, as a list in a sentence."""
    return ", ".join(f"\u201c{word}\u201d" for word in words)


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


def look_around(plan: Plan, data: RunData, handed: Handed = NOTHING) -> Steps[None]:
    """List the folder first, where the workspace is a single folder of files and nobody did before."""
    if handed.looked:
        return
    folders = [source for source in data.workspace.sources if Path(source).is_dir()]
    if len(folders) == 1 and "get_filelist" in plan.registry:
        yield from plan.call("get_filelist", "First I look at what there is.", dir_path=str(folders[0]))


def _same(recorded: Action, proposed: Action) -> bool:
    if isinstance(recorded, Call) and isinstance(proposed, Call):
        return recorded.tool == proposed.tool and set(recorded.arguments) == set(proposed.arguments)
    return recorded == proposed
