"""The planner as a policy: it reads the question, works out a plan, and follows it step by step."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from dataclasses import replace
from pathlib import Path
from typing import Any

from treeline.core.context.guardrails import Guardrail, of_context
from treeline.core.disclosure import Disclosure, Progressive
from treeline.core.engine.actions import Action, Answer, Call, Decision
from treeline.core.engine.rundata import RunData
from treeline.core.engine.state import State
from treeline.core.policies.planner.advice import NO_ADVICE, Advice, Circumstances, advice_of, pitfalls_met
from treeline.core.policies.planner.choice import choose, choose_seen, far_from_all, unit_of
from treeline.core.policies.planner.derivation import Derivation
from treeline.core.policies.planner.explain import declined, sentence
from treeline.core.policies.planner.findings import Finding
from treeline.core.policies.planner.handed import NOTHING, Handed, tools_under
from treeline.core.policies.planner.heeding import heard
from treeline.core.policies.planner.intent import Intent
from treeline.core.policies.planner.languages import foreign
from treeline.core.policies.planner.layers import Layer, layers_of
from treeline.core.policies.planner.making import Materials
from treeline.core.policies.planner.measuring import Measuring
from treeline.core.policies.planner.methods import method_words
from treeline.core.policies.planner.pictures import PICTURE_ROLES, Seen, look
from treeline.core.policies.planner.plan import CannotAnswer, Feedback, Plan
from treeline.core.policies.planner.procedures import procedure_of
from treeline.core.policies.planner.reading import read
from treeline.core.policies.planner.restraint import allowed_layers, allowed_tools, left_out, obedient
from treeline.core.policies.planner.sight import read_sight
from treeline.core.policies.planner.spreading import at_each_place
from treeline.core.policies.planner.units import converted, same_quantity
from treeline.core.policies.planner.unread import unread
from treeline.core.policies.planner.verdict import verdict_of
from treeline.core.policies.planner.vocabulary import lexicon_of
from treeline.core.policies.planner.zones import ZONE, zone_groups
from treeline.toolkit import SkillTree, registry

_CLOUDS = frozenset({"cloud_mask", "scl", "qa_pixel", "qa60", "state_1km"})

Course = Generator[Decision, Feedback, Any]


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
    """

    name = "planner"

    def __init__(
        self, data: RunData, disclosure: Disclosure | None = None, handed: Handed | None = None
    ) -> None:
        self.data = data
        self.handed = handed or NOTHING
        self.registry = registry()
        self.disclosure = disclosure or Progressive(SkillTree.of(self.registry))
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
        rules = of_context(state.context)
        advice = advice_of(state.context)
        return course(self.data, state.question, state.choices, self.disclosure, rules, self.handed, advice)

    def _begin(self, state: State) -> None:
        self._course = self.course(state)
        self._proposed = next(self._course)
        self._fed = 0


def course(
    data: RunData,
    question: str,
    choices: tuple[str, ...],
    disclosure: Disclosure,
    rules: tuple[Guardrail, ...] = (),
    handed: Handed = NOTHING,
    advice: Advice = NO_ADVICE,
) -> Course:
    """Yield the decisions that lead to an answer; the last one is the answer.

    ``rules`` is what was learned from earlier attempts at the question, ``handed`` what others made,
    ``advice`` what the task card says.
    """
    tools = tools_under(disclosure)
    collections = data.workspace.collections
    layers = allowed_layers(handed.beside(layers_of(collections)), rules)
    plan = Plan(tools, disclosure, remarks=left_out(rules))
    derivation = Derivation(allowed_tools(tools, rules), layers, advice.tools)
    lexicon = lexicon_of(collections.values(), method_words(tools), derivation.can_find)
    lexicon = replace(lexicon, zones=zone_groups(data.workspace))
    intent = obedient(read(question, lexicon), rules)
    intent = replace(intent, unit=intent.unit or unit_of(choices))
    if not choices:
        intent = at_each_place(intent, derivation, lexicon)
    seen = ", ".join(sorted({layer.role for layer in layers}))
    try:
        if not layers:
            raise CannotAnswer("The workspace holds no usable raster.", "Add GeoTIFF files, then ask again.")
        if language := foreign(question):
            raise CannotAnswer(
                f"I read questions in English; this one looks {language}.",
                "Ask it in English, or let a language model answer it.",
            )
        if all(layer.role in PICTURE_ROLES for layer in layers):
            yield from _of_pictures(plan, data, layers, question, choices)
            return
        if intent.beyond:
            raise CannotAnswer(
                f"I cannot work out {intent.beyond}.", intent.remedy or _otherwise(intent.beyond)
            )
        if not intent.subjects:
            raise CannotAnswer(
                "I did not recognise what is to be measured in the question.",
                f"I see {seen}; name one of these, or what follows from them.",
            )
        if intent.unknown:
            raise CannotAnswer(
                f"I do not know the variable \u201c{intent.unknown}\u201d.",
                f"I see {seen}.",
            )
        yield from look_around(plan, data, handed)
        materials = Materials(
            plan, derivation, replace(intent, clear_only=intent.clear_only and not handed.clear)
        )
        measuring = Measuring(plan, materials)
        finding: Finding = yield from procedure_of(intent)(measuring, intent)
        finding = yield from _converted(plan, intent, finding)
        for remark in unread(data.workspace.problems, plan.observations):
            plan.remark(remark)
        yield _answer(intent, finding, plan, choices, layers, advice)
    except CannotAnswer as problem:
        text = declined(problem.reason, problem.needed)
        yield Decision(
            Answer(text, evidence=tuple(plan.evidence), declined=True), "I cannot answer this and say why."
        )


