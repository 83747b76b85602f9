"""Burn severity from the burn ratio before and after a fire."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np

from treeline.toolkit.errors import InputError
from treeline.toolkit.index.kit import INDEX
from treeline.toolkit.plausible import keep_plausible, limiter_of
from treeline.toolkit.raster import map_pixels, source
from treeline.toolkit.results import report_saved
from treeline.toolkit.tool import Gives, Reads, Writes, tool

# Of the difference of NBR: Key & Benson 2006, FIREMON (USDA RMRS-GTR-164).
SEVERITY_LIMITS = (-0.25, -0.10, 0.10, 0.27, 0.44, 0.66)
SEVERITY_NAMES = (
    "high regrowth",
    "low regrowth",
    "unburned",
    "low severity",
    "moderate-low severity",
    "moderate-high severity",
    "high severity",
)


def _difference(before: Any, after: Any) -> Any:
    return before - after


def _relative(before: Any, after: Any) -> Any:
    return (before - after) / np.sqrt(np.abs(before))


def _relativize(before: Any, after: Any) -> Any:
    return (before - after) / (before + np.float32(1.001))


_FORMS = {"dNBR": _difference, "RdNBR": _relative, "RBR": _relativize}


@tool(
    kit=INDEX,
    source="Key & Benson 2006, RMRS-GTR-164 (dNBR); Miller & Thode 2007, Remote Sens. Environ. 109:66 "
    "(RdNBR); Parks, Dillon & Miller 2014, Remote Sens. 6:1827 (RBR)",
    gives=Gives("raster", "dnbr"),
    formula="dNBR = NBR before - NBR after; RdNBR = dNBR / sqrt(|NBR before|); RBR = dNBR / (NBR before + "
    "1.001)",
)
def burn_severity(
    nbr_before_path: Annotated[str, Reads("nbr")],
    nbr_after_path: Annotated[str, Reads("nbr")],
    output_path: Annotated[str, Writes("dnbr")],
    form: str = "dNBR",
) -> str:
    """Burn severity from NBR before and after a fire: dNBR, RdNBR or RBR; the higher the more severe.

    RdNBR has no meaning where NBR before is near 0: beyond -5 to 5 it is left out.

    Parameters
    ----------
    nbr_before_path : str
        Normalised burn ratio before the fire (not multiplied by 1000).
    nbr_after_path : str
        Normalised burn ratio after the fire.
    output_path : str
        Where to write the severity.
    form : str
        ``dNBR`` (difference), ``RdNBR`` (relative) or ``RBR`` (relativised).

    Returns
    -------
    str
        ``Result saved at PATH``.
    """
    function = _FORMS.get(form)
    if function is None:
        raise InputError(f"form: {form!r} is not known.", f"Use {', '.join(_FORMS)}.")
    inputs = {"before": source(nbr_before_path, "nbr"), "after": source(nbr_after_path, "nbr")}
    role = form.lower()
    return report_saved(map_pixels(keep_plausible(function, role), inputs, output_path, role=role, unit="1"))


@tool(
    kit=INDEX,
    source="Key & Benson 2006, RMRS-GTR-164 (limits 0.10, 0.27, 0.44, 0.66)",
    gives=Gives("raster", "burn_severity"),
    formula="classes 0-6 with limits -0.25, -0.10, 0.10, 0.27, 0.44, 0.66 of dNBR, lower limit included",
)
def classify_burn_severity(
    dnbr_path: Annotated[str, Reads("dnbr", "difference")],
    output_path: Annotated[str, Writes("burn_severity", "class")],
    limits: list[float] | None = None,
) -> str:
    """Classes of burn severity from dNBR, from high regrowth (0) over unburned (2) to high severity (6).

    Calibrate the limits to the site where field data exist. Those of regrowth were not checked against
    the paper. Values beyond -2 to 2, such as dNBR
    multiplied by 1000, are left out.

    Parameters
    ----------
    dnbr_path : str
        Difference of NBR before and after, not multiplied by 1000.
    output_path : str
        Where to write the classes: 0 high regrowth, 1 low regrowth, 2 unburned, 3 low severity,
        4 moderate-low severity, 5 moderate-high severity, 6 high severity; 255 no data.
    limits : list of float, optional
        Six rising limits between the classes; by default those of Key & Benson.

    Returns
    -------
    str
        ``Result saved at PATH``.
    """
    edges = tuple(limits or SEVERITY_LIMITS)
    if len(edges) != len(SEVERITY_LIMITS) or list(edges) != sorted(set(edges)):
        raise InputError(
            f"limits: {list(edges)} are not six rising numbers.", f"Default: {list(SEVERITY_LIMITS)}."
        )
    names = ", ".join(f"{value} {name}" for value, name in enumerate(SEVERITY_NAMES))
    kept = limiter_of("dnbr")
    product = map_pixels(
        lambda dnbr: _classes(edges, kept(dnbr)),
        {"dnbr": source(dnbr_path, "dnbr", "difference")},
        output_path,
        role="burn_severity",
        unit="class",
        dtype="uint8",
        extra_tags={"TREELINE_CLASSES": names},
    )
    return report_saved(product)


def _classes(limits: tuple[float, ...], dnbr: Any) -> Any:
    classes = np.digitize(dnbr, np.asarray(limits, dtype=dnbr.dtype))
    return np.where(np.isnan(dnbr), np.nan, classes)
