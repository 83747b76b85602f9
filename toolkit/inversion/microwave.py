"""Frequency differences of microwave bands, with the user's calibration."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Annotated, Any

import numpy as np

from treeline.toolkit.errors import InputError
from treeline.toolkit.inversion.kit import INVERSION
from treeline.toolkit.inversion.snow_depth import QUANTITIES, leave_out_deep
from treeline.toolkit.raster import Source, map_pixels, source, sources
from treeline.toolkit.results import report_saved
from treeline.toolkit.tool import OF_INPUT, Gives, Reads, Writes, tool

CALIBRATED = {"TREELINE_METHOD": "user calibration"}


@tool(
    kit=INVERSION,
    source="User calibration: no universal relation of a two-frequency difference to these quantities is "
    "published",
    gives=Gives("raster", "frequency_difference"),
    formula="alpha (b1 - b2) + beta",
    difference="earth_bench clips to 0..1 and writes the difference first; science keeps the values and "
    "writes the quantity first",
)
def dual_frequency_diff(
    band1_path: Annotated[str, Reads()],
    band2_path: Annotated[str, Reads()],
    parameter: str,
    alpha: float,
    beta: float,
    output_path: Annotated[str, Writes("frequency_difference", OF_INPUT)],
) -> str:
    """Quantity from the difference of two frequencies by your calibration.

    Bands of the output: the quantity, the difference.

    Parameters
    ----------
    band1_path : str
        First band.
    band2_path : str
        Second band.
    parameter : str
        What it is: ``SM`` (soil moisture), ``VI`` (vegetation index) or ``LAI`` (leaf area index).
    alpha : float
        Slope of your calibration.
    beta : float
        Intercept of your calibration.
    output_path : str
        Where to write the result.

    Returns
    -------
    str
        ``Result saved at PATH``.
    """
    role = parameter_among(parameter, ("SM", "VI", "LAI"))
    inputs = {"first": source(band1_path), "second": source(band2_path)}
    roles = (role.lower(), "frequency_difference")
    return report_saved(
        map_pixels(
            partial(_scaled_difference, alpha, beta), inputs, output_path, role=roles, extra_tags=CALIBRATED
        )
    )


@tool(
    kit=INVERSION,
    source="User calibration: no universal relation of multi-frequency differences to these quantities is "
    "published",
    gives=Gives("raster", "frequency_difference"),
    formula="beta + sum alpha_i (T_i1 - T_i2)",
    difference="earth_bench has constants of its own and clips to 0..1; science needs the user's alphas and "
    "beta",
)
def multi_freq_bt(
    bt_paths: Annotated[list[str], Reads()],
    diff_pairs: list[list[int]],
    parameter: str,
    output_path: Annotated[str, Writes("frequency_difference", OF_INPUT)],
    alphas: list[float] | None = None,
    beta: float | None = None,
) -> str:
    """Quantity from differences of brightness temperatures at several frequencies by your calibration.

    Parameters
    ----------
    bt_paths : list of str
        Brightness temperatures in K.
    diff_pairs : list of list of int
        Places in the list, from 0: ``[[0, 1], [1, 2]]`` for T0 - T1 and T1 - T2.
    parameter : str
        What it is: ``SM`` (soil moisture), ``VWC`` (vegetation water content) or ``LAI`` (leaf area index).
    output_path : str
        Where to write the result.
    alphas : list of float, optional
        Slope of your calibration per pair; needed, as none is published.
    beta : float, optional
        Intercept of your calibration; needed, as none is published.

    Returns
    -------
    str
        ``Result saved at PATH``.
    """
    role = parameter_among(parameter, ("SM", "VWC", "LAI"))
    return _pairs(bt_paths, diff_pairs, role, output_path, alphas, beta)


@tool(
    kit=INVERSION,
    source="Chang, Foster & Hall 1987, Ann. Glaciol. 9:39 (snow); other quantities: user calibration",
    gives=Gives("raster", "snow_depth", "cm"),
    formula="SD = 1.59 (T18H - T37H) cm, SWE = 4.8 (T18H - T37H) mm; else beta + sum alpha_i (T_i1 - T_i2)",
    difference="earth_bench retrieves soil moisture or vegetation water with constants of its own under "
    "Chang's name; science retrieves snow, which is Chang's method, and takes the user's alphas and beta for "
    "the others",
)
def chang_single_param_inversion(
    bt_paths: Annotated[list[str], Reads()],
    diff_pairs: list[list[int]],
    parameter: str,
    output_path: Annotated[str, Writes("snow_depth")],
    alphas: list[float] | None = None,
    beta: float | None = None,
) -> str:
    """Snow depth (SD) or water equivalent (SWE) after Chang; other quantities by your calibration.

    Snow of less than 3 cm is written as 0, as by ``chang_snow_depth``.

    Parameters
    ----------
    bt_paths : list of str
        Brightness temperatures in K; for snow 18H and 37H.
    diff_pairs : list of list of int
        Places in the list, from 0; for snow the first pair is [18H, 37H].
    parameter : str
        ``SD`` (cm), ``SWE`` (mm), or ``SM`` and ``VWC``, which need alphas and beta.
    output_path : str
        Where to write the result.
    alphas : list of float, optional
        Slope of your calibration per pair, for SM and VWC.
    beta : float, optional
        Intercept of your calibration, for SM and VWC.

    Returns
    -------
    str
        ``Result saved at PATH``.
    """
    role = parameter_among(parameter, ("SD", "SWE", "SM", "VWC"))
    if role in ("SM", "VWC"):
        return _pairs(bt_paths, diff_pairs, role, output_path, alphas, beta)
    pair = _check_pairs(diff_pairs, len(bt_paths))[0]
    name, unit, factor = QUANTITIES["depth" if role == "SD" else "swe"]
    inputs = {"low": source(bt_paths[pair[0]]), "high": source(bt_paths[pair[1]])}
    return report_saved(map_pixels(leave_out_deep(factor, name), inputs, output_path, role=name, unit=unit))


def _scaled_difference(alpha: float, beta: float, first: Any, second: Any) -> Any:
    # In the order of the roles: the quantity, then the difference that it comes from.
    return np.stack([alpha * (first - second) + beta, first - second])


def _pairs(
    paths: list[str],
    pairs: list[list[int]],
    role: str,
    output: str,
    alphas: list[float] | None,
    beta: float | None,
) -> str:
    checked = _check_pairs(pairs, len(paths))
    if alphas is None or beta is None or len(alphas) != len(checked):
        raise InputError(
            f"alphas and beta: {role} has no published relation to these differences.",
            f"Give your calibration: one alpha for each of the {len(checked)} pairs, and beta.",
        )
    bands: list[Source] = sources(paths)
    function = partial(sum_of_differences, checked, alphas, beta)
    return report_saved(map_pixels(function, {"bt": bands}, output, role=role.lower(), extra_tags=CALIBRATED))


def sum_of_differences(pairs: Sequence[Sequence[int]], alphas: Sequence[float], beta: float, bt: Any) -> Any:
    """Return ``beta + sum alpha_i (bt[i1] - bt[i2])`` of a stack (bands, rows, columns)."""
    total = beta
    for alpha, (first, second) in zip(alphas, pairs, strict=True):
        total = total + alpha * (bt[first] - bt[second])
    return total


def _check_pairs(pairs: list[list[int]], count: int) -> list[list[int]]:
    if not pairs or any(len(pair) != 2 or not all(0 <= place < count for place in pair) for pair in pairs):
        raise InputError(
            f"diff_pairs: {pairs} are not pairs of places in a list of {count} rasters.",
            "Count from 0: [[0, 1]].",
        )
    return pairs


def parameter_among(parameter: str, known: tuple[str, ...]) -> str:
    """Return a parameter's name in capitals.

    Raises
    ------
    InputError
        It is none of the known ones.
    """
    wanted = parameter.strip().upper()
    if wanted not in known:
        raise InputError(f"parameter: {parameter!r} is not known.", f"Use {', '.join(known)}.")
    return wanted
