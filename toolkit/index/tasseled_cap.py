"""Tasseled cap: brightness, greenness and wetness of a scene by the weights of its sensor."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.errors import InputError, RasterMissing, RoleMismatch
from treeline.toolkit.index.kit import INDEX
from treeline.toolkit.raster import Source, bands_of, map_pixels
from treeline.toolkit.results import report_saved
from treeline.toolkit.tool import Gives, Reads, Variable, Writes, tool

BRIGHTNESS = Variable(
    "tasseled_cap_brightness",
    "Tasseled cap brightness",
    "1",
    (-0.5, 3.0),
    ("tasseled cap brightness",),
    "index",
)
GREENNESS = Variable(
    "tasseled_cap_greenness", "Tasseled cap greenness", "1", (-1.5, 1.5), ("tasseled cap greenness",), "index"
)
WETNESS = Variable(
    "tasseled_cap_wetness", "Tasseled cap wetness", "1", (-2.0, 1.5), ("tasseled cap wetness",), "index"
)
ROLES = (BRIGHTNESS.role, GREENNESS.role, WETNESS.role)

SIX = ("blue", "green", "red", "nir", "swir1", "swir2")
SEVEN = ("red", "nir", "blue", "green", "swir12", "swir1", "swir2")
# The narrow near infrared of a sensor does for its near infrared.
INSTEAD = {"nir": ("nir", "nir08")}

Weights = tuple[tuple[str, ...], tuple[tuple[float, ...], ...]]
SENSORS: Mapping[str, Weights] = {
    # Crist 1985, Remote Sens. Environ. 17:301, reflectance factors.
    "Landsat 4-5 TM": (
        SIX,
        (
            (0.2043, 0.4158, 0.5524, 0.5741, 0.3124, 0.2303),
            (-0.1603, -0.2819, -0.4934, 0.7940, -0.0002, -0.1446),
            (0.0315, 0.2021, 0.3102, 0.1594, -0.6806, -0.6109),
        ),
    ),
    # Huang et al. 2002, Int. J. Remote Sens. 23:1741, reflectance at the satellite.
    "Landsat 7 ETM+": (
        SIX,
        (
            (0.3561, 0.3972, 0.3904, 0.6966, 0.2286, 0.1596),
            (-0.3344, -0.3544, -0.4556, 0.6966, -0.0242, -0.2630),
            (0.2626, 0.2141, 0.0926, 0.0656, -0.7629, -0.5388),
        ),
    ),
    # Baig et al. 2014, Remote Sens. Lett. 5:423, reflectance at the satellite.
    "Landsat 8-9 OLI": (
        SIX,
        (
            (0.3029, 0.2786, 0.4733, 0.5599, 0.5080, 0.1872),
            (-0.2941, -0.2430, -0.5424, 0.7276, 0.0713, -0.1608),
            (0.1511, 0.1973, 0.3283, 0.3407, -0.7117, -0.4559),
        ),
    ),
    # Shi & Xu 2019, IEEE J. Sel. Top. Appl. Earth Obs. Remote Sens. 12:4038, reflectance at the satellite.
    "Sentinel-2 MSI": (
        SIX,
        (
            (0.3510, 0.3813, 0.3437, 0.7196, 0.2396, 0.1949),
            (-0.3599, -0.3533, -0.4734, 0.6633, 0.0087, -0.2856),
            (0.2578, 0.2305, 0.0883, 0.1071, -0.7611, -0.5308),
        ),
    ),
    # Lobser & Cohen 2007, Int. J. Remote Sens. 28:5017, reflectance adjusted to the nadir.
    "MODIS": (
        SEVEN,
        (
            (0.4395, 0.5945, 0.2460, 0.3918, 0.3506, 0.2136, 0.2678),
            (-0.4064, 0.5129, -0.2744, -0.2893, 0.4882, -0.0036, -0.4169),
            (0.1147, 0.2489, 0.2408, 0.3132, -0.3122, -0.6416, -0.5087),
        ),
    ),
}
# Every band that one of the sensors needs.
BANDS = ("blue", "green", "red", "nir", "nir08", "swir12", "swir1", "swir2")
# How a catalogue names a sensor, to the row of the table.
CALLED = (
    ("landsat 7", "Landsat 7 ETM+"),
    ("etm", "Landsat 7 ETM+"),
    ("landsat 8", "Landsat 8-9 OLI"),
    ("landsat 9", "Landsat 8-9 OLI"),
    ("oli", "Landsat 8-9 OLI"),
    ("landsat 5", "Landsat 4-5 TM"),
    ("landsat 4", "Landsat 4-5 TM"),
    ("sentinel-2", "Sentinel-2 MSI"),
    ("sentinel 2", "Sentinel-2 MSI"),
    ("modis", "MODIS"),
)


@tool(
    kit=INDEX,
    source="Kauth & Thomas 1976; Landsat 4-5: Crist 1985, Remote Sens. Environ. 17:301; Landsat 7: Huang et "
    "al. 2002, Int. J. Remote Sens. 23:1741; Landsat 8-9: Baig et al. 2014, Remote Sens. Lett. 5:423; "
    "Sentinel-2: Shi & Xu 2019, IEEE J. Sel. Top. Appl. Earth Obs. Remote Sens. 12:4038; MODIS: Lobser & "
    "Cohen 2007, Int. J. Remote Sens. 28:5017",
    gives=Gives("raster", "tasseled_cap"),
    formula="sums of the bands' reflectances by the weights of the sensor",
)
def tasseled_cap(
    raster_paths: Annotated[list[str], Reads(*BANDS)],
    output_path: Annotated[
        str, Writes("tasseled_cap_brightness", further=ROLES[1:], declares=(BRIGHTNESS, GREENNESS, WETNESS))
    ],
    sensor: str = "",
) -> str:
    """Tasseled cap: brightness, greenness and wetness of a Landsat, Sentinel-2 or MODIS scene.

    The bands are found by what they are. The weights of Landsat 4 to 7, Landsat 8-9 and Sentinel-2 are for
    reflectance at the top of the atmosphere (Landsat 4-5 for reflectance factors); surface reflectance
    gives values that are a little lower in brightness.

    Parameters
    ----------
    raster_paths : list of str
        The scene: one multi-band raster, or one raster per band; blue, green, red, near infrared and both
        short-wave infrared bands, of MODIS the one at 1.24 um too.
    output_path : str
        GeoTIFF to write: bands brightness, greenness and wetness.
    sensor : str
        ``Landsat 4-5 TM``, ``Landsat 7 ETM+``, ``Landsat 8-9 OLI``, ``Sentinel-2 MSI`` or ``MODIS``;
        empty for
        what the raster says.

    Returns
    -------
    str
        Result saved at PATH.
    """
    bands = [band for address in raster_paths for band in bands_of(address)]
    wanted, weights = SENSORS[_sensor_of(bands, sensor)]
    inputs = [_band(bands, role) for role in wanted]
    rows = np.array(weights, dtype=np.float32)

    def cap(bands: NDArray[np.floating]) -> NDArray[np.floating]:
        return np.tensordot(rows, bands, 1)

    return report_saved(map_pixels(cap, {"bands": inputs}, output_path, role=ROLES))


def _sensor_of(bands: list[Source], said: str) -> str:
    """Return the row of the table for a sensor, as said or as the rasters say."""
    stated = said or next((b.description.sensor for b in bands if b.description.sensor), None) or ""
    text = stated.casefold().replace("_", " ")
    for row in SENSORS:
        if row.casefold() == text:
            return row
    for part, row in CALLED:
        if part in text:
            return row
    what = f"The sensor {stated!r} has no published weights here." if stated else "Nothing says the sensor."
    raise InputError(what, f"Give 'sensor' as one of {', '.join(SENSORS)}.")


def _band(bands: list[Source], role: str) -> Source:
    for wanted in INSTEAD.get(role, (role,)):
        found = next((band for band in bands if band.role == wanted), None)
        if found is not None:
            return found
    held = ", ".join(band.role or band.name for band in bands) or "none"
    error = RasterMissing if all(band.role in BANDS for band in bands) else RoleMismatch
    raise error(f"The scene has no band {role}; its bands are {held}.", "Give all bands of the scene.")
