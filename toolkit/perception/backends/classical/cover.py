"""Land cover of a scene by colour and texture, or by indices where there is a near-infrared band."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from treeline.toolkit.context import current_context
from treeline.toolkit.perception.picture import COLOURS, Mask, Picture, Values
from treeline.toolkit.perception.tasks import Ranking

# The limits are this module's own, chosen by eye; nothing published stands behind them.
GREEN_EXCESS = 0.05
VEGETATED = 0.3
BRIGHT, DARK, PALE = 0.8, 0.35, 0.12
ROUGH_FOREST, ROUGH_BUILT, SMOOTH_WATER = 0.06, 0.08, 0.05
WHITE_REFLECTANCE = 0.5
WINDOW = 9


class LandCover:
    """A few kinds of land cover; the confidence is the share of the picture that the kind covers."""

    name = "classical: land cover by colour and texture (shares of a few kinds; no scene types)"

    def classify(self, picture: Picture, labels: Sequence[str]) -> Ranking:
        """Return the kinds with their shares, the largest first; ``labels`` are not its own and unused."""
        if not picture.is_reflectance and not picture.is_photograph:
            current_context().warn(
                f"The scale of {picture.source.path.name} is not known; its colours are relative."
            )
        total = int(picture.valid.sum())
        shares = {name: float((mask & picture.valid).sum()) / total for name, mask in kinds(picture).items()}
        return sorted(shares.items(), key=lambda entry: -entry[1])


def kinds(picture: Picture) -> dict[str, Mask]:
    """Return where each kind lies; every pixel has one.

    Vegetation: the excess of green over red and blue in chromatic coordinates (Woebbecke et al.
    1995, Trans. ASAE 38:259), or NDVI. Water: dark, smooth and not red, or NDWI above 0. Forest is
    told from grass by its roughness, and only in photographs: coarse pixels of satellites hide it.
    """
    bright = brightness(picture)
    rough = roughness(bright)
    colours = picture.pixels.astype(np.float32) / 255
    peak, low = colours.max(axis=-1), colours.min(axis=-1)
    pale = (peak - low) < PALE
    water, vegetation = _water(picture, bright, rough), _vegetation(picture)
    rules = {
        "Water": water,
        **_by_roughness(picture, vegetation, rough),
        "SnowOrCloud": (bright > BRIGHT) & pale & (rough < ROUGH_BUILT),
        "BuiltUp": rough > ROUGH_BUILT,
        "BareLand": np.ones(picture.shape, dtype=bool),
    }
    left = np.ones(picture.shape, dtype=bool)
    found = {}
    for name, rule in rules.items():
        found[name] = rule & left
        left &= ~rule
    return found


def _by_roughness(picture: Picture, vegetation: Mask, rough: Values) -> dict[str, Mask]:
    if not picture.is_photograph:
        return {"Vegetation": vegetation}
    return {"Forest": vegetation & (rough > ROUGH_FOREST), "GrassOrCrops": vegetation}


def brightness(picture: Picture) -> Values:
    """Return brightness from 0 to 1; of reflectances a half is 1, whatever the picture was stretched to."""
    if not picture.is_reflectance:
        return picture.luminance
    mean = np.mean([picture.values[name] for name in COLOURS], axis=0)
    return np.nan_to_num(mean / WHITE_REFLECTANCE).clip(0, 1)


def roughness(bright: Values) -> Values:
    """Return the standard deviation of the brightness around each pixel."""
    from scipy import ndimage

    wide = bright.astype(np.float64)
    mean = ndimage.uniform_filter(wide, WINDOW)
    return np.sqrt(np.maximum(ndimage.uniform_filter(wide**2, WINDOW) - mean**2, 0))


def _vegetation(picture: Picture) -> Mask:
    values = picture.values
    if picture.is_reflectance and "nir" in values:
        return _ratio(values["nir"], values["red"]) > VEGETATED
    red, green, blue = np.moveaxis(picture.pixels.astype(np.float32), -1, 0)
    return (2 * green - red - blue) / np.maximum(red + green + blue, 1) > GREEN_EXCESS


def _water(picture: Picture, bright: Values, rough: Values) -> Mask:
    values = picture.values
    if picture.is_reflectance and "nir" in values:
        return _ratio(values["green"], values["nir"]) > 0
    red, green, blue = np.moveaxis(picture.pixels.astype(np.int16), -1, 0)
    return (bright < DARK) & (rough < SMOOTH_WATER) & (blue >= red) & (blue + 8 >= green)


def _ratio(first: Values, second: Values) -> Values:
    with np.errstate(all="ignore"):
        return (first - second) / (first + second)
