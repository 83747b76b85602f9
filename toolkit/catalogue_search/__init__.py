"""Kit Catalogue: scenes from STAC catalogues."""
