"""Surface emissivity from vegetation."""

from __future__ import annotations

from typing import Any

import numpy as np

from treeline.toolkit.inversion.bands import EmissivityLaw

# Bare soil below, full vegetation above, as Sobrino et al. 2004 take them for any place and season.
SOIL_NDVI = 0.2
VEGETATION_NDVI = 0.5


def vegetation_proportion(ndvi: Any) -> Any:
    """Return the proportion of vegetation (0 to 1): the squared scaled NDVI.

    Source: Carlson & Ripley 1997, Remote Sens. Environ. 62:241, with the thresholds 0.2 and 0.5 of
    Sobrino et al. 2004.
    """
    return np.clip((ndvi - SOIL_NDVI) / (VEGETATION_NDVI - SOIL_NDVI), 0, 1) ** 2


def emissivity_from_ndvi(ndvi: Any, red: Any, law: EmissivityLaw) -> Any:
    """Return the emissivity by NDVI thresholds.

    Parameters
    ----------
    ndvi : array
        NDVI.
    red : array or None
        Red reflectance 0-1; where it is not known, bare soil has the emissivity of the mixture's soil.
    law : EmissivityLaw
        Coefficients of the band.

    Notes
    -----
    Source: Sobrino, Jimenez-Munoz & Paolini 2004, Remote Sens. Environ. 90:434.
    """
    proportion = vegetation_proportion(ndvi)
    mixed = law.soil + (law.vegetation - law.soil) * proportion
    bare = law.soil if red is None else law.bare[0] + law.bare[1] * red
    return np.where(ndvi < SOIL_NDVI, bare, np.where(ndvi > VEGETATION_NDVI, law.full, mixed))
