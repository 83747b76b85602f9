"""Arguments for every tool, made from its contract."""

from __future__ import annotations

from typing import Any

from tests.toolkit.scene import BOTTOM, COUNT, DATES, LEFT, MONTHS, RIGHT, TOP
from treeline.toolkit.tool import Parameter, Reads, Tool, Writes

NUMBERS = [0.1, 0.4, 0.2, 0.9, 0.5, 0.3, 0.8, 0.6, 0.7, 0.35, 0.15, 0.55, 0.45, 0.25, 0.85, 0.65]
VECTORS = ("vector_path", "area_path", "zones_path", "training_path", "points_path", "line_path")
SECOND = ("after", "image_b", "img2", "path2", "reference", "post", "ndwi_b", "band2", "bt37h", "denominator")

BY_NAME: dict[str, Any] = {
    "formula": "a + 1",
    "rasters": {"a": "red/good-0.tif"},
    "name": "SAVI",
    "ndvi_threshold": 0.1,
    "alpha": 1.0,
    "beta": 0.0,
    "diff_pairs": [[0, 1]],
    "representative_band_index": 3,
    "emissivity_v": 0.95,
    "emissivity_h": 0.8,
    "incidence_angle": 55.0,
    "bboxes": [[1, 1, 5, 6], [8, 8, 12, 14]],
    "radius": 3.0,
    "gsd": 10.0,
    "centroids": [[1.0, 2.0], [5.0, 6.0], [9.0, 3.0]],
    "class_attribute": "kind",
    "signal": NUMBERS,
    "values": NUMBERS,
    "x": NUMBERS,
    "y": NUMBERS,
    "period": 4,
    "weight_matrix": [[1, 1, 1]] * 3,
    "text_prompt": "bright objects",
    "bbox": [4, 4, 16, 16],
    "a": 3.0,
    "b": 2.0,
    "kelvin": 300.0,
    "celsius": 20.0,
    "n": 1.5,
    "band_conditions": [[0, 0.2, "above"]],
    "threshold": 0.2,
    "percentile": 75.0,
    "threshold1": 0.2,
    "threshold2": 0.2,
    "condition_band_index": 0,
    "condition_threshold": 0.2,
    "dir_path": "red",
    "input_list": [1, 2, 3],
    "indexes": [0, 2],
    "bounds": [LEFT + 20, BOTTOM + 40, RIGHT - 40, TOP - 40],
    "sun_azimuth": 150.0,
    "sun_elevation": 40.0,
    "background_temperature": 280.0,
    "looks": 4.0,
    "bands": ["red"],
    "catalogue": "catalog.json",
    "parameter": "SM",
    "statistic": "median",
    "directions": ["north", "southwest"],
    "rows": NUMBERS,
    **dict.fromkeys(VECTORS, "zones.geojson"),
}
SCENE = [f"{role}/good-0.tif" for role in ("blue", "green", "red", "nir", "swir1", "swir2")]
BY_TOOL: dict[str, dict[str, Any]] = {
    "tasseled_cap": {"raster_paths": SCENE, "sensor": "Sentinel-2 MSI"},
    "phenology_of_zones": {"file_list": [f"ndvi/good-{n}.tif" for n in range(16)], "share": 0.2},
    "calculate_phenology_map": {"file_list": [f"ndvi/good-{n}.tif" for n in range(16)], "share": 0.2},
    "calculate_harmonic_map": {"file_list": [f"ndvi/good-{n}.tif" for n in range(16)]},
    "calculate_break_map": {
        "file_list": [f"ndvi/good-{n}.tif" for n in range(8)],
        "harmonics": 0,
        "significance": 0.9,
    },
    "calculate_seasonal_trend_map": {"file_list": [f"ndvi/good-{n}.tif" for n in range(26)], "seasons": 4},
    "standardized_precipitation_index": {
        "file_list": [f"precipitation/good-{n}.tif" for n in range(MONTHS)],
        "output_paths": [f"out_{n}.tif" for n in range(MONTHS)],
        "scale": 1,
    },
    "standardized_precipitation_evapotranspiration_index": {
        "precipitation_list": [f"precipitation/good-{n}.tif" for n in range(MONTHS)],
        "evapotranspiration_list": [f"potential_evapotranspiration/good-{n}.tif" for n in range(MONTHS)],
        "output_paths": [f"out_{n}.tif" for n in range(MONTHS)],
        "scale": 1,
    },
    "pansharpen": {"file_list": ["red/good-0.tif", "green/good-0.tif"], "pan_path": "pan/good-0.tif"},
    "seasonal_mann_kendall_test": {"period": 4},
    "area_adjusted_accuracy": {"matrix": [[9, 1], [2, 8]], "mapped_areas": [10.0, 30.0]},
    "mono_window_lst": {"bt_path": "bt10/good-0.tif", "water_vapour": 1.5, "air_temperature": 295.0},
    "brightness_temperature": {"input_path": "digital_numbers/good-0.tif"},
    "watershed_of_point": {"point": [(LEFT + RIGHT) / 2, (BOTTOM + TOP) / 2]},
    "viewshed": {"point": [(LEFT + RIGHT) / 2, (BOTTOM + TOP) / 2]},
    "landscape_metrics": {"input_path": "classes/good-0.tif"},
    "inverse_distance_weighting": {"points_path": "heights.geojson", "attribute": "height"},
    "ordinary_kriging": {"points_path": "heights.geojson", "attribute": "height"},
    "embedding_similarity": {
        "file_list": [f"any/good-{n}.tif" for n in range(3)],
        "points": [[LEFT + 105, TOP - 105]],
    },
    "embed_chips": {"file_list": [f"any/good-{n}.tif" for n in range(3)], "chip": 4},
    "few_shot_classification": {
        "file_list": [f"any/good-{n}.tif" for n in range(3)],
        "training_path": "points.geojson",
    },
    "coregister_raster": {"largest_shift": 1000.0},
    "RemoteSAM": {"text_prompt": "the largest bright object"},
    "calc_extreme_snow_loss_percentage_from_binary_map": {"binary_map_path": "mask/good-0.tif"},
    "calc_threshold_value_mean": {"path1": "lst/good-0.tif", "path2": "ndvi/good-0.tif"},
    "calibrate_sentinel1": {"input_path": "amplitude/good-0.tif"},
    "square_amplitudes": {"input_path": "amplitude/good-0.tif", "factor": -83.0},
    "calculate": {"formula": "100 * (b - a) / a", "values": {"a": 0.25, "b": 0.5}},
    "calculate_area": {"gsd": 10.0},
    "calculate_batch_anomaly": {"baseline_years": [2021, 2021]},
    "calculate_trend_map": {"dates": DATES},
    "chang_single_param_inversion": {
        "diff_pairs": [[0, 1], [1, 2], [2, 3]],
        "alphas": [1.0] * 3,
        "beta": 0.0,
    },
    "clip_to_bounds": {"crs": "EPSG:32633"},
    "correct_topography": {"method": "cosine"},
    "dual_polarization_ratio": {
        "coeffs": {"a": 1.0, "b": 0.0},
        "bt_paths": {"V": "bt31/good-0.tif", "H": "bt32/good-0.tif"},
    },
    "dual_polarization_differential": {"parameter": "soil_moisture"},
    "fire_radiative_power": {"fire_path": "bt31/good-0.tif"},
    "grayscale_to_colormap": {"save_name": "out.png"},
    "draw_map": {"save_name": "map.png"},
    "draw_histogram": {"save_name": "histogram.png"},
    "draw_scatter": {"save_name": "scatter.png"},
    "image_division_mean": {"image_path1": "stack/good-0.tif"},
    "ir_mad": {
        "before_list": ["red/good-0.tif", "green/good-1.tif"],
        "after_list": ["red/good-2.tif", "green/good-3.tif"],
    },
    "linear_to_decibel": {"input_path": "linear/good-0.tif"},
    "load_catalogue_scenes": {"crs": "EPSG:32633", "resolution": 10.0},
    "multi_freq_bt": {"diff_pairs": [[0, 1], [1, 2]], "alphas": [1.0] * 2, "beta": 0.0},
    "nasa_team_sea_ice_concentration": {
        "bt_paths": {key: f"bt31/good-{n}.tif" for n, key in enumerate(("19H", "19V", "37V", "37H", "22V"))}
    },
    "anomaly_of_values": {"baseline": NUMBERS},
    "bearing_between_points": {"first": [14.0, 46.0], "second": [14.1, 46.1]},
    "calculate_batch_formula": {
        "formula": "a > 0.2",
        "rasters": {"a": [f"red/good-{n}.tif" for n in range(COUNT)]},
    },
    "calculate_linear_trend_map": {"dates": DATES},
    "combine_values": {"left": NUMBERS, "right": NUMBERS},
    "compare_values": {"operator": "gt", "limit": 0.5},
    "convert_units": {"unit": "K", "wanted": "degC"},
    "days_between": {"earlier": "2021-05-01", "later": "2021-07-12"},
    "distance_between_points": {"first": [14.0, 46.0], "second": [14.1, 46.1]},
    "growing_season": {"dates": [f"2021-{n + 1:02}-01" for n in range(12)], "values": NUMBERS[:12]},
    "image_weighted_mean": {"weight_path": "fvc/good-0.tif"},
    "join_conditions": {"conditions": [[True, False, None], [True, True, True]], "how": "and"},
    "label_patches": {"mask_path": "mask/good-0.tif"},
    "mask_centroid": {"mask_path": "mask/good-0.tif"},
    "number_features": {"vector_path": "zones.geojson"},
    "profile_along_line": {"line": [[LEFT + 20, TOP - 100], [RIGHT - 40, TOP - 150]]},
    "radiometric_correction_sr": {"input_band_path": "digital_numbers/good-0.tif"},
    "random_forest_classification": {"training_path": "points.geojson", "trees": 5},
    "majority_filter": {"input_path": "classes/good-0.tif"},
    "maximum_likelihood_classification": {"training_path": "points.geojson"},
    "rasterize_features": {"vector_path": "zones.geojson"},
    "statistics_by_class": {"classes_path": "classes/good-0.tif"},
    "map_values_of_classes": {"classes_path": "classes/good-0.tif", "values": {"1": 0.2, "2": 0.7}},
    "reclassify_raster": {"limits": [0.3, 0.6]},
    "resample_raster": {"factor": 2.0},
    "sample_points": {"points": [[LEFT + 100, TOP - 100]]},
    "sieve_classes": {"input_path": "classes/good-0.tif"},
    "confusion_matrix": {"classified_path": "classes/good-0.tif", "reference_path": "classes/good-1.tif"},
    "class_transitions": {"before_path": "classes/good-0.tif", "after_path": "classes/good-1.tif"},
    "spectral_index": {"raster_paths": ["nir/good-0.tif", "red/good-0.tif"]},
    "spectral_index_series": {
        "name": "NDVI",
        "raster_paths": ["stack/good-0.tif", "stack/good-1.tif"],
        "output_paths": ["out_0.tif", "out_1.tif"],
    },
    "split_window": {"parameter": "LST"},
    "temperature_emissivity_separation": {"tir_band_paths": [f"tir{n}/good-0.tif" for n in range(10, 15)]},
    "threshold_mask": {"minimum": 0.2},
    "ttm_lst": {"tir_band_paths": [f"tir{n}/good-0.tif" for n in range(10, 13)]},
    "vegetation_optical_depth": {"bt_v_path": "bt31/good-0.tif", "bt_h_path": "bt32/good-0.tif"},
    "vectorize_mask": {"input_path": "classes/good-0.tif", "output_path": "out.geojson"},
}


def arguments_of(tool: Tool) -> dict[str, Any]:
    """Return arguments with which a tool works in a scene; its rasters are ``role/good-number.tif``."""
    own = BY_TOOL.get(tool.name, {})
    wanted = [p for p in tool.parameters if p.required or p.name in own]
    return {p.name: own[p.name] if p.name in own else _argument(p) for p in wanted}


def is_list(parameter: Parameter) -> bool:
    """Return whether a parameter of rasters takes a list only."""
    return parameter.contract is not None and parameter.type_text.startswith("list")


def _argument(parameter: Parameter) -> Any:
    match parameter.contract:
        case Writes():
            return [f"out_{n}.tif" for n in range(COUNT)] if is_list(parameter) else "out.tif"
        case Reads(roles):
            role = roles[0] if roles else "any"
            if is_list(parameter):
                return [f"{role}/good-{number}.tif" for number in range(COUNT)]
            return f"{role}/good-{int(any(word in parameter.name for word in SECOND))}.tif"
    return BY_NAME[parameter.name]
