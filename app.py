"""Treeline's web application: ``streamlit run app.py``."""

from __future__ import annotations

from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware

from treeline.core.serving import routes
from treeline.pages.parts.assets import Assets
from treeline.pages.parts.document import Document
from treeline.pages.parts.headers import Headers
from treeline.pages.parts.identity.opening import gate_of_mode
from treeline.pages.parts.map.script import script_route
from treeline.pages.parts.shared.faults import tell_fault
from treeline.pages.parts.startup import lifespan

ENTRY = Path(__file__).resolve().parent / "pages" / "main.py"

BASE = st.get_option("server.baseUrlPath")

app = st.App(
    ENTRY,
    routes=[*routes(BASE), script_route(BASE)],
    middleware=[Middleware(Headers), *gate_of_mode(), Middleware(Assets), Middleware(Document)],
    lifespan=lifespan,
    on_script_error=tell_fault,
)
