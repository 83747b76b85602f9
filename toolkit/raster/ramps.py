"""How the values of a variable are usually coloured, on the map and in pictures."""

from __future__ import annotations

from dataclasses import dataclass

from treeline.toolkit.variables import variable

# Fixed ranges make dates comparable; where there is none the range is taken from the values.
_BY_ROLE: dict[str, tuple[str, float | None, float | None]] = {
    "ndvi": ("rdylgn", -0.2, 0.9),
    "evi": ("rdylgn", -0.2, 0.9),
    "evi2": ("rdylgn", -0.2, 0.9),
    "savi": ("rdylgn", -0.2, 0.9),
    "msavi": ("rdylgn", -0.2, 0.9),
    "fvc": ("ylgn", 0.0, 1.0),
    "ndwi": ("brbg", -0.8, 0.8),
    "mndwi": ("brbg", -0.8, 0.8),
    "ndmi": ("brbg", -0.6, 0.6),
    "ndsi": ("blues", -0.2, 1.0),
    "nbr": ("rdylgn", -0.5, 0.9),
    "tvdi": ("rdylbu_r", 0.0, 1.0),
    "dem": ("gist_earth", None, None),
    "difference": ("rdbu_r", None, None),
    "absolute_difference": ("ylorrd", 0.0, None),
    "trend_slope": ("rdbu_r", None, None),
    "anomaly": ("rdbu_r", None, None),
    "dnbr": ("rdbu_r", None, None),
    "gi_star": ("rdbu_r", -4.0, 4.0),
    "precipitation": ("ylgnbu", None, None),
    "soil_moisture": ("ylgnbu", None, None),
    "root_zone_soil_moisture": ("ylgnbu", None, None),
    "profile_soil_moisture": ("ylgnbu", None, None),
    "soil_moisture_layer_2": ("ylgnbu", None, None),
    "soil_moisture_layer_3": ("ylgnbu", None, None),
    "soil_moisture_layer_4": ("ylgnbu", None, None),
    "cloud_probability": ("gray", 0.0, 100.0),
    "clear_score": ("gray", 0.0, 1.0),
    "albedo": ("gray", None, None),
}
_BY_KIND: dict[str, tuple[str, float | None, float | None]] = {
    "reflectance": ("gray", None, None),
    "temperature": ("inferno", None, None),
    "index": ("viridis", None, None),
    "quality": ("classes", None, None),
    "class": ("classes", None, None),
    "radar": ("gray", None, None),
}
# Changes: what falls and what rises differ in colour, and no change has none.
# Of an index what falls is brown and what rises green, as of vegetation; of a temperature blue and red.
_OF_ANY = frozenset({"difference", "trend_slope", "anomaly"})
# No unit of its own, or that by the year.
_OF_RATIO = frozenset({"", "1", "per year"})
_SYMMETRIC = frozenset({"difference", "trend_slope", "anomaly", "dnbr"})


@dataclass(frozen=True, slots=True)
class Ramp:
    """A ramp of colours.

    Attributes
    ----------
    colormap : str
        Name of a colormap in lower case, or ``classes``.
    low, high : float, optional
        Values at both ends; taken from the raster where they are ``None``.
    symmetric : bool
        The middle of the ramp is no change.
    known : bool
        It is that of the variable, not merely the usual one.
    """

    colormap: str
    low: float | None = None
    high: float | None = None
    symmetric: bool = False
    known: bool = True


def usual_ramp(role: str, unit: str = "") -> Ramp:
    """Return the ramp of a role.

    Parameters
    ----------
    unit : str
        Of the values: a change and a slope of a ratio are drawn as those of an index.
    """
    found = variable(role)
    ramp = _BY_ROLE.get(role) or _BY_KIND.get(found.kind if found else "")
    if ramp is None:
        return Ramp("viridis", known=False)
    colormap, low, high = ramp
    if role in _OF_ANY and unit in _OF_RATIO:
        colormap = "brbg"
    return Ramp(colormap, low, high, role in _SYMMETRIC)
