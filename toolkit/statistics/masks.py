"""What quality bands say of clouds: one table of rules, by the role of the band."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.floating]
Clear = Callable[[Values], NDArray[np.bool_]]


@dataclass(frozen=True, slots=True)
class MaskRule:
    """How a quality band marks clear pixels.

    Attributes
    ----------
    role : str
        Of the quality band.
    clear : callable
        From the band's values to where the ground is seen; false where the band itself is masked.
    removes : str
        What is masked, for people.
    source : str
        Citation.
    fill : callable
        Where nothing was seen at all, which is neither cloud nor clear; nowhere by default.
    shadow : callable
        Where the shadow of a cloud and no cloud hides the ground; nowhere by default.
    """

    role: str
    clear: Clear
    removes: str
    source: str
    fill: Clear = lambda values: np.zeros(values.shape, dtype=bool)
    shadow: Clear = lambda values: np.zeros(values.shape, dtype=bool)

    def cloud_mask(self, values: Values) -> Values:
        """Return 1 where clouds hide the ground, 0 where not, NaN where nothing was seen."""
        unseen = np.isnan(values) | self.fill(values)
        return np.where(unseen, np.nan, ~self.clear(values)).astype(np.float32)


def _bits(values: Values) -> NDArray[np.signedinteger]:
    # NaN becomes some number; the callers leave it out themselves.
    return values.astype(np.int32 if values.dtype == np.float32 else np.int64)


def _no_bit_is_set(*bits: int) -> Clear:
    mask = sum(1 << bit for bit in bits)
    return lambda values: (_bits(values) & mask == 0) & ~np.isnan(values)


def _bit_is_set(bit: int) -> Clear:
    return lambda values: (_bits(values) >> bit & 1 == 1) & ~np.isnan(values)


def _bit_alone(bit: int, *others: int) -> Clear:
    # Where clouds are marked as well, it is they that hide the ground.
    mask = sum(1 << other for other in (bit, *others))
    return lambda values: (_bits(values) & mask == 1 << bit) & ~np.isnan(values)


def _not_in(*classes: int) -> Clear:
    return lambda values: ~np.isin(values, classes) & ~np.isnan(values)


def _clear_modis_state(values: Values) -> NDArray[np.bool_]:
    bits = _bits(values)
    # Cloud state: 0 clear, 1 cloudy, 2 mixed, 3 not set, taken for clear. Cirrus: 0 none, 1 small, 2 average,
    # 3 high.
    cloud_state, cirrus = bits & 0b11, bits >> 8 & 0b11
    others = bits & (1 << 2 | 1 << 10 | 1 << 13)
    seen = np.isin(cloud_state, (0, 3)) & (cirrus <= 1) & (others == 0)
    return seen & ~np.isnan(values)


def _shadow_of_modis_state(values: Values) -> NDArray[np.bool_]:
    bits = _bits(values)
    cloudless = np.isin(bits & 0b11, (0, 3)) & (bits >> 8 & 0b11 <= 1) & (bits >> 10 & 1 == 0)
    return (bits >> 2 & 1 == 1) & cloudless & ~np.isnan(values)


def _clear_of_collection1(values: Values) -> NDArray[np.bool_]:
    bits = _bits(values)
    # Confidence of cirrus: 0 none, 1 low, 2 medium, 3 high; only Landsat 8 has it.
    hidden = (bits & (1 << 0 | 1 << 3 | 1 << 5) != 0) | (bits >> 8 & 0b11 == 3)
    return ~hidden & ~np.isnan(values)


def _clear_of_level1(values: Values) -> NDArray[np.bool_]:
    bits = _bits(values)
    # Confidence of shadow and of cirrus, as above.
    hidden = (bits & (1 << 0 | 1 << 4) != 0) | (bits >> 7 & 0b11 == 3) | (bits >> 11 & 0b11 == 3)
    return ~hidden & ~np.isnan(values)


_RULES = (
    MaskRule(
        "qa_pixel",
        _no_bit_is_set(0, 1, 2, 3, 4),
        "fill, dilated cloud, cirrus, cloud and cloud shadow (bits 0 to 4)",
        "USGS, Landsat 8-9 Collection 2 Level 2 Science Product Guide (LSDS-1619), QA_PIXEL",
        fill=_bit_is_set(0),
        shadow=_bit_alone(4, 1, 2, 3),
    ),
    MaskRule(
        "pixel_qa",
        _clear_of_collection1,
        "fill, cloud shadow and cloud (bits 0, 3 and 5), cirrus of high confidence (bits 8-9)",
        "USGS, Landsat 8 and Landsat 4-7 Collection 1 Surface Reflectance product guides, pixel_qa",
        fill=_bit_is_set(0),
        shadow=_bit_alone(3, 5),
    ),
    MaskRule(
        "sr_cloud_qa",
        _no_bit_is_set(1, 2, 3),
        "cloud, cloud shadow, adjacent to cloud (bits 1 to 3)",
        "USGS, Landsat 4-7 Collection 1 Surface Reflectance product guide (LSDS-1370), sr_cloud_qa",
        shadow=_bit_alone(2, 1, 3),
    ),
    MaskRule(
        "bqa",
        _clear_of_level1,
        "fill and cloud (bits 0 and 4), cloud shadow (7-8) and cirrus (11-12) of high confidence",
        "USGS, Landsat Collection 1 Level-1 Quality Assessment Band",
        fill=_bit_is_set(0),
    ),
    MaskRule(
        "vi_reliability",
        lambda values: values != 3,
        "cloudy targets (3)",
        "Didan 2015, MODIS Vegetation Index User's Guide, Collection 6, pixel reliability",
    ),
    MaskRule(
        "vi_rank",
        _not_in(7, 9),
        "cloud shadow (7) and cloud (9)",
        "Didan and Barreto, VIIRS Vegetation Index Product Suite User Guide, pixel reliability",
        shadow=lambda values: values == 7,
    ),
    MaskRule(
        "scl",
        _not_in(0, 1, 3, 8, 9, 10),
        "no data, saturated, cloud shadow, cloud of medium and high probability, thin cirrus",
        "ESA, Sentinel-2 Level-2A Algorithm Theoretical Basis Document, scene classification",
        fill=lambda values: values == 0,
        shadow=lambda values: values == 3,
    ),
    MaskRule(
        "qa60",
        _no_bit_is_set(10, 11),
        "opaque clouds and cirrus (bits 10 and 11)",
        "ESA, Sentinel-2 Products Specification Document, cloud mask; as QA60 in Earth Engine",
    ),
    MaskRule(
        "fmask",
        _no_bit_is_set(1, 2, 3),
        "cloud, adjacent to cloud or shadow, cloud shadow (bits 1 to 3)",
        "NASA LP DAAC, Harmonized Landsat Sentinel-2 Product User Guide, version 2.0, Fmask",
        shadow=_bit_alone(3, 1),
    ),
    MaskRule(
        "state_1km",
        _clear_modis_state,
        "cloudy or mixed (bits 0-1), shadow (2), average and high cirrus (8-9), internal cloud (10), "
        "adjacent to cloud (13)",
        "Vermote et al. 2015, MODIS Surface Reflectance User's Guide, Collection 6, state QA",
        shadow=_shadow_of_modis_state,
    ),
    MaskRule("cloud_mask", lambda values: values == 0, "every value other than 0", "Binary mask, 1 = cloud"),
    MaskRule(
        "cloud_probability",
        lambda values: values < 40,
        "a probability of 40 % and more",
        "Sentinel Hub, s2cloudless, default threshold 0.4",
    ),
    MaskRule(
        "clear_score",
        lambda values: values >= 0.6,
        "a clear score below 0.6",
        "Pasquarella et al. 2023, Cloud Score+, CVPR Workshops (threshold 0.5 to 0.65)",
    ),
)

MASK_RULES: Mapping[str, MaskRule] = {rule.role: rule for rule in _RULES}
