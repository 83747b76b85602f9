"""A calculator over rasters."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from treeline.toolkit.errors import InputError
from treeline.toolkit.index.formula import Formula, parse
from treeline.toolkit.index.kit import INDEX
from treeline.toolkit.raster import map_pixels, source
from treeline.toolkit.results import saved
from treeline.toolkit.tool import OF_INPUT, Gives, Variable, Writes, tool

LONGEST = 1000
EXPRESSION = Variable("expression", "Result of a formula", OF_INPUT)


@tool(
    kit=INDEX,
    source="Tomlin 1990, Geographic Information Systems and Cartographic Modeling (local operations)",
    gives=Gives("raster", "expression"),
)
def raster_calculator(
    formula: str,
    rasters: dict[str, str],
    output_path: Annotated[str, Writes("expression", OF_INPUT, declares=(EXPRESSION,))],
    role: str = "expression",
    unit: str = "",
) -> str:
    """Raster of an arithmetic formula over rasters, such as ``(a - b) / (a + b)``.

    Parameters
    ----------
    formula : str
        Numbers, names, ``+ - * / **`` and ``sqrt, exp, log, abs``.
    rasters : dict
        Raster by the name in the formula, such as ``{"a": "scene.tif#8", "b": "scene.tif#4"}``.
    output_path : str
        Where to write the result.
    role : str
        What the result is, such as ``ndvi``.
    unit : str
        Its unit.

    Returns
    -------
    str
        ``Result saved at PATH``.
    """
    if len(formula) > LONGEST:
        raise InputError(f"formula: it has {len(formula)} characters.", f"Keep it below {LONGEST}.")
    understood = parse(formula)
    missing = [name for name in understood.names if name not in rasters]
    if missing or not understood.names:
        what = f"there is no raster for {missing[0]!r}" if missing else "the formula names no raster"
        raise InputError(
            f"rasters: {what}; given are {', '.join(rasters) or 'none'}.", f"The formula is {formula!r}."
        )
    inputs = {name: source(rasters[name]) for name in understood.names}
    return saved(map_pixels(partial(_compute, understood), inputs, output_path, role=role, unit=unit))


def _compute(formula: Formula, **arrays: Any) -> Any:
    return formula(arrays)
