"""A run on the screen: tree and steps on the left, map and answer on the right."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import streamlit as st

from treeline.core.engine.actions import Answer
from treeline.core.engine.events import DecisionAwaited
from treeline.core.record.status import Status
from treeline.core.workspace import Workspace
from treeline.pages.parts.knowledge.card import CHOSEN as CARD
from treeline.pages.parts.map.area import area_for_map
from treeline.pages.parts.map.class_rows import ClassRows, class_rows_of
from treeline.pages.parts.map.layers import Entry, inputs_of, product_entries
from treeline.pages.parts.map.places import Place, places_of
from treeline.pages.parts.map.zones import Zone, zones_of
from treeline.pages.parts.shared import selection
from treeline.pages.parts.shared.answer import cost_text, show_answer, show_question_asked, show_reading
from treeline.pages.parts.shared.exports import Part, show_exports
from treeline.pages.parts.shared.ledger_chart import show_ledger
from treeline.pages.parts.shared.pinning import show_pinning
from treeline.pages.parts.shared.reading import is_reading
from treeline.pages.parts.shared.run_view import RunView
from treeline.pages.parts.shared.services import REPLAY, area_of_run, tree_of
from treeline.pages.parts.shared.text import plain, shorten
from treeline.pages.parts.shared.tree_chart import FOLDED, REST, show_tree, tree_rows
from treeline.pages.parts.shared.tree_view import KitNode, node_of_step, tree_view
from treeline.pages.parts.workbench.chart_picture import bars_picture, histogram_csv, series_picture
from treeline.pages.parts.workbench.map_panel import layers_to_draw, show_panel
from treeline.pages.parts.workbench.map_picture import map_picture
from treeline.pages.parts.workbench.next_step import THE_WAY, is_free, show_next_step, take_node
from treeline.pages.parts.workbench.proposal import show_proposal
from treeline.pages.parts.workbench.question import (
    ask_following,
    show_first_questions,
    show_instead,
    show_more_budget,
)
from treeline.pages.parts.workbench.scrolling import keep_in_sight
from treeline.pages.parts.workbench.series import Series, evidence_series, series_csv, show_series
from treeline.pages.parts.workbench.steps import show_steps
from treeline.pages.parts.workbench.style_panel import chosen_composites
from treeline.pages.parts.workbench.team.ledger import show_team_ledger
from treeline.pages.parts.workbench.team.model import Team
from treeline.pages.parts.workbench.team.view import (
    choose_part,
    show_board,
    show_team_lessons,
    team_cost_text,
)
from treeline.pages.parts.workbench.thread import show_following, show_parts
from treeline.pages.parts.workbench.zone_bars import Row, bars_of, show_zone_bars, zones_csv
from treeline.toolkit import registry

_UNFOLDED = "tree-unfolded"
_TREE = "Skill tree"
_TABLE = "As a table"
# For a window of 900 pixels; the style of the page makes them as high as the window is.
TREE_HEIGHT = 280
STEPS_HEIGHT = 484
SWITCH_HEIGHT = 44
BOARD_HEIGHT = 774
MAP_HEIGHT = 446
ANSWER_HEIGHT = 244
# Below the question, its parts and how it was read.
CHART_HEIGHT = 154


def show_view(
    workspace: Workspace, view: RunView, status: Status | None, run: str, team: Team | None = None
) -> None:
    """Show tree and steps, or the team, on the left; map and answer on the right."""
    inputs = inputs_of(workspace)
    left, right = st.columns([5, 7] if team is None else [1, 1], gap="small")
    with left.container(gap="xsmall"):
        shown = view if team is None else _team(team, view, run)
        if team is None:
            _work(view, run)
    composites = chosen_composites(inputs.rasters)
    entries = [*reversed(product_entries(shown.products, shown.steps)), *composites, *inputs.entries]
    zones = zones_of(shown, workspace, inputs.bounds)
    classes = None if zones else class_rows_of(shown, workspace)
    places_on = partial(places_of, shown, entries, area_of_run(run))
    with right.container(gap="xsmall"):
        show_panel(
            workspace,
            entries,
            inputs.bounds,
            shown,
            area=area_of_run(run),
            zones=zones,
            classes=classes,
            places_on=places_on,
            key=workspace.folder.name,
            height=MAP_HEIGHT,
        )
        _answer(workspace, view, status, run, team, entries, zones, classes, places_on)


def _team(team: Team, view: RunView, run: str) -> RunView:
    """Show a team as a board, or a member's tree and steps; return the steps that are shown."""
    part = choose_part(team, view, run)
    for lane in team.lanes:
        if lane.run and lane.view.awaited is not None:
            show_proposal(lane.run, lane.view.awaited, lane.name)
    if part.as_board:
        with st.container(height=BOARD_HEIGHT, key="team-box"):
            show_board(team)
    else:
        _work(part.view, part.run, lower=SWITCH_HEIGHT)
    return part.view


