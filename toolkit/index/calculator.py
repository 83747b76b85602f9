"""A calculator over rasters."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache, partial
from typing import Annotated, Any

import numpy as np

from treeline.toolkit.decibels import check_formula
from treeline.toolkit.errors import InputError
from treeline.toolkit.execution import each
from treeline.toolkit.index.formula import Formula, is_condition, parse, parse_condition
from treeline.toolkit.index.kit import INDEX
from treeline.toolkit.raster import class_tags, map_pixels, names_tags, require_classes, source
from treeline.toolkit.results import report_saved
from treeline.toolkit.tool import OF_INPUT, Gives, Variable, Writes, tool

LONGEST = 1000
_COPY = re.compile(r"(\w+)(?:\s*\+\s*0)?")
_CLASSES = "classes"
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
    class_names: dict[str, str] | None = None,
) -> str:
    """Raster of an arithmetic formula over rasters, such as ``(a - b) / (a + b)``.

    Parameters
    ----------
    formula : str
        Numbers, names, ``+ - * / **`` and ``sqrt, exp, log, abs, minimum, maximum``; and
        ``where(a > 0.5, b, c)``, whose condition compares with ``> >= < <= == !=`` and joins by ``&``, ``|``
        and ``~``; ``nodata`` leaves pixels out. A condition alone gives a mask.
    rasters : dict
        Raster by the name in the formula, such as ``{"a": "scene.tif#8", "b": "scene.tif#4"}``.
    output_path : str
        Where to write the result.
    role : str
        What the result is, such as ``ndvi``.
    unit : str
        Its unit.
    class_names : dict, optional
        Of a result that is classes: what its numbers mean, such as ``{"1": "north", "2": "south"}``. Tables
        by its classes have these names.

    Returns
    -------
    str
        ``Result saved at PATH``.
    """
    understood, masks = _understand(formula, rasters)
    inputs = {name: source(rasters[name]) for name in understood.names}
    check_formula(formula, inputs)
    compute, content = partial(_compute, understood), _content(masks, role, unit)
    if class_names:
        compute = partial(_compute_classes, understood)
        content = {"role": _CLASSES, "unit": "class", "dtype": "uint8", "extra_tags": names_tags(class_names)}
    return report_saved(map_pixels(compute, inputs, output_path, **content))


@tool(
    kit=INDEX,
    source="Tomlin 1990, Geographic Information Systems and Cartographic Modeling (local operations)",
    gives=Gives("raster", "expression"),
)
def calculate_batch_formula(
    formula: str,
    rasters: dict[str, list[str]],
    output_paths: Annotated[list[str], Writes("expression", OF_INPUT)],
    role: str = "expression",
    unit: str = "",
) -> list[str]:
    """Rasters of a formula over series of rasters; of a condition such as ``(a > 0.5) & ~(b == 3)`` masks.

    Parameters
    ----------
    formula : str
        Numbers, names, ``nodata``, ``+ - * / **`` and ``sqrt, exp, log, abs, minimum, maximum, where``; a
        condition compares with ``> >= < <= == !=`` and joins by ``&``, ``|`` and ``~``.
    rasters : dict
        Rasters by the name in the formula, in one order; a single one serves every date.
    output_paths : list of str
        Where to write each result. A mask has 1 where the condition holds, 0 where not, and nodata
        where a raster has none.
    role : str
        What the results are, such as ``ndvi``; of a condition always ``mask``.
    unit : str
        Their unit.

    Returns
    -------
    list of str
        ``Result saved at PATH`` for each.
    """
    understood, masks = _understand(formula, rasters)
    lengths = {name: len(rasters[name]) for name in understood.names}
    if any(length not in (1, len(output_paths)) for length in lengths.values()):
        told = ", ".join(f"{name}: {length}" for name, length in lengths.items())
        raise InputError(
            f"The lists differ in length ({told}, output_paths: {len(output_paths)}).",
            "Give one raster for each output, or one for all.",
        )

    def one(number: int, output: str) -> str:
        chosen = {name: rasters[name][number if lengths[name] > 1 else 0] for name in understood.names}
        inputs = {name: source(address) for name, address in chosen.items()}
        check_formula(formula, inputs)
        content = _content(masks, role, unit)
        copied = _COPY.fullmatch(formula.strip())
        if copied and copied[1] in inputs:  # it has the classes of what it is a copy of
            content["extra_tags"] = class_tags(inputs[copied[1]])
        return report_saved(map_pixels(partial(_compute, understood), inputs, output, **content))

    return each(one, range(len(output_paths)), list(output_paths), label="formula")


def _understand(formula: str, rasters: Mapping[str, str | list[str]]) -> tuple[Formula, bool]:
    """Return a formula whose names all have rasters, and whether it is a condition."""
    if len(formula) > LONGEST:
        raise InputError(f"formula: it has {len(formula)} characters.", f"Keep it below {LONGEST}.")
    masks = is_condition(formula)
    understood = parse_condition(formula) if masks else parse(formula)
    missing = [name for name in understood.names if not rasters.get(name)]
    if missing or not understood.names:
        what = f"there is no raster for {missing[0]!r}" if missing else "the formula names no raster"
        raise InputError(
            f"rasters: {what}; given are {', '.join(rasters) or 'none'}.", f"The formula is {formula!r}."
        )
    return understood, masks


def _content(masks: bool, role: str, unit: str) -> dict[str, Any]:
    return {"role": "mask", "unit": "class", "dtype": "uint8"} if masks else {"role": role, "unit": unit}


def _compute(formula: Formula, **arrays: Any) -> Any:
    found = formula(arrays)
    if not _chooses(formula.text):
        return found
    # A comparison with what is missing is false, and would choose the other value.
    holes = np.logical_or.reduce([np.isnan(values) for values in arrays.values()])
    return np.where(holes, np.nan, found)


def _compute_classes(formula: Formula, **arrays: Any) -> Any:
    found = _compute(formula, **arrays)
    require_classes("formula", found)
    return found


@lru_cache(maxsize=256)
def _chooses(text: str) -> bool:
    return "where" in text
