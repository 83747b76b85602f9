"""The variables that bands and products can be: titles, units, plausible ranges, words.

One table serves recognition, the tools' contracts, the checks after each call, the map's legend
and the planner's vocabulary.
"""

from __future__ import annotations

from dataclasses import dataclass

from treeline.toolkit.errors import ContractError


@dataclass(frozen=True, slots=True)
class Variable:
    """One role that a band can have.

    Attributes
    ----------
    role : str
        The key, such as ``nir`` or ``lst``.
    title : str
        For people.
    unit : str
        Unit of the physical value; ``1`` for a pure number, empty where each result states its own.
    plausible : tuple of float
        Range outside of which a physical value is implausible.
    words : tuple of str
        How questions name it, lower case, longest first where they overlap.
    kind : str
        ``reflectance``, ``temperature``, ``index``, ``quality``, ``product``, ``radar`` or
        ``class``.
    possible : tuple of float, optional
        Range outside of which no pixel of a raster can be, so that what stands there is no data; where none
        is declared, the plausible range. It is wider where clouds, fires, glint or noise are measured too.
    """

    role: str
    title: str
    unit: str
    plausible: tuple[float, float] = (float("-inf"), float("inf"))
    words: tuple[str, ...] = ()
    kind: str = "product"
    possible: tuple[float, float] | None = None

    @property
    def limits(self) -> tuple[float, float]:
        """The range outside of which a pixel is no data."""
        return self.possible or self.plausible


# The scaled range of Landsat Collection 2 surface reflectance, -0.2 to 1.6022: below 0 after correction of
# the atmosphere over dark water, above 1 on snow and sunlit slopes.
_REFLECTANCE = (-0.2, 1.6)
# Glint, glass roofs and sunlit sides of clouds send more towards a sensor than a white surface does;
# correction of the atmosphere takes away more than there was by no more than what a hazy path reflects.
_REFLECTED = (-0.5, 3.0)
# The surface's range, wider by what clouds take away and the noise of a sensor adds.
_BRIGHTNESS = (150.0, 360.0)
# From below the coldest cloud tops (near 160 K) to where channels for fires saturate (MODIS band 21: 500 K).
_RADIATED = (100.0, 510.0)
# From the coldest surface seen from space (East Antarctica, -98 C: Scambos et al. 2018, Geophys. Res. Lett.
# 45:6124) to the hottest (Lut desert, 81 C: Zhao et al. 2021, Bull. Am. Meteorol. Soc. 102).
_SURFACE = (170.0, 355.0)
# Beyond it, by what retrievals err under clouds and over fires.
_RETRIEVED = (140.0, 450.0)
# Below quartz sand at 8 to 9 um, the least of natural surfaces; 1 is a black body.
_EMISSIVITY = (0.6, 1.0)
# Metal roofs, and the rounding of products.
_EMITTED = (0.2, 1.05)
# Files hold classes and flags in one byte, two or four.
_BYTE, _TWO_BYTES, _FOUR_BYTES = (0.0, 2.0**8 - 1), (0.0, 2.0**16 - 1), (0.0, 2.0**32 - 1)
# From the noise floor of spaceborne radars to the corner reflectors of cities.
_BACKSCATTER = (-50.0, 25.0)
# Noise that was subtracted leaves less, ships and bridges give more.
_RECEIVED = (-90.0, 60.0)
# What an index of the range -1 to 1 exceeds by where it is rounded.
_ROUNDED = (-1.01, 1.01)
_ANY = (float("-inf"), float("inf"))


def _reflectance(role: str, title: str, *words: str) -> Variable:
    return Variable(role, title, "1", _REFLECTANCE, words, "reflectance", _REFLECTED)


def _brightness(role: str, title: str, *words: str) -> Variable:
    return Variable(role, title, "K", _BRIGHTNESS, words, "temperature", _RADIATED)


def _index(role: str, title: str, *words: str, plausible: tuple[float, float] = (-1.0, 1.0)) -> Variable:
    possible = _ROUNDED if plausible == (-1.0, 1.0) else None
    return Variable(role, title, "1", plausible, words, "index", possible)


def _quality(role: str, title: str, *words: str) -> Variable:
    return Variable(role, title, "class", _FOUR_BYTES, words, "quality")


