"""How a member works on its sub-goal, with the planner or with a language model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from pydantic import TypeAdapter

from treeline.core.context.guardrails import of_context
from treeline.core.disclosure import Disclosure
from treeline.core.engine.actions import Answer, Decision
from treeline.core.engine.loop import Policy
from treeline.core.engine.rundata import RunData
from treeline.core.engine.state import State
from treeline.core.policies.planner.derivation import Derivation
from treeline.core.policies.planner.explain import declined
from treeline.core.policies.planner.handed import Handed, tools_under
from treeline.core.policies.planner.intent import Intent
from treeline.core.policies.planner.layers import Item, Layer, layers_of
from treeline.core.policies.planner.making import Materials
from treeline.core.policies.planner.plan import CannotAnswer, Plan
from treeline.core.policies.planner.policy import Course, Planner, look_around
from treeline.core.policies.planner.restraint import allowed_layers, allowed_tools
from treeline.core.policies.registry import make_policy
from treeline.core.settings import Endpoint
from treeline.core.teams.model import HandedLayer, Member

INTENT: TypeAdapter[Intent] = TypeAdapter(Intent)


class Preparer(Planner):
    """Makes the rasters that a sub-goal wants, without a language model."""

    def __init__(self, data: RunData, disclosure: Disclosure, member: Member) -> None:
        super().__init__(data, disclosure, handed_of(member, data))
        self.member = member

    def course(self, state: State) -> Course:
        """Yield the calls that make the rasters; the last decision tells whether they are there."""
        rules = of_context(state.context)
        layers = allowed_layers(self.handed.beside(layers_of(self.data.workspace.collections)), rules)
        tools = tools_under(self.disclosure)
        plan = Plan(tools, self.disclosure)
        intent = INTENT.validate_python(self.member.goal.intent)
        derivation = Derivation(allowed_tools(tools, rules), layers)
        clear = intent.clear_only and not self.handed.clear
        materials = Materials(plan, derivation, replace(intent, clear_only=clear))
        yield from look_around(plan, self.data, self.handed)
        try:
            for subject in intent.subjects:
                yield from materials.layer(subject.role, subject)
            roles = list(dict.fromkeys(subject.role for subject in intent.subjects))
            text = " ".join([f"{', '.join(roles)} ready.", *plan.remarks])
            yield Decision(Answer(text, evidence=tuple(plan.evidence)), "My sub-goal is reached.")
        except CannotAnswer as problem:
            text = declined(problem.reason, problem.needed)
            yield Decision(
                Answer(text, evidence=tuple(plan.evidence), declined=True), "My sub-goal cannot be reached."
            )


def own_data(data: RunData, member: Member) -> RunData:
    """Return a run's data whose workspace does not list what was handed over.

    That has layers of its own; its file names must not be taken for places or sensors.
    """
    folders = {Path(address).parent for handed in member.handed for address in handed.addresses}
    workspace = copy(data.workspace)
    kept = tuple(r for r in data.workspace.rasters if r.path.resolve().parent not in folders)
    workspace.sources = tuple(source for source in workspace.sources if source not in folders)
    workspace.__dict__.pop("collections", None)
    workspace.__dict__["rasters"] = kept
    view = copy(data)
    view.workspace = workspace
    return view


def handed_of(member: Member, data: RunData) -> Handed:
    """Return what a member was handed over, as the planner's layers."""
    # How exact a date is shows in the series of the inputs only, so these tell how it is written.
    labels = {
        each.date: each.date_text
        for collection in data.workspace.collections.values()
        for each in collection.members
    }
    return Handed(tuple(_layer(handed, labels) for handed in member.handed), member.clear, member.looked)


def _layer(handed: HandedLayer, labels: Mapping[datetime | None, str]) -> Layer:
    pairs = zip(handed.addresses, handed.dates, strict=True)
    items = [(address, date, _moment(date)) for address, date in pairs]
    named = tuple(
        Item(address, moment, labels.get(moment) or date or address, handed.place)
        for address, date, moment in items
    )
    return Layer(handed.role, named, handed.unit)


def _moment(date: str | None) -> datetime | None:
    if not date:
        return None
    return datetime.fromisoformat({4: f"{date}-01-01", 7: f"{date}-01"}.get(len(date), date))


def _planner(member: Member, data: RunData, endpoint: Endpoint | None, disclosure: Disclosure) -> Policy:
    own = own_data(data, member)
    if member.goal.kind == "answer":
        return Planner(own, disclosure, handed_of(member, own))
    return Preparer(own, disclosure, member)


def _language(member: Member, data: RunData, endpoint: Endpoint | None, disclosure: Disclosure) -> Policy:
    return make_policy("language", data, endpoint, disclosure)


_BY_POLICY: dict[str, Callable[[Member, RunData, Endpoint | None, Disclosure], Policy]] = {
    "planner": _planner,
    "language": _language,
}


def member_policy(
    policy: str, member: Member, data: RunData, endpoint: Endpoint | None, disclosure: Disclosure
) -> Policy:
    """Return the policy of a member."""
    return _BY_POLICY[policy](member, data, endpoint, disclosure)
