"""Oracles of the indices."""

from __future__ import annotations

from functools import partial

import numpy as np

from tests.toolkit.oracles.registry import add, oracle
from tests.toolkit.oracles.scenes import Floats, RandomScene, agree

LOW, HIGH = 0.02, 0.6

# Normalised differences: the tool, then its arguments with the role of each, the first less the second.
DIFFERENCES = {
    "calculate_batch_ndre": ("input_nir_paths:nir", "input_rededge_paths:rededge1"),
    "calculate_batch_mndwi": ("input_green_paths:green", "input_swir_paths:swir1"),
    "calculate_batch_ndmi": ("input_nir_paths:nir", "input_swir_paths:swir1"),
    "calculate_batch_ndbi": ("input_swir_paths:swir1", "input_nir_paths:nir"),
    "calculate_batch_nbr": ("input_nir_paths:nir08", "input_swir_paths:swir2"),
    "calculate_batch_ndvi": ("input_nir_paths:nir", "input_red_paths:red"),
    "calculate_batch_ndwi": ("input_nir_paths:nir", "input_swir_paths:swir12"),
    "calculate_batch_ndti": ("input_red_paths:red", "input_green_paths:green"),
    "calculate_batch_ndsi": ("green_file_list:green", "swir_file_list:swir1"),
}
# Other indices: the name in spyndex, then the arguments with role and the letter of spyndex.
BY_SPYNDEX = {
    "calculate_batch_savi": ("SAVI", "input_nir_paths:nir:N", "input_red_paths:red:R"),
    "calculate_batch_evi2": ("EVI2", "input_nir_paths:nir:N", "input_red_paths:red:R"),
    "calculate_batch_evi": (
        "EVI",
        "input_nir_paths:nir:N",
        "input_red_paths:red:R",
        "input_blue_paths:blue:B",
    ),
    "calculate_batch_wri": (
        "WRI",
        "input_green_paths:green:G",
        "input_red_paths:red:R",
        "input_nir_paths:nir:N",
        "input_swir_paths:swir1:S1",
    ),
}


def one_of_each(scene: RandomScene, tool: str, several: dict[str, list[str]]) -> Floats:
    """Return what an index of series writes for series of one raster."""
    output = "output_path_list" if tool == "calculate_batch_ndsi" else "output_paths"
    scene.run(tool, **several, **{output: ["out.tif"]})
    return scene.read("out.tif")


def as_an_angle(tool: str, arguments: tuple[str, str], scene: RandomScene) -> None:
    (one, first), (other, second) = (pair.split(":") for pair in arguments)
    a, left = scene.field(first, LOW, HIGH)
    b, right = scene.field(second, LOW, HIGH)
    found = one_of_each(scene, tool, {one: [a], other: [b]})
    agree(found, np.tan(np.arctan2(left, right) - np.pi / 4), abs=2e-6)


def by_spyndex(tool: str, row: tuple[str, ...], scene: RandomScene) -> None:
    import spyndex

    name, *arguments = row
    several, letters = {}, {}
    for text in arguments:
        argument, role, letter = text.split(":")
        # Blue below red: else EVI's denominator comes near nothing.
        address, values = scene.field(role, 0.02, 0.1 if letter == "B" else HIGH)
        several[argument], letters[letter] = [address], values
    constant = {"L": 0.5} if name == "SAVI" else {}
    if name.startswith("EVI"):
        constant = {"g": 2.5, "C1": 6.0, "C2": 7.5, "L": 1.0}
    expected = spyndex.computeIndex(name, {**letters, **constant})
    low, high = {"calculate_batch_evi": (-1, 2), "calculate_batch_wri": (0, 100)}.get(tool, (-10, 10))
    expected = np.where((expected < low) | (expected > high), np.nan, expected)
    agree(one_of_each(scene, tool, several), expected, rel=2e-5, abs=5e-6)


for tool, pair in DIFFERENCES.items():
    add(
        tool,
        "formulation",
        "tangent of the angle between the two bands less 45 degrees",
        partial(as_an_angle, tool, pair),
    )
for tool, row in BY_SPYNDEX.items():
    add(tool, "library", f"spyndex ({row[0]})", partial(by_spyndex, tool, row))


@oracle("calculate_batch_msavi", "formulation", "fixed point of SAVI with L = 1 - MSAVI (Qi et al. 1994)")
def of_msavi(scene: RandomScene) -> None:
    (a, nir), (b, red) = scene.field("nir", LOW, HIGH), scene.field("red", LOW, 0.3)
    index = np.zeros(scene.shape)
    for _ in range(400):
        soil = 1 - index
        index = (1 + soil) * (nir - red) / (nir + red + soil)
    agree(
        one_of_each(scene, "calculate_batch_msavi", {"input_nir_paths": [a], "input_red_paths": [b]}),
        index,
        abs=1e-5,
    )


