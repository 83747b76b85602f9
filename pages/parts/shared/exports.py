"""A run as files to take away."""

from __future__ import annotations

import io
import tempfile
import zipfile
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

import streamlit as st

from treeline import __version__
from treeline.core.runs.exports.exported_run import take
from treeline.core.runs.exports.forms import BUNDLE, FORMS, write_export
from treeline.pages.parts.shared.downloads import offer_download
from treeline.pages.parts.shared.reading import show_link
from treeline.pages.parts.shared.run_view import RunView
from treeline.pages.parts.shared.services import REPLAY, is_own_run, services

_ICONS = {
    "html": "summarize",
    "json": "data_object",
    "markdown": "article",
    "trajectory": "list",
    "script": "code",
    "notebook": "menu_book",
    "plain": "functions",
    "inspect": "fact_check",
}
_WIDTH = 470
# Label, icon, what the name of the file ends with, media type, and what makes it when it is asked for.
Part = tuple[str, str, str, str, Callable[[], str | bytes]]
# The same with the whole name.
Offer = tuple[str, str, str, str, Callable[[], str | bytes]]
_OF_CALLS = frozenset({"script", "plain", "notebook"})


def show_exports(
    view: RunView,
    run: str,
    tables: Mapping[str, str] | None = None,
    picture: Callable[[], Callable[[], bytes]] | None = None,
    parts: Sequence[Part] = (),
) -> None:
    """Show the downloads of a run.

    Parameters
    ----------
    tables : mapping, optional
        What its evidence holds, such as by date or by zone: CSV by what is shown of it.
    picture : callable, optional
        Returns what draws that which is on the map; called where the downloads are looked at.
    parts : sequence of Part
        What else is on the page, such as the chart.
    """
    run = run.removesuffix(REPLAY)
    with st.popover(
        "Export",
        icon=":material/download:",
        help="Take away: numbers for Excel, the map, a report, the calls",
        key="exports",
        on_change="rerun",
    ) as part:
        # What can be taken away is looked up in record and rasters: not for a popover that nobody has opened.
        if not part.open:
            return
        offers = _offers(view, run, picture, parts)
        if run:
            # First: in a low window the menu ends before its last lines, and most people want these.
            with st.container(horizontal=True, gap="xsmall"):
                for title, text in (tables or {}).items():
                    offer_download(
                        f"{title} for Excel, CSV",
                        partial(str, text),
                        f"{run}.{title.lower()}.csv",
                        "text/csv",
                        icon=":material/table_rows:",
                    )
                with st.popover("Copy as text", icon=":material/content_copy:"):
                    answer = view.finished.answer if view.finished else None
                    if answer is not None:
                        st.caption("The answer")
                        st.code(answer.text, language=None, wrap_lines=True)
                        st.caption("With its steps")
                    st.code(_content(run, "markdown")(), language=None, wrap_lines=True, height=300)
                show_link(run)
        with st.container(width=_WIDTH):
            columns = [column.container(gap=None) for column in st.columns(2, gap="small")]
            half = -(-len(offers) // 2)
            for place, (label, icon, name, media_type, content) in enumerate(offers):
                with columns[place // half]:
                    offer_download(
                        label, content, name, media_type, icon=f":material/{icon}:", type="tertiary"
                    )


def _offers(
    view: RunView,
    run: str,
    picture: Callable[[], Callable[[], bytes]] | None,
    parts: Sequence[Part] = (),
) -> list[Offer]:
    """Return what can be taken away."""
    found: list[Offer] = []
    if picture is not None:
        found.append(("Map, PNG", "image", f"{run or 'map'}.png", "image/png", picture()))
    found += [(label, icon, f"{run or 'map'}.{end}", media, make) for label, icon, end, media, make in parts]
    if not run:
        return found
    calls = any(step.action.kind == "call" and step.observation.is_success for step in view.state.calls)
    for kind, form in FORMS.items():
        if calls or kind not in _OF_CALLS:
            name = f"{run}.{form.suffix}"
            found.append((form.title, _ICONS[kind], name, form.media_type, _content(run, kind)))
    if view.products:
        name = f"{run}.zip"
        found.append(("Products, ZIP", "folder_zip", name, "application/zip", lambda: products_zip(view)))
    if is_own_run(run):
        name = f"{run}.bundle.zip"
        found.append(("Bundle with hashes", "inventory_2", name, "application/zip", lambda: _bundle(run)))
    return found


def _content(run: str, kind: str) -> Callable[[], str]:
    """Return what makes the file when it is asked for, which is outside of the page."""
    manager = services().manager

    def text() -> str:
        record = manager.record(run)
        workspace = manager.workspace_of(record.workspace)
        taken = take(manager.store, run, workspace, partial(manager.data, run))
        return FORMS[kind].text(taken, __version__)

    return text


def _bundle(run: str) -> bytes:
    """Return the run as another Treeline opens it."""
    with tempfile.TemporaryDirectory(prefix="treeline-") as folder:
        target = Path(folder) / "bundle.zip"
        write_export(services().manager, run, BUNDLE, target, __version__)
        return target.read_bytes()


def products_zip(view: RunView) -> bytes:
    """Return what the run wrote, as one archive."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
        for _, product in view.products:
            if Path(product.path).is_file():
                archive.write(product.path, product.name)
    return stream.getvalue()