def _work(view: RunView, run: str, lower: int = 0) -> None:
    """Show the tree and the steps of a run."""
    _tree(view, run.removesuffix(REPLAY), told=run.endswith(REPLAY))
    with st.container(height=STEPS_HEIGHT - lower, key="steps", gap="xsmall"):
        if view.awaited is not None and not run.endswith(REPLAY):
            show_awaited(view, run, view.awaited)
        show_steps(view, selection.selected_step(), selection.select_step, run=run)
    keep_in_sight(selection.selected_step(), view.pending.step if view.pending else len(view.steps))


def show_awaited(view: RunView, run: str, awaited: DecisionAwaited) -> None:
    """Show what a person can say to a run that waits."""
    if awaited.action is None and not awaited.plan:
        show_next_step(view, run, awaited)
    else:
        show_proposal(run, awaited)


def _tree(view: RunView, run: str, *, told: bool = False) -> None:
    tree = tree_of(run)
    chosen_by_person = is_free(view) and not told
    unfolded = st.session_state.get(_UNFOLDED, frozenset())
    nodes = tree_view(tree, view.steps, view.pending, unread=chosen_by_person, unfolded=unfolded)
    step = view.step(selection.selected_step())
    form = st.segmented_control(
        "Form of the tree",
        [_TREE, _TABLE],
        default=_TREE,
        required=True,
        label_visibility="collapsed",
        key="tree-form",
    )
    if form == _TABLE:
        st.dataframe(tree_rows(nodes), hide_index=True, height=TREE_HEIGHT, alt="The skill tree as a table")
        return
    with st.container(height=TREE_HEIGHT, border=False, key="tree-box"):
        show_tree(
            nodes,
            node_of_step(tree, step),
            lambda name: _click(nodes, name, view, run if chosen_by_person else ""),
            height=TREE_HEIGHT,
            clickable=chosen_by_person,
            whole=FOLDED in unfolded,
        )


def _click(nodes: Sequence[KitNode], name: str, view: RunView, run: str) -> None:
    """Do what a click on a node means: more of the tree, the person's next step, or a choice."""
    if name == FOLDED or name.endswith(REST):
        st.session_state[_UNFOLDED] = st.session_state.get(_UNFOLDED, frozenset()) ^ {name.removesuffix(REST)}
        return
    if run and take_node(run, view, name):
        return
    selection.select_node(nodes, name)
    if name in registry() and not any(tool.name == name and tool.step for n in nodes for tool in n.tools):
        st.toast(f"**{name}**: {plain(registry().get(name).brief)}", icon=":material/description:")


def _card(view: RunView) -> None:
    """Show the task card that the run was told; it opens on the Knowledge page, where it can be edited."""
    if view.card is None:
        return
    match = view.card["match"]
    label = f"Card: {shorten(view.card['title'], 26)}" + (f" ({match['score']:.2f})" if match else "")
    if is_reading():
        st.caption(plain(label))
    elif st.button(plain(label), type="tertiary", icon=":material/menu_book:", key="card-of-run"):
        st.session_state[CARD] = view.card["id"]
        st.switch_page("knowledge.py", query_params={"card": view.card["id"]})


def _cost(view: RunView, team: Team | None) -> str:
    return cost_text(view) if team is None else team_cost_text(team, view)


