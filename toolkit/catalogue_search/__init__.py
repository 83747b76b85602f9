"""Kit Catalogue: scenes from STAC catalogues."""

from __future__ import annotations

from treeline.toolkit.catalogue_search import loading, searching

__all__ = ["loading", "searching"]
