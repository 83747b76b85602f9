"""The raster engine: the only place that opens, reads, aligns, masks, streams and writes rasters.

A tool gives a function of arrays; blocks, masks, scales, grids, threads, memory and the file that
is written are the engine's.
"""

from treeline.toolkit.opening import open_raster_file
from treeline.toolkit.raster.area import pixel_area, row_areas
from treeline.toolkit.raster.classes import (
    CLASS_ROLES,
    CLASSES_TAG,
    ClassLegend,
    class_legend,
    class_tags,
    names_tags,
    require_classes,
)
from treeline.toolkit.raster.datasets import KeptDatasets
from treeline.toolkit.raster.date_outputs import map_dates
from treeline.toolkit.raster.display import is_large, write_display
from treeline.toolkit.raster.grid import Grid
from treeline.toolkit.raster.mapping import map_many, map_pixels, write_array
from treeline.toolkit.raster.moments import RasterStatistics
from treeline.toolkit.raster.overviews import complete_overviews
from treeline.toolkit.raster.reducing import Share, add, reduce_pixels, share
from treeline.toolkit.raster.sampling import pixel_at, read_arrays, read_small, values_at
from treeline.toolkit.raster.source import (
    Source,
    all_bands,
    bands_of,
    proportional,
    require_scale,
    source,
    sources,
)
from treeline.toolkit.raster.storing import Packing
from treeline.toolkit.raster.summarising import conditional_statistics, statistics
from treeline.toolkit.raster.viewing import read_view, read_whole

__all__ = [
    "CLASSES_TAG",
    "ClassLegend",
    "Grid",
    "KeptDatasets",
    "Packing",
    "RasterStatistics",
    "Share",
    "Source",
    "add",
    "all_bands",
    "bands_of",
    "CLASS_ROLES",
    "class_legend",
    "class_tags",
    "names_tags",
    "complete_overviews",
    "is_large",
    "write_display",
    "conditional_statistics",
    "map_dates",
    "map_many",
    "map_pixels",
    "open_raster_file",
    "pixel_area",
    "pixel_at",
    "read_arrays",
    "read_small",
    "read_view",
    "read_whole",
    "reduce_pixels",
    "row_areas",
    "proportional",
    "require_classes",
    "require_scale",
    "share",
    "source",
    "sources",
    "statistics",
    "values_at",
    "write_array",
]
