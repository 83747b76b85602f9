"""Compact objects that are brighter or darker than what surrounds them."""

from __future__ import annotations

import re

import numpy as np

from treeline.toolkit.perception.picture import Mask, Picture
from treeline.toolkit.perception.tasks import Detection, choose_detection
from treeline.toolkit.thresholding import otsu

LEAST_PIXELS = 9
# Of the grey scale from 0 to 1: every threshold parts a picture, also one of noise alone.
LEAST_CONTRAST = 0.1
SMOOTHING = 1.0

_BLOBS = re.compile(
    r"\b(blob|spot|component)s?\b|\b(bright|dark|light|white|black)\w*\b.*\b(object|patch|region|area|thing)\w*\b"
)
_DARK = re.compile(r"\b(dark|black)")


def names_blobs(prompt: str) -> bool:
    """Return whether words ask for no more than bright or dark objects."""
    return _BLOBS.search(prompt.casefold()) is not None


class Blobs:
    """Objects by brightness alone: Otsu's threshold (1979), then connected components."""

    name = "classical: bright or dark blobs by Otsu's threshold; it cannot tell kinds of objects apart"

    def detect(self, picture: Picture, prompt: str) -> list[Detection]:
        """Return a box for every blob of at least nine pixels; of a mask every component."""
        from skimage.measure import label, regionprops

        found = regionprops(label(foreground(picture, dark=_DARK.search(prompt.casefold()) is not None)))
        least = 1 if picture.is_mask else LEAST_PIXELS
        boxes = ((region.bbox, region.area) for region in found)
        return [
            Detection((float(x1), float(y1), float(x2), float(y2)), prompt)
            for (y1, x1, y2, x2), area in boxes
            if area >= least
        ]

    def ground(self, picture: Picture, prompt: str) -> Detection | None:
        """Return the blob that words of place and size mean."""
        return choose_detection(self.detect(picture, prompt), prompt)


def foreground(picture: Picture, *, dark: bool) -> Mask:
    """Return what stands out; nothing where the picture has too little contrast."""
    from scipy import ndimage

    if picture.is_mask:
        return (picture.pixels[..., 0] > 0) & picture.valid
    smooth = ndimage.gaussian_filter(picture.luminance, SMOOTHING)
    shown = smooth[picture.valid]
    limit = otsu(shown) if np.ptp(shown) > 0 else 0.0
    above = (smooth > limit) & picture.valid
    below = ~above & picture.valid
    if not above.any() or not below.any() or smooth[above].mean() - smooth[below].mean() < LEAST_CONTRAST:
        return np.zeros(picture.shape, dtype=bool)
    return below if dark else above
