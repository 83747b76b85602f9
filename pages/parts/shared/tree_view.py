"""The skill tree as a run has opened it."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass
from typing import Literal

from treeline.core.engine.actions import Call, Doc, Observation, Skill
from treeline.core.engine.events import StepStarted
from treeline.core.engine.state import Step
from treeline.toolkit import SkillTree

NodeState = Literal["closed", "opened", "read", "running", "succeeded", "refused", "failed"]
_OF_CALL: dict[str, NodeState] = {
    "result": "succeeded",
    "information": "succeeded",
    "refusal": "refused",
    "failure": "failed",
}


@dataclass(frozen=True, slots=True)
class ToolNode:
    """A tool that is shown; ``step`` is the last step about it, 0 where there is none."""

    name: str
    state: NodeState
    step: int
    calls: int = 0


@dataclass(frozen=True, slots=True)
class KitNode:
    """A kit; ``opened`` when its briefs were read, ``unfolded`` when a person wants to see all its tools."""

    name: str
    opened: bool
    step: int | None
    count: int
    tools: tuple[ToolNode, ...] = ()
    unfolded: bool = False

    @property
    def unread_count(self) -> int:
        """How many of its tools nobody has looked at."""
        return self.count - len(self.tools)


def tree_view(
    tree: SkillTree,
    steps: Iterable[Step],
    pending: StepStarted | None = None,
    *,
    unread: bool = False,
    unfolded: Container[str] = (),
) -> tuple[KitNode, ...]:
    """Return the kits in the order of the tree, with the tools that the steps are about.

    Parameters
    ----------
    unread : bool
        Whether open kits show the tools too that nobody has looked at.
    unfolded : container of str
        Kits that show them in any case.
    """
    opened: dict[str, int] = {}
    tools: dict[str, ToolNode] = {}
    names = {
        name: tool.name for kit in tree.tools.values() for tool in kit for name in (tool.name, *tool.aliases)
    }
    for step in steps:
        match step.action:
            case Skill(kit=name) if step.observation.is_success:
                kit = uppermost(tree, name)
                if kit is not None:
                    opened[kit] = step.number
            case Doc(tool=name) | Call(tool=name) if name in names:
                tools[names[name]] = _node_after(tools.get(names[name]), names[name], step)
            case _:
                pass
    if pending is not None and isinstance(pending.action, Call) and pending.action.tool in names:
        name = names[pending.action.tool]
        before = tools.get(name)
        tools[name] = ToolNode(name, "running", pending.step, (before.calls if before else 0) + 1)
    return tuple(
        KitNode(
            kit,
            kit in opened,
            opened.get(kit),
            len(members),
            tuple(
                tools.get(t.name, ToolNode(t.name, "closed", 0))
                for t in members
                if t.name in tools or (unread and kit in opened) or kit in unfolded
            ),
            kit in unfolded,
        )
        for kit, members in tree.tools.items()
    )


def _node_after(before: ToolNode | None, name: str, step: Step) -> ToolNode:
    calls = before.calls if before else 0
    if isinstance(step.action, Call):
        return ToolNode(name, _OF_CALL[step.observation.kind], step.number, calls + 1)
    if before is None or before.calls == 0:
        return ToolNode(name, _read(step.observation), step.number)
    return before


def _read(observation: Observation) -> NodeState:
    return "read" if observation.is_success else "refused"


def uppermost(tree: SkillTree, branch: str) -> str | None:
    """Return the kit that a branch such as ``Statistics/clouds`` belongs to."""
    wanted = branch.partition("/")[0].casefold().strip()
    return next((kit for kit in tree.kits if kit.casefold() == wanted), None)


def step_of_node(nodes: Iterable[KitNode], name: str) -> int | None:
    """Return the last step about the kit or tool of a name."""
    for kit in nodes:
        if kit.name == name:
            return kit.step
        for tool in kit.tools:
            if tool.name == name:
                return tool.step or None
    return None


def node_of_step(tree: SkillTree, step: Step | None) -> str | None:
    """Return the name of the node that a step is about."""
    match step.action if step else None:
        case Skill(kit=name):
            return uppermost(tree, name)
        case Doc(tool=name) | Call(tool=name):
            return name
        case _:
            return None
