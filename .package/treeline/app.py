"""Treeline's web application: ``streamlit run app.py``."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from treeline.core.serving import routes
from treeline.pages.parts.shared.faults import tell_fault
from treeline.pages.parts.startup import lifespan

ENTRY = Path(__file__).resolve().parent / "pages" / "main.py"

app = st.App(ENTRY, routes=routes(), lifespan=lifespan, on_script_error=tell_fault)
