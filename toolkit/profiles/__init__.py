"""Profiles: other implementations of the same tools, registered as variants."""

from __future__ import annotations

from treeline.toolkit.profiles import earth_bench

__all__ = ["earth_bench"]
