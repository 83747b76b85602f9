"""What the tools' contracts leave open: forms of an index, settings that a role implies."""

from __future__ import annotations

import typing
from typing import Any, Literal

from treeline.toolkit.tool import Tool

# Where one name stands for two indices: the bands of each form, in the order of the tool's inputs.
FORMS: dict[str, dict[str, tuple[tuple[str, ...], ...]]] = {
    "open water": {"ndwi": (("nir", "nir08"), ("green",))},
}

# What such an index is where it is not made in the form asked for, or not made here at all.
OTHER_FORM = {"ndwi": "NDWI is here Gao's index of leaf water, from near and short-wave infrared."}
GIVEN_FORM = {"ndwi": "The NDWI is the workspace's own; which of its two forms it is, nothing says."}


def centres_of(tool: Tool) -> dict[str, list[float]]:
    """Return the band centres that a tool has by default; it takes just as many bands, in this order."""
    return {p.name: list(p.default) for p in tool.parameters if p.contract is None and _numbers(p.default)}


def _numbers(default: Any) -> bool:
    return isinstance(default, list) and bool(default) and all(isinstance(n, float) for n in default)


def settings_of(tool: Tool, role: str) -> dict[str, Any] | None:
    """Return the required arguments that are no rasters, where the role settles them."""
    settings: dict[str, Any] = {}
    for parameter in tool.parameters:
        if parameter.contract is not None or not parameter.required:
            continue
        options = (
            typing.get_args(parameter.annotation)
            if typing.get_origin(parameter.annotation) is Literal
            else ()
        )
        wanted = role.split("_")[0]
        fitting = next((o for o in options if str(o).casefold() == wanted), None)
        if fitting is None and parameter.annotation is str and parameter.name == "parameter":
            fitting = wanted.upper()
        if fitting is None and parameter.annotation is int and parameter.name.endswith("_index"):
            fitting = 0
        if fitting is None:
            return None
        settings[parameter.name] = fitting
    return settings
