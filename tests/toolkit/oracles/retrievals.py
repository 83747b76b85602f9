"""Oracles of the inversions: laws of physics taken the other way, properties, and pixels one by one."""

from __future__ import annotations

import math

import numpy as np
from scipy import constants

from tests.toolkit.oracles.registry import oracle
from tests.toolkit.oracles.scenes import Floats, RandomScene, agree

UM = 1e-6


def planck(temperature: Floats | float, wavelength: float) -> Floats:
    """Return W m-2 sr-1 um-1, from the constants of nature in SI units."""
    length = wavelength * UM
    power = constants.h * constants.c / (length * constants.k * np.asarray(temperature))
    return 2 * constants.h * constants.c**2 / length**5 / np.expm1(power) * UM


def brightness(radiance: Floats, wavelength: float) -> Floats:
    """Return the temperature of a black body with a radiance."""
    length = wavelength * UM
    return (
        constants.h
        * constants.c
        / (length * constants.k)
        / np.log1p(2 * constants.h * constants.c**2 / length**5 / (radiance / UM))
    )


@oracle("calculate_mean_lst_by_ndvi", "library", "pandas, grouped by the threshold")
def of_mean_lst(scene: RandomScene) -> None:
    import pandas as pd

    (a, red), (b, nir), (c, lst) = (
        scene.fields("red", 2, 0.05, 0.4),
        scene.fields("nir", 2, 0.1, 0.5),
        scene.fields("lst", 2, 280, 320),
    )
    ndvi = (nir - red) / (nir + red)
    frame = pd.DataFrame({"green": ndvi.ravel() >= 0.2, "lst": lst.ravel(), "ndvi": ndvi.ravel()}).dropna()
    means = frame.groupby("green")["lst"].mean()
    for mode, group in (("above", True), ("below", False)):
        found = scene.run(
            "calculate_mean_lst_by_ndvi", red_paths=a, nir_paths=b, lst_paths=c, ndvi_threshold=0.2, mode=mode
        )
        agree(found, means[group])


@oracle("calculate_max_lst_by_ndvi", "library", "scipy.ndimage.maximum by labels")
def of_max_lst(scene: RandomScene) -> None:
    from scipy import ndimage

    (a, red), (b, nir), (c, lst) = (
        scene.field("red", 0.05, 0.4),
        scene.field("nir", 0.1, 0.5),
        scene.field("lst", 280, 320),
    )
    ndvi = (nir - red) / (nir + red)
    labels = np.where(np.isnan(ndvi) | np.isnan(lst), 0, np.where(ndvi >= 0.2, 1, 2))
    expected = ndimage.maximum(lst, labels, [1, 2])
    for mode, value in zip(("above", "below"), expected, strict=True):
        agree(
            scene.run(
                "calculate_max_lst_by_ndvi", red_path=a, nir_path=b, lst_path=c, ndvi_threshold=0.2, mode=mode
            ),
            value,
        )


@oracle(
    "modis_day_night_lst",
    "formulation",
    "emissivity times Planck's law, inverted with the constants of nature",
)
def of_day_night(scene: RandomScene) -> None:
    (a, day), (b, night) = scene.field("bt31", 285, 310), scene.field("bt31", 270, 285)
    (c, e_day), (d, e_night) = (
        scene.field("emissivity31", 0.95, 0.99),
        scene.field("emissivity31", 0.95, 0.99),
    )
    scene.run(
        "modis_day_night_lst",
        BT_day_path=a,
        BT_night_path=b,
        Emis_day_path=c,
        Emis_night_path=d,
        output_path="out.tif",
    )
    for band, heat, emissivity in ((1, day, e_day), (2, night, e_night)):
        # In Wien's limit, which the tool takes, within a few hundredths of a kelvin of Planck's law.
        expected = brightness(planck(heat, 11.03) / emissivity, 11.03)
        agree(scene.read("out.tif", band), expected, abs=0.06, rel=0)


