"""One band: how it looks, why it was recognised so, and the form that corrects it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import streamlit as st

from treeline.core.serving import MapLayer, default_style
from treeline.core.serving.drawing import draw_preview
from treeline.core.workspace import Workspace, date_text
from treeline.pages.parts.data.catalogue import statistics_text
from treeline.pages.parts.data.removing import remove_button
from treeline.pages.parts.shared.services import note_change
from treeline.pages.parts.shared.text import plain
from treeline.toolkit.errors import InputError, TreelineError
from treeline.toolkit.raster import Source
from treeline.toolkit.recognition import Correction
from treeline.toolkit.variables import VARIABLES, variable

UNKNOWN = "unknown"
_FILL_HELP = (
    "Stored numbers that mean no data, between commas. What you save here is all that is taken for no "
    "data, besides the file's own nodata tag and what the role cannot be."
)
_VALID_HELP = "Stored numbers outside of this range are no data. It holds instead of what the role can be."
_DATE_FORMATS = {
    4: ("%Y", "year"),
    7: ("%Y-%m", "month"),
    10: ("%Y-%m-%d", "day"),
    16: ("%Y-%m-%d %H:%M", "minute"),
}


def show_band(name: str, workspace: Workspace, source: Source) -> None:
    """Show one band and the form that corrects it."""
    raster, band = source.description, source.band
    known = variable(band.role)
    st.markdown(f"**{plain(source.name)}** — {plain(known.title if known else 'role not recognised')}")
    _preview(source)
    st.caption(plain(statistics_text(source)))
    if raster.crs is None:
        st.warning(
            "This raster has no CRS: it can be used in calculations, but it is not on the map.",
            icon=":material/location_off:",
        )
    for warning in raster.warnings:
        st.warning(plain(warning), icon=":material/warning:")
    _reasons(source)
    _form(workspace, source)
    remove_button(name, workspace, raster.path)


def _preview(source: Source) -> None:
    try:
        layer = MapLayer.of((source,), source.name)
        st.image(draw_preview(layer, default_style(layer), 320), width=300, alt=f"Preview of {source.name}")
    except (TreelineError, OSError) as error:
        st.error(plain(error))


def _reasons(source: Source) -> None:
    reasons = [*source.band.evidence, *source.description.evidence]
    with st.expander(f"Why it was recognised so ({len(reasons)} reasons)", icon=":material/fact_check:"):
        st.dataframe(
            [
                {
                    "Conclusion": r.concludes,
                    "From": r.source,
                    "Because": r.because,
                    "Sure": f"{r.confidence:.0%}",
                }
                for r in reasons
            ],
            hide_index=True,
            alt="Reasons of the recognition",
        )


def _form(workspace: Workspace, source: Source) -> None:
    band = source.band
    key = f"{source.path.name}-{band.index}"
    with st.form(f"correct-{key}"):
        st.markdown("Correct what is wrong")
        roles = [UNKNOWN, *VARIABLES]
        role = st.selectbox(
            "Role", roles, roles.index(band.role) if band.role in roles else 0, format_func=_role_text
        )
        first, second = st.columns(2)
        scale = first.number_input("Scale", value=band.scale, format="%.8g")
        offset = second.number_input("Offset", value=band.offset, format="%.8g")
        unit = first.text_input("Unit", value=band.unit or "")
        date = second.text_input("Date", value=date_text(source.description), placeholder="2021-07-12")
        fill = first.text_input(
            "No data", value=_numbers_text(band.fill), placeholder="-9999, 0", help=_FILL_HELP
        )
        valid = second.text_input(
            "Valid from, to", value=_numbers_text(band.valid or ()), placeholder="1, 10000", help=_VALID_HELP
        )
        settled = bool(band.doubtful) and st.checkbox(
            f"{_numbers_text(band.doubtful)} is a value, unless it stands under No data", value=False
        )
        if st.form_submit_button("Save correction", icon=":material/check:"):
            given = {"role": role, "scale": scale, "offset": offset, "unit": unit, "date": date}
            _save(workspace, source, {**given, "fill": fill, "valid": valid, "settled": settled})


def _role_text(role: str) -> str:
    known = variable(role)
    return f"{role} — {known.title}" if known else role


def _save(workspace: Workspace, source: Source, given: dict[str, Any]) -> None:
    try:
        of_band, of_file = changes(source, given)
    except InputError as error:
        st.error(plain(error))
        return
    except ValueError:
        st.error(f"{plain(given['date'])} is not a date. Write 2021, 2021-07 or 2021-07-12.")
        return
    name = source.path.name
    band_name = f"{name}#{source.band.index}" if len(source.description.bands) > 1 else name
    try:
        for key, changed in ((band_name, of_band), (name, of_file)):
            if changed:
                before = workspace.corrections.get(key, Correction())
                workspace.correct(key, replace(before, **changed))
                note_change("correct", workspace, key)
    except TreelineError as error:
        st.error(plain(error))
        return
    st.rerun()


def changes(source: Source, given: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what a form changed of the band and of the file; what was left as it was is no correction.

    Raises
    ------
    ValueError
        The date cannot be read.
    InputError
        The numbers of no data, or the valid range, cannot be read.
    """
    band = source.band
    of_band: dict[str, Any] = {}
    if given["role"] not in (UNKNOWN, band.role):
        of_band["role"] = given["role"]
    if given["scale"] != band.scale or (not band.scale_known):
        of_band["scale"] = float(given["scale"])
    if given["offset"] != band.offset:
        of_band["offset"] = float(given["offset"])
    if given["unit"] != (band.unit or ""):
        of_band["unit"] = given["unit"]
    of_band |= _changed_fill(source, given)
    of_file: dict[str, Any] = {}
    if given["date"].strip() and given["date"].strip() != date_text(source.description):
        text = given["date"].strip()
        form, precision = _DATE_FORMATS.get(len(text), ("%Y-%m-%d", "day"))
        of_file = {"date": datetime.strptime(text, form), "date_precision": precision}
    return of_band, of_file


def _changed_fill(source: Source, given: dict[str, Any]) -> dict[str, Any]:
    """Return what a form changed of no data; a person's word settles what was doubtful."""
    band, changed = source.band, {}
    fill = _numbers(given.get("fill", _numbers_text(band.fill)), "No data")
    if given.get("settled") or fill != _numbers(_numbers_text(band.fill), "No data"):
        changed["fill"] = fill
    valid = _numbers(given.get("valid", _numbers_text(band.valid or ())), "Valid from, to")
    if valid != _numbers(_numbers_text(band.valid or ()), "Valid from, to"):
        if len(valid) != 2 or valid[0] >= valid[1]:
            raise InputError("The valid range needs two numbers, the lower one first.", "Such as 1, 10000.")
        changed["valid"] = valid
    return changed


def _numbers_text(numbers: Sequence[float]) -> str:
    return ", ".join(f"{number:.9g}" for number in numbers)


def _numbers(text: str, field: str) -> tuple[float, ...]:
    """Return the numbers of a text, between commas or spaces."""
    try:
        return tuple(float(part) for part in text.replace(",", " ").split())
    except ValueError:
        raise InputError(
            f"{field}: {text!r} holds something that is no number.", "Such as -9999, 0."
        ) from None
