"""Kit Geometry: rasters and vectors on the ground."""
