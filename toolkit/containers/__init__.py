"""Files that hold several rasters: archives, NetCDF and HDF5; what is in them is taken out as GeoTIFF files.

Nothing in them is opened in place and no path of GDAL's virtual file systems is ever built, so that names and
links inside a file reach nothing outside of it.
"""

from treeline.toolkit.containers.archives import RAW, has_shapefile
from treeline.toolkit.containers.unpacking import SUFFIXES, ZARR, check_container, is_container, unpack
from treeline.toolkit.containers.unreadable_formats import UNREADABLE, reason_unreadable

__all__ = [
    "SUFFIXES",
    "RAW",
    "UNREADABLE",
    "ZARR",
    "check_container",
    "has_shapefile",
    "is_container",
    "unpack",
    "reason_unreadable",
]