def _answer(
    workspace: Workspace,
    view: RunView,
    status: Status | None,
    run: str,
    team: Team | None,
    entries: Sequence[Entry],
    zones: Sequence[Zone],
    classes: ClassRows | None,
    places_on: Callable[[Entry | None], Sequence[Place]],
) -> None:
    answer = view.finished.answer if view.finished else None
    series = evidence_series(view, answer, workspace) if answer else Series()
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="cost-row"):
        st.caption(_cost(view, team) if status else "No run yet")
        _card(view)
        if status:
            show_team_lessons(team, run)
            show_ledger(view) if team is None else show_team_ledger(team)
        active = selection.active_layer(entries, view)
        drawn = layers_to_draw(entries, active)
        area = area_for_map(workspace) or area_of_run(run)
        zone, pixel = selection.selected_zone(), selection.selected_pixel()
        picture = partial(map_picture, drawn, zones, zone, area, places_on(active), pixel) if drawn else None
        rows = bars_of(zones or (classes.rows if classes else ()))
        tables = {"Series": series_csv(series)} if series.points else {}
        if rows and answer is not None:
            tables["Classes" if classes else "Zones"] = zones_csv(rows)
        if answer is not None and (bins := histogram_csv(view, answer)):
            tables["Histogram"] = bins
        what = classes.what if classes else ""
        seen = [*_chart_files(view, answer, series, rows, what), *_layer_file(active)]
        show_exports(view, run if status else "", tables, picture, seen)
        if status:
            show_pinning(run, status)
    with st.container(height=ANSWER_HEIGHT, key="answer", border=True, gap="xsmall"):
        if status is None and not workspace.writable:
            st.markdown("Answers that you may see stand under Pinned and Runs; one that you open comes here.")
        else:
            show_question_asked(view, status, run)
        show_parts(run, ask_following)
        show_reading(view, run=run)
        if view.awaited is not None and not run.endswith(REPLAY):
            st.caption(THE_WAY if is_free(view) else "It goes on once you have decided, beside the map.")
        if status is None:
            show_first_questions(workspace)
        chart = _chart(view, answer, series, rows, entries, what)
        text, beside = st.columns([3, 2], gap="small") if chart else (st.container(), None)
        with text:
            show_answer(view, selection.select_step, run=run)
            show_more_budget(run)
            show_following(run, ask_following)
            if answer is not None and answer.declined and not answer.readings and not run.endswith(REPLAY):
                show_instead(workspace, run)
        if chart and beside is not None:
            with beside:
                chart()


def _chart(
    view: RunView,
    answer: Answer | None,
    series: Series,
    bars: Sequence[Row],
    entries: Sequence[Entry],
    what: str = "",
) -> Callable[[], object] | None:
    """Return what shows the chart beside the answer: its picture, its series, its zones; ``None`` without."""
    picture = _picture(view, answer)
    if picture is not None:
        return partial(st.image, picture.read_bytes(), alt=picture.stem)
    if series.points:
        active = selection.active_layer(entries, view)
        return partial(
            show_series,
            series,
            height=CHART_HEIGHT,
            shown=active.date if active else "",
            on_click=lambda point: selection.select_address(entries, point.address),
        )
    if bars and answer is not None:
        chosen = selection.selected_zone()
        return partial(show_zone_bars, bars, chosen, selection.select_zone, what=what, height=CHART_HEIGHT)
    return None


def _chart_files(
    view: RunView, answer: Answer | None, series: Series, bars: Sequence[Row], what: str
) -> list[Part]:
    """Return the chart beside the answer as files to take away."""
    picture, title = _picture(view, answer), view.state.question
    if picture is not None:
        return [("Chart, PNG", "insert_chart", "chart.png", "image/png", picture.read_bytes)]
    if series.points:
        draw: Callable[..., bytes] = partial(series_picture, series, title)
    elif bars and answer is not None:
        draw = partial(bars_picture, bars, what, title)
    else:
        return []
    return [
        ("Chart, PNG", "insert_chart", "chart.png", "image/png", partial(draw, "png")),
        ("Chart, SVG", "polyline", "chart.svg", "image/svg+xml", partial(draw, "svg")),
    ]


def _layer_file(active: Entry | None) -> list[Part]:
    """Return the raster on the map as a file to take away, where a run made it."""
    if active is None or active.step is None:
        return []
    path = active.layer.description.path
    return [("Layer on the map, GeoTIFF", "layers", path.name, "image/tiff", path.read_bytes)]


def _picture(view: RunView, answer: Answer | None) -> Path | None:
    """Return the chart that the answer names, if it is a picture that still stands."""
    products = (product for _, product in view.products if answer and product.name == answer.map)
    found = next((Path(product.path) for product in products if product.kind == "image"), None)
    return found if found is not None and found.is_file() else None
