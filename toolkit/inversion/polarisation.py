"""Indices of two polarisations of one microwave frequency, with the user's calibration."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

import numpy as np

from treeline.toolkit.errors import InputError
from treeline.toolkit.inversion.channels import chosen_channels
from treeline.toolkit.inversion.kit import INVERSION
from treeline.toolkit.inversion.microwave import CALIBRATED, parameter_among
from treeline.toolkit.raster import map_pixels
from treeline.toolkit.results import report_saved
from treeline.toolkit.tool import Gives, Reads, Writes, tool


@tool(
    kit=INVERSION,
    source="Becker & Choudhury 1988, Remote Sens. Environ. 24:297 (PR or MPDI); Paloscia & Pampaloni "
    "1988, IEEE Trans. Geosci. Remote Sens. 26:773 (PI); a calibration is the user's",
    gives=Gives("raster", "polarisation_ratio"),
    formula="PR = (V - H) / (V + H); PI = 2 PR; MPDT = V - H; quantity = a PR + b",
    difference="earth_bench has 15 PR + 5 for vegetation water, which grows with PR although PR falls as "
    "vegetation grows, and 0.4 PR + 0.1 for soil moisture; science needs the user's coefficients, and gives "
    "PR itself without",
)
def dual_polarization_ratio(
    bt_paths: Annotated[dict[str, str], Reads()],
    parameter: str,
    output_path: Annotated[str, Writes("polarisation_ratio")],
    coeffs: dict[str, Any] | None = None,
) -> str:
    """Polarisation ratio (PR) of brightness temperatures, and a quantity from it by your calibration.

    Bands of the output: the quantity and PR; for the parameters ``PR``, ``PI`` and ``MPDT`` the index
    alone. PR falls as vegetation grows.

    Parameters
    ----------
    bt_paths : dict
        Brightness temperatures in K: ``{"V": ..., "H": ...}``.
    parameter : str
        ``PR`` (polarisation ratio), ``PI`` (polarisation index), ``MPDT`` (difference in K); or ``VWC``
        (vegetation water content) and ``SM`` (soil moisture), which need coeffs.
    output_path : str
        Where to write the result.
    coeffs : dict, optional
        ``{"a": ..., "b": ...}`` of your calibration ``a PR + b``.

    Returns
    -------
    str
        ``Result saved at PATH``.
    """
    role = parameter_among(parameter, (*_POLARISATION, "VWC", "SM"))
    inputs = chosen_channels(bt_paths, ("V", "H"))
    if role in _POLARISATION:
        function, written, unit = _POLARISATION[role]
        return report_saved(map_pixels(function, inputs, output_path, role=written, unit=unit))
    constants = calibration(coeffs, role)
    roles = (role.lower(), "polarisation_ratio")
    return report_saved(
        map_pixels(partial(_from_ratio, *constants), inputs, output_path, role=roles, extra_tags=CALIBRATED)
    )


def calibration(coeffs: dict[str, Any] | None, parameter: str) -> tuple[float, float]:
    """Return a and b of ``{"a": .., "b": ..}`` or ``{"VWC": {"a": .., "b": ..}}``.

    Raises
    ------
    InputError
        One is missing.
    """
    given = (coeffs or {}).get(parameter, coeffs or {})
    if not isinstance(given, dict) or not {"a", "b"} <= set(given):
        raise InputError(
            f"coeffs: {parameter} has no published relation to the polarisation ratio; found {coeffs}.",
            'Give your calibration as {"a": slope, "b": intercept}, or use the parameter PR.',
        )
    return float(given["a"]), float(given["b"])


def polarisation_ratio(vertical: Any, horizontal: Any) -> Any:
    """Return (V - H) / (V + H)."""
    return (vertical - horizontal) / (vertical + horizontal)


def _ratio(cV: Any, cH: Any) -> Any:
    return polarisation_ratio(cV, cH)


def _index(cV: Any, cH: Any) -> Any:
    return 2 * polarisation_ratio(cV, cH)


def _difference(cV: Any, cH: Any) -> Any:
    return cV - cH


_POLARISATION = {
    "PR": (_ratio, "polarisation_ratio", "1"),
    "PI": (_index, "polarisation_index", "1"),
    "MPDT": (_difference, "polarisation_difference", "K"),
}


def _from_ratio(a: float, b: float, cV: Any, cH: Any) -> Any:
    ratio = polarisation_ratio(cV, cH)
    # In the order of the roles: the quantity, then the ratio that it comes from.
    return np.stack([a * ratio + b, ratio])
