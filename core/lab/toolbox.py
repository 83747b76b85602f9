"""Which tools a run of a bench may be shown: all, those of the reference toolkit, or what questions need.

RS-Claw (arXiv 2605.13391), section IV-D: ``needed`` are the tools of the experts' calls, ``needed+20`` those
and twenty others of the reference toolkit, ``reference+75`` the reference and made-up tools of other fields.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from treeline.core.lab.distractors import MOST, with_distractors
from treeline.core.lab.records import Question
from treeline.toolkit import SkillTree, registry
from treeline.toolkit.errors import InputError

ALL = "all"
_SPEC = re.compile(r"(all|reference|needed)(?:\+(\d{1,4}))?")
_SEED = 0


@lru_cache(maxsize=1)
def reference_tools() -> frozenset[str]:
    """Return the names of the 104 tools of Earth-Agent's toolkit (arXiv 2509.23141, tables 13 to 17)."""
    return frozenset((Path(__file__).parent / "reference_tools.txt").read_text("utf-8").split())


def check_toolbox(spec: str) -> None:
    """Refuse what names no set of tools.

    Raises
    ------
    InputError
    """
    found = _SPEC.fullmatch(spec)
    if found is None or (found[2] is not None and int(found[2]) > MOST):
        raise InputError(
            f"There are no tools {spec!r}.", "Say all or reference; needed+20 adds twenty to those needed."
        )


def needed_tools(questions: Iterable[Question]) -> tuple[str, ...]:
    """Return the tools that the experts called for some questions."""
    tools = registry()
    called = {call.tool for question in questions for call in question.ground_truth}
    return tuple(sorted({tools.get(name).name for name in called if name in tools}))


@lru_cache(maxsize=16)
def toolbox(spec: str, needed: tuple[str, ...] = ()) -> SkillTree:
    """Return the tree of the tools that a specification names.

    Parameters
    ----------
    needed : tuple of str
        What the questions need, for a specification that speaks of it.

    Raises
    ------
    InputError
        It names no set of tools.
    """
    check_toolbox(spec)
    base, more = spec.partition("+")[::2]
    count = int(more or 0)
    whole = SkillTree.of(registry())
    if base == ALL:
        return with_distractors(whole, count)
    if base == "reference":
        return with_distractors(tree_with(reference_tools()), count)
    others = sorted(reference_tools() - set(needed))
    random.Random(_SEED).shuffle(others)
    return tree_with({*needed, *others[:count]})


def tree_with(names: Iterable[str]) -> SkillTree:
    """Return the tree of some tools; kits without any are left out."""
    kept, whole = set(names), SkillTree.of(registry())
    tools = {kit: tuple(tool for tool in of if tool.name in kept) for kit, of in whole.tools.items()}
    full = {kit: members for kit, members in tools.items() if members}
    return SkillTree({kit: whole.kits[kit] for kit in full}, full)


def count_tools(tree: SkillTree) -> int:
    """Return how many tools a tree holds."""
    return sum(map(len, tree.tools.values()))
