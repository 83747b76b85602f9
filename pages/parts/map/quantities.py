"""What the numbers of a step are, as the title of a chart says it: Mean NDVI, Area."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

from treeline.core.engine.actions import ProductRecord, action_name
from treeline.core.engine.checks import COUNT, INDEX
from treeline.core.engine.state import Step
from treeline.core.query.titles import short_title
from treeline.core.workspace import Workspace
from treeline.toolkit import registry
from treeline.toolkit.errors import TreelineError

_STATISTICS = {
    "mean": "Mean",
    "median": "Median",
    "max": "Maximum",
    "min": "Minimum",
    "std": "Standard deviation of",
    "range": "Range of",
    "percentile": "Percentile of",
}
# Tools whose name tells the statistic that they give of each raster; others have it as an argument.
_OF_EACH = {f"calc_batch_image_{name}": name for name in ("mean", "median", "max", "min", "std")}
_NO_UNIT = {COUNT: "1", INDEX: "1"}
_NAMED = {"area": "Area", "count": "Number of pixels", "percent": "Share", "pixels": "Number of pixels"}


def name_quantity(
    step: Step, workspace: Workspace, products: Sequence[tuple[int, ProductRecord]], column: str = ""
) -> str:
    """Return what the numbers of a step are; empty where neither its tool nor its rasters tell it.

    Parameters
    ----------
    column : str
        Of a table with several numbers in a row, the one that is meant.
    """
    tool = action_name(step.action)
    contract = registry().get(tool).gives if tool in registry() else None
    named = _NAMED.get(column or (contract.quantity if contract else ""), "")
    if named:
        return named
    arguments = step.observation.arguments or {}
    statistic = _STATISTICS.get(_OF_EACH.get(tool) or str(arguments.get("statistic", "")), "")
    role, _ = variable_of(step, workspace, products) if statistic else ("", "")
    return f"{statistic} {short_title(role)}" if role else ""


def variable_of(
    step: Step, workspace: Workspace, products: Sequence[tuple[int, ProductRecord]]
) -> tuple[str, str]:
    """Return role and unit of the rasters whose statistics a step gave; nothing where it names none."""
    given = (step.observation.arguments or {}).get("file_list")
    address = str(given[0] if isinstance(given, list) and given else given or "")
    if not address:
        return "", ""
    name = PurePath(address).name
    made = next((product for _, product in products if PurePath(product.name).name == name), None)
    if made is not None:
        return made.role, made.unit
    try:
        description, band = workspace.resolver.describe(address)
    except TreelineError:
        return "", ""
    bands = [each for each in description.bands if band in (None, each.name, each.role, str(each.index))]
    return (bands[0].role or "", bands[0].unit or "") if bands else ("", "")


def unit_of_step(step: Step) -> str:
    """Return the unit of the numbers of a step as the step tells it, with none for what is counted."""
    return _NO_UNIT.get(step.observation.unit, step.observation.unit)


def keeps_unit(step: Step) -> bool:
    """Return whether the numbers of a step have the unit of the rasters that it read."""
    return action_name(step.action) in _OF_EACH
