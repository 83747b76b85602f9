"""The vector files of a workspace: what they hold, and a way to remove those that were uploaded."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

import streamlit as st

from treeline.core.confinement import call
from treeline.core.workspace import Workspace
from treeline.pages.parts.data.removing import remove_button
from treeline.pages.parts.shared.text import count_text, plain
from treeline.toolkit.errors import TreelineError
from treeline.toolkit.vector import read_features

_KINDS = {"Polygon": "polygon", "Point": "point", "LineString": "line"}


def show_vectors(name: str, workspace: Workspace) -> None:
    """Show a line for each vector file of a workspace; nothing where there is none."""
    paths = workspace.vector_files()
    if not paths:
        return
    title = f"Points, lines and polygons ({count_text(len(paths), 'file')})"
    with st.expander(title, icon=":material/polyline:", expanded=True, key="vectors"):
        for path in paths:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.markdown(f"**{plain(path.name)}** — {plain(summary(str(path), path.stat().st_mtime_ns))}")
                remove_button(name, workspace, [path], "Remove")


@lru_cache(maxsize=256)
def summary(path: str, modified: int) -> str:
    """Return what a vector file holds in one line, or why it cannot be used.

    Parameters
    ----------
    modified : int
        When the file changed; another moment is another line.
    """
    try:
        features = call(read_features, path)
    except TreelineError as error:
        return str(error)
    counts = Counter(g.geom_type.removeprefix("Multi") for g in features.geometries)
    kinds = [count_text(n, _KINDS.get(kind, kind)) for kind, n in counts.most_common()]
    names = list(dict.fromkeys(name for item in features.items for name in item.attributes))
    crs = features.crs or "no CRS"
    told = [", ".join(kinds), crs if len(crs) < 20 else f"{crs[:18]}…"]
    return "; ".join([*told, f"attributes {', '.join(names)}"] if names else told)
