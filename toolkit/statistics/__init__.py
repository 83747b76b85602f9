"""Kit Statistics: numbers from rasters and from lists, conditions, areas, masks."""
