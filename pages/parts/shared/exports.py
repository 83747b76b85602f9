"""A run as files to take away."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import streamlit as st

from treeline import __version__
from treeline.core.runs.exports.forms import FORMS
from treeline.core.runs.exports.taken import take
from treeline.pages.parts.shared.downloads import offer_download
from treeline.pages.parts.shared.opening import REPLAY
from treeline.pages.parts.shared.run_view import RunView
from treeline.pages.parts.shared.services import services

_ICONS = {
    "html": "summarize", "json": "data_object", "markdown": "article", "trajectory": "list", "script": "code",
    "notebook": "menu_book", "plain": "functions", "inspect": "fact_check",
}  # fmt: skip
_OF_CALLS = frozenset({"script", "plain", "notebook"})


def show_exports(view: RunView, run: str, series: str = "") -> None:
    """Show the downloads of a run; ``series`` is what its evidence holds by date, as CSV."""
    run = run.removesuffix(REPLAY)
    with st.popover(
        "Export", icon=":material/download:", help="Take away", key="exports", on_change="rerun"
    ) as part:
        if not part.open:
            return
        calls = any(step.action.kind == "call" and step.observation.succeeded for step in view.state.calls)
        for kind, form in FORMS.items():
            if calls or kind not in _OF_CALLS:
                _offer(form.title, _content(run, kind), f"{run}.{form.suffix}", form.media_type, _ICONS[kind])
        if series:
            _offer("Series, CSV", lambda: series, f"{run}.csv", "text/csv", "show_chart")
        if view.products:
            _offer("Products, ZIP", lambda: products_zip(view), f"{run}.zip", "application/zip", "folder_zip")
        with st.popover("Copy as text", icon=":material/content_copy:"):
            st.code(_content(run, "markdown")(), language=None, wrap_lines=True, height=300)


def _content(run: str, kind: str) -> Callable[[], str]:
    """Return what makes the file when it is asked for, which is outside of the page."""
    manager = services().manager

    def text() -> str:
        record = manager.record(run)
        workspace = manager.workspace_of(record.workspace)
        taken = take(manager.store, run, workspace, partial(manager.data, run))
        return FORMS[kind].text(taken, __version__)

    return text


def _offer(label: str, content: Callable[[], str | bytes], name: str, media_type: str, icon: str) -> None:
    offer_download(label, content, name, media_type, icon=f":material/{icon}:")


def products_zip(view: RunView) -> bytes:
    """Return what the run wrote, as one archive."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
        for _, product in view.products:
            if Path(product.path).is_file():
                archive.write(product.path, product.name)
    return stream.getvalue()
