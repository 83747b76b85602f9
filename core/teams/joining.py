"""How a team's run and its members' runs differ from a run of one policy.

A team's modules are imported when it begins to work.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from treeline.core.disclosure.head_start import OpenedAhead
from treeline.core.engine.disclosure import Disclosure
from treeline.core.engine.events import RunFinished
from treeline.core.engine.loop import Policy
from treeline.core.engine.rundata import RunData
from treeline.core.policies.reading_choice import AS_IT_STANDS, HowToRead
from treeline.core.policies.registry import make_policy
from treeline.core.settings import Endpoint
from treeline.core.teams.handing import apply_handover
from treeline.core.teams.model import Member
from treeline.core.teams.work import Work
from treeline.toolkit import SkillTree
from treeline.toolkit.errors import Stopped, TreelineError


def _evolver(work: Work) -> RunFinished:
    from treeline.core.teams.evolver import work_as_evolver

    return work_as_evolver(work)


def _work_as_layered(work: Work) -> RunFinished:
    from treeline.core.teams.layered import work_as_layered

    return work_as_layered(work)


_TEAMS: dict[str, Callable[[Work], RunFinished]] = {"evolver": _evolver, "layered": _work_as_layered}


def work_as_team(work: Work) -> RunFinished:
    """Work on a run as the team that its options name."""
    # Members end their own runs; what reaches this place ends the team's, with a reason.
    try:
        return _TEAMS[work.options.team](work)
    except Stopped:
        finished = RunFinished("stopped", reason="The run was stopped.")
    except TreelineError as error:
        finished = RunFinished("failed", reason=str(error), error=type(error).__name__)
    work.emit(finished)
    return finished


def policy_of(
    name: str,
    member: Mapping[str, Any],
    data: RunData,
    endpoint: Endpoint | None,
    disclosure: Disclosure,
    how: HowToRead = AS_IT_STANDS,
) -> Policy:
    """Return the policy of a run: by its name, or that of a member at its sub-goal."""
    if not member:
        return make_policy(name, data, endpoint, disclosure, how)
    from treeline.core.teams.executors import member_policy

    return member_policy(name, Member.from_json(member), data, endpoint, disclosure, how)


def context_of(member: Mapping[str, Any]) -> dict[str, str]:
    """Return the context of a member at the start, by part; nothing for a run of its own."""
    return dict(Member.from_json(member).context) if member else {}


def data_handed_to(data: RunData, policy: str, member: Mapping[str, Any]) -> RunData:
    """Return the data of a run, in which a language model's member finds what it was handed as it was made.

    The planner takes what is handed over from the member itself.
    """
    return apply_handover(data, Member.from_json(member)) if member and policy == "language" else data


def open_ahead(disclosure: Disclosure, member: Mapping[str, Any]) -> Disclosure:
    """Return how tool information reaches a run; a member may be given documents at the start."""
    opened = Member.from_json(member).opened if member else ()
    return OpenedAhead(disclosure, opened) if opened else disclosure


def part_of(tree: SkillTree, member: Mapping[str, Any]) -> SkillTree:
    """Return a member's part of the tree; all of it for a run of its own."""
    return Member.from_json(member).part_of(tree) if member else tree
