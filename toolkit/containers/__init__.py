"""Files that hold several rasters: archives, NetCDF and HDF5; what is in them is taken out as GeoTIFF files.

Nothing in them is opened in place and no path of GDAL's virtual file systems is ever built, so that names and
links inside a file reach nothing outside of it. What opens them, ``unpacking``, is not
imported here: it knows every format, and most workspaces hold no container.
"""

from treeline.toolkit.containers.archives import has_shapefile
from treeline.toolkit.containers.formats import RAW, SUFFIXES, UNREAD, ZARR, is_container
from treeline.toolkit.containers.unreadable_formats import UNREADABLE, reason_unreadable

__all__ = [
    "SUFFIXES",
    "RAW",
    "UNREAD",
    "UNREADABLE",
    "ZARR",
    "has_shapefile",
    "is_container",
    "reason_unreadable",
]
