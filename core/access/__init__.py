"""Who may do what: people and their roles, things and whom they are shared with, one decision.

In the mode ``local`` there is one person, who may do everything and is asked nothing. In ``team`` each
request has a person, or is refused.
"""

from treeline.core.access.actor import Actor, acting_person, as_person, set_finder, who_acts
from treeline.core.access.decision import Action, may, require, set_witness, tell_refusal
from treeline.core.access.mode import MODES, TEAM, Mode, in_team, mode_of_environment
from treeline.core.access.people import LOCAL_PERSON, ROLES, Person, Role
from treeline.core.access.things import ALL, SERVER, Grant, Kind, Right, Thing

__all__ = [
    "ALL",
    "LOCAL_PERSON",
    "MODES",
    "ROLES",
    "SERVER",
    "TEAM",
    "Action",
    "Actor",
    "Grant",
    "Kind",
    "Mode",
    "Person",
    "Right",
    "Role",
    "Thing",
    "acting_person",
    "as_person",
    "in_team",
    "may",
    "mode_of_environment",
    "require",
    "set_finder",
    "set_witness",
    "tell_refusal",
    "who_acts",
]
