"""From a question to sub-goals with contracts, by the planner's rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from treeline.core.context.guardrails import Guardrail
from treeline.core.engine.rundata import RunData
from treeline.core.policies.planner.derivation import Derivation, Given, Made, Missing, Source, Wish
from treeline.core.policies.planner.intent import Intent, Subject
from treeline.core.policies.planner.layers import layers_of
from treeline.core.policies.planner.methods import method_words
from treeline.core.policies.planner.reading import read
from treeline.core.policies.planner.restraint import allowed_layers, allowed_tools, obedient
from treeline.core.policies.planner.spreading import at_each_place
from treeline.core.policies.planner.vocabulary import lexicon_of
from treeline.core.policies.planner.zones import zone_groups
from treeline.core.teams.crew import Crew
from treeline.core.teams.executors import INTENT
from treeline.core.teams.model import Contract, SubGoal
from treeline.toolkit import registry

ANSWER = "answer"
FOR_ALL = ("get_filelist",)


@dataclass(frozen=True)
class Reading:
    """A question as the planner reads it, and how each role that it needs can be had.

    Attributes
    ----------
    sources : dict
        By subject, in the order in which they are needed.
    whole : bool
        Rasters of several sensors can be meant, which what is made of them would no longer tell: the
        member that answers makes them itself.
    """

    intent: Intent
    sources: dict[Subject, Source]
    whole: bool = False

    def of_role(self, role: str) -> list[Source]:
        """Return how a role is had, for each subject that needs it."""
        return [source for subject, source in self.sources.items() if subject.role == role]


def reading_of(crew: Crew) -> Reading:
    """Return how the question of a team's run is read."""
    question = crew.question
    return read_question(crew.team.data(), question, crew.rules, crew.options.choices)


def read_question(
    data: RunData, question: str, rules: Sequence[Guardrail] = (), choices: Sequence[str] = ()
) -> Reading:
    """Return what a question asks for and how it can be had from the workspace.

    Parameters
    ----------
    rules : sequence of Guardrail
        What earlier attempts at the question taught.
    choices : sequence of str
        Options to choose from; they want one number, not one for each place.
    """
    tools = allowed_tools(registry(), rules)
    collections = data.workspace.collections
    derivation = Derivation(tools, allowed_layers(layers_of(collections), rules))
    lexicon = lexicon_of(collections.values(), method_words(tools), derivation.can_find)
    lexicon = replace(lexicon, zones=zone_groups(data.workspace))
    intent = obedient(read(question, lexicon), rules)
    if not choices:
        intent = at_each_place(intent, derivation, lexicon)
    sources: dict[Subject, Source] = {}
    for subject in _needed(intent):
        wish = Wish(lambda item: True, intent.methods, subject.place, subject.sensor, intent.forms)
        found = derivation.find(subject.role, wish)
        if not isinstance(found, Missing):
            sources[subject] = found
    return Reading(intent, sources, whole=len(lexicon.sensors) > 1)


def sub_goals(reading: Reading, question: str, executors: int) -> tuple[SubGoal, ...]:
    """Return the sub-goals of a question, the answer last.

    Rasters that must be made first are sub-goals of their own, a role each, which do not depend on
    each other; where there are more than executors, the last ones are made by one of them.
    """
    if reading.intent.unknown or reading.whole:
        return (answer_goal(question, ()),)
    made = list(dict.fromkeys(s.role for s, source in reading.sources.items() if _is_work(source, reading)))
    groups = _grouped(made, executors - 1)
    goals = [prepare_goal(reading, roles) for roles in groups]
    return (*goals, answer_goal(question, goals))


def prepare_goal(reading: Reading, roles: Sequence[str], layer: int = 0) -> SubGoal:
    """Return the sub-goal to make rasters of some roles."""
    subjects = tuple(subject for subject in reading.sources if subject.role in roles)
    sources = [source for role in roles for source in reading.of_role(role)]
    leaves = tuple(dict.fromkeys(leaf.role for source in sources for leaf in leaves_of(source)))
    periods = ", ".join(dict.fromkeys(subject.period.label for subject in subjects))
    clear = ", without clouds" if reading.intent.clear_only else ""
    intent = replace(reading.intent, subjects=subjects)
    return SubGoal(
        "-".join(roles),
        f"Make rasters of {' and '.join(roles)} for {periods}{clear}.",
        "prepare",
        Contract(
            leaves, tuple(roles), "raster", "Each of these roles has a raster for every date asked for."
        ),
        intent=INTENT.dump_python(intent, mode="json"),
        layer=layer,
        tools=_part(sources, reading.intent.clear_only),
    )


def answer_goal(question: str, goals: Iterable[SubGoal], layer: int = 0) -> SubGoal:
    """Return the sub-goal that answers the question from what the others made."""
    goals = tuple(goals)
    inputs = tuple(dict.fromkeys(role for goal in goals for role in goal.contract.outputs))
    contract = Contract(inputs, (ANSWER,), "text and number", "Every number comes from a step.")
    return SubGoal(ANSWER, question, "answer", contract, tuple(goal.id for goal in goals), layer=layer)


def leaves_of(source: Source) -> list[Given]:
    """Return the rasters of the workspace that a source is made from."""
    if isinstance(source, Given):
        return [source]
    return [leaf for parts in source.inputs.values() for part in parts for leaf in leaves_of(part)]


def made_in(source: Source) -> list[Made]:
    """Return what is made on the way to a source, what others need first."""
    if isinstance(source, Given):
        return []
    below = [made for parts in source.inputs.values() for part in parts for made in made_in(part)]
    return [*below, source]


def _part(sources: Iterable[Source], clear: bool) -> tuple[str, ...]:
    """Return the tools that make some sources or could make the same, and those that mask clouds."""
    tools = registry()
    made = [each for source in sources for each in made_in(source)]
    makers = [tool for each in made for tool in (each.tool, *tools.writing(each.role))]
    masking = [*tools.giving("cloud_masked", "raster"), *tools.writing("cloud_mask")] if clear else []
    return tuple(dict.fromkeys([*(tool.name for tool in (*makers, *masking)), *FOR_ALL]))


def _needed(intent: Intent) -> list[Subject]:
    found: list[Subject] = []
    for subject in intent.subjects:
        bare = replace(subject, statistic="mean", percentile=None, threshold=None, conditions=())
        found += [bare, *(replace(bare, role=condition.role) for condition in subject.conditions)]
    return list(dict.fromkeys(found))


def _is_work(source: Source, reading: Reading) -> bool:
    return isinstance(source, Made) or reading.intent.clear_only


def _grouped(roles: Sequence[str], count: int) -> list[list[str]]:
    if count < 1 or not roles:
        return []
    groups = [[role] for role in roles[:count]]
    groups[-1] += roles[count:]
    return groups