@oracle("fire_radiative_power", "formulation", "as a difference of fourth powers squared, pixel area in m2")
def of_fire_power(scene: RandomScene) -> None:
    scene.stored = ("float64", 1.0, 0.0, -9999.0)
    a, heat = scene.field("", 320, 450)
    found = scene.make("fire_radiative_power", fire_path=a, background_temperature=300.0, pixel_area=0.14)
    four, back = heat**4, 300.0**4
    agree(found, 4.34e-25 * 0.14e6 * (four - back) * (four + back), rel=1e-4)


@oracle("dual_frequency_diff", "formulation", "numpy.polynomial of the difference")
def of_frequency_difference(scene: RandomScene) -> None:
    (a, one), (b, other) = scene.field("", 200, 260), scene.field("", 180, 250)
    found = scene.make(
        "dual_frequency_diff", band1_path=a, band2_path=b, parameter="SM", alpha=1.5, beta=-3.0
    )
    agree(found, np.polynomial.Polynomial([-3.0, 1.5])(one - other), abs=1e-4)


@oracle("multi_freq_bt", "formulation", "matrix of the pairs times the bands")
def of_frequencies(scene: RandomScene) -> None:
    names, bands = scene.fields("", 3, 180, 260)
    found = scene.make(
        "multi_freq_bt",
        bt_paths=names,
        diff_pairs=[[0, 1], [2, 1]],
        parameter="SM",
        alphas=[0.5, -2.0],
        beta=7.0,
    )
    agree(found, 7.0 + np.tensordot([0.5, -0.5 + 2.0, -2.0], bands, 1), abs=1e-3)


@oracle(
    "chang_single_param_inversion", "library", "pandas.DataFrame.diff of the bands, times 1.59 cm a kelvin"
)
def of_chang_parameters(scene: RandomScene) -> None:
    import pandas as pd

    # Less than 3 cm is no snow, and neither is a difference below nothing.
    (a, low), (b, high) = scene.field("", 225, 260), scene.field("", 215, 239)
    found = scene.make("chang_single_param_inversion", bt_paths=[a, b], diff_pairs=[[0, 1]], parameter="SD")
    difference = -pd.DataFrame([low.ravel(), high.ravel()]).diff().iloc[1].to_numpy().reshape(low.shape)
    depth = 1.59 * difference
    agree(found, np.where(depth < 3, 0, depth), abs=1e-3, share=0.995)


@oracle(
    "chang_snow_depth",
    "library",
    "pandas.DataFrame.diff of the bands, 1.59 cm or 4.8 mm a kelvin, by open land",
)
def of_chang(scene: RandomScene) -> None:
    import pandas as pd

    (a, low), (b, high) = scene.field("", 243, 260), scene.field("", 200, 239)
    difference = -pd.DataFrame([low.ravel(), high.ravel()]).diff().iloc[1].to_numpy().reshape(low.shape)
    depth = scene.make("chang_snow_depth", bt18h_path=a, bt37h_path=b)
    water = scene.make("chang_snow_depth", bt18h_path=a, bt37h_path=b, quantity="swe")
    forest = scene.make("chang_snow_depth", bt18h_path=a, bt37h_path=b, forest_fraction=0.25)
    agree(depth, 1.59 * difference, abs=1e-3)
    agree(water, 4.8 * difference, abs=1e-3)
    agree(forest, 1.59 * difference / 0.75, abs=1e-3)


@oracle(
    "dual_polarization_ratio",
    "property",
    "unchanged when both brightness temperatures are scaled; antisymmetric",
)
def of_polarisation_ratio(scene: RandomScene) -> None:
    scene.stored = ("float64", 1.0, 0.0, -9999.0)
    (a, v), (b, h) = scene.field("", 240, 280), scene.field("", 200, 239)
    c, _ = scene.field("", 200, 330, values=1.1 * v, holes=False)
    d, _ = scene.field("", 200, 330, values=1.1 * h, holes=False)
    one = scene.make("dual_polarization_ratio", bt_paths={"V": a, "H": b}, parameter="PR")
    agree(one, scene.make("dual_polarization_ratio", bt_paths={"V": c, "H": d}, parameter="PR"), abs=1e-6)
    agree((1 + one) / (1 - one), v / h, rel=1e-5)


