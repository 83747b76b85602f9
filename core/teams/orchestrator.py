"""From a question to sub-goals with contracts: its expression, and the variables that must be made for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from treeline.core.context.guardrails import Guardrail
from treeline.core.engine.disclosure import Disclosure
from treeline.core.engine.rundata import RunData
from treeline.core.policies.planner.clouds import needs_clouds
from treeline.core.policies.planner.course import Courses
from treeline.core.policies.planner.derivation import (
    AvailableRole,
    DerivedRole,
    RoleRequest,
    Source,
    UnavailableRole,
)
from treeline.core.policies.planner.grounds import split_where
from treeline.core.policies.planner.plan import CannotAnswer
from treeline.core.policies.planner.scope import obey
from treeline.core.policies.reading_choice import AS_IT_STANDS, HowToRead
from treeline.core.query.expression import ALWAYS, Facts, Node, Place, Variable, When
from treeline.core.query.inventory import Inventory
from treeline.core.query.reading import Reading
from treeline.core.teams.crew import Crew
from treeline.core.teams.expressions import reading_to_json
from treeline.core.teams.model import ANSWER, Contract, SubGoal
from treeline.toolkit import registry

FOR_ALL = ("get_filelist",)
# Whatever rasters a sub-goal is to make, arithmetic and masks may come between.
FOR_MAKERS = ("raster_calculator", "calculate_batch_formula", "keep_where", "apply_cloud_mask")


@dataclass(frozen=True)
class Needs:
    """What a question is read as, and how each variable that it needs can be had.

    Attributes
    ----------
    reading : Reading
    expressions : tuple of Node
        Those that are to be carried out, as the guardrails want them.
    sources : dict
        By variable, in the order in which they are needed: without conditions, for every date that can count.
    whole : bool
        What is handed on would not tell enough: the member that answers makes the variables itself.
    titles : dict
        The variables in words.
    cloudy : bool
        Of some dates it is known where clouds are.
    """

    reading: Reading
    expressions: tuple[Node, ...] = ()
    sources: dict[Variable, Source] = field(default_factory=dict)
    whole: bool = False
    titles: dict[Variable, str] = field(default_factory=dict)
    cloudy: bool = False

    @property
    def roles(self) -> list[str]:
        """The roles of the variables, each once."""
        return list(dict.fromkeys(variable.role for variable in self.sources))

    @property
    def stored_reading(self) -> dict[str, Any]:
        """The reading as a sub-goal keeps it."""
        return reading_to_json(self.reading)

    def of_role(self, role: str) -> list[Source]:
        """Return how a role is had, for each variable that is of it."""
        return [source for variable, source in self.sources.items() if variable.role == role]


def needs_of(crew: Crew) -> Needs:
    """Return what the question of a team's run needs."""
    team = crew.team
    return read_needs(team.data(), team.disclosure(), crew.question, crew.rules, team.how_to_read())


def read_needs(
    data: RunData,
    disclosure: Disclosure,
    question: str,
    rules: Sequence[Guardrail] = (),
    how: HowToRead = AS_IT_STANDS,
) -> Needs:
    """Return what a question asks for and how it can be had from the workspace.

    Parameters
    ----------
    rules : sequence of Guardrail
        What earlier attempts at the question taught.
    """
    courses = Courses(data, disclosure, tuple(rules), how=how)
    reading = courses.read(question)
    try:
        meant = courses.interpret(reading)
        expressions = tuple(obey(node, rules)[0] for node in meant.expressions) if meant else ()
        wanted = list(
            dict.fromkeys(v for node in expressions for v in map(strip_conditions, _variables(node)))
        )
    except CannotAnswer:
        # The member that answers says why, in the words of one policy alone.
        return Needs(reading)
    derivation = courses.work.materials.derivation
    sources: dict[Variable, Source] = {}
    for variable in wanted:
        found = derivation.find(
            variable.role, RoleRequest(lambda item: True, (), _site(variable), variable.sensor)
        )
        if not isinstance(found, UnavailableRole):
            sources[variable] = found
    inventory = courses.inventory
    whole = _stays_whole(expressions, sources, inventory)
    titles = {variable: courses.say(variable) for variable in sources}
    return Needs(reading, expressions, sources, whole, titles, bool(inventory.cloud_dates))


def sub_goals(needs: Needs, question: str, executors: int) -> tuple[SubGoal, ...]:
    """Return the sub-goals of a question, the answer last.

    Rasters that must be made first are sub-goals of their own, a role each, which do not depend on
    each other; where there are more than executors, the last ones are made by one of them.
    """
    if needs.whole:
        return (answer_goal(question, (), reading=needs.stored_reading),)
    made = [v.role for v, source in needs.sources.items() if _is_work(v, source)]
    groups = _group(list(dict.fromkeys(made)), executors - 1)
    goals = [prepare_goal(needs, roles) for roles in groups]
    return (*goals, answer_goal(question, goals, reading=needs.stored_reading))


