"""The kit's place in the tree."""

from __future__ import annotations

from treeline.toolkit.tree import add_kit

INVERSION = add_kit(
    "Inversion",
    """Physical quantities from radiances and temperatures: surface temperature, emissivity, water vapour,
    turbidity, sea ice, snow depth, soil moisture.""",
)
