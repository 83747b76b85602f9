"""From a row of the table of batch indices to a tool."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any

from treeline.toolkit.batches import each_of
from treeline.toolkit.index.compute import singular_names, write_one
from treeline.toolkit.index.kit import INDEX
from treeline.toolkit.table_functions import Argument, Text, make_function
from treeline.toolkit.tool import Gives, Reads, Writes, tool
from treeline.toolkit.variables import VARIABLES

Values = Mapping[str, float]
OUTPUTS = "output_paths"


@dataclass(frozen=True, slots=True)
class Band:
    """One list of rasters that an index reads.

    Attributes
    ----------
    parameter : str
        Name of the argument.
    symbol : str
        In the formula of the catalogue.
    title : str
        For people, such as ``Near-infrared``.
    roles : tuple of str
        Acceptable ones, the best first.
    """

    parameter: str
    symbol: str
    title: str
    roles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Option:
    """A number in the formula that a caller may set; ``symbol`` is its name in the catalogue."""

    name: str
    default: float
    description: str
    symbol: str = ""


@dataclass(frozen=True, slots=True)
class BatchIndex:
    """An index that is computed for each set of rasters in a series.

    Attributes
    ----------
    role : str
        Of what is written; with ``tool`` the tool is ``calculate_batch_<tool>``.
    index : str
        Name in the catalogue.
    short, title, remark, note : str
        ``NDVI``, what that stands for, what to add to it, and what to know of the values.
    reflectance : bool
        The formula needs reflectance; digital numbers of an unknown scale are refused.
    difference : str
        How science differs from earth_bench; indices of the reference also have their older name.
    write : callable, optional
        ``write(values)`` gives the function of one set of addresses; default: the catalogue's formula.
    """

    role: str
    index: str
    short: str
    title: str
    bands: tuple[Band, ...]
    formula: str
    source: str
    tool: str = ""
    remark: str = ""
    note: str = ""
    details: str = ""
    options: tuple[Option, ...] = ()
    reflectance: bool = False
    difference: str = ""
    outputs: str = OUTPUTS
    aliases: Mapping[str, str] | None = None
    unit: str = ""
    write: Callable[[Values], Callable[..., str]] | None = None

    @property
    def name(self) -> str:
        """Of the tool."""
        return f"calculate_batch_{self.tool or self.role}"

    def run(self, **arguments: Any) -> list[str]:
        """Write the index for each set of rasters."""
        names = [*(band.parameter for band in self.bands), self.outputs]
        lists = {name: arguments[name] for name in names}
        values = {option.symbol or option.name: arguments[option.name] for option in self.options}
        return each_of(self._item(values), lists, label=self.short)

    def _item(self, values: Values) -> Callable[..., str]:
        if self.write is not None:
            return self.write(values)
        return partial(write_one, self.index, tuple(band.symbol for band in self.bands), values)


def add(row: BatchIndex, module: str) -> None:
    """Register the tool of a row of a module."""
    parameters = (*(band.parameter for band in row.bands), row.outputs)
    register = tool(
        kit=INDEX,
        source=row.source,
        gives=Gives("raster", row.role, row.unit),
        formula=row.formula,
        difference=row.difference,
        aliases=(row.name.replace("batch_", ""),) if row.difference else (),
        parameter_aliases=row.aliases or singular_names(*parameters),
    )
    register(make_function(row.name, _arguments(row), _text(row), row.run, module))


def _arguments(row: BatchIndex) -> list[Argument]:
    measured = "reflectance" if row.reflectance else "bands"
    rasters = [
        Argument(
            band.parameter,
            Annotated[list[str], Reads(*band.roles)],
            "list of str",
            f"{band.title} {measured}{', in the same order' if number else ''}.",
        )
        for number, band in enumerate(row.bands)
    ]
    written = Annotated[list[str], Writes(row.role)]
    output = Argument(row.outputs, written, "list of str", f"Where to write each {row.short}.")
    options = [Argument(o.name, float, "float", o.description, o.default) for o in row.options]
    return [*rasters, output, *options]


def _text(row: BatchIndex) -> Text:
    group = "pair" if len(row.bands) == 2 else "set"
    low, high = VARIABLES[row.role].plausible
    short = f"{row.short}, {row.remark}" if row.remark else row.short
    note = f"; {row.note}" if row.note else ""
    return Text(
        brief=f"{row.title} ({short}) of each {group} of rasters{note}.",
        details=row.details,
        returns=f"``Result saved at PATH`` per {group}; values without unit, plausible from {low:g} to "
        f"{high:g}.",
    )
