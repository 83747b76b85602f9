"""One band or many: how it looks, why it was recognised so, and the form that corrects it."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import streamlit as st

from treeline.core.serving import MapLayer, default_style
from treeline.core.serving.drawing import draw_preview
from treeline.core.workspace import Workspace, date_text
from treeline.pages.parts.data.catalogue import statistics_text
from treeline.pages.parts.data.removing import remove_button
from treeline.pages.parts.data.taken_back import offer_as_found, show_corrected
from treeline.pages.parts.shared.services import note_change
from treeline.pages.parts.shared.text import count_text, plain
from treeline.toolkit.errors import InputError, TreelineError
from treeline.toolkit.raster import Source
from treeline.toolkit.recognition import Correction
from treeline.toolkit.variables import VARIABLES, variable

UNKNOWN = "unknown"
_MOST_REASONS = 40
Changes = dict[str, Any]
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
    show_corrected(workspace, source)
    _show_reasons([source])
    _form(workspace, source)
    remove_button(name, workspace, [raster.path])


def _preview(source: Source) -> None:
    try:
        layer = MapLayer.of((source,), source.name)
        picture = draw_preview(layer, default_style(layer), 320)
        with st.container(key="band-preview"):
            st.image(picture, width=300, alt=f"Preview of {source.name}")
    except (TreelineError, OSError) as error:
        st.error(plain(error))


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
    _correct(workspace, {source: (of_band, of_file)})


def _correct(workspace: Workspace, changed: Mapping[Source, tuple[Changes, Changes]]) -> None:
    """Keep what was said of bands and of their files, and draw the page anew."""
    corrections: dict[str, Correction] = {}
    for source, (of_band, of_file) in changed.items():
        name = source.path.name
        band = f"{name}#{source.band.index}" if len(source.description.bands) > 1 else name
        for key, fields in ((band, of_band), (name, of_file)):
            if fields:
                before = corrections.get(key) or workspace.corrections.get(key, Correction())
                corrections[key] = replace(before, **fields)
    try:
        if corrections:
            workspace.correct(corrections)
            note_change("correct", workspace, ", ".join(corrections))
    except TreelineError as error:
        st.error(plain(error))
        return
    st.rerun()


def show_many(name: str, workspace: Workspace, sources: Sequence[Source]) -> None:
    """Show several bands and the form that corrects them together."""
    files = len({source.path for source in sources})
    st.markdown(f"**{count_text(len(sources), 'band')} of {count_text(files, 'file')}**")
    # First, since the reasons of many bands fill the page.
    if workspace.writable:
        _form_of_many(workspace, sources)
    offer_as_found(workspace, sources)
    remove_button(name, workspace, [source.path for source in sources], "Remove these files")
    _show_reasons(sources)


def _form_of_many(workspace: Workspace, sources: Sequence[Source]) -> None:
    # Other bands, or the same ones corrected, have an empty form: what was said of these is not said of them.
    with st.form(f"correct-many-{_state_of(sources)}"):
        st.markdown("Correct all of them; what is left empty stays as it is")
        roles = list(VARIABLES)
        role = st.selectbox("Role", roles, None, format_func=_role_text, placeholder="As it is")
        first, second = st.columns(2)
        given = {
            "role": role,
            "scale": first.number_input("Scale", value=None, format="%.8g", placeholder="As it is"),
            "offset": second.number_input("Offset", value=None, format="%.8g", placeholder="As it is"),
            "unit": first.text_input("Unit", placeholder="As it is"),
            "date": second.text_input("Date", placeholder="2021-07-12"),
            "fill": first.text_input("No data", placeholder="-9999, 0", help=_FILL_HELP),
            "valid": second.text_input("Valid from, to", placeholder="1, 10000", help=_VALID_HELP),
        }
        if st.form_submit_button("Save corrections", icon=":material/check:"):
            try:
                changed = corrections_of_many(given)
            except InputError as error:
                st.error(plain(error))
                return
            _correct(workspace, dict.fromkeys(sources, changed))


def _state_of(sources: Sequence[Source]) -> str:
    """Return what differs as soon as other bands are chosen, or one of them is taken for something else."""
    told = repr([(str(source.path), source.band, date_text(source.description)) for source in sources])
    return hashlib.sha256(told.encode("utf-8", "surrogateescape")).hexdigest()[:12]


def corrections_of_many(given: Mapping[str, Any]) -> tuple[Changes, Changes]:
    """Return what a form says of bands and of their files; an empty field says nothing.

    Raises
    ------
    InputError
        The date, the numbers of no data, or the valid range, cannot be read.
    """
    of_band = {
        name: given[name] for name in ("role", "scale", "offset", "unit") if given[name] not in (None, "")
    }
    if given["fill"].strip():
        of_band["fill"] = _numbers(given["fill"], "No data")
    if given["valid"].strip():
        of_band["valid"] = _range(_numbers(given["valid"], "Valid from, to"))
    return of_band, _date(given["date"].strip()) if given["date"].strip() else {}


def _show_reasons(sources: Sequence[Source]) -> None:
    """Show every reason for what was recognised of bands in full, each once with the number of its bands."""
    counts = Counter(
        (reason.concludes, reason.source, reason.because, f"{reason.confidence:.0%}")
        for source in sources
        for reason in (*source.band.evidence, *source.description.evidence)
    )
    several = len(sources) > 1
    with st.expander(
        f"Why {'they were' if several else 'it was'} recognised so ({count_text(len(counts), 'reason')})",
        icon=":material/fact_check:",
        expanded=several,
        key=f"reasons-{several}",
    ):
        for (concludes, origin, because, sure), count in counts.most_common(_MOST_REASONS):
            of = f" · {count_text(count, 'band')}" if several else ""
            st.markdown(
                f"**{plain(concludes)}** — {plain(because)} :gray[From {plain(origin)}, {sure} sure{of}]"
            )
        if len(counts) > _MOST_REASONS:
            st.caption(f"The {_MOST_REASONS} that hold for most are shown.")


def changes(source: Source, given: Mapping[str, Any]) -> tuple[Changes, Changes]:
    """Return what a form changed of the band and of the file; what was left as it was is no correction.

    Raises
    ------
    InputError
        The date, the numbers of no data, or the valid range, cannot be read.
    """
    band = source.band
    of_band: Changes = {}
    if given["role"] not in (UNKNOWN, band.role):
        of_band["role"] = given["role"]
    # Who saves the form under a scale that nobody knew has said that it is this one.
    if given["scale"] != band.scale or (not band.scale_known):
        of_band["scale"] = float(given["scale"])
    if given["offset"] != band.offset:
        of_band["offset"] = float(given["offset"])
    if given["unit"] != (band.unit or ""):
        of_band["unit"] = given["unit"]
    of_band |= _changed_fill(source, given)
    date = given["date"].strip()
    return of_band, _date(date) if date not in ("", date_text(source.description)) else {}


def _date(text: str) -> Changes:
    # By its length a date tells how exact it is: 2021 is a year, not its first day.
    form, precision = _DATE_FORMATS.get(len(text), ("%Y-%m-%d", "day"))
    try:
        return {"date": datetime.strptime(text, form), "date_precision": precision}
    except ValueError:
        raise InputError(f"{text} is not a date.", "Write 2021, 2021-07 or 2021-07-12.") from None


def _changed_fill(source: Source, given: Mapping[str, Any]) -> Changes:
    """Return what a form changed of no data; a person's word settles what was doubtful."""
    band, changed = source.band, {}
    fill = _numbers(given.get("fill", _numbers_text(band.fill)), "No data")
    # Compared as the field shows it: a fill of more than nine digits would differ from what was
    # shown of itself.
    if given.get("settled") or fill != _numbers(_numbers_text(band.fill), "No data"):
        changed["fill"] = fill
    valid = _numbers(given.get("valid", _numbers_text(band.valid or ())), "Valid from, to")
    if valid != _numbers(_numbers_text(band.valid or ()), "Valid from, to"):
        changed["valid"] = _range(valid)
    return changed


def _range(numbers: tuple[float, ...]) -> tuple[float, ...]:
    if len(numbers) != 2 or numbers[0] >= numbers[1]:
        raise InputError("The valid range needs two numbers, the lower one first.", "Such as 1, 10000.")
    return numbers


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
