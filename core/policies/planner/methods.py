"""The words by which a question names the method of a tool."""

from __future__ import annotations

import re

from treeline.toolkit import Registry
from treeline.toolkit.tool import Tool

# Published names of methods that the tools' own names do not spell out.
_PUBLISHED = {
    "temperature_emissivity_separation": r"\btes\b",
    "ttm_lst": r"\bttm\b|three[- ]temperature",
    "split_window": r"split[- ]window",
    "lst_single_channel": r"(?:single|mono)[- ](?:channel|window)",
    "lst_multi_channel": r"(?:multi|dual)[- ]channel",
    "band_ratio": r"\bband ratio",
    "modis_day_night_lst": r"\bday[/ -]+night\b",
}


def method_words(registry: Registry) -> dict[str, str]:
    """Return patterns of method names to the tool that carries the method out."""
    words = {pattern: name for name, pattern in _PUBLISHED.items() if name in registry}
    for tool in registry:
        if tool.name not in _PUBLISHED and tool.outputs and _telling(tool):
            words[rf"\b{re.escape(tool.name.replace('_', ' '))}\b"] = tool.name
    return words


def _telling(tool: Tool) -> bool:
    return tool.kit == "Inversion" and "_" in tool.name
