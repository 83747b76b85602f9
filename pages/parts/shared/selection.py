"""One selection for tree, steps and map: a step and a layer that belong together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from treeline.core.engine.actions import Answer
from treeline.core.engine.state import Step
from treeline.pages.parts.map.layers import Entry, LayersByFile
from treeline.pages.parts.map.places import places_of_answer
from treeline.pages.parts.map.zone_numbers import values_by_value
from treeline.pages.parts.shared.address import put_in_address
from treeline.pages.parts.shared.origin import (
    addresses_of,
    dates_of_answer,
    evidence_steps,
    is_same_date,
    layers_of,
    origin_of,
    tells,
    years_of_answer,
)
from treeline.pages.parts.shared.run_view import RunView
from treeline.pages.parts.shared.tree_view import KitNode, step_of_node
from treeline.toolkit.variables import CLOUD_ROLES

_SELECTED = "selected"
_STEP_ASKED, _LAYER_ASKED = "step", "layer"
_SHOWN = "layer-shown"
_FEWEST_CLASSES = 2
_ZONES = "classes"
_CLICK, _SLID = "map-click", "slider-moment"
_ZONE_ASKED, _PIXEL_ASKED = "zone", "pixel"


@dataclass
class Selection:
    """What is selected; changed in place, so that no other press comes between a step and its layer.

    Attributes
    ----------
    step : int, optional
    layer : str, optional
        By its key.
    zone : str
        By its name; empty where none is.
    pixel : tuple of float, optional
        Its latitude and longitude.
    """

    step: int | None = None
    layer: str | None = None
    zone: str = ""
    pixel: tuple[float, float] | None = None


def _read_selection() -> Selection:
    """Return what is selected, to be read; until there is something, :func:`take_address` looks for it."""
    found: Selection = st.session_state.get(_SELECTED, Selection())
    return found


def _edit_selection() -> Selection:
    """Return what is selected, to be changed."""
    found: Selection = st.session_state.setdefault(_SELECTED, Selection())
    return found


def selected_step() -> int | None:
    """Return the selected step; ``None`` while nobody chose one."""
    return _read_selection().step


def selected_layer() -> str | None:
    """Return the key of the layer that was chosen; ``None`` while nobody chose one."""
    return _read_selection().layer


def select_step(number: int) -> None:
    """Select a step, and the layer that it wrote."""
    chosen = _edit_selection()
    chosen.step, chosen.layer = number, None


def select_node(nodes: Sequence[KitNode], name: str) -> None:
    """Select the last step about a kit or a tool."""
    number = step_of_node(nodes, name)
    if number is not None:
        select_step(number)


def select_layer(entry: Entry) -> None:
    """Select a layer, and the step that wrote it."""
    chosen = _edit_selection()
    chosen.layer = entry.key
    if entry.step is not None:
        chosen.step = entry.step


def select_address(entries: Sequence[Entry], address: str) -> None:
    """Select the layer of the raster that an address names, if there is one."""
    found = next((entry for entry in entries if entry.is_at(address)), None)
    if found is not None:
        _edit_selection().layer = found.key


def selected_zone() -> str:
    """Return the name of the zone that is selected; nothing where none is."""
    return _read_selection().zone


def select_zone(name: str) -> None:
    """Select a zone by its name; an empty one selects none."""
    _edit_selection().zone = name


def selected_pixel() -> tuple[float, float] | None:
    """Return latitude and longitude of the pixel that is selected."""
    return _read_selection().pixel


def select_pixel(place: tuple[float, float] | None) -> None:
    """Select the pixel at a latitude and longitude; ``None`` selects none."""
    _edit_selection().pixel = place


def pixel_in(text: str) -> tuple[float, float] | None:
    """Return the latitude and longitude that an address names; ``None`` where it names none on Earth."""
    try:
        latitude, longitude = map(float, text.split(","))
    except ValueError:
        return None
    return (latitude, longitude) if abs(latitude) <= 90 and abs(longitude) <= 180 else None


def is_new_click(place: tuple[float, float] | None) -> bool:
    """Return whether a place of the map was clicked that was not told before."""
    new = place is not None and st.session_state.get(_CLICK) != place
    st.session_state[_CLICK] = place
    return new


def is_new_date(moment: float) -> bool:
    """Return whether the slider over the dates was left at a moment that was not told before."""
    new = moment > st.session_state.get(_SLID, 0.0)
    if new:
        st.session_state[_SLID] = moment
    return new


def take_address(*, anew: bool = False) -> None:
    """Select what the address names, where nothing was selected in the session yet.

    Parameters
    ----------
    anew : bool
        Also where something was.
    """
    state, asked = st.session_state, st.query_params
    if anew or _SELECTED not in state:
        step = asked.get(_STEP_ASKED, "")
        state[_SELECTED] = Selection(
            int(step) if step.isascii() and step.isdigit() else None,
            asked.get(_LAYER_ASKED) or None,
            asked.get(_ZONE_ASKED, ""),
            pixel_in(asked.get(_PIXEL_ASKED, "")),
        )


def keep_address() -> None:
    """Put what is selected into the address."""
    chosen = _read_selection()
    put_in_address(_STEP_ASKED, "" if chosen.step is None else str(chosen.step))
    put_in_address(_LAYER_ASKED, chosen.layer or "")
    put_in_address(_ZONE_ASKED, chosen.zone)
    put_in_address(_PIXEL_ASKED, "{:.6f},{:.6f}".format(*chosen.pixel) if chosen.pixel else "")


def clear() -> None:
    """Select nothing: what is newest is shown."""
    chosen = _edit_selection()
    chosen.step, chosen.layer, chosen.zone = None, None, ""


def active_layer(entries: Sequence[Entry], view: RunView) -> Entry | None:
    """Return the uppermost layer: chosen, of the answer, of the step, or the first input.

    Parameters
    ----------
    entries : sequence of Entry
        Products first, the newest of them first; then inputs.
    """
    wanted = selected_layer()
    chosen = next((entry for entry in entries if entry.key == wanted), None)
    return chosen or layer_of_run(entries, view, selected_step())


def layer_of_run(entries: Sequence[Entry], view: RunView, step: int | None = None) -> Entry | None:
    """Return the layer of the answer, of the steps, or the first input; see :func:`active_layer`.

    Parameters
    ----------
    step : int, optional
        Which is looked at; by default the answer, or of a run without one the newest.
    """
    return _of_answer(entries, view, step) or _of_steps(entries, view, step) or _first_input(entries)


def remember_layer(entry: Entry | None) -> None:
    """Remember which layer is on the map: a step without one leaves it there."""
    st.session_state[_SHOWN] = entry.key if entry else ""


def _of_answer(entries: Sequence[Entry], view: RunView, number: int | None) -> Entry | None:
    """Return the map that answers, else what the answer's number was computed from.

    Of the date that the answer names, where it names one. While nobody chose another step.
    """
    answer = view.finished.answer if view.finished else None
    step = view.step(number)
    if answer is None or not (step is None or isinstance(step.action, Answer)):
        return None
    drawable = [entry for entry in entries if entry.layer.on_map]
    shown = [entry for entry in drawable if answer.map and entry.key == f"product {answer.map}"]
    if shown:
        return _around_place(view, answer, shown[0], drawable) or shown[0]
    found = (
        _between_dates(view, answer, drawable)
        or _of_date(view, answer, drawable)
        or _of_reading(view, answer, drawable)
        or _of_classes(view, answer, drawable)
    )
    # Of the year that is told, where one is and rasters of it were measured.
    years = set(years_of_answer(answer.text))
    of_year = [entry for entry in drawable if len(years) == 1 and entry.date[:4] in years]
    drawable = of_year or drawable
    if found is None:
        origin = origin_of(view, answer, drawable)
        found = origin.layers[0] if origin else None
    made = [entry for entry in drawable if entry.step is not None and not entry.empty]
    # Numbers of zones are no picture of anything: what was measured in them is.
    measured = [entry for entry in made if entry.layer.role != _ZONES]
    return found or next(iter(measured or made), None)


def _of_reading(view: RunView, answer: Answer, entries: Sequence[Entry]) -> Entry | None:
    """Return the map that the first of the readings comes to that has one."""
    products = {entry.key: entry for entry in entries if entry.step is not None and not entry.empty}
    found = next((e for each in answer.readings if (e := products.get(f"product {each.value}"))), None)
    return found and (_around_place(view, answer, found, entries) or found)


def _of_classes(view: RunView, answer: Answer, entries: Sequence[Entry]) -> Entry | None:
    """Return the land cover, or what the ground looks like, below polygons that were measured by class.

    No raster was measured in them; the mask of one class would show nothing of the others.
    """
    steps = evidence_steps(view, answer)
    measured = [entry for step in steps if tells(step, answer) for entry in layers_of(step, entries)]
    if len(values_by_value(steps).values) < _FEWEST_CLASSES or any(e.layer.role != "mask" for e in measured):
        return None
    inputs = [entry for entry in entries if entry.step is None]
    cover = next((entry for entry in inputs if entry.layer.role == "landcover"), None)
    return cover or _first_input(inputs)


def _around_place(view: RunView, answer: Answer, mask: Entry, entries: Sequence[Entry]) -> Entry | None:
    """Return what a place was found in: a mask of its few pixels shows nothing."""
    step = view.step(mask.step)
    if step is None or not places_of_answer(view, answer):
        return None
    read = [entry for entry in layers_of(step, entries) if entry.step != mask.step]
    return next(iter(read), None)


def _between_dates(view: RunView, answer: Answer, entries: Sequence[Entry]) -> Entry | None:
    """Return the change, or where it was so, that the number was measured in: it is of none of its dates."""
    measured = [layers_of(step, entries) for step in evidence_steps(view, answer) if tells(step, answer)]
    made = [found for found in measured if found and all(e.step is not None and not e.date for e in found)]
    return made[0][0] if made and dates_of_answer(answer.text) else None


def _of_date(view: RunView, answer: Answer, entries: Sequence[Entry]) -> Entry | None:
    """Return what the answer was read from on the date that it names."""
    dates = dates_of_answer(answer.text)
    # Dates in their order are a series, of which the newest is shown; others are ranked, the first is meant.
    ranked = dates[::-1] if dates == sorted(dates) else dates[:1]
    found = [entry for date in ranked if (entry := _read_on(date, view, answer, entries))]
    return next((entry for entry in found if not entry.empty), found[0] if found else None)


def _read_on(date: str, view: RunView, answer: Answer, entries: Sequence[Entry]) -> Entry | None:
    """Return what the answer was read from on a date."""
    of_date = [entry for entry in entries if is_same_date(entry.date, date)]
    steps = evidence_steps(view, answer)
    # Where no step gives the answer's number, the last comes nearest to it.
    telling = [step for step in steps if tells(step, answer)]
    for step in telling:
        if touched := layers_of(step, of_date):
            return touched[0]
    others = [entry for step in reversed(steps) for entry in layers_of(step, of_date)]
    # Clouds that were only looked at beside what was measured are not the answer.
    if others:
        return next((entry for entry in others if entry.layer.role != "cloud_mask"), others[0])
    return next((entry for entry in of_date if entry.step is not None), None)


def _of_steps(entries: Sequence[Entry], view: RunView, last: int | None) -> Entry | None:
    """Return the layer that the selected step wrote or read, else the one that is shown or an earlier one."""
    drawable = [entry for entry in entries if entry.layer.on_map and not entry.empty]
    shown = next((entry for entry in drawable if entry.key == st.session_state.get(_SHOWN)), None)
    chosen = view.step(last)
    if shown is not None and chosen is not None and _touches(chosen, shown):
        return shown
    for step in reversed(view.steps):
        if last is None or step.number <= last:
            written = [entry for entry in drawable if entry.step == step.number]
            found = written or _read_by(step, drawable)
            if not found and step.number == last and shown is not None:
                found = [shown]
            if found:
                return _on_date(found, shown.date if shown is not None else "")
    return None


def _on_date(found: Sequence[Entry], date: str) -> Entry:
    """Return the layer of a date, by which a series that is being made is watched; else the first."""
    return next((entry for entry in found if date and entry.date == date), found[0])


def _touches(step: Step, entry: Entry) -> bool:
    """Return whether a step wrote or read a layer, one of several of a series too."""
    return entry.step == step.number or any(entry.is_at(address) for address in addresses_of(step))


def _read_by(step: Step, entries: Sequence[Entry]) -> list[Entry]:
    """Return what the last address among a step's texts stands for; a statistic's name is a text too.

    Of a list with several variables, such as all files whose dates are counted, none is meant.
    """
    given, files = (step.observation.arguments or {}).values(), LayersByFile(entries)
    for listed in (value for value in given if isinstance(value, list)):
        texts = [text for text in listed if isinstance(text, str)]
        if len({entry.layer.role for text in texts for entry in files.at(text)}) > 1:
            return []
    return next(filter(None, map(files.at, reversed(addresses_of(step)))), [])


def _first_input(entries: Sequence[Entry]) -> Entry | None:
    drawable = [entry for entry in entries if entry.step is None and entry.layer.on_map]
    colour = [entry for entry in drawable if entry.layer.role == "rgb"]
    # A mask of a clear day is nothing to see.
    telling = [entry for entry in drawable if entry.layer.role not in CLOUD_ROLES]
    return next(iter(colour or telling or drawable), None)
