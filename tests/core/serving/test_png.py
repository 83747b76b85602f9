"""What is packed as PNG is what another library reads."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from treeline.core.serving.png import pack_colours


@pytest.mark.parametrize("shape", [(1, 1), (3, 1), (256, 256), (17, 300)])
@pytest.mark.parametrize("opaque", [True, False])
def test_another_library_reads_the_same_pixels(shape: tuple[int, int], opaque: bool):
    image = np.random.default_rng(1).integers(0, 256, (*shape, 4), dtype="uint8")
    image[..., 3] = 255 if opaque else image[..., 3] // 2
    with Image.open(io.BytesIO(pack_colours(image))) as read:
        assert read.mode == ("RGB" if opaque else "RGBA")
        assert (np.asarray(read.convert("RGBA")) == image).all()
