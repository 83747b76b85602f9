"""Two indices of one name: NDWI of leaf water (Gao) and of open water (McFeeters)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from treeline.toolkit.context import current_context
from treeline.toolkit.errors import RoleMismatch
from treeline.toolkit.index.catalogue import find_index
from treeline.toolkit.index.compute import NIR, write_index
from treeline.toolkit.raster import source
from treeline.toolkit.results import report_saved

SWIR = ("swir12", "swir1", "swir2")


def wetness_writer(_: Mapping[str, float]) -> Callable[..., str]:
    """Return the function that writes the NDWI of one pair of rasters, in the form that the bands mean."""
    return _one


def _one(first_path: str, second_path: str, output: str) -> str:
    first = source(first_path, *NIR, "green")
    second = source(second_path, *SWIR, "green", *NIR)
    roles = {first.role, second.role}
    if "green" in roles and roles <= {"green", *NIR} and len(roles) == 2:
        green, nir = (first, second) if first.role == "green" else (second, first)
        current_context().warn("Green and near infrared were given: this is McFeeters' open-water NDWI.")
        return report_saved(write_index(find_index("NDWI_McFeeters"), {"G": green, "N": nir}, output))
    if first.role == "green" or second.role in NIR:
        raise RoleMismatch(
            f"{first.name} holds {first.role} and {second.name} holds {second.role}; NDWI needs near "
            "infrared with short-wave infrared, or with green.",
            "For green with short-wave infrared use calculate_batch_mndwi.",
        )
    return report_saved(write_index(find_index("NDWI_Gao"), {"N": first, "S12": second}, output))