@oracle(
    "calculate_batch_awei",
    "formulation",
    "weights of the four bands as a matrix product (spyndex has the sign of SWIR2 wrong)",
)
def of_awei(scene: RandomScene) -> None:
    written = [scene.field(role, 0.05, 0.3) for role in ("green", "nir", "swir1", "swir2")]
    names = ("input_green_paths", "input_nir_paths", "input_swir1_paths", "input_swir2_paths")
    several = {name: [address] for name, (address, _) in zip(names, written, strict=True)}
    expected = np.tensordot([4.0, -0.25, -4.0, -2.75], np.stack([values for _, values in written]), 1)
    agree(one_of_each(scene, "calculate_batch_awei", several), expected, abs=5e-6)


@oracle("calculate_batch_fvc", "library", "numpy.interp between bare soil and full cover")
def of_fvc(scene: RandomScene) -> None:
    (a, nir), (b, red) = scene.field("nir", LOW, HIGH), scene.field("red", LOW, HIGH)
    found = one_of_each(scene, "calculate_batch_fvc", {"input_nir_paths": [a], "input_red_paths": [b]})
    agree(found, np.interp((nir - red) / (nir + red), [0.1, 0.9], [0, 1]), abs=5e-6)


@oracle("burn_severity", "library", "the three published formulas by pandas.eval; antisymmetric in the dates")
def of_burn_severity(scene: RandomScene) -> None:
    import pandas as pd

    (a, before), (b, after) = scene.field("nbr", 0.1, 0.8), scene.field("nbr", -0.4, 0.7)
    # In thousandths, as Miller & Thode 2007 write it.
    frame = pd.DataFrame({"pre": 1000 * before.ravel(), "post": 1000 * after.ravel()})
    for form, formula in {
        "dNBR": "pre - post",
        "RdNBR": "(pre - post) / sqrt(abs(pre / 1000))",
        "RBR": "(pre - post) / (pre / 1000 + 1.001)",
    }.items():
        expected = frame.eval(formula, engine="python").to_numpy().reshape(scene.shape) / 1000
        agree(scene.make("burn_severity", nbr_before_path=a, nbr_after_path=b, form=form), expected, abs=5e-6)
    plain = scene.make("burn_severity", nbr_before_path=a, nbr_after_path=b)
    agree(plain, -scene.make("burn_severity", nbr_before_path=b, nbr_after_path=a))


@oracle("classify_burn_severity", "library", "numpy.digitize")
def of_burn_classes(scene: RandomScene) -> None:
    a, values = scene.field("dnbr", -0.6, 1.0)
    limits = np.array([-0.25, -0.10, 0.10, 0.27, 0.44, 0.66])
    found = scene.make("classify_burn_severity", dnbr_path=a)
    expected = np.where(
        np.isnan(values), np.nan, np.digitize(values.astype("float32"), limits.astype("float32"))
    )
    agree(found, expected, share=0.99)


@oracle("raster_calculator", "library", "numexpr-like evaluation by pandas.eval")
def of_calculator(scene: RandomScene) -> None:
    import pandas as pd

    (a, left), (b, right) = scene.field("nir", LOW, HIGH), scene.field("red", LOW, HIGH)
    formula = "(a - 2 * b) / (a + b + 0.5) ** 2 - a * b"
    frame = pd.DataFrame({"a": left.ravel(), "b": right.ravel()})
    expected = frame.eval(formula, engine="python").to_numpy().reshape(scene.shape)
    agree(scene.make("raster_calculator", formula=formula, rasters={"a": a, "b": b}), expected, abs=5e-6)


@oracle("calculate_batch_formula", "library", "conditions by pandas.eval")
def of_batch_formula(scene: RandomScene) -> None:
    import pandas as pd

    (a, left), (b, right) = scene.fields("nir", 2, LOW, HIGH), scene.field("red", LOW, HIGH)
    formula = "(a > 0.3) & ~(b <= 0.2) | (a * 2 < b)"
    scene.run(
        "calculate_batch_formula",
        formula=formula,
        rasters={"a": a, "b": [b]},
        output_paths=["o0.tif", "o1.tif"],
    )
    for number in range(2):
        frame = pd.DataFrame({"a": left[number].ravel(), "b": right.ravel()})
        met = frame.eval(formula, engine="python").to_numpy().reshape(scene.shape)
        expected = np.where(np.isnan(left[number] + right), np.nan, met)
        agree(scene.read(f"o{number}.tif"), expected, share=0.995)


