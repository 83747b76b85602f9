"""Split-window formulas by sensor."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from treeline.toolkit.errors import InputError
from treeline.toolkit.raster import Source

Algorithm = Callable[..., Any]


def sobrino_2003(first: Any, second: Any, emissivity: Any, difference: Any, water_vapour: float) -> Any:
    """Return LST (K) from MODIS bands 31 and 32.

    Parameters
    ----------
    first, second : array or float
        Brightness temperatures of bands 31 and 32 in K.
    emissivity, difference : array or float
        Mean of the two emissivities, and that of 31 minus that of 32.
    water_vapour : float
        Column water vapour in g/cm2.

    Notes
    -----
    Source: Sobrino, El Kharraz & Li 2003, Int. J. Remote Sens. 24:5161.
    """
    span = first - second
    atmosphere = first + 1.02 + 1.79 * span + 1.20 * span**2
    return (
        atmosphere
        + (34.83 - 0.68 * water_vapour) * (1 - emissivity)
        - (73.27 + 5.19 * water_vapour) * difference
    )


def jimenez_munoz_2014(first: Any, second: Any, emissivity: Any, difference: Any, water_vapour: float) -> Any:
    """Return LST (K) from Landsat 8-9 TIRS bands 10 and 11; arguments as in :func:`sobrino_2003`.

    Notes
    -----
    Source: Jimenez-Munoz et al. 2014, IEEE Geosci. Remote Sens. Lett. 11:1840.
    """
    span = first - second
    atmosphere = first + 1.378 * span + 0.183 * span**2 - 0.268
    mean_term = (54.30 - 2.238 * water_vapour) * (1 - emissivity)
    return atmosphere + mean_term + (-129.20 + 16.40 * water_vapour) * difference


_DU_CLASSES: tuple[tuple[float, float, tuple[float, ...]], ...] = (
    (0.0, 2.5, (-2.78009, 1.01408, 0.15833, -0.34991, 4.04487, 3.55414, -8.88394, 0.09152)),
    (2.0, 3.5, (11.00824, 0.95995, 0.17243, -0.28852, 7.11492, 0.42684, -6.62025, -0.06381)),
    (3.0, 4.5, (9.62610, 0.96202, 0.13834, -0.17262, 7.87883, 5.17910, -13.26611, -0.07603)),
    (4.0, 5.5, (0.61258, 0.99124, 0.10051, -0.09664, 7.85758, 6.86626, -15.00742, -0.01185)),
    (5.0, 6.3, (-0.34808, 0.98123, 0.05599, -0.03518, 11.96444, 9.06710, -14.74085, -0.20471)),
)
# Coefficients where the water vapour is not known: one fit over all of its range.
_DU_ANY = (-0.41165, 1.00522, 0.14543, -0.27297, 4.06655, -6.92512, -18.27461, 0.24468)


def du_2015(first: Any, second: Any, emissivity: Any, difference: Any, water_vapour: float) -> Any:
    """Return LST (K) from Landsat 8-9 TIRS by classes of water vapour, the mean where two overlap.

    Arguments as in :func:`sobrino_2003`; water vapour from 0 to 6.3 g/cm2.

    Notes
    -----
    Source: Du et al. 2015, Remote Sens. 7:647.
    """
    # The classes overlap, as their paper has them, so that the result does not jump at a limit.
    rows = [b for low, high, b in _DU_CLASSES if low <= water_vapour <= high]
    return sum(du_class(b, first, second, emissivity, difference) for b in rows) / len(rows)


def du_2015_any(first: Any, second: Any, emissivity: Any, difference: Any, water_vapour: float) -> Any:
    """Return LST (K) from Landsat 8-9 TIRS by the coefficients for unknown water vapour.

    Arguments as in :func:`sobrino_2003`; water vapour is not used.

    Notes
    -----
    Source: Du et al. 2015, Remote Sens. 7:647.
    """
    return du_class(_DU_ANY, first, second, emissivity, difference)


def du_class(b: tuple[float, ...], first: Any, second: Any, emissivity: Any, difference: Any) -> Any:
    """Return LST (K) by one row of coefficients of Du et al. 2015."""
    deficit, contrast = (1 - emissivity) / emissivity, difference / emissivity**2
    half_sum, half_difference = (first + second) / 2, (first - second) / 2
    mean_part = (b[1] + b[2] * deficit + b[3] * contrast) * half_sum
    difference_part = (b[4] + b[5] * deficit + b[6] * contrast) * half_difference
    return b[0] + mean_part + difference_part + b[7] * (first - second) ** 2


@dataclass(frozen=True, slots=True)
class Method:
    """A split-window algorithm, the role of its first band, and the water vapour it is valid for."""

    compute: Algorithm
    role: str
    water_vapour: tuple[float, float]


METHODS = {
    "Sobrino 2003": Method(sobrino_2003, "bt31", (0.0, 6.0)),
    "Jimenez-Munoz 2014": Method(jimenez_munoz_2014, "bt10", (0.0, 6.0)),
    "Du 2015": Method(du_2015, "bt10", (0.0, 6.3)),
    "Du 2015 any": Method(du_2015_any, "bt10", (0.0, 6.3)),
}


def chosen_method(first: Source, named: str, water_vapour: float) -> tuple[str, Method]:
    """Return the method that is named, else that of the sensor, with its name.

    Raises
    ------
    InputError
        Unknown name, a method of another sensor, or water vapour out of range.
    """
    name = named or next((n for n, m in METHODS.items() if m.role == first.role), "Sobrino 2003")
    method = METHODS.get(name)
    if method is None:
        raise InputError(f"method: {name!r} is not known.", f"Use {', '.join(METHODS)}.")
    if first.role is not None and first.role != method.role:
        right = ", ".join(n for n, m in METHODS.items() if m.role == first.role)
        raise InputError(
            f"method: {name} is made for {method.role}, and {first.name} is {first.role}.", f"Use {right}."
        )
    low, high = method.water_vapour
    if not low <= water_vapour <= high:
        raise InputError(
            f"water_vapour: {water_vapour:g} is outside {low:g} to {high:g} g/cm2.",
            "Divide kg/m2 or mm by 10.",
        )
    return name, method
