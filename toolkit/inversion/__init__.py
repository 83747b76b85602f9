"""Physical quantities retrieved from what a sensor measured."""

from __future__ import annotations

from toolkit.inversion import by_vegetation, single_channel, thermal_inertia

__all__ = ["by_vegetation", "single_channel", "thermal_inertia"]