@oracle(
    "dual_polarization_differential",
    "property",
    "ratio of the intensities recovered from the normalised difference",
)
def of_polarisation_difference(scene: RandomScene) -> None:
    (a, one), (b, other) = scene.field("vv", -14, -6), scene.field("vh", -22, -13)
    found = scene.make(
        "dual_polarization_differential", pol1_path=a, pol2_path=b, parameter="vegetation_index"
    )
    agree(10 * np.log10((1 + found) / (1 - found)), one - other, abs=2e-3)
    moisture = scene.make(
        "dual_polarization_differential", pol1_path=a, pol2_path=b, parameter="soil_moisture", a=2.0, b=1.0
    )
    agree(moisture, 2 * (one - other) + 1, abs=1e-4)


@oracle("nasa_team_sea_ice_concentration", "property", "mixtures of the tie points give back their shares")
def of_sea_ice(scene: RandomScene) -> None:
    scene.stored = ("float64", 1.0, 0.0, -9999.0)
    # 19H, 19V, 37V of open water, first-year and multiyear ice, F17 north (Cavalieri et al. 1999).
    ties = np.array([[113.4, 184.9, 207.1], [232.0, 248.4, 242.3], [196.0, 220.7, 188.5]])
    shares = scene.rng.dirichlet([1, 1, 1], scene.shape)
    mixed = np.moveaxis(shares @ ties, -1, 0)
    paths = {
        name: scene.field("", 100, 300, values=band, holes=False)[0]
        for name, band in zip(("19H", "19V", "37V"), mixed, strict=True)
    }
    found = scene.make("nasa_team_sea_ice_concentration", bt_paths=paths, weather_filter=False)
    agree(found, shares[..., 1] + shares[..., 2], abs=2e-4)


@oracle(
    "lst_single_channel",
    "formulation",
    "Planck's law solved for the surface by bisection, its emissivity pixel by pixel (Sobrino et al. 2004)",
)
def of_single_channel(scene: RandomScene) -> None:
    from scipy.optimize import brentq

    (a, heat), (b, red), (c, nir) = (
        scene.field("bt10", 285, 310),
        scene.field("red", 0.03, 0.25),
        scene.field("nir", 0.1, 0.5),
    )
    lst = scene.make("lst_single_channel", bt_path=a, red_path=b, nir_path=c)
    seen = 0
    for row, column in np.argwhere(np.isfinite(heat + red + nir))[::37]:
        emissivity = emissivity_of(red[row, column], nir[row, column])
        radiance = planck(heat[row, column], 10.895)
        expected = brentq(lambda t, e=emissivity, r=radiance: float(e * planck(t, 10.895) - r), 200, 400)
        # It takes Wien's limit, a few hundredths of a kelvin from Planck's law.
        agree(lst[row, column], expected, abs=0.06, rel=0)
        seen += 1
    assert seen > 5
    agree(np.isnan(lst), np.isnan(heat + red + nir))


# Coefficients as the papers print them: c0, d, d squared, 1 - e, its water, de, its water.
SPLIT_WINDOWS = {
    "Sobrino 2003": (1.02, 1.79, 1.20, 34.83, -0.68, -73.27, -5.19),
    "Jimenez-Munoz 2014": (-0.268, 1.378, 0.183, 54.30, -2.238, -129.20, 16.40),
}


def by_split_window(
    method: str, one: Floats, other: Floats, first: Floats, second: Floats, water: float
) -> Floats:
    """Return the temperature of a surface by a formula of SPLIT_WINDOWS, as polynomials of pandas."""
    import pandas as pd

    names = ("c0", "c1", "c2", "c3", "c4", "c5", "c6")
    frame = pd.DataFrame({"t": one.ravel(), "u": other.ravel(), "e": first.ravel(), "f": second.ravel()})
    frame = frame.assign(w=water, **dict(zip(names, SPLIT_WINDOWS[method], strict=True)))
    brightness_terms = "t + c0 + c1 * (t - u) + c2 * (t - u) ** 2"
    formula = f"{brightness_terms} + (c3 + c4 * w) * (1 - (e + f) / 2) + (c5 + c6 * w) * (e - f)"
    return np.asarray(frame.eval(formula, engine="python").to_numpy().reshape(one.shape))


