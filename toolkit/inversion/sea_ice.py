"""Sea-ice concentration from passive microwaves."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from treeline.toolkit.context import current_context
from treeline.toolkit.errors import InputError
from treeline.toolkit.inversion.channels import chosen_channels
from treeline.toolkit.inversion.kit import INVERSION
from treeline.toolkit.raster import map_pixels
from treeline.toolkit.results import report_saved
from treeline.toolkit.tool import Gives, Reads, Variable, Writes, tool

ICE_TYPES = (
    Variable("sea_ice_first_year", "First-year ice concentration", "1", (0.0, 1.0)),
    Variable("sea_ice_multiyear", "Multiyear ice concentration", "1", (0.0, 1.0)),
)
FURTHER = tuple(each.role for each in ICE_TYPES)

# Wind, cloud and rain over open water raise these gradient ratios above the limits (Cavalieri et al. 1995).
WEATHER_37 = 0.05
WEATHER_22 = 0.045
WEATHER_37_OF = {"f17 south": 0.057, "smmr north": 0.07, "smmr south": 0.076}
"""Limits of GR(37V/19V) of single sets of tie points, as the NSIDC processing has them."""


@tool(
    kit=INVERSION,
    source="Cavalieri, Gloersen & Campbell 1984, J. Geophys. Res. 89:5355; tie points: Cavalieri et al. "
    "1999, J. Geophys. Res. 104:15803; weather filter: Cavalieri et al. 1995",
    gives=Gives("raster", "sea_ice", "1"),
    formula="C = (F(PR, GR) + M(PR, GR)) / D(PR, GR); PR = (V19 - H19) / (V19 + H19), GR = (V37 - V19) / "
    "(V37 + V19)",
    difference="earth_bench is a mean of polarisation differences whose tie points are inverted (open water "
    "is 1); science is the NASA Team algorithm with the tie points of the sensor and a weather filter; 37H "
    "is not used",
)
def nasa_team_sea_ice_concentration(
    bt_paths: Annotated[dict[str, str], Reads()],
    output_path: Annotated[str, Writes("sea_ice", further=FURTHER, declares=ICE_TYPES)],
    nd_ice: float = 50.0,
    nd_water: float = 0.0,
    s1_ice: float = 20.0,
    s1_water: float = 0.0,
    tie_points: str = "F17 north",
    weather_filter: bool = True,
) -> str:
    """Sea-ice concentration (0 to 1) by the NASA Team algorithm.

    Bands of the output: total concentration, first-year ice, multiyear ice (types A and B in the south).

    Parameters
    ----------
    bt_paths : dict
        Brightness temperatures in K by channel: ``{"19H": ..., "19V": ..., "37V": ...}``; ``37H`` is not
        used, ``22V`` helps the weather filter.
    output_path : str
        Where to write the concentrations.
    nd_ice : float
        Only in the profile earth_bench.
    nd_water : float
        Only in the profile earth_bench.
    s1_ice : float
        Only in the profile earth_bench.
    s1_water : float
        Only in the profile earth_bench.
    tie_points : str
        Sensor and hemisphere, such as ``F17 north``, ``F13 south``, ``AMSR2 north``, ``SMMR south``.
        The set of another sensor shifts the concentration by some per cent.
    weather_filter : bool
        Set open water where clouds or wind look like ice: GR(37V/19V) above 0.05 (F17 south 0.057,
        SMMR 0.07 north and 0.076 south), or GR(22V/19V) above 0.045.

    Returns
    -------
    str
        ``Result saved at PATH``.
    """
    points = tie_point_set(tie_points)
    if (nd_ice, nd_water, s1_ice, s1_water) != (50.0, 0.0, 20.0, 0.0):
        current_context().warn(
            "nd_ice, nd_water, s1_ice and s1_water belong to the profile earth_bench; not used."
        )
    inputs = chosen_channels(bt_paths, ("19H", "19V", "37V"), ("22V",))
    limit = WEATHER_37_OF.get(tie_points.strip().casefold(), WEATHER_37)
    function = partial(concentrations, points, limit if weather_filter else None)
    roles = ("sea_ice", *FURTHER)
    tags = {"TREELINE_METHOD": f"NASA Team, tie points {tie_points}"}
    return report_saved(map_pixels(function, inputs, output_path, role=roles, unit="1", extra_tags=tags))


@cache
def _sets() -> dict[str, np.ndarray]:
    import yaml

    entries = yaml.safe_load((Path(__file__).parent / "tie_points.yaml").read_text("utf-8"))
    return {name: np.array(rows) for name, rows in entries.items()}


def tie_point_set(name: str) -> np.ndarray:
    """Return tie points (3 surfaces x 19H, 19V, 37V, in K).

    Raises
    ------
    InputError
        There is no set of that name.
    """
    by_fold = {known.casefold(): points for known, points in _sets().items()}
    points = by_fold.get(name.strip().casefold())
    if points is None:
        raise InputError(f"tie_points: there is no set {name!r}.", f"There are {', '.join(_sets())}.")
    return points


def coefficients(points: np.ndarray) -> np.ndarray:
    """Return the coefficients F0-F3, M0-M3, D0-D3 (3 x 4) of tie points.

    A brightness temperature is taken for a linear mixture of the three surfaces; sign and common
    factor are those of the published tables.
    """

    def at(pr: float, gr: float) -> np.ndarray:
        h19, v19, v37 = points.T
        # PR and GR of a mixture of surfaces give two linear equations of the concentrations (K per surface).
        rows = [v19 - h19 - pr * (v19 + h19), v37 - v19 - gr * (v37 + v19)]
        # Both are solved, up to a common factor, by the cross product of their coefficients.
        (w1, f1, m1), (w2, f2, m2) = rows
        first_year, multiyear = w2 * m1 - w1 * m2, w1 * f2 - w2 * f1
        water = f1 * m2 - f2 * m1
        return np.array([first_year, multiyear, first_year + multiyear + water])

    zero, one_pr, one_gr, both = at(0, 0), at(1, 0), at(0, 1), at(1, 1)
    # Each row is bilinear in PR and GR, so that its values at four corners give the four coefficients.
    terms = [zero, one_pr - zero, one_gr - zero, both - one_pr - one_gr + zero]
    return np.stack(terms, axis=1)


def concentrations(points: np.ndarray, weather: float | None, **bt: Any) -> Any:
    """Return total, first-year and multiyear concentration, stacked, each limited to 0..1.

    NaN where a brightness temperature is not above 0.

    Parameters
    ----------
    points : ndarray
        From :func:`tie_point_set`.
    weather : float or None
        Set the concentration to 0 where the gradient ratio 37V/19V exceeds this, or that of 22V/19V
        exceeds 0.045; ``None`` for nowhere.
    bt : arrays
        ``c19H``, ``c19V``, ``c37V`` and, if there is one, ``c22V``, in K.
    """
    h19, v19, v37 = bt["c19H"], bt["c19V"], bt["c37V"]
    polarisation, gradient = (v19 - h19) / (v19 + h19), (v37 - v19) / (v37 + v19)
    terms = (1.0, polarisation, gradient, polarisation * gradient)
    first, multi, whole = (
        sum(c * t for c, t in zip(row, terms, strict=True)) for row in coefficients(points)
    )
    parts = [first / whole, multi / whole]
    measured = (h19 > 0) & (v19 > 0) & (v37 > 0)
    found = np.where(measured, np.clip(np.stack([parts[0] + parts[1], *parts]), 0, 1), np.float32(np.nan))
    if weather is None:
        return found
    return np.where(measured & _is_weather(gradient, weather, bt), 0.0, found)


def _is_weather(gradient: Any, limit: float, bt: Mapping[str, Any]) -> Any:
    found = gradient > limit
    if "c22V" in bt:
        found |= (bt["c22V"] - bt["c19V"]) / (bt["c22V"] + bt["c19V"]) > WEATHER_22
    return found
