"""The sub-agents of the layered team and the tools that each can call.

Roles after HTAM (arXiv 2511.17198), table 4; the tools are ours. In the published assignment seven
of 104 tools hang under no sub-agent; here every tool of the registry does, because what no table
entry names falls to its kit's sub-agents.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from treeline.toolkit import Registry
from treeline.toolkit.tool import Tool

ACQUISITION, ANALYSIS, SYNTHESIS = 1, 2, 3
LAYERS = {
    ACQUISITION: "acquisition and preprocessing",
    ANALYSIS: "processing and analysis",
    SYNTHESIS: "synthesis and application",
}


@dataclass(frozen=True, slots=True)
class SubAgent:
    """A specialist of one layer.

    Attributes
    ----------
    domains : tuple of str
        Words that call for it, for the layer that chooses by the question's subject.
    """

    name: str
    layer: int
    brief: str
    domains: tuple[str, ...] = ()


SUB_AGENTS: tuple[SubAgent, ...] = (
    SubAgent("DataFetcher", 1, "Finds and lists the data that a question needs."),
    SubAgent("Preprocessing", 1, "Corrects, masks, clips, aligns and joins rasters for analysis."),
    SubAgent("ObjectDetector", 2, "Finds objects in pictures, and counts and measures them."),
    SubAgent("SemanticSegmentor", 2, "Tells of each pixel what it is: indices, masks, classes."),
    SubAgent("InstanceSegmentor", 2, "Outlines each object by itself."),
    SubAgent("SceneClassifier", 2, "Names a scene as a whole, by its picture, its relief or its texture."),
    SubAgent("ImageGenerator", 2, "Makes new rasters: surface temperature, water, snow, composites."),
    SubAgent("ChangeDetector", 2, "Compares dates: differences, transitions, anomalies, trends in maps."),
    SubAgent("GeneralChatBot", 3, "Answers from what the layers below found."),
    SubAgent(
        "AgriScout",
        3,
        "Farming: crops, pastures, drought of fields.",
        ("crop", "agricult", "farm", "field", "ndvi", "vegetation", "harvest", "irrigat", "evi", "savi"),
    ),
    SubAgent(
        "CrisisCommander",
        3,
        "Disasters: floods, fires, drought, damage.",
        ("flood", "fire", "burn", "disaster", "damage", "drought", "tvdi", "frp", "nbr", "hotspot"),
    ),
    SubAgent(
        "UrbanistAI",
        3,
        "Towns: growth, heat, green space, traffic.",
        ("urban", "city", "building", "built", "road", "ndbi", "traffic", "population", "vehicle"),
    ),
    SubAgent(
        "Environmentalist",
        3,
        "Nature: forests, wetlands, water quality, air.",
        ("forest", "wetland", "turbid", "water quality", "pollut", "carbon", "ecolog", "cloud", "land cover"),
    ),
    SubAgent(
        "Geologist",
        3,
        "The ground: relief, rocks, groundwater, slopes, temperature of surfaces.",
        ("slope", "relief", "terrain", "geolog", "rock", "elevation", "dem", "landslide", "inertia"),
    ),
    SubAgent("Miner", 3, "Mines: resources and their environment.", ("mining", "mineral", "quarr", " ore ")),
    SubAgent(
        "Oceanographer",
        3,
        "Seas and ice: temperature, currents, ice, snow, shores.",
        ("sea", "ocean", "coast", "ice", "snow", "water", "ndwi", "ship", "lake", "ndsi"),
    ),
    SubAgent(
        "DefenseSecurity",
        3,
        "Security: vessels, aircraft, facilities.",
        ("military", "airport", "plane", "aircraft", "airfield", "vessel", "border", "harbor", "harbour"),
    ),
)

BY_NAME = {agent.name: agent for agent in SUB_AGENTS}
_APPLICATIONS = tuple(agent.name for agent in SUB_AGENTS if agent.layer == SYNTHESIS)

# Kits by sub-agents; a tool that a later table names goes elsewhere.
_OF_KIT: dict[str, tuple[str, ...]] = {
    "Catalogue": ("DataFetcher",),
    "Geometry": ("Preprocessing",),
    "Radar": ("Preprocessing",),
    "Index": ("SemanticSegmentor",),
    "Inversion": ("ImageGenerator",),
    "Series": ("ImageGenerator", "ChangeDetector"),
    "Terrain": ("SceneClassifier",),
    "Classification": ("SemanticSegmentor",),
    "Change": ("ChangeDetector",),
    "Perception": ("ObjectDetector",),
    "Statistics": _APPLICATIONS,
    "Analysis": _APPLICATIONS,
}
_OF_TOOL: dict[str, tuple[str, ...]] = {
    "get_filelist": ("DataFetcher",),
    "apply_cloud_mask": ("Preprocessing",),
    "radiometric_correction_sr": ("Preprocessing",),
    "correct_topography": ("Preprocessing",),
    "calculate_slope": ("Preprocessing", "SceneClassifier"),
    "calculate_slope_percent": ("Preprocessing", "SceneClassifier"),
    "calculate_aspect": ("Preprocessing", "SceneClassifier"),
    "calculate_illumination": ("Preprocessing",),
    "distance_to_mask": ("SemanticSegmentor",),
    "normalize_radiometry": ("ChangeDetector",),
    "SAM2": ("InstanceSegmentor",),
    "RemoteSAM": ("InstanceSegmentor",),
    "InstructSAM": ("InstanceSegmentor", "ObjectDetector"),
    "ChangeOS": ("ChangeDetector",),
    "MSCN": ("SceneClassifier",),
    "RemoteCLIP": ("SceneClassifier",),
    "glcm_texture": ("SceneClassifier",),
    "threshold_segmentation": ("SemanticSegmentor",),
    "flood_mask": ("SemanticSegmentor",),
    "radar_log_ratio": ("ChangeDetector",),
    "radar_vegetation_index": ("SemanticSegmentor",),
    "radar_ratio": ("SemanticSegmentor",),
    "calculate_tif_average": ("ImageGenerator",),
    "calculate_tif_difference": ("ChangeDetector",),
    "subtract": ("ChangeDetector",),
    "calc_batch_image_hotspot_tif": ("SemanticSegmentor",),
    "grayscale_to_colormap": ("ImageGenerator",),
    "create_fire_increase_map": ("ChangeDetector",),
    "identify_fire_prone_areas": ("SemanticSegmentor",),
    "getis_ord_gi_star": ("SemanticSegmentor",),
    "classify_hotspots": ("SemanticSegmentor",),
}


def sub_agents_of(tool: Tool) -> tuple[str, ...]:
    """Return the names of the sub-agents that can call a tool."""
    named = _OF_TOOL.get(tool.name)
    if named:
        return named
    # What gives a number is also how the top layer measures, in whatever kit it stands.
    if tool.gives.kind != "raster" and not tool.outputs and tool.kit not in ("Catalogue", "Perception"):
        return tuple(dict.fromkeys([*_OF_KIT.get(tool.kit, ()), *_APPLICATIONS]))
    return _OF_KIT.get(tool.kit, _APPLICATIONS)


def tools_of(agent: str, registry: Registry) -> tuple[str, ...]:
    """Return the tools that a sub-agent can call, in the registry's order."""
    return tuple(tool.name for tool in registry if agent in sub_agents_of(tool))


def layers_of_tool(tool: Tool) -> tuple[int, ...]:
    """Return the layers in which a tool can be called, the lowest first."""
    return tuple(sorted({BY_NAME[name].layer for name in sub_agents_of(tool)}))


def of_layer(layer: int) -> tuple[SubAgent, ...]:
    """Return the sub-agents of a layer."""
    return tuple(agent for agent in SUB_AGENTS if agent.layer == layer)


def agent_for(tools: Sequence[Tool], layer: int) -> str:
    """Return the sub-agent of a layer that can call the most of some tools; the first of equals."""
    counts = {
        agent.name: sum(agent.name in sub_agents_of(tool) for tool in tools) for agent in of_layer(layer)
    }
    return max(counts, key=lambda name: counts[name])
