"""Treeline's web application: ``streamlit run app.py``."""

from __future__ import annotations

import sys
from pathlib import Path

import streamlit as st

HERE = Path(__file__).resolve().parent
if str(HERE) not in sys.path:
    sys.path.insert(0, str(HERE))

from core.serving import routes  # noqa: E402
from pages.parts.startup import lifespan, tell_fault  # noqa: E402

app = st.App(HERE / "pages" / "main.py", routes=routes(), lifespan=lifespan, on_script_error=tell_fault)
