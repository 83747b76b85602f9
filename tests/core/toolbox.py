"""Made-up tools for tests of disclosure."""

from __future__ import annotations

from collections.abc import Sequence

from treeline.toolkit.tool import Gives, Registry, Tool, build_tool
from treeline.toolkit.tree import Kit, SkillTree

SUBJECTS = {
    "Weather": ("rain", "wind", "storm", "frost", "humidity", "pressure", "cloud", "snow"),
    "Money": ("loan", "tax", "salary", "invoice", "budget", "currency", "rent", "dividend"),
    "Music": ("chord", "melody", "rhythm", "tempo", "violin", "lyrics", "scale", "octave"),
    "Kitchen": ("recipe", "oven", "spice", "flour", "butter", "menu", "calorie", "knife"),
}
DEEDS = ("forecast", "convert", "list", "compare", "rate", "draw", "store", "sum", "sort", "check")


def make_tool(name: str, kit: str, brief: str) -> Tool:
    """Return a tool that adds one to a number."""

    def function(x: float) -> float:
        return x + 1

    sections = ("Parameters\n----------\nx : float\n    A number.", "Returns\n-------\nfloat\n    One more.")
    function.__doc__ = "\n\n".join([brief, *sections]) + "\n"
    return build_tool(function, kit=kit, source="arithmetic", gives=Gives("number", unit="1"), name=name)


def make_tree(per_kit: int, kits: Sequence[str] = tuple(SUBJECTS)) -> SkillTree:
    """Return a tree of kits with so many tools each, about the subject of their kit."""
    registry = Registry()
    for kit in kits:
        for number in range(per_kit):
            subject = SUBJECTS[kit][number % 8]
            deed = DEEDS[(number // 8) % len(DEEDS)]
            serial = f"_{number // 80}" if number >= 80 else ""
            brief = f"{deed.capitalize()} the {subject} of {kit.lower()} matters."
            registry.add(make_tool(f"{deed}_{subject}{serial}", kit, brief))
    return SkillTree.of(registry, {kit: Kit(kit, f"All about {kit.lower()}.") for kit in kits})
