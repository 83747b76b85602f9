"""The domains and their sub-domains, under which every card stands."""

from __future__ import annotations

TAXONOMY: dict[str, tuple[str, ...]] = {
    "Environmental Monitoring": (
        "Surface Temperature",
        "Weather and Climate",
        "Water Resources and Quality",
        "Vegetation and Agriculture",
        "Snow and Ice",
        "Land Cover Mapping",
    ),
    "Disaster Management": (
        "Drought",
        "Wildfire",
        "Flood",
        "Damage Assessment",
    ),
    "Urban Planning and Development": (
        "Urban Growth and Activity",
        "Objects and Infrastructure",
    ),
}


def domain_of(sub_domain: str) -> str | None:
    """Return the domain of a sub-domain, or ``None`` if there is no such sub-domain."""
    return next((domain for domain, parts in TAXONOMY.items() if sub_domain in parts), None)
