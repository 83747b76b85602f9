"""What a team is handed with a run: the question, what it may read, and how members are hired for it.

Whoever composes runs makes one; a team knows no manager of runs.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from treeline.core.engine.disclosure import Disclosure
from treeline.core.engine.events import Event
from treeline.core.engine.rundata import RunData
from treeline.core.memory.entries import Scope
from treeline.core.policies.reading_choice import HowToRead
from treeline.core.record.store import RunRecord, Store
from treeline.core.settings import Endpoint
from treeline.core.teams.names import MOST_EXECUTORS, MOST_VARIANTS, SWITCHES, TEAMS
from treeline.toolkit.errors import InputError


class TeamOptions(Protocol):
    """Those options of a run that a team uses."""

    @property
    def team(self) -> str:
        """A name of :data:`treeline.core.teams.TEAMS`."""

    @property
    def policy(self) -> str:
        """The policy of every member."""

    @property
    def disclosure(self) -> str:
        """How tool information reaches the members."""

    @property
    def memory(self) -> Scope:
        """Whose failures are part of the context."""

    @property
    def choices(self) -> tuple[str, ...]:
        """Options to choose from."""

    @property
    def withheld(self) -> tuple[str, ...]:
        """Expected outputs of a benchmark, which memory must not tell."""

    @property
    def data(self) -> tuple[str, ...]:
        """Files or folders that are read in place."""

    @property
    def open_tools(self) -> bool:
        """Whether a language model is told what the data hold."""

    @property
    def variants(self) -> int:
        """Variants explored in parallel."""

    @property
    def executors(self) -> int:
        """Sub-goals at most."""

    @property
    def retries(self) -> int:
        """Corrective retries of each sub-goal."""

    @property
    def lessons(self) -> int:
        """Most items of the memory bank that it is told."""

    @property
    def person(self) -> str:
        """Whose memory bank it is told; empty on a server of one person."""

    @property
    def without(self) -> tuple[str, ...]:
        """Parts of the team that are switched off."""


class Work(Protocol):
    """A team's run, to be worked on to its end."""

    @property
    def record(self) -> RunRecord:
        """The run."""

    @property
    def options(self) -> TeamOptions:
        """How it is worked on."""

    @property
    def store(self) -> Store:
        """Where it and its members' runs are recorded."""

    @property
    def endpoint(self) -> Endpoint | None:
        """What a language model is asked at; ``None`` for that of the environment."""

    @property
    def emit(self) -> Callable[[Event], None]:
        """Records an event in the run."""

    @property
    def stop(self) -> threading.Event:
        """Stops the team and every member."""

    @property
    def is_resumed(self) -> bool:
        """Whether it goes on from its record."""

    @property
    def may_part(self) -> bool:
        """Whether members may work in processes of their own."""

    def data(self) -> RunData:
        """Return what the run reads and writes."""

    def disclosure(self) -> Disclosure:
        """Return how tool information reaches the run."""

    def how_to_read(self) -> HowToRead:
        """Return how a person wants the question to be read."""

    def before(self) -> str:
        """Return what was asked before in the thread of the question, and how that ended."""

    def hire(
        self,
        question: str,
        member: dict[str, Any],
        data: Sequence[str],
        out: str,
        choices: tuple[str, ...],
        disclosure: str,
    ) -> str:
        """Record the run of a member inside this one and return its identifier."""

    def work_here(self, run: str) -> None:
        """Work on a member's run to its end in this thread."""

    def work_apart(self, run: str, begun: Callable[[int], None]) -> int | None:
        """Work on a member's run in a process; return its exit code where it died before the end.

        Parameters
        ----------
        begun : callable
            Told the number of the process.
        """

    def prepare(self, count: int) -> None:
        """Start so many processes for members, without waiting for them."""


def check_team(options: TeamOptions) -> None:
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