@oracle("split_window", "library", "two published formulas by pandas.eval; a kelvin more is a kelvin more")
def of_split_window(scene: RandomScene) -> None:
    scene.stored = ("float64", 1.0, 0.0, -9999.0)
    for method, roles in {
        "Sobrino 2003": ("bt31", "bt32", "emissivity31", "emissivity32"),
        "Jimenez-Munoz 2014": ("bt10", "bt11", "emissivity10", "emissivity11"),
    }.items():
        a, one = scene.field(roles[0], 285, 310)
        lower = one - 2 * scene.rng.random(scene.shape)
        b, other = scene.field(roles[1], 280, 310, values=lower, holes=False)
        (e, first), (f, second) = scene.field(roles[2], 0.96, 0.99), scene.field(roles[3], 0.96, 0.99)
        emitted = {"emissivity31_path": e, "emissivity32_path": f, "parameter": "LST", "method": method}
        for water in (0.8, 3.1):
            made = scene.make("split_window", band31_path=a, band32_path=b, water_vapour=water, **emitted)
            agree(made, by_split_window(method, one, other, first, second, water), abs=2e-3)
        c, _ = scene.field(roles[0], 280, 320, values=one + 1, holes=False)
        d, _ = scene.field(roles[1], 280, 320, values=other + 1, holes=False)
        cold = scene.make("split_window", band31_path=a, band32_path=b, **emitted)
        warm = scene.make("split_window", band31_path=c, band32_path=d, **emitted)
        agree(warm, cold + 1, abs=2e-3)


@oracle("lst_multi_channel", "library", "two published formulas by pandas.eval, of one emissivity")
def of_multi_channel(scene: RandomScene) -> None:
    for method, roles in {
        "Sobrino 2003": ("bt31", "bt32"),
        "Jimenez-Munoz 2014": ("bt10", "bt11"),
    }.items():
        a, one = scene.field(roles[0], 285, 310)
        lower = one - 2 * scene.rng.random(scene.shape)
        b, other = scene.field(roles[1], 280, 310, values=lower)
        made = scene.make(
            "lst_multi_channel",
            band31_path=a,
            band32_path=b,
            emissivity=0.97,
            emissivity_difference=-0.012,
            water_vapour=1.4,
        )
        even = np.ones(scene.shape)
        expected = by_split_window(method, one, other, 0.964 * even, 0.976 * even, 1.4)
        agree(made, expected, abs=5e-3)


def emissivity_of(red: float, nir: float) -> float:
    """Return the emissivity of a pixel near 11 um by its NDVI (Sobrino et al. 2004)."""
    ndvi = (nir - red) / (nir + red)
    if math.isnan(ndvi):
        return math.nan
    if ndvi < 0.2:
        return 0.979 - 0.046 * red
    if ndvi > 0.5:
        return 0.987
    return 0.971 + (0.987 - 0.971) * ((ndvi - 0.2) / 0.3) ** 2


@oracle(
    "surface_emissivity", "formulation", "pixel by pixel from the published thresholds (Sobrino et al. 2004)"
)
def of_emissivity(scene: RandomScene) -> None:
    (b, red), (c, nir) = scene.field("red", 0.03, 0.25), scene.field("nir", 0.1, 0.5)
    agree(
        scene.make("surface_emissivity", red_path=b, nir_path=c),
        np.vectorize(emissivity_of)(red, nir),
        abs=1e-5,
        share=0.99,
    )


@oracle(
    "suspended_particulate_matter",
    "library",
    "Nechad's formula at 665 nm by pandas.eval; the reflectance recovered",
)
def of_matter(scene: RandomScene) -> None:
    import pandas as pd

    a, values = scene.field("red", 0.005, 0.08)
    found = scene.make("suspended_particulate_matter", input_path=a)
    expected = pd.DataFrame({"r": values.ravel()}).eval("355.85 * r / (1 - r / 0.1728)", engine="python")
    agree(found, expected.to_numpy().reshape(values.shape), rel=1e-4, abs=1e-3)
    agree(found / (355.85 + found / 0.1728), values, rel=2e-3, abs=1e-6)


