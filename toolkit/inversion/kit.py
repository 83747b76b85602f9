"""The kit's place in the tree."""

from __future__ import annotations

from toolkit.tree import add_kit

INVERSION = add_kit(
    "Inversion",
    """Physical quantities retrieved from radiances and temperatures: land surface temperature, emissivity,
    water vapour, thermal inertia, turbidity, sea ice, snow depth, microwave vegetation and soil moisture.""",
)
