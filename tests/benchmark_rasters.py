"""Small rasters for the file names of recorded questions, plausible by the role of each name."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from tests.rasters import write_raster
from treeline.toolkit.recognition import describe_name
from treeline.toolkit.variables import variable

SIDE = 24
RASTERS = (".tif", ".tiff")
IMAGES = (".png", ".jpg", ".jpeg")
# Stored ranges where digital numbers are usual; other roles take the middle of their plausible range.
STORED = {
    "ndvi": (1000, 8000, "int16"),
    "lst": (14000, 15800, "uint16"),
    "qa_pixel": (21824, 21824, "uint16"),
    "albedo": (100, 400, "int16"),
    "precipitation": (0, 60, "float32"),
    "ntl_radiance": (0, 80, "float32"),
    "frp": (0, 300, "float32"),
    "dem": (100, 900, "float32"),
    "built_volume": (0, 5000, "float32"),
    "built_volume_nres": (0, 900, "float32"),
    "built_surface_nres": (0, 900, "float32"),
    "emissivity29": (0.9, 0.99, "float32"),
    "emissivity31": (0.93, 0.99, "float32"),
    "emissivity32": (0.93, 0.99, "float32"),
}
KINDS = {"reflectance": (500, 4000, "int16"), "temperature": (270, 320, "float32")}


def write_files(names: list[str], folder: Path) -> None:
    """Write a small raster or image for each name; what is neither is left out."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        suffix = Path(name).suffix.lower()
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        rng = np.random.default_rng(int(hashlib.sha256(name.encode()).hexdigest()[:8], 16))
        if suffix in RASTERS:
            write_raster(folder / name, _values(describe_name(name, names).role, rng))
        elif suffix in IMAGES:
            Image.fromarray(rng.integers(0, 255, (SIDE, SIDE, 3), dtype="uint8")).save(folder / name)


def _values(role: str | None, rng: np.random.Generator) -> Any:
    known = variable(role)
    default = KINDS.get(known.kind if known else "", (0, 1, "float32"))
    low, high, dtype = STORED.get(role or "", default)
    return rng.uniform(low, high, (SIDE, SIDE)).astype(dtype)
