from __future__ import annotations

from datetime import date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treeline.toolkit.recognition.dates import find_date, parse_moment

DAYS = st.dates(date(1950, 1, 1), date(2035, 12, 31))


@given(DAYS, st.sampled_from(["%Y-%m-%d", "%Y_%m_%d", "%Y.%m.%d", "%Y%m%d", "%Y%j"]))
def test_every_day_is_found_in_every_form(day: date, form: str) -> None:
    found = find_date(f"Lake Baikal_NDVI_{day.strftime(form)}_x")
    assert found is not None
    assert found.date.date() == day
    assert found.precision == "day"


@given(DAYS, st.integers(0, 23), st.integers(0, 59))
def test_every_minute_is_found(day: date, hour: int, minute: int) -> None:
    moment = datetime(day.year, day.month, day.day, hour, minute)
    for form in ("%Y_%m_%d_%H%M", "%Y-%m-%d_%H%M", "%Y%m%d_%H%M", "%Y-%m-%dT%H%M"):
        found = find_date(f"A_{moment.strftime(form)}_BT_31")
        assert found is not None
        assert (found.date, found.precision) == (moment, "minute")


@given(st.text(max_size=40))
def test_any_text_is_survived(text: str) -> None:
    found = find_date(text)
    assert found is None or 1800 <= found.date.year <= 2100


