"""Kit Terrain: the shape of the land."""