def _soil_moisture(role: str, title: str, *words: str) -> Variable:
    return Variable(role, title, "m3/m3", (0.0, 1.0), words, possible=(-0.1, 1.1))


# fmt: off
_TABLE = (
    _reflectance("coastal", "Coastal aerosol reflectance", "coastal aerosol", "coastal blue"),
    _reflectance("blue", "Blue reflectance", "blue band", "blue"),
    _reflectance("green", "Green reflectance", "green band", "green"),
    _reflectance("green1", "Green reflectance (531 nm)", "green I", "first green band"),
    _reflectance("yellow", "Yellow reflectance (610 nm)", "yellow band", "yellow reflectance"),
    _reflectance("red", "Red reflectance", "red band", "red"),
    _reflectance("rededge1", "Red-edge reflectance (705 nm)", "red edge 1", "red edge"),
    _reflectance("rededge2", "Red-edge reflectance (740 nm)", "red edge 2"),
    _reflectance("rededge3", "Red-edge reflectance (783 nm)", "red edge 3"),
    _reflectance("nir", "Near-infrared reflectance", "near infrared", "near-infrared", "nir"),
    _reflectance("nir_broad", "Broad near-infrared reflectance (842 nm)", "broad near infrared"),
    _reflectance("nir08", "Narrow near-infrared reflectance (865 nm)", "narrow near infrared"),
    _reflectance("nir09", "Water-vapour band reflectance (945 nm)", "water vapour band"),
    _reflectance("cirrus", "Cirrus band reflectance", "cirrus band"),
    _reflectance("swir12", "Short-wave infrared reflectance (1.24 um)", "1.24 um"),
    _reflectance("swir1", "Short-wave infrared reflectance (1.6 um)", "swir1", "swir 1"),
    _reflectance("swir2", "Short-wave infrared reflectance (2.2 um)", "swir2", "swir 2"),
    _reflectance("pan", "Panchromatic reflectance", "panchromatic band", "panchromatic"),
    _reflectance("nir_905", "Reflectance at 905 nm"),
    _reflectance("nir_936", "Reflectance at 936 nm"),
    _reflectance("nir_940", "Reflectance at 940 nm"),
    _brightness("bt6", "Brightness temperature, band 6", "band 6 brightness temperature"),
    _brightness("bt6_high", "Brightness temperature, band 6, high gain"),
    _brightness("bt_s7", "Brightness temperature, SLSTR band S7"),
    _brightness("bt_s8", "Brightness temperature, SLSTR band S8"),
    _brightness("bt_s9", "Brightness temperature, SLSTR band S9"),
    _brightness("bt10", "Brightness temperature, band 10", "band 10 brightness temperature"),
    _brightness("bt11", "Brightness temperature, band 11", "band 11 brightness temperature"),
    _brightness("bt31", "Brightness temperature, band 31", "band 31 brightness temperature"),
    _brightness("bt32", "Brightness temperature, band 32", "band 32 brightness temperature"),
    _brightness("tir10", "ASTER band 10 brightness temperature"),
    _brightness("tir11", "ASTER band 11 brightness temperature"),
    _brightness("tir12", "ASTER band 12 brightness temperature"),
    _brightness("tir13", "ASTER band 13 brightness temperature"),
    _brightness("tir14", "ASTER band 14 brightness temperature"),
    Variable("lst", "Land surface temperature", "K", _SURFACE,
        ("land surface temperature", "surface temperature", "lst", "temperature"), "temperature", _RETRIEVED),
    Variable("lst_day", "Daytime land surface temperature", "K", _SURFACE,
        ("daytime land surface temperature", "day-time land surface temperature",
         "daytime surface temperature", "daytime temperature", "daytime lst", "day-time lst", "day lst"),
        "temperature", _RETRIEVED),
    Variable("lst_night", "Night-time land surface temperature", "K", _SURFACE,
        ("nighttime land surface temperature", "night-time land surface temperature",
         "nighttime surface temperature", "night-time surface temperature", "nighttime temperature",
         "night-time temperature", "night-time lst", "nighttime lst", "night lst", "night temperature"),
        "temperature",
        _RETRIEVED),
    Variable("emissivity29", "Emissivity, band 29", "1", _EMISSIVITY, ("band 29 emissivity",),
        possible=_EMITTED),
    Variable("emissivity31", "Emissivity, band 31", "1", _EMISSIVITY, ("band 31 emissivity",),
        possible=_EMITTED),
    Variable("emissivity32", "Emissivity, band 32", "1", _EMISSIVITY, ("band 32 emissivity",),
        possible=_EMITTED),
    _index("ndvi", "Normalised difference vegetation index", "normalized difference vegetation index",
        "normalised difference vegetation index", "vegetation index", "greenness", "ndvi"),
    _index("evi", "Enhanced vegetation index", "enhanced vegetation index", "evi", plausible=(-1.0, 2.0)),
    _index("evi2", "Two-band enhanced vegetation index", "evi2", plausible=(-1.0, 2.0)),
    _index("savi", "Soil-adjusted vegetation index", "soil adjusted vegetation index",
        "soil-adjusted vegetation index", "savi", plausible=(-1.5, 1.5)),
    _index("msavi", "Modified soil-adjusted vegetation index", "msavi", plausible=(-1.5, 1.5)),
    _index("ndwi", "Normalised difference water index", "normalized difference water index",
        "normalised difference water index", "water index", "ndwi"),
    _index("mndwi", "Modified normalised difference water index", "mndwi"),
    _index("ndmi", "Normalised difference moisture index", "moisture index", "ndmi", "lswi"),
    _index("ndbi", "Normalised difference built-up index", "built-up index", "ndbi"),
    _index("nbr", "Normalised burn ratio", "normalized burn ratio", "normalised burn ratio", "burn ratio",
        "nbr"),
    _index("ndsi", "Normalised difference snow index", "snow index", "ndsi"),
    _index("ndti", "Normalised difference turbidity index", "turbidity index", "ndti"),
    _index("wri", "Water ratio index", "water ratio index", "wri", plausible=(0.0, 100.0)),
    _index("fvc", "Fractional vegetation cover", "fractional vegetation cover", "vegetation cover fraction",
        "vegetation fraction", "vegetation coverage", "fvc", plausible=(0.0, 1.0)),
    _index("tvdi", "Temperature-vegetation dryness index", "temperature vegetation dryness index",
        "temperature-vegetation dryness index", "dryness index", "tvdi", plausible=(-0.5, 1.5)),
    # TerraClimate has -43.2 to 34.2 (Earth Engine catalogue).
    _index("pdsi", "Palmer drought severity index", "palmer drought severity index", "palmer drought index",
        "pdsi", plausible=(-50.0, 50.0)),
    # Beyond 8.3 deviations float64 does not tell a share under the normal distribution from 0 or 1.
    _index("spi", "Standardised precipitation index", "standardised precipitation index",
        "standardized precipitation index", "spi", plausible=(-8.3, 8.3)),
    _index("spei", "Standardised precipitation evapotranspiration index",
        "standardised precipitation evapotranspiration index",
        "standardized precipitation evapotranspiration index", "spei", plausible=(-8.3, 8.3)),
    _quality("qa_pixel", "Landsat pixel quality", "qa_pixel", "quality band"),
    _quality("pixel_qa", "Landsat Collection 1 pixel quality", "pixel_qa"),
    _quality("sr_cloud_qa", "Landsat Collection 1 cloud quality of LEDAPS", "sr_cloud_qa"),
    _quality("bqa", "Landsat Collection 1 Level 1 quality", "bqa"),
    _quality("qa_radsat", "Landsat radiometric saturation"),
    _quality("state_1km", "MODIS state flags"),
    _quality("qa60", "Sentinel-2 QA60 cloud bits"),
    _quality("fmask", "HLS cloud, shadow and water flags"),
    _quality("scl", "Sentinel-2 scene classification", "scene classification layer"),
    _quality("cloud_mask", "Cloud mask (1 = cloud)", "cloud mask"),
    Variable("cloud_probability", "Cloud probability", "%", (0.0, 100.0), ("cloud probability",), "quality"),
    Variable("clear_score", "Clear-sky score", "1", (0.0, 1.0), (), "quality"),
    _quality("qa_lst", "Land surface temperature quality"),
    _quality("qa_vi", "Vegetation index quality"),
    _quality("vi_reliability", "MODIS vegetation index reliability"),
    _quality("vi_rank", "VIIRS vegetation index reliability"),
    Variable("albedo", "Broadband albedo", "1", (0.0, 1.0), ("albedo",), possible=(-0.1, 1.1)),
    Variable("thermal_inertia", "Apparent thermal inertia", "1/K", (0.0, 2.0),
        ("apparent thermal inertia", "thermal inertia", "ati")),
    Variable("ntl_radiance", "Night-light radiance", "nW/cm2/sr", (-2.0, 5000.0),
        ("nighttime light intensity", "night-time light", "nighttime light", "night light",
        "nighttime lights", "night lights", "avg_rad")),
    # What the sensor of DMSP writes, 0 to 63.
    Variable("stable_lights", "Stable lights of the night (0 to 63)", "1", (0.0, 63.0),
        ("stable lights", "stable night lights")),
    Variable("cloud_free_count", "Cloud-free observations", "count", (0.0, 10000.0)),
    Variable("frp", "Fire radiative power", "MW", (0.0, 18000.0),
        ("fire radiative power", "maxfrp", "frp", "fire intensity")),
    Variable("fire_mask", "Active-fire mask", "class", _BYTE, ("fire mask",), "class"),
    # The wettest year on record had 26,461 mm (Cherrapunji 1860-61, World Meteorological Organization);
    # interpolation leaves a little less than nothing.
    Variable("precipitation", "Precipitation", "mm", (0.0, 1500.0), ("precipitation", "rainfall", "rain"),
        possible=(-0.1, 27000.0)),
    # Records of the World Meteorological Organization: -89.2 C and 56.7 C.
    Variable("air_temperature", "Air temperature", "K", (180.0, 335.0), ("air temperature",), "temperature",
        (150.0, 350.0)),
    # The warmest and the coldest of a day; of a month, the mean of its days (TerraClimate, WorldClim, PRISM).
    Variable("air_temperature_maximum", "Maximum air temperature of the day", "K", (180.0, 335.0),
        ("daily maximum temperature", "daily maximum air temperature", "maximum air temperature of the day",
        "tmax"), "temperature", (150.0, 350.0)),
    Variable("air_temperature_minimum", "Minimum air temperature of the day", "K", (180.0, 335.0),
        ("daily minimum temperature", "daily minimum air temperature", "minimum air temperature of the day",
        "tmin"), "temperature", (150.0, 350.0)),
    # TerraClimate has 0 to 11.1 kPa and up to 888 mm (Earth Engine catalogue).
    Variable("vapour_pressure_deficit", "Vapour pressure deficit", "kPa", (0.0, 12.0),
        ("vapour pressure deficit", "vapor pressure deficit", "vpd")),
    Variable("soil_water_storage", "Water stored in the soil", "mm", (0.0, 2000.0),
        ("soil water storage", "water stored in the soil", "stored soil water")),
    # Sea water freezes at -1.9 C; shallow gulfs reach 38 C.
    Variable("sst", "Sea surface temperature", "K", (268.0, 313.0), ("sea surface temperature", "sst"),
        "temperature", (200.0, 350.0)),
    Variable("chlorophyll", "Chlorophyll concentration", "mg/m3", (0.0, 1000.0),
        ("chlorophyll concentration", "chlorophyll-a", "chlorophyll")),
    # The ranges of the Earth Engine catalogue, wider by what single pixels are off.
    Variable("no2_column", "Tropospheric nitrogen dioxide column", "mol/m2", (-0.005, 0.02),
        ("tropospheric no2", "no2 column", "nitrogen dioxide", "no2", "nitrogen dioxide column",
         "tropospheric nitrogen dioxide", "tropospheric no2 column", "tropospheric nitrogen dioxide column")),
    Variable("so2_column", "Sulphur dioxide column", "mol/m2", (-1.0, 1.0),
        ("sulphur dioxide", "sulfur dioxide", "so2 column", "so2", "sulphur dioxide column",
         "sulfur dioxide column")),
    Variable("co_column", "Carbon monoxide column", "mol/m2", (-0.1, 5.0),
        ("carbon monoxide", "co column", "carbon monoxide column")),
    Variable("o3_column", "Ozone column", "mol/m2", (0.0, 0.5),
        ("total ozone", "ozone column", "ozone", "total ozone column")),
    Variable("hcho_column", "Tropospheric formaldehyde column", "mol/m2", (-0.05, 0.1),
        ("formaldehyde", "hcho", "formaldehyde column", "tropospheric formaldehyde", "hcho column")),
    Variable("ch4_fraction", "Methane mixing ratio of dry air", "ppb", (1000.0, 3000.0),
        ("methane mixing ratio", "methane", "ch4")),
    # The ranges that the user guides of MOD15, MOD16 and MOD17 call valid.
    Variable("lai", "Leaf area index", "m2/m2", (0.0, 10.0), ("leaf area index", "lai")),
    Variable("fpar", "Fraction of absorbed photosynthetic radiation", "1", (0.0, 1.0), ("fpar", "fapar")),
    Variable("npp", "Net primary productivity", "kgC/m2", (-3.0, 3.27),
        ("net primary productivity", "net primary production", "npp")),
    Variable("gpp", "Gross primary productivity", "kgC/m2", (0.0, 6.55),
        ("gross primary productivity", "gross primary production", "gpp")),
    Variable("evapotranspiration", "Evapotranspiration", "mm", (-10.0, 3270.0),
        ("evapotranspiration", "actual evapotranspiration", "actual evaporation", "land evaporation",
         "evaporation")),
    Variable("potential_evapotranspiration", "Potential evapotranspiration", "mm", (-10.0, 6550.0),
        ("potential evapotranspiration", "potential evaporation")),
    _soil_moisture("soil_moisture", "Soil moisture", "soil moisture", "surface soil moisture",
        "topsoil moisture"),
    # SMAP L4: the uppermost metre, and down to the bedrock (NSIDC, user guide of SPL4SMGP).
    _soil_moisture("root_zone_soil_moisture", "Root-zone soil moisture", "root-zone soil moisture",
        "root zone soil moisture", "rootzone soil moisture"),
    _soil_moisture("profile_soil_moisture", "Soil moisture of the whole profile", "profile soil moisture",
        "soil profile moisture"),
    # The layers of the model below the uppermost 7 cm (ECMWF, ERA5-Land data documentation).
    _soil_moisture("soil_moisture_layer_2", "Soil moisture at 7 to 28 cm", "soil moisture layer 2",
        "volumetric soil water layer 2"),
    _soil_moisture("soil_moisture_layer_3", "Soil moisture at 28 to 100 cm", "soil moisture layer 3",
        "volumetric soil water layer 3"),
    _soil_moisture("soil_moisture_layer_4", "Soil moisture at 100 to 289 cm", "soil moisture layer 4",
        "volumetric soil water layer 4"),
    Variable("pwv", "Precipitable water", "g/cm2", (0.0, 10.0),
        ("precipitable water vapor", "precipitable water", "water vapor", "water vapour", "pwv")),
    Variable("aot", "Aerosol optical thickness", "1", (0.0, 5.0), 
        ("aerosol optical thickness", "aerosol optical depth", "aerosol optical", "aot", "aod")),
    # The shore of the Dead Sea is at -430 m, Mount Everest at 8849 m; heights above the ellipsoid differ from
    # those above the sea by up to 107 m, and opencast mines lie below the sea too.
    Variable("dem", "Elevation", "m", (-450.0, 8900.0),
        ("elevation", "altitude", "dem", "height above sea level"), possible=(-600.0, 9100.0)),
    # The Challenger Deep is at -10,935 m.
    Variable("bathymetry", "Elevation of land and sea floor", "m", (-11000.0, 8900.0),
        ("bathymetry", "elevation of the sea floor", "sea floor elevation", "sea-floor elevation",
        "seafloor elevation")),
    Variable("landcover", "Land cover", "class", _BYTE, ("land cover", "land use"), "class"),
    # 0 is unburned, so that the numbers are no day to be averaged.
    Variable("burn_date", "Day of the year of burning (0 = unburned)", "class", (0.0, 366.0),
        ("burn date", "day of burning"), "class"),
    Variable("tree_cover", "Tree cover", "%", (0.0, 100.0), ("tree cover",)),
    Variable("imperviousness", "Imperviousness", "%", (0.0, 100.0),
        ("imperviousness", "imperviousness density", "soil sealing")),
    # 0 is land without loss, so that the numbers are no year to be averaged.
    Variable("forest_loss_year", "Year of forest loss after 2000 (0 = none)", "class", _BYTE,
        ("forest loss year", "year of forest loss"), "class"),
    Variable("forest_gain", "Forest gain (1 = gain)", "class", _BYTE, ("forest gain",), "class"),
    # The tallest tree known has 116 m.
    Variable("canopy_height", "Canopy height", "m", (0.0, 120.0), ("canopy height", "tree height")),
    Variable("water_occurrence", "Water occurrence", "%", (0.0, 100.0), ("water occurrence",)),
    Variable("water_recurrence", "Water recurrence", "%", (0.0, 100.0), ("water recurrence",)),
    Variable("water_occurrence_change", "Change of water occurrence", "%", (-100.0, 100.0),
        ("water occurrence change",)),
    Variable("water_seasonality", "Months with water", "months", (0.0, 12.0), ("water seasonality",)),
    Variable("water_transition", "Transition of surface water", "class", _BYTE,
        ("water transition",), "class"),
    Variable("water_extent", "Extent of surface water (1 = ever)", "class", _BYTE,
        ("water extent",), "class"),
    # SoilGrids 2.0: what shares and the acidity of soils can be.
    Variable("soil_ph", "Soil pH in water", "1", (2.0, 12.0), ("soil ph", "soil acidity")),
    Variable("soil_organic_carbon", "Soil organic carbon", "g/kg", (0.0, 1000.0), ("soil organic carbon",)),
    Variable("clay_content", "Clay content", "%", (0.0, 100.0), ("clay content",)),
    Variable("sand_content", "Sand content", "%", (0.0, 100.0), ("sand content",)),
    Variable("silt_content", "Silt content", "%", (0.0, 100.0), ("silt content",)),
    Variable("coarse_fragments", "Coarse fragments", "%", (0.0, 100.0), ("coarse fragments",)),
    Variable("cation_exchange_capacity", "Cation exchange capacity", "cmol/kg", (0.0, 300.0),
        ("cation exchange capacity",)),
    Variable("bulk_density", "Bulk density of soil", "kg/dm3", (0.0, 2.7), ("bulk density",)),
    Variable("soil_nitrogen", "Soil nitrogen", "g/kg", (0.0, 100.0), ("soil nitrogen",)),
    Variable("organic_carbon_density", "Organic carbon density", "kg/m3", (0.0, 1000.0),
        ("organic carbon density",)),
    Variable("organic_carbon_stock", "Organic carbon stock", "kg/m2", (0.0, 500.0),
        ("organic carbon stock",)),
    # A cell of 100 m of the Global Human Settlement Layer has 10,000 m2.
    Variable("built_surface", "Built-up surface", "m2", (0.0, 10000.0),
        ("built-up surface", "built surface")),
    Variable("built_surface_nres", "Non-residential built-up surface", "m2", (0.0, 10000.0),
        ("non-residential built-up surface", "non-residential built surface")),
    Variable("built_volume", "Built-up volume", "m3", (0.0, 5e6),
        ("built-up volume", "building volume", "built volume")),
    Variable("built_volume_nres", "Non-residential built-up volume", "m3", (0.0, 5e6),
        ("non-residential building volume", "non-residential built-up volume",
        "non-residential built volume")),
    Variable("built_height", "Building height", "m", (0.0, 1000.0), ("building height",)),
    # The densest districts of cities have some 200,000 (United Nations, World Urbanization Prospects).
    Variable("population_density", "Population density", "persons/km2", (0.0, 1e6), ("population density",)),
    Variable("population", "Population", "persons", (0.0, 1e6), ("population",)),
    Variable("turbidity", "Water turbidity", "FNU", (0.0, 4000.0), ("turbidity", "ntu")),
    Variable(
        "suspended_matter",
        "Suspended particulate matter",
        "g/m3",
        (0.0, 5000.0),
        ("suspended particulate matter", "suspended matter", "suspended sediment"),
    ),
    Variable("sea_ice", "Sea-ice concentration", "1", (0.0, 1.0), ("sea ice concentration", "sea ice")),
    Variable("snow_depth", "Snow depth", "cm", (0.0, 1000.0), ("snow depth",)),
    Variable("snow_water_equivalent", "Snow water equivalent", "mm", (0.0, 5000.0)),
    Variable("vv", "VV backscatter", "dB", _BACKSCATTER, ("vv backscatter", "vv"), "radar", _RECEIVED),
    Variable("vh", "VH backscatter", "dB", _BACKSCATTER, ("vh backscatter", "vh"), "radar", _RECEIVED),
    Variable("hh", "HH backscatter", "dB", _BACKSCATTER, ("hh backscatter",), "radar", _RECEIVED),
    Variable("hv", "HV backscatter", "dB", _BACKSCATTER, ("hv backscatter",), "radar", _RECEIVED),
    Variable("incidence_angle", "Incidence angle", "degree", (0.0, 90.0), (), "radar"),
    Variable("rgb", "Colour image", "1", _TWO_BYTES, (), "image"),
    Variable("rgb_pre", "Colour image before the event", "1", _TWO_BYTES, (), "image"),
    Variable("rgb_post", "Colour image after the event", "1", _TWO_BYTES, (), "image"),
    Variable("open_water", "Dark open water in radar (1 = water)", "class", _BYTE, (), "class"),
    Variable("mask", "Mask (1 = condition met)", "class", _BYTE, (), "class"),
    Variable("difference", "Difference of two rasters", "", _ANY, ()),
    Variable("absolute_difference", "Absolute difference of two rasters", "", (0.0, float("inf")), ()),
    _index("ndre", "Normalised difference red-edge index", "red-edge index", "ndre"),
    _index("aweinsh", "Automated water extraction index", "automated water extraction index", "awei",
        plausible=(-10.0, 10.0)),
    _index("dnbr", "Difference of the normalised burn ratio", "burn severity", "dnbr", plausible=(-2.0, 2.0)),
    _index("rdnbr", "Relative difference of the normalised burn ratio", plausible=(-5.0, 5.0)),
    _index("rbr", "Relativised burn ratio", plausible=(-2.0, 2.0)),
    Variable("burn_severity", "Burn severity class", "class", (0.0, 6.0), ("burn severity class",), "class"),
    Variable("snow_fraction", "Fractional snow cover", "1", (0.0, 1.0),
        ("fractional snow cover", "snow cover")),
    _index("ndsi_snow_cover", "Snow cover by the snow index", "ndsi snow cover", plausible=(0.0, 1.0)),
    Variable("emissivity", "Surface emissivity", "1", _EMISSIVITY, ("surface emissivity", "emissivity"),
        possible=_EMITTED),
    Variable("emissivity10", "Emissivity, band 10", "1", _EMISSIVITY, ("band 10 emissivity",),
        possible=_EMITTED),
    Variable("emissivity11", "Emissivity, band 11", "1", _EMISSIVITY, ("band 11 emissivity",),
        possible=_EMITTED),
    Variable("emissivity_contrast", "Emissivity contrast", "1", (0.0, 1.0)),
    Variable("lst_range", "Day-night range of surface temperature", "K", (-60.0, 90.0), (), "temperature"),
    # Near clouds it is tens of kelvins; Landsat writes up to 327.67.
    Variable("lst_uncertainty", "Uncertainty of surface temperature", "K", (0.0, 50.0),
        ("uncertainty of the land surface temperature", "land surface temperature uncertainty",
        "uncertainty of land surface temperature", "uncertainty of lst", "lst uncertainty"),
        possible=(0.0, 328.0)),
    Variable("vegetation_optical_depth", "Vegetation optical depth", "1", (0.0, 5.0),
        ("vegetation optical depth",)),
    Variable("polarisation_ratio", "Polarisation ratio", "1", (-1.0, 1.0), ("polarisation ratio",)),
    Variable("polarisation_index", "Polarisation index", "1", (-2.0, 2.0), ("polarisation index",)),
    Variable("polarisation_difference", "Polarisation difference", "", _ANY, ("polarisation difference",)),
    Variable("frequency_difference", "Difference of two frequencies", "", _ANY, ("frequency difference",)),
    Variable("terrain_slope", "Terrain slope", "degree", (0.0, 90.0),
        ("terrain slope", "slope of the terrain")),
    Variable("terrain_slope_percent", "Terrain slope in per cent", "%", (0.0, 2000.0),
        ("slope in per cent", "slope in percent", "slope in %", "slope percentage", "percent slope",
        "per cent slope", "slopes in per cent", "slopes in percent")),
    Variable("terrain_aspect", "Terrain aspect", "degree", (0.0, 360.0), ("aspect",)),
    Variable("hillshade", "Hillshade", "1", _BYTE, ("hillshade",)),
    Variable("curvature", "Terrain curvature", "1/m", (-1.0, 1.0), ("curvature",)),
    Variable("illumination", "Illumination (cosine of incidence)", "1", (-1.0, 1.0)),
    Variable("tpi", "Topographic position index", "m", (-3000.0, 3000.0), ("topographic position",)),
    Variable("slope_position", "Slope position class", "class", _BYTE, (), "class"),
    Variable("ruggedness", "Terrain ruggedness index", "m", (0.0, 5000.0), ("ruggedness",)),
    Variable("roughness", "Terrain roughness", "m", (0.0, 9000.0), ("terrain roughness",)),
    # The equator is 40,075 km long.
    Variable("distance", "Distance", "m", (0.0, 4.1e7)),
    Variable("trend_slope", "Trend per pixel", "per year", _ANY, ("trend map",)),
    Variable("anomaly", "Anomaly against a climatology", "", _ANY, ("anomaly",)),
    Variable("log_ratio", "Logarithm of a ratio", "dB", (-60.0, 60.0), (), "radar"),
    Variable(
        "backscatter_ratio", "Cross-polarisation ratio", "dB", (-60.0, 60.0),
        ("cross-polarisation ratio", "cross-polarization ratio", "cross-pol ratio",
         "vh/vv ratio", "hv/hh ratio", "vh/vv", "hv/hh"), "radar",
    ),
    Variable("rvi", "Radar vegetation index", "1", (0.0, 4.0), ("radar vegetation index",), "radar"),
    Variable("classes", "Classes", "class", _TWO_BYTES, (), "class"),
    Variable("clusters", "Clusters", "class", _TWO_BYTES, (), "class"),
    Variable("change_mask", "Change mask (1 = changed)", "class", _BYTE, (), "class"),
    Variable("change_magnitude", "Magnitude of change", "", (0.0, float("inf"))),
    Variable("no_change_probability", "Probability of no change", "1", (0.0, 1.0)),
    Variable("change_count", "Number of changes", "count", _TWO_BYTES),
    Variable("texture", "Texture", "1", _ANY),
    Variable("gi_star", "Getis-Ord Gi* z-score", "1", (-1000.0, 1000.0), ("hotspot", "hot spot"), "index"),
)
# fmt: on

VARIABLES: dict[str, Variable] = {variable.role: variable for variable in _TABLE}
BRIGHTNESS = tuple(role for role in VARIABLES if role.startswith(("bt", "tir")))


def declare(new: Variable) -> None:
    """Add a variable to the table; a tool does so for a role that it is the first to write.

    Raises
    ------
    ContractError
        Another variable has that role.
    """
    known = VARIABLES.setdefault(new.role, new)
    if known != new:
        raise ContractError(
            f"The role {new.role!r} is declared already, as {known.title!r}.",
            "Use it as it is, or take another name.",
        )


def variable(role: str | None) -> Variable | None:
    """Return the variable of a role, or ``None`` for a role that has no entry."""
    return VARIABLES.get(role) if role else None


CLOUD_ROLES = (
    "cloud_mask",
    "cloud_probability",
    "scl",
    "qa_pixel",
    "pixel_qa",
    "sr_cloud_qa",
    "bqa",
    "qa60",
    "fmask",
    "state_1km",
    "vi_reliability",
    "vi_rank",
)
"""Roles of rasters that tell where clouds are."""
