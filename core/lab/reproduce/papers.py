"""The papers' tables as data: which systems, regimes and metrics each has, and the values that it prints."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, model_validator

from treeline.toolkit.errors import InputError

FOLDER = Path(__file__).parent / "tables"

Benchmark = Literal["earth-bench", "thinkgeo", "geoplan"]
SETTING = ("model", "system", "regime", "slice")
"""The columns of a table that say what was worked on, how and on which part; all others are metrics."""

_ROMAN = {
    "I": 1,
    "II": 2,
    "III": 3,
    "IV": 4,
    "V": 5,
    "VI": 6,
    "VII": 7,
    "VIII": 8,
    "IX": 9,
    "X": 10,
    "XI": 11,
}


class _Data(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class System(_Data):
    """How questions are worked on under one name of a paper.

    Attributes
    ----------
    options : dict
        Of the benchmark's own options, what differs from their defaults.
    note : str
        How it differs from the paper's system of that name.
    missing : str
        Why it cannot be run here; empty where it can.
    """

    options: dict[str, Any] = Field(default_factory=dict)
    note: str = ""
    missing: str = ""


class Contrast(_Data):
    """A difference between two systems that a paper states in its text.

    Attributes
    ----------
    kind : str
        ``difference``, or ``change``: the difference as per cent of the second.
    """

    metric: str
    system: str
    than: str
    value: float
    kind: Literal["difference", "change"] = "difference"
    model: str = ""
    regime: str = ""
    where: str = ""


class Table(_Data):
    """One table of a paper.

    Attributes
    ----------
    where : str
        Page or section.
    percent : tuple of str
        Metrics that it gives in per cent.
    model : str
        The model of all its rows, where it has no column for it.
    aliases : tuple of str
        Other names of the table.
    part : str
        The modality of the questions that it takes alone; empty for all.
    slices : str
        By what its rows divide the questions, a key of
        :data:`treeline.core.lab.reproduce.measures.SLICES`; empty where they do not.
    lost : str
        What the text of the paper does not carry of it; empty where all is there.
    columns, values
        The published rows.
    """

    title: str
    where: str
    bench: Benchmark
    metrics: tuple[str, ...]
    systems: tuple[str, ...]
    percent: tuple[str, ...] = ()
    regimes: tuple[str, ...] = ("ap",)
    model: str = ""
    aliases: tuple[str, ...] = ()
    part: str = ""
    slices: str = ""
    lost: str = ""
    differences: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    values: tuple[tuple[Any, ...], ...] = ()
    contrasts: tuple[Contrast, ...] = ()

    @model_validator(mode="after")
    def _rows_fit(self) -> Table:
        known = {*SETTING, *self.metrics, "questions"}
        strange = [name for name in self.columns if name not in known]
        if strange or any(len(row) != len(self.columns) for row in self.values):
            raise ValueError(f"the rows of {self.title!r} do not fit the columns {self.columns} {strange}")
        return self

    @property
    def published_rows(self) -> list[dict[str, Any]]:
        """The published rows: the settings, and under ``values`` the metrics that the row has."""
        return [self._published_row(dict(zip(self.columns, row, strict=True))) for row in self.values]

    def _published_row(self, row: Mapping[str, Any]) -> dict[str, Any]:
        own = {name: str(row[name]) for name in SETTING if row.get(name) is not None}
        only = {"system": self.systems, "regime": self.regimes}
        # A table of one system or regime prints no column for it.
        alone = {name: values[0] for name, values in only.items() if len(values) == 1}
        setting = ({"model": self.model} if self.model else {}) | alone | own
        numbers = {name: row[name] for name in row if name not in SETTING and row[name] is not None}
        return {**setting, "values": numbers}


class Paper(_Data):
    """A paper with its systems and tables.

    Attributes
    ----------
    exclude : tuple of str
        Questions that its results leave out.
    """

    title: str
    source: str
    systems: dict[str, System]
    tables: dict[str, Table]
    exclude: tuple[str, ...] = ()
    differences: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _check_systems(self) -> Paper:
        lost = {name for table in self.tables.values() for name in table.systems} - set(self.systems)
        if lost:
            raise ValueError(f"there are no systems {sorted(lost)}")
        return self

    def table(self, number: str) -> Table:
        """Return a table by its number, in Arabic or Roman figures, or by its name.

        Raises
        ------
        InputError
            It has none of that number that can be made here.
        """
        found = next((name for name in self.tables if self._is_table(name, number)), None)
        if found is None:
            raise InputError(
                f"{self.title} has no table {number!r} that can be made here.",
                f"There are {', '.join(self.tables)}.",
            )
        return self.tables[found]

    def _is_table(self, name: str, wanted: str) -> bool:
        return any(_same_number(each, wanted) for each in (name, *self.tables[name].aliases))

    def numbers(self, wanted: str = "") -> list[str]:
        """Return the tables' numbers: that of one, or all."""
        if not wanted:
            return list(self.tables)
        table = self.table(wanted)
        return [name for name in self.tables if self.tables[name] is table]


def paper_names() -> list[str]:
    """Return the papers whose tables can be made."""
    return sorted(path.stem for path in FOLDER.glob("*.yaml"))


@cache
def paper_of(name: str) -> Paper:
    """Return a paper by its name.

    Raises
    ------
    InputError
        There is none of that name.
    """
    if name not in paper_names():
        raise InputError(f"There is no paper {name!r}.", f"There are {', '.join(paper_names())}.")
    return Paper.model_validate(yaml.safe_load((FOLDER / f"{name}.yaml").read_text("utf-8")))


def _same_number(name: str, wanted: str) -> bool:
    plain = wanted.strip().upper().removeprefix("TABLE").strip()
    return name.upper() == plain or str(_ROMAN.get(name.upper(), "")) == plain
