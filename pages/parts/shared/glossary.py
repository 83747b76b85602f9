"""The words of the sidebar, each in a sentence: behind the fields themselves, and all in one place."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import streamlit as st
import yaml

from treeline.pages.parts.shared.tour import begin_tour, count_tours

WORDS: Mapping[str, str] = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text("utf-8"))


def show_glossary() -> None:
    """Show every word with its meaning, and the way into the tour."""
    # Another one after the tour was begun: that one is closed.
    key = f"glossary-{count_tours()}"
    with st.popover("Glossary and tour", icon=":material/help:", width="stretch", key=key):
        if st.button("Take the tour", icon=":material/tour:", key="take-tour"):
            begin_tour()
        st.markdown("\n\n".join(f"**{word}** — {meaning}" for word, meaning in WORDS.items()))