@oracle(
    "compute_tvdi",
    "formulation",
    "a triangle of known edges, filled at random; unchanged by an affine change of the temperature",
)
def of_tvdi(scene: RandomScene) -> None:
    scene.stored = ("float64", 1.0, 0.0, -9999.0)
    scene.shape = (90, 101)
    # In the middle of bins of a hundredth; at both ends of each some pixels lie on the edges.
    ndvi = 0.105 + 0.01 * scene.rng.integers(0, 70, scene.shape)
    dryness = scene.rng.random(scene.shape)
    dryness[:4], dryness[4:8] = 0.0, 1.0
    ndvi[:8] = 0.105 + 0.01 * (np.arange(101) % 70)
    dry, wet = 322 - 24 * ndvi, 288.0
    a, ndvi = scene.field("ndvi", 0, 1, values=ndvi, holes=False)
    b, lst = scene.field("lst", 280, 330, values=wet + dryness * (dry - wet))
    one = scene.make("compute_tvdi", ndvi_path=a, lst_path=b)
    # Its temperatures are counted in steps, and a few pixels at the end of each bin are left out.
    agree(one, (lst - wet) / (dry - wet), abs=5e-3)
    c, _ = scene.field("lst", 240, 400, values=260 + 1.5 * (lst - 270), holes=False)
    agree(one, scene.make("compute_tvdi", ndvi_path=a, lst_path=c), abs=1e-2)


@oracle("calculate_batch_frp", "library", "numpy.ma.greater of the valid pixels")
def of_batch_frp(scene: RandomScene) -> None:
    a, values = scene.fields("frp", 2, 0, 100)
    scene.run("calculate_batch_frp", input_frp_paths=a, output_paths=["o0.tif", "o1.tif"], fire_threshold=30)
    for number in range(2):
        expected = np.ma.greater(np.ma.masked_invalid(values[number]), 30).astype(float).filled(np.nan)
        agree(scene.read(f"o{number}.tif"), expected, share=0.995)


@oracle("calc_extreme_snow_loss_percentage_from_binary_map", "library", "numpy.nanmean of the mask")
def of_snow_loss(scene: RandomScene) -> None:
    a, values = scene.mask()
    found = scene.run("calc_extreme_snow_loss_percentage_from_binary_map", binary_map_path=a)
    agree(found, np.nanmean(values))


@oracle("spectral_index", "library", "spyndex, six indices of a scene")
def of_spectral_index(scene: RandomScene) -> None:
    import spyndex

    roles = {"nir": "N", "red": "R", "green": "G", "blue": "B", "swir1": "S1", "swir2": "S2"}
    written = {role: scene.field(role, 0.05, 0.5) for role in roles}
    letters = {roles[role]: values for role, (_, values) in written.items()}
    for name in ("OSAVI", "GNDVI", "NBR2", "VARI", "GLI", "MNDWI"):
        expected = spyndex.computeIndex(name, letters)
        found = scene.make("spectral_index", name=name, raster_paths=[a for a, _ in written.values()])
        needed = [letters[letter] for letter in spyndex.indices[name].bands]
        expected = np.where(np.isnan(np.sum(needed, axis=0)), np.nan, expected)
        inside = np.isfinite(found)
        agree(found[inside], expected[inside], rel=2e-3, abs=1e-5)
        assert inside.mean() > 0.5


@oracle("spectral_index_series", "library", "spyndex, date by date")
def of_spectral_series(scene: RandomScene) -> None:
    import spyndex

    written = [scene.bands(("green", "nir"), 0.05, 0.5)[0] for _ in range(2)]
    outputs = ["o0.tif", "o1.tif"]
    scene.run("spectral_index_series", name="GNDVI", raster_paths=written, output_paths=outputs)
    for one, output in zip(written, outputs, strict=True):
        agree(
            scene.read(output),
            spyndex.computeIndex("GNDVI", {"G": scene.read(one, 1), "N": scene.read(one, 2)}),
            abs=2e-6,
        )


@oracle("list_spectral_indices", "library", "formulas of spyndex")
def of_index_list(scene: RandomScene) -> None:
    import spyndex

    found = scene.run("list_spectral_indices")
    known = {entry["name"] for entry in found if isinstance(entry, dict)}
    shared = known & set(spyndex.indices)
    assert len(shared) > 100, sorted(known)[:5]


@oracle("fractional_snow_cover", "formulation", "logistic function for the sigmoid; the line by numpy.interp")
def of_snow_cover(scene: RandomScene) -> None:
    from scipy.special import expit

    a, values = scene.field("ndsi", -0.5, 0.95)
    agree(
        scene.make("fractional_snow_cover", ndsi_path=a),
        np.interp(values, [0.01 / 1.45, 1.01 / 1.45], [0, 1]),
        abs=5e-6,
    )
    found = scene.make("fractional_snow_cover", ndsi_path=a, relation="sigmoid")
    agree(found, np.clip(expit(2 * (2.65 * values - 1.42)), 0, 1), abs=5e-6)


@oracle("snow_mask", "formulation", "sign of the lesser excess over the two thresholds")
def of_snow_mask(scene: RandomScene) -> None:
    (a, ndsi), (b, nir) = scene.field("ndsi", 0.0, 0.9), scene.field("nir", 0.0, 0.5)
    found = scene.make("snow_mask", ndsi_path=a, nir_path=b)
    least = np.minimum(ndsi - 0.4, nir - 0.11)
    agree(found, np.where(np.isnan(least), np.nan, least > 0), share=0.995)