def separated(bands: Floats, lengths: tuple[float, ...]) -> tuple[Floats, Floats]:
    """Return temperature and emissivities by the three modules of Gillespie et al. 1998, by Planck's law.

    Without sky irradiance they need no iteration.
    """
    seen = np.stack([planck(band, length) for band, length in zip(bands, lengths, strict=True)])
    # NEM: the warmest band under an emissivity of 0.99.
    hottest = np.max(
        [brightness(one / 0.99, length) for one, length in zip(seen, lengths, strict=True)], axis=0
    )
    beta = seen / np.stack([planck(hottest, length) for length in lengths])
    beta = beta / beta.mean(axis=0)
    least = 0.994 - 0.687 * np.ptp(beta, axis=0) ** 0.737
    emissivity = beta * least / beta.min(axis=0)
    clearest = emissivity.argmax(axis=0)[None]
    each = np.stack(
        [brightness(one / e, length) for one, e, length in zip(seen, emissivity, lengths, strict=True)]
    )
    return np.take_along_axis(each, clearest, 0)[0], emissivity


def surfaces(
    scene: RandomScene, lengths: tuple[float, ...], contrast: float
) -> tuple[list[str], Floats, Floats]:
    """Write the bands of surfaces that obey the relation of TES; return names, bands and temperature."""
    scene.stored = ("float64", 1.0, 0.0, -9999.0)
    ratio = 1 + contrast * (scene.rng.random((len(lengths), *scene.shape)) - 0.5)
    ratio /= ratio.mean(axis=0)
    least = 0.994 - 0.687 * (ratio.max(axis=0) - ratio.min(axis=0)) ** 0.737
    emissivity = ratio * least / ratio.min(axis=0)
    lst = 285 + 25 * scene.rng.random(scene.shape)
    written = [
        scene.field(f"tir{10 + n}", 260, 330, values=brightness(emissivity[n] * planck(lst, length), length))
        for n, length in enumerate(lengths)
    ]
    return [name for name, _ in written], np.stack([band for _, band in written]), lst


@oracle(
    "temperature_emissivity_separation",
    "formulation",
    "NEM, ratio and MMD by Planck's law with the constants of nature; surfaces that obey its relation",
)
def of_separation(scene: RandomScene) -> None:
    lengths = (8.291, 8.634, 9.075, 10.657, 11.318)
    paths, bands, lst = surfaces(scene, lengths, 0.08)
    found = scene.make("temperature_emissivity_separation", tir_band_paths=paths, representative_band_index=3)
    expected, emissivity = separated(bands, lengths)
    agree(found, expected, abs=0.03, rel=0)
    agree(scene.read("out.tif", 2), emissivity[3], abs=1e-3)
    assert np.nanmedian(np.abs(found - lst)) < 0.6 and np.nanmax(np.abs(found - lst)) < 1.5


@oracle(
    "ttm_lst",
    "formulation",
    "NEM, ratio and MMD by Planck's law with the constants of nature; surfaces that obey its relation",
)
def of_three_bands(scene: RandomScene) -> None:
    lengths = (8.3, 8.65, 9.1)
    paths, bands, lst = surfaces(scene, lengths, 0.06)
    found = scene.make("ttm_lst", tir_band_paths=paths)
    expected, emissivity = separated(bands, lengths)
    agree(found, expected, abs=0.03, rel=0)
    agree(scene.read("out.tif", 2), emissivity.min(axis=0), abs=1e-3)
    assert np.nanmedian(np.abs(found - lst)) < 0.6 and np.nanmax(np.abs(found - lst)) < 2.0


@oracle("ATI", "property", "range of temperature recovered from the inertia")
def of_inertia(scene: RandomScene) -> None:
    (a, day), (b, night), (c, albedo) = (
        scene.field("lst_day", 295, 315),
        scene.field("lst_night", 270, 285),
        scene.field("albedo", 0.05, 0.4),
    )
    found = scene.make("ATI", day_temp_path=a, night_temp_path=b, albedo_path=c)
    agree((1 - albedo) / found, np.where(np.isnan(albedo), np.nan, day - night), abs=1e-3)


