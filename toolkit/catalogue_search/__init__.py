"""Kit Catalogue: scenes from STAC catalogues."""

from __future__ import annotations

from toolkit.catalogue_search import loading, searching

__all__ = ["loading", "searching"]
