"""The strategies of disclosure by name."""

from __future__ import annotations

from collections.abc import Callable

from treeline.core.context.subject import Subject
from treeline.core.disclosure.adaptive import Adaptive
from treeline.core.disclosure.fixed import Flat, Retrieval
from treeline.core.disclosure.growing import SelfBuilt
from treeline.core.disclosure.progressive import Progressive, TwoLayer
from treeline.core.disclosure.random_tree import RandomTree
from treeline.core.engine.disclosure import Disclosure
from treeline.toolkit.tree import SkillTree

STRATEGIES: dict[str, Callable[..., Disclosure]] = {
    strategy.name: strategy
    for strategy in (Adaptive, Progressive, SelfBuilt, TwoLayer, Retrieval, Flat, RandomTree)
}


def make_disclosure(
    name: str,
    tree: SkillTree,
    question: str = "",
    seed: int = 0,
    cards: bool = True,
    subject: Subject | None = None,
) -> Disclosure:
    """Return a strategy of :data:`STRATEGIES` for one run.

    Parameters
    ----------
    question : str
        What the run is about; ``retrieval`` and ``adaptive`` choose by it.
    seed : int
        Lot of ``random_tree``.
    cards : bool
        Whether ``adaptive`` may use the task cards.
    subject : Subject, optional
        What the question names of the data; ``adaptive`` gives the documents of the tools for it.
    """
    return STRATEGIES[name](tree, question, seed, cards, subject)
