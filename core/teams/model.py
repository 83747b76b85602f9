"""What a team is made of: members, their sub-goals, and the contracts between these."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from pydantic import TypeAdapter

from treeline.toolkit import SkillTree

ANSWER = "answer"
"""What a contract promises where the sub-goal answers the question."""
NUMBERS = "numbers"
"""What a contract promises where something is measured."""

GoalKind = Literal["prepare", "mask", "answer"]


@dataclass(frozen=True, slots=True)
class Contract:
    """What goes into a sub-goal and what must come out.

    Attributes
    ----------
    inputs, outputs : tuple of str
        Roles of rasters, or handles; ``answer`` for the answer to the question.
    format : str
        Such as ``raster`` or ``number``.
    success : str
        When the sub-goal is reached, in a sentence.
    """

    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    format: str = "raster"
    success: str = ""


@dataclass(frozen=True, slots=True)
class SubGoal:
    """A part of a question that one executor works on.

    Attributes
    ----------
    kind : str
        ``prepare`` makes rasters, ``mask`` masks clouds, ``answer`` answers the question.
    brief : str
        The whole instruction of the executor.
    depends : tuple of str
        Identifiers of the sub-goals whose products it reads.
    reading : dict
        For an executor without a language model: what it works on, as the planner reads it.
    layer : int
        Of the layered team, 1 to 3; 0 elsewhere.
    tools : tuple of str
        The part of the tree that it takes; empty for all.
    clear : tuple of str
        Roles of which rasters are made without cloudy pixels.
    """

    id: str
    brief: str
    kind: GoalKind = "answer"
    contract: Contract = field(default_factory=Contract)
    depends: tuple[str, ...] = ()
    reading: dict[str, Any] | None = None
    layer: int = 0
    tools: tuple[str, ...] = ()
    clear: tuple[str, ...] = ()

    def as_note(self) -> dict[str, Any]:
        """Return what the record of the team keeps of it."""
        hidden = ("reading", "kind", "tools", "clear")
        return {k: v for k, v in asdict(self).items() if k not in hidden} | {"goal_kind": self.kind}


@dataclass(frozen=True, slots=True)
class HandedLayer:
    """Rasters of one role that an executor hands to another.

    Attributes
    ----------
    handle : str
        Of the collection that they are; empty where the member that is handed them names none.
    clear : bool
        Clouds are masked in them.
    shares : tuple of float
        Share of valid pixels of each, 0 to 1; ``None`` where it is not known.
    warnings : tuple of str
        What the calls that wrote them met: an answer that rests on them says it.
    """

    role: str
    addresses: tuple[str, ...]
    dates: tuple[str | None, ...]
    place: str = ""
    unit: str = ""
    clear: bool = False
    shares: tuple[float | None, ...] = ()
    warnings: tuple[str, ...] = ()
    handle: str = ""


@dataclass(frozen=True, slots=True)
class Member:
    """Who works on a sub-goal: a policy with a role, a brief and a part of the tree.

    Attributes
    ----------
    role : str
        Such as ``executor`` or the name of a sub-agent.
    variant : int
        From 1; several variants explore a question in parallel.
    attempt : int
        From 1; a corrective retry has the next number.
    tools : tuple of str
        Its part of the tree; empty for all.
    handed : tuple of HandedLayer
        What other members made for it.
    looked : bool
        Another member lists what there is.
    opened : tuple of str
        Tools whose documents it is given at the start.
    context : dict
        Parts that its decision state starts with beside the catalogue and the tree.
    sources : tuple of str
        The runs of members whose results its own record begins with.
    """

    role: str
    goal: SubGoal
    variant: int = 1
    attempt: int = 1
    strategy: str = ""
    tools: tuple[str, ...] = ()
    handed: tuple[HandedLayer, ...] = ()
    looked: bool = False
    opened: tuple[str, ...] = ()
    context: Mapping[str, str] = field(default_factory=dict)
    sources: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What identifies a member in its team, such as ``1-ndvi-1``."""
        return f"{self.variant}-{self.goal.id}-{self.attempt}"

    def to_json(self) -> dict[str, Any]:
        """Return what the store keeps."""
        return asdict(self)

    def part_of(self, tree: SkillTree) -> SkillTree:
        """Return the member's part of a tree; all of it where the member has no part of its own."""
        if not self.tools:
            return tree
        wanted = set(self.tools)
        found = {kit: tuple(t for t in of_kit if t.name in wanted) for kit, of_kit in tree.tools.items()}
        tools = {kit: of_kit for kit, of_kit in found.items() if of_kit}
        return SkillTree({kit: tree.kits[kit] for kit in tools}, tools)

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Member:
        """Read what the store kept."""
        return _MEMBER.validate_python(stored)


_MEMBER: TypeAdapter[Member] = TypeAdapter(Member)
