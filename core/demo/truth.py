"""What is true of the demo, computed from the arrays that were written."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

TRUTH_FILE = ".truth.json"
"""Name of the file beside the rasters; the leading dot keeps it out of the catalogue."""


@dataclass(frozen=True)
class DemoTruth:
    """Answers to questions about the demo.

    Attributes
    ----------
    version : int
        Of the simulator: a demo of another version is another demo.
    seed, size : int
        What it was made from; rows and columns.
    crs : str
        CRS of all rasters.
    pixel : float
        Width of a pixel, m.
    scene_area, lake_area, burned_area : float
        ha.
    cover_area : dict
        Area of each land cover class by its name, ha.
    burn_date : str
        ISO date of the fire, between two overpasses without clouds.
    before_burn, after_burn : str
        Dates of these overpasses.
    drought_year : int
        The dry one of the two years.
    dates : tuple of str
        ISO dates of the overpasses.
    cloud_percent : dict
        By date, share of pixels under clouds, %.
    mean_ndvi : dict
        By date, over pixels that the cloud mask calls clear.
    mean_lst : dict
        By date, K, over the same pixels.
    elevation : tuple of float
        Lowest and highest, m.
    """

    version: int
    seed: int
    size: int
    crs: str
    pixel: float
    scene_area: float
    lake_area: float
    burned_area: float
    cover_area: dict[str, float]
    burn_date: str
    before_burn: str
    after_burn: str
    drought_year: int
    dates: tuple[str, ...]
    cloud_percent: dict[str, float]
    mean_ndvi: dict[str, float]
    mean_lst: dict[str, float]
    elevation: tuple[float, float]

    def save(self, folder: Path) -> None:
        """Write the truth beside the rasters."""
        (folder / TRUTH_FILE).write_text(json.dumps(asdict(self), indent=1), encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> DemoTruth | None:
        """Return the truth that a folder holds, or ``None`` where there is none to read."""
        try:
            found: dict[str, Any] = json.loads((folder / TRUTH_FILE).read_text(encoding="utf-8"))
            known = {field.name: found[field.name] for field in fields(cls)}
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return cls(**known | {"dates": tuple(known["dates"]), "elevation": tuple(known["elevation"])})
