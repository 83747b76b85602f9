"""Which band of a scene is which colour, by the wavelengths that its header states."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

from treeline.toolkit.recognition.rules import metadata_words

# Nanometres in the units that headers of ENVI name.
_NANOMETRES = {
    "nanometers": 1.0,
    "nanometres": 1.0,
    "nm": 1.0,
    "micrometers": 1e3,
    "micrometres": 1e3,
    "um": 1e3,
}


def wavelength_of(tags: Mapping[str, str]) -> float | None:
    """Return the wavelength in nanometres that the tags of a band state."""
    factor = _NANOMETRES.get(tags.get("wavelength_units", "").strip().lower())
    number = tags.get("wavelength", "").strip()
    if factor is None or not re.fullmatch(r"\d+(\.\d*)?", number):
        return None
    return float(number) * factor


def roles_by_wavelength(bands: Sequence[Mapping[str, str]]) -> tuple[str | None, ...]:
    """Return the role of each band by the tags of all: of those within a colour the nearest to its middle."""
    found = [wavelength_of(tags) for tags in bands]
    roles: list[str | None] = [None] * len(found)
    for role, (low, middle, high) in metadata_words()["wavelengths"].items():
        apart = [
            abs(each - middle) if each is not None and low <= each <= high else math.inf for each in found
        ]
        if apart and min(apart) < math.inf:
            roles[apart.index(min(apart))] = role
    return tuple(roles)
