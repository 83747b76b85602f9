"""Which cells a table has: each is one system with one model in one regime, under one seed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from treeline.core.lab.reproduce.papers import Paper, Table

WITHOUT_MODEL = "planner"
"""The name of the planner in place of a model."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One system with one model in one regime.

    Attributes
    ----------
    model : str
        The name of the model at the endpoint, or :data:`WITHOUT_MODEL`.
    seed : int
        Of a model's choices, and of a random tree.
    repeat : int
        Which of several times the same, from 0.
    """

    bench: str
    system: str
    model: str
    regime: str
    seed: int = 0
    repeat: int = 0

    @property
    def key(self) -> str:
        """The name under which its results are kept; tables of one paper share them."""
        return f"{self.bench} | {self.system} | {self.model} | {self.regime} | {self.seed} | {self.repeat}"

    @property
    def asks_model(self) -> bool:
        """Whether a language model is asked."""
        return self.model != WITHOUT_MODEL


@dataclass(frozen=True, slots=True)
class Runs:
    """With what the systems are run.

    Attributes
    ----------
    models : tuple of str
        Names at the endpoint.
    seeds : int
        First seed; each repeat has the next.
    repeats : int
        How often each cell is worked on.
    """

    models: tuple[str, ...] = ()
    seed: int = 0
    repeats: int = 1


def cells_of(
    paper: Paper, table: Table, runs: Runs, modelled: Sequence[str] = (), free: Sequence[str] = ()
) -> Iterator[Cell]:
    """Yield the cells of a table.

    With models, the planner works on the last system alone, as a floor: a strategy changes what it is told,
    not what it does. Without a model it works on all.

    Parameters
    ----------
    modelled : sequence of str
        The systems that cannot do without a model.
    free : sequence of str
        The systems that ask none, whatever there is.
    """
    systems = [name for name in table.systems if not paper.systems[name].missing]
    either = [name for name in systems if name not in modelled and name not in free]
    floors = either[-1:] if runs.models else either
    pairs = [(model, name) for model in runs.models for name in systems if name not in free]
    pairs += [(WITHOUT_MODEL, name) for name in systems if name in free or name in floors]
    for model, name in pairs:
        for regime in table.regimes:
            # Without a model every repeat would be the same.
            for repeat in range(runs.repeats if model != WITHOUT_MODEL else 1):
                yield Cell(table.bench, name, model, regime, runs.seed + repeat, repeat)