@pytest.mark.parametrize(
    ("text", "moment", "precision"),
    [
        ("NDVI_15-06-2021", datetime(2021, 6, 15), "day"),
        # models begin before there were images and go on
        ("precipitation_1850-01", datetime(1850, 1, 1), "month"),
        ("tas_2085-07", datetime(2085, 7, 1), "month"),
        # thirds of a month, in it and counted from January
        ("NDVI_202107D2", datetime(2021, 7, 11), "day"),
        ("rain_2021_07_dekad_3", datetime(2021, 7, 21), "day"),
        ("rfe2021_07-dk2.v3", datetime(2021, 7, 11), "day"),
        ("eMODIS_NDVI_2012_dekad_12", datetime(2012, 4, 21), "day"),
        # halves of a month
        ("geo82jan15a.n07-VI3g", datetime(1982, 1, 1), "day"),
        ("geo15dec15b.n19-VI3g", datetime(2015, 12, 16), "day"),
        ("gimms_ndvi3g_1981.07.b", datetime(1981, 7, 16), "day"),
        ("survey_2021_07_a", datetime(2021, 7, 1), "month"),
        # weeks of ISO 8601, of which the first of 2021 begins on 4 January, and weeks from 1 January on
        ("NDVI_2021_wk23", datetime(2021, 6, 7), "day"),
        ("NDVI_week_01_2021", datetime(2021, 1, 4), "day"),
        ("NDVI_2021-W05-3", datetime(2021, 2, 3), "day"),
        ("VHP.G04.C07.npp.P2021023.VH", datetime(2021, 6, 4), "day"),
        # days of the year
        ("NDVI_2021_doy152", datetime(2021, 6, 1), "day"),
        ("NDVI_doy152_2021", datetime(2021, 6, 1), "day"),
        ("NDVI_2020-366", datetime(2020, 12, 31), "day"),
        ("NDVI_2021-366", datetime(2021, 1, 1), "year"),
        ("NDVI_2021-300m", datetime(2021, 1, 1), "year"),
        ("US_eMAH_NDVI.2019.092-098.1KM.VI_NDVI.006.2019100034023", datetime(2019, 4, 2), "day"),
        ("field 15062021 ndvi", datetime(2021, 6, 15), "day"),
        ("NDVI_5June2021", datetime(2021, 6, 5), "day"),
        ("NDVI_Jun-05-2021", datetime(2021, 6, 5), "day"),
        ("NDVI_June 5, 2021", datetime(2021, 6, 5), "day"),
        # the month first, where the day can be no month
        ("NDVI_06-15-2021", datetime(2021, 6, 15), "day"),
        ("plot_2021_Sep_03", datetime(2021, 9, 3), "day"),
        ("NDVI_Jan2021", datetime(2021, 1, 1), "month"),
        ("ndvi_2021_march", datetime(2021, 3, 1), "month"),
        ("NDVI_août_2021", datetime(2021, 8, 1), "month"),
        ("NDVI_julio2021", datetime(2021, 7, 1), "month"),
        ("Feld_5_März_2021", datetime(2021, 3, 5), "day"),
        ("NDVI_2021_outubro", datetime(2021, 10, 1), "month"),
        ("NDVI_2021W22", datetime(2021, 5, 31), "day"),
        ("NDVI_2021_Q2", datetime(2021, 4, 1), "day"),
        ("chirps-v2.0.2021.06.3", datetime(2021, 6, 21), "day"),
        ("WAPOR-3.L1-AETI-D.2021-06-D2", datetime(2021, 6, 11), "day"),
        ("cru_ts4.06.1901.1910.pre_precipitation_1901-07-16", datetime(1901, 7, 16), "day"),
        ("tas_1850-01-16", datetime(1850, 1, 16), "day"),
        ("pr_day_MPI_ssp585_precipitation_2050-07-12", datetime(2050, 7, 12), "day"),
        ("pre_1901-07", datetime(1901, 7, 1), "month"),
        ("ortho_1938", datetime(1938, 1, 1), "year"),
        ("photo_12Jul1944", datetime(1944, 7, 12), "day"),
        ("tile_33_06_2021", datetime(2021, 1, 1), "year"),
        ("MOD11A1.A2022103.h09v05.006.2022104093154", datetime(2022, 4, 13), "day"),
        ("MOD13Q1_NDVI_2021_161", datetime(2021, 6, 10), "day"),
        ("flight_2021_161", datetime(2021, 1, 1), "year"),
        ("MOD05_L2.A2019336.2315.061.2019337071952", datetime(2019, 12, 2, 23, 15), "minute"),
        ("AST_L1T_00305032000040446_20150409135350_78838", datetime(2000, 5, 3, 4, 4, 46), "instant"),
        ("LC08_L2SP_047027_20201204_20210313_02_T1", datetime(2020, 12, 4), "day"),
        ("SVDNB_npp_20120401-20120430_00N060E", datetime(2012, 4, 1), "month"),
        ("SVDNB_npp_20150101-20151231_75N060W", datetime(2015, 1, 1), "year"),
        ("20230912_175450_00_2439_3B_AnalyticMS", datetime(2023, 9, 12, 17, 54, 50), "instant"),
        ("chirps-v2.0.2024.01", datetime(2024, 1, 1), "month"),
        ("GHS_BUILT_S_E2020_GLOBE", datetime(2020, 1, 1), "year"),
        ("Shanghai_1985", datetime(1985, 1, 1), "year"),
        # the end of a period is no time of day
        ("NDVI_2020-01-01_2020-01-16", datetime(2020, 1, 1), "day"),
    ],
)
def test_product_forms(text: str, moment: datetime, precision: str) -> None:
    found = find_date(text)
    assert found is not None
    assert (found.date, found.precision) == (moment, precision)


@pytest.mark.parametrize(
    "text",
    [
        "pr_Amon_CESM2_historical_r1i1p1f1_gn_185001-201412",
        "tas_Amon_gn_198001-201412",
        "NDVI_05-06-2021",
        "05.06.2021",
        "332520_3932944_1024_32617_tank",
        "x_20211345",
        "b2048",
        "T1",
    ],
)
def test_numbers_that_are_no_dates(text: str) -> None:
    assert find_date(text) is None


def test_an_impossible_day_leaves_the_year() -> None:
    found = find_date("x_2021-02-30")
    assert found is not None
    assert (found.date, found.precision) == (datetime(2021, 1, 1), "year")


def test_tags_are_read_as_utc() -> None:
    assert parse_moment("2022:01:17 10:43:43") == datetime(2022, 1, 17, 10, 43, 43)
    assert parse_moment("2022-01-17T10:43:43+02:00") == datetime(2022, 1, 17, 8, 43, 43)
    assert parse_moment("yesterday") is None


@pytest.mark.parametrize("text", ["LC08_190012_ndvi", "tile_1938", "dem_1900_2400", "band_1940", "B1938"])
def test_numbers_that_could_be_early_years_but_count_something_else(text: str) -> None:
    assert find_date(text) is None
