"""How a member works on its sub-goal, with the planner or with a language model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from datetime import datetime
from pathlib import Path

from treeline.core.context.guardrails import of_context
from treeline.core.engine.actions import Answer, Decision, Observation, ProductRecord
from treeline.core.engine.calls import file_name
from treeline.core.engine.disclosure import Disclosure
from treeline.core.engine.loop import Policy
from treeline.core.engine.rundata import RunData, read_recorded_date
from treeline.core.engine.state import State
from treeline.core.policies.planner.advice import advice_of
from treeline.core.policies.planner.course import Courses, Reader, look_around
from treeline.core.policies.planner.layers import Item, Layer
from treeline.core.policies.planner.plan import CannotAnswer
from treeline.core.policies.planner.policy import Course, Planner
from treeline.core.policies.planner.scope import HandedLayers
from treeline.core.policies.reading_choice import AS_IT_STANDS, HowToRead
from treeline.core.policies.registry import make_policy
from treeline.core.query.expression import Node, Variable
from treeline.core.query.inventory import Inventory
from treeline.core.query.reading import Reading
from treeline.core.query.wording import read_plainly
from treeline.core.settings import Endpoint
from treeline.core.teams.expressions import reading_from_json
from treeline.core.teams.model import HandedLayer, Member, SubGoal


class Preparer(Planner):
    """Makes the rasters that a sub-goal wants, without a language model."""

    def course(self, state: State) -> Course:
        """Yield the calls that make the rasters; the last decision tells whether they are there."""
        rules, advice = of_context(state.context), advice_of(state.context)
        courses = Courses(self.data, self.disclosure, rules, self.handed, advice, reader=self.reader)
        work = courses.work
        wanted = courses.read(state.question).expressions
        try:
            yield from look_around(work.plan, self.data, self.handed)
            for variable in wanted:
                yield from work.value(variable)
            roles = dict.fromkeys(variable.role for variable in wanted if isinstance(variable, Variable))
            text = " ".join([f"{', '.join(roles)} ready.", *work.plan.remarks])
            yield Decision(Answer(text, evidence=tuple(work.plan.evidence)), "My sub-goal is reached.")
        except CannotAnswer as problem:
            yield Decision(
                Answer(problem.text, evidence=tuple(work.plan.evidence), declined=True),
                "My sub-goal cannot be reached.",
            )


def reader_of(goal: SubGoal) -> Reader:
    """Return a reader that knows what a sub-goal says already; one that reads where it says nothing."""
    stored = goal.reading
    if stored is None:
        return read_plainly

    def recall(question: str, inventory: Inventory, after: Node | None = None) -> Reading:
        return reading_from_json(question, stored)

    return recall


def own_data(data: RunData, member: Member) -> RunData:
    """Return a run's data whose workspace does not list what was handed over.

    That has layers of its own; its file names must not be taken for places or sensors.
    """
    folders = {Path(address).parent for handed in member.handed for address in handed.addresses}
    workspace = copy(data.workspace)
    kept = tuple(r for r in data.workspace.rasters if r.path.resolve().parent not in folders)
    workspace.sources = tuple(source for source in workspace.sources if source not in folders)
    # Both are computed once and kept in the dictionary, which is the copy's own; the collections are made
    # again from the rasters that are set here.
    workspace.__dict__.pop("collections", None)
    workspace.__dict__["rasters"] = kept
    view = copy(data)
    view.workspace = workspace
    return view


def layers_for_planner(member: Member, data: RunData) -> HandedLayers:
    """Return what a member was handed over, as the planner's layers."""
    # How exact a date is shows in the series of the inputs only, so these tell how it is written.
    labels = {
        each.date: each.date_text
        for collection in data.workspace.collections.values()
        for each in collection.members
    }
    layers = tuple(_layer(handed, labels) for handed in member.handed)
    clear = frozenset(handed.role for handed in member.handed if handed.clear)
    return HandedLayers(layers, clear, member.looked, tuple(map(_met, member.handed)))


def _met(handed: HandedLayer) -> Observation:
    """Return what the makers of a layer met, as an observation of its rasters."""
    shares = handed.shares or (None,) * len(handed.addresses)
    products = tuple(
        ProductRecord(
            file_name(address),
            address,
            handed.role,
            handed.unit,
            date=date,
            place=handed.place,
            valid_share=share,
        )
        for address, date, share in zip(handed.addresses, handed.dates, shares, strict=True)
    )
    return Observation("result", "", products=products, warnings=handed.warnings)


def _layer(handed: HandedLayer, labels: Mapping[datetime | None, str]) -> Layer:
    pairs = zip(handed.addresses, handed.dates, strict=True)
    items = [(address, date, read_recorded_date(date)[0]) for address, date in pairs]
    named = tuple(
        Item(address, moment, labels.get(moment) or date or Path(file_name(address)).stem, handed.place)
        for address, date, moment in items
    )
    return Layer(handed.role, named, handed.unit, handed=True)


def _planner(
    member: Member, data: RunData, endpoint: Endpoint | None, disclosure: Disclosure, how: HowToRead
) -> Policy:
    own, reader = own_data(data, member), reader_of(member.goal)
    if member.goal.kind == "answer":
        return Planner(own, disclosure, layers_for_planner(member, own), how, reader)
    return Preparer(own, disclosure, layers_for_planner(member, data), reader=reader)


def _language(
    member: Member, data: RunData, endpoint: Endpoint | None, disclosure: Disclosure, how: HowToRead
) -> Policy:
    return make_policy("language", data, endpoint, disclosure, how)


_BY_POLICY: dict[str, Callable[[Member, RunData, Endpoint | None, Disclosure, HowToRead], Policy]] = {
    "planner": _planner,
    "language": _language,
}


def member_policy(
    policy: str,
    member: Member,
    data: RunData,
    endpoint: Endpoint | None,
    disclosure: Disclosure,
    how: HowToRead = AS_IT_STANDS,
) -> Policy:
    """Return the policy of a member."""
    return _BY_POLICY[policy](member, data, endpoint, disclosure, how)
