"""How a team's run and its members' runs differ from a run of one policy."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from treeline.core.disclosure import Disclosure
from treeline.core.engine import Policy
from treeline.core.events import Event, RunFinished
from treeline.core.policies import make_policy
from treeline.core.rundata import RunData
from treeline.core.settings import Endpoint
from treeline.core.teams.model import Member
from treeline.core.teams.names import MOST_EXECUTORS, MOST_VARIANTS, SWITCHES, TEAMS
from treeline.toolkit import SkillTree
from treeline.toolkit.errors import InputError, Stopped, TreelineError

if TYPE_CHECKING:
    from treeline.core.options import RunOptions
    from treeline.core.runs import RunManager


def work_as_team(
    manager: RunManager, run: str, options: RunOptions, endpoint: Endpoint | None,
    emit: Callable[[Event], None], stop: threading.Event, *, resumed: bool,
) -> RunFinished:  # fmt: skip
    """Work on a run as the team that its options name."""
    from treeline.core.teams.evolver import work_as_evolver
    from treeline.core.teams.layered import work_as_layered

    work = {"evolver": work_as_evolver, "layered": work_as_layered}[options.team]
    try:
        return work(manager, run, options, endpoint, emit, stop, resumed=resumed)
    except Stopped:
        finished = RunFinished("stopped", reason="The run was stopped.")
    except TreelineError as error:
        finished = RunFinished("failed", reason=str(error))
    emit(finished)
    return finished


def check_team(options: RunOptions) -> None:
    """Refuse a team that cannot be set up.

    Raises
    ------
    InputError
        Names the option and what there is.
    """
    if options.team not in TEAMS:
        raise InputError(f"There is no team {options.team!r}.", f"There are {', '.join(TEAMS)}.")
    for name, value, most in (
        ("variants", options.variants, MOST_VARIANTS),
        ("executors", options.executors, MOST_EXECUTORS),
    ):
        if not 1 <= value <= most:
            raise InputError(f"A team cannot have {value} {name}.", f"There can be 1 to {most}.")
    unknown = [name for name in options.without if name not in SWITCHES]
    if unknown:
        raise InputError(f"A team has no part {unknown[0]!r}.", f"There are {', '.join(SWITCHES)}.")


def policy_of(
    options: RunOptions, data: RunData, endpoint: Endpoint | None, disclosure: Disclosure
) -> Policy:
    """Return the policy of a run: by its name, or that of a member at its sub-goal."""
    if not options.member:
        return make_policy(options.policy, data, endpoint, disclosure)
    from treeline.core.teams.executors import member_policy

    return member_policy(options.policy, Member.from_json(options.member), data, endpoint, disclosure)


def context_of(options: RunOptions) -> dict[str, str]:
    """Return what a member is told at the start, by part."""
    return dict(Member.from_json(options.member).context) if options.member else {}


def part_of(tree: SkillTree, options: RunOptions) -> SkillTree:
    """Return a member's part of the tree; all of it for a run of its own."""
    return Member.from_json(options.member).part_of(tree) if options.member else tree