def _otherwise(beyond: str) -> str:
    """Return what else would do, where what cannot be worked out does not say it itself."""
    return "" if ":" in beyond else "Ask it in other words, or let a language model answer it."


def _of_pictures(
    plan: Plan, data: RunData, layers: list[Layer], question: str, choices: tuple[str, ...]
) -> Course:
    """Work on a question about plain pictures, which hold no variable to measure."""
    sight = read_sight(question)
    if sight is None:
        raise CannotAnswer(
            "I see only pictures, and did not recognise what is asked of them.",
            "I count, rank and measure objects.",
        )
    yield from look_around(plan, data)
    seen: Seen = yield from look(plan, layers, sight)
    answer = Answer(seen.text, seen.value, seen.unit, choose_seen(seen, choices), tuple(plan.evidence))
    yield Decision(answer, "That answers the question.")


def look_around(plan: Plan, data: RunData, handed: Handed = NOTHING) -> Generator[Decision, Feedback, None]:
    """List the folder first, where the workspace is a single folder of files and nobody did before."""
    if handed.looked:
        return
    folders = [source for source in data.workspace.sources if Path(source).is_dir()]
    if len(folders) == 1 and "get_filelist" in plan.registry:
        yield from plan.call("get_filelist", "First I look at what there is.", dir_path=str(folders[0]))


def _converted(plan: Plan, intent: Intent, finding: Finding) -> Course:
    """Return a finding in the unit that the question or its options ask for."""
    wanted = intent.unit or (intent.whether.unit if intent.whether else "")
    if not same_quantity(wanted, finding.unit) or wanted == finding.unit:
        return finding
    rows = tuple(
        (label, None if v is None else converted(v, finding.unit, wanted)) for label, v in finding.rows
    )
    apart = len(intent.subjects) > 1 or intent.extremes_of == "change"
    value = finding.value
    if not apart and value is not None:
        steps = {("K", "degC"): "kelvin_to_celsius", ("degC", "K"): "celsius_to_kelvin"}
        name = steps.get((finding.unit, wanted))
        if name is None:
            value = converted(value, finding.unit, wanted)
        else:
            parameter = plan.registry.get(name).parameters[0].name
            value = (yield from plan.call(name, "In the unit asked for.", **{parameter: value})).value
    return replace(finding, value=value, unit=wanted, rows=rows)


def _answer(
    intent: Intent,
    finding: Finding,
    plan: Plan,
    choices: tuple[str, ...],
    layers: list[Layer],
    advice: Advice,
) -> Decision:
    cloudy = _under_clouds({subject.role for subject in intent.subjects}, layers)
    about_clouds = any(subject.role in _CLOUDS for subject in intent.subjects)
    measured = any(subject.role != ZONE for subject in intent.subjects)
    clouds_left = measured and cloudy and not intent.clear_only and not about_clouds
    if clouds_left:
        plan.remark("Cloudy pixels are included; say \u201cwithout clouds\u201d to leave them out.")
    for pitfall in pitfalls_met(advice, Circumstances(intent, finding, clouds_left)):
        plan.remark(pitfall)
    text = sentence(intent, finding, [*plan.remarks, *heard(plan.observations)])
    choice = choose(finding, choices, verdict_of(intent, finding))
    if choices and choice is None:
        text += " None of the options fits."
    elif choices and far_from_all(finding, choices):
        text += " No option is close to it; the nearest was taken."
    answer = Answer(text, finding.value, finding.unit, choice, tuple(plan.evidence))
    return Decision(answer, "That answers the question.")


def _under_clouds(roles: set[str], layers: list[Layer]) -> bool:
    """Return whether clouds are known of the dates of these variables; those of derived ones may be."""
    clouds = {item.date for layer in layers if layer.role in _CLOUDS for item in layer.items}
    own = {item.date for layer in layers if layer.role in roles for item in layer.items}
    return bool(clouds & own) if own else bool(clouds - {None})


def _same(recorded: Action, proposed: Action) -> bool:
    if isinstance(recorded, Call) and isinstance(proposed, Call):
        return recorded.tool == proposed.tool and set(recorded.arguments) == set(proposed.arguments)
    return recorded == proposed
