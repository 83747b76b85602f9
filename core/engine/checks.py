"""Checks of a call's inputs before it and of its products after it, against the variable contracts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from treeline.core.engine.actions import ProductRecord
from treeline.toolkit.naming import argument_named
from treeline.toolkit.raster import all_bands, source
from treeline.toolkit.tool import Reads, Tool
from treeline.toolkit.variables import variable

# Statistics of fewer pixels than a twentieth describe what was left by clouds or edges, not the scene.
_LEAST_VALID_SHARE = 0.05


def check_inputs(tool: Tool, arguments: Mapping[str, Any]) -> None:
    """Resolve every input raster and compare its role with the contract.

    Runs inside the tool context, so that addresses resolve in the workspace.

    Raises
    ------
    RasterMissing, RasterUnreadable, RoleMismatch
        Names the raster, what it is, and what exists.
    """
    for parameter in tool.inputs:
        assert isinstance(parameter.contract, Reads)
        value = arguments.get(parameter.name)
        with argument_named(parameter.name):
            for address in value if isinstance(value, list) else [value]:
                if isinstance(address, str) and parameter.contract.roles:
                    source(address, *parameter.contract.roles)
                elif isinstance(address, str):
                    all_bands(address)


def doubts(product: ProductRecord) -> list[str]:
    """Return what is implausible about a product, in sentences; empty when nothing is."""
    if product.kind != "raster" or product.minimum is None or product.maximum is None:
        return []
    found = []
    known = variable(product.role)
    if known is not None:
        low, high = known.plausible
        if product.minimum < low or product.maximum > high:
            found.append(
                f"{product.name}: values from {product.minimum:.4g} to {product.maximum:.4g} leave the "
                f"plausible range of {known.title} ({low:g} to {high:g} {known.unit}); are scale and units "
                "of the inputs right?"
            )
    if product.valid_share is not None and product.valid_share < _LEAST_VALID_SHARE:
        found.append(f"{product.name}: only {product.valid_share:.1%} of the pixels are valid.")
    if product.minimum == product.maximum and product.role not in ("mask", "fire_mask", "landcover"):
        found.append(f"{product.name}: every valid pixel has the same value, {product.minimum:.4g}.")
    return found