def prepare_goal(needs: Needs, roles: Sequence[str], layer: int = 0) -> SubGoal:
    """Return the sub-goal to make rasters of some roles."""
    variables = [variable for role in roles for variable in needs.sources if variable.role == role]
    sources = [needs.sources[variable] for variable in variables]
    leaves = tuple(dict.fromkeys(leaf.role for source in sources for leaf in leaves_of(source)))
    named = dict.fromkeys(needs.titles.get(variable, variable.role) for variable in variables)
    brief = f"Make rasters of {' and '.join(named)}."
    clear = tuple(dict.fromkeys(v.role for v in variables if v.clouds == "masked"))
    return SubGoal(
        "-".join(roles),
        brief,
        "prepare",
        Contract(
            leaves, tuple(roles), "raster", "Each of these roles has a raster for every date asked for."
        ),
        reading=reading_to_json(Reading(brief, "read", expressions=tuple(variables))),
        layer=layer,
        tools=_part(sources, bool(clear)),
        clear=clear,
    )


def answer_goal(
    question: str, goals: Iterable[SubGoal], layer: int = 0, reading: dict[str, Any] | None = None
) -> SubGoal:
    """Return the sub-goal that answers the question from what the others made."""
    goals = tuple(goals)
    inputs = tuple(dict.fromkeys(role for goal in goals for role in goal.contract.outputs))
    contract = Contract(inputs, (ANSWER,), "text and number", "Every number comes from a step.")
    depends = tuple(goal.id for goal in goals)
    return SubGoal(ANSWER, question, "answer", contract, depends, reading, layer)


def strip_conditions(variable: Variable) -> Variable:
    """Return a variable without conditions on its pixels, for every date that the question can mean.

    Which dates are picked, found or clear is decided by the member that answers: it needs all of them.
    """
    site, _ = split_where(variable.where)
    return replace(
        variable,
        when=When(variable.when.spans, variable.when.months),
        where=Place("site", (site,)) if site else None,
        clouds="masked" if variable.clouds == "masked" else "included",
    )


def part_of(variable: Variable, part: Source) -> Variable:
    """Return the variable that something is made from, for the same dates and place."""
    dated = any(item.date for item in part.items)
    return replace(
        variable, role=part.role, when=variable.when if dated else ALWAYS, timeless=False, method="", unit=""
    )


def leaves_of(source: Source) -> list[AvailableRole]:
    """Return the rasters of the workspace that a source is made from."""
    if isinstance(source, AvailableRole):
        return [source]
    return [leaf for parts in source.inputs.values() for part in parts for leaf in leaves_of(part)]


def intermediates_of(source: Source) -> list[DerivedRole]:
    """Return what is made on the way to a source, what others need first."""
    if isinstance(source, AvailableRole):
        return []
    below = [made for parts in source.inputs.values() for part in parts for made in intermediates_of(part)]
    return [*below, source]


def _variables(node: Node) -> Iterator[Variable]:
    """Yield the variables whose pixels an expression reads."""
    if isinstance(node, Facts):
        return
    if isinstance(node, Variable):
        yield node
    for part in node.parts():
        yield from _variables(part)


def _stays_whole(expressions: Sequence[Node], sources: dict[Variable, Source], inventory: Inventory) -> bool:
    """Return whether rasters that are handed on would lose what the answer depends on.

    That is the sensor or the place where there are several, which tool a named method takes, and, of
    one variable with clouds and without, which is which. Only what is made pixel by pixel is the same
    whether its inputs or itself are masked.
    """
    # A raster that is handed on carries its role and date, and not the sensor that the answer may have to
    # choose by.
    if len({sensor for holding in inventory.holdings for sensor in holding.sensors}) > 1:
        return True
    # Nor can rasters of several places be told apart where the question names none.
    several_sites = any(len(holding.sites) > 1 for holding in inventory.holdings)
    if several_sites and not all(map(_site, sources)):
        return True
    # The member that answers must see that the method which was asked for was used.
    if any(variable.method for variable in sources):
        return True
    # One role with and without clouds would be handed on as one layer.
    treatments = {(variable.role, variable.clouds) for variable in sources}
    if len(treatments) > len({role for role, _ in treatments}):
        return True
    made = [each for source in sources.values() for each in intermediates_of(source)]
    # A question that asks about clouds needs bands as they are; an index of a pixel is the same either way,
    # while what is made from a whole scene is not.
    both_ways = bool(inventory.cloud_dates) and any(map(needs_clouds, expressions))
    return both_ways and any(each.tool.kit != "Index" or each.tool.of_scene for each in made)


def _site(variable: Variable) -> str:
    return split_where(variable.where)[0]


def _part(sources: Iterable[Source], clear: bool) -> tuple[str, ...]:
    """Return the tools that make some sources or could make the same, and those that mask clouds."""
    tools = registry()
    made = [each for source in sources for each in intermediates_of(source)]
    makers = [tool for each in made for tool in (each.tool, *tools.writers_of(each.role))]
    masking = [*tools.givers_of("cloud_masked", "raster"), *tools.writers_of("cloud_mask")] if clear else []
    return tuple(dict.fromkeys([*(tool.name for tool in (*makers, *masking)), *FOR_ALL]))


def _is_work(variable: Variable, source: Source) -> bool:
    masked = variable.clouds == "masked" and any(item.date for item in source.items)
    return isinstance(source, DerivedRole) or masked


def _group(roles: Sequence[str], count: int) -> list[list[str]]:
    if count < 1 or not roles:
        return []
    groups = [[role] for role in roles[:count]]
    groups[-1] += roles[count:]
    return groups