@oracle("calculate_water_turbidity_ntu", "property", "reflectance recovered from the turbidity")
def of_turbidity(scene: RandomScene) -> None:
    a, values = scene.field("red", 0.005, 0.07)
    found = scene.make("calculate_water_turbidity_ntu", input_red_path=a, method="linear", a=100.0, b=2.0)
    agree((found - 2) / 100, values, abs=1e-5)
    power = scene.make(
        "calculate_water_turbidity_ntu", input_red_path=a, method="power", a=50.0, b=1.0, n=2.0
    )
    agree(np.sqrt((power - 1) / 50), values, abs=1e-5)


@oracle("water_turbidity_red_nir", "formulation", "pixel by pixel with the switch of Dogliotti et al. (2015)")
def of_two_band_turbidity(scene: RandomScene) -> None:
    (a, red), (b, nir) = scene.field("red", 0.005, 0.12), scene.field("nir", 0.005, 0.12)

    def one(red: float, nir: float) -> float:
        low, high = 228.1 * red / (1 - red / 0.1641), 3078.9 * nir / (1 - nir / 0.2112)
        if math.isnan(red) or math.isnan(nir):
            return math.nan
        if red < 0.05:
            return low
        if red > 0.07:
            return high
        weight = (red - 0.05) / 0.02
        return low * (1 - weight) + high * weight

    found = scene.make("water_turbidity_red_nir", input_red_path=a, input_nir_path=b)
    expected = np.vectorize(one)(red, nir)
    # Land is left out; what is left in must agree.
    inside = np.isfinite(found)
    assert inside.mean() > 0.5
    agree(found[inside], expected[inside], rel=1e-4, abs=1e-3)


@oracle(
    "vegetation_optical_depth",
    "property",
    "the radiative transfer of the canopy it finds gives the polarisation back",
)
def of_optical_depth(scene: RandomScene) -> None:
    scene.stored = ("float64", 1.0, 0.0, -9999.0)
    true = 0.1 + 1.4 * scene.rng.random(scene.shape)
    ev, eh, angle, omega, ground = 0.95, 0.75, 55.0, 0.06, 290.0

    def radiance(emissivity: float) -> Floats:
        # The zero-order model of Mo et al. 1982, canopy and ground of one temperature.
        through = np.exp(-true / math.cos(math.radians(angle)))
        canopy = (1 - omega) * (1 - through) * (1 + (1 - emissivity) * through)
        return ground * (emissivity * through + canopy)

    v, _ = scene.field("", 150, 300, values=radiance(ev), holes=False)
    h, _ = scene.field("", 150, 300, values=radiance(eh), holes=False)
    found = scene.make(
        "vegetation_optical_depth",
        bt_v_path=v,
        bt_h_path=h,
        emissivity_v=ev,
        emissivity_h=eh,
        incidence_angle=angle,
        single_scattering_albedo=omega,
    )
    agree(found, true, abs=2e-3)


@oracle("band_ratio", "property", "transmittance recovered from the water vapour")
def of_band_ratio(scene: RandomScene) -> None:
    (a, two), (b, five) = scene.field("nir", 0.25, 0.3), scene.field("swir12", 0.25, 0.3)
    share = 0.3 + 0.5 * scene.rng.random(scene.shape)
    (c, _), (d, _) = scene.field("nir_905", 0.2, 0.3), scene.field("nir_936", 0.1, 0.2)
    e, nineteen = scene.field("nir_940", 0.02, 0.3, values=share * (0.8 * two + 0.2 * five), holes=False)
    found = scene.make(
        "band_ratio",
        sur_refl_b02_path=a,
        sur_refl_b05_path=b,
        sur_refl_b17_path=c,
        sur_refl_b18_path=d,
        sur_refl_b19_path=e,
    )
    agree(
        np.exp(0.020 - 0.651 * np.sqrt(found)),
        np.where(np.isnan(found), np.nan, nineteen / (0.8 * two + 0.2 * five)),
        rel=1e-4,
    )
