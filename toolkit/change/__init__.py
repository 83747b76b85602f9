"""Kit Change: two dates compared."""

from __future__ import annotations

from treeline.toolkit.change import differences, irmad, transitions

__all__ = ["differences", "irmad", "transitions"]
