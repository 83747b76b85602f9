"""Admin: the people of the server, running work, and what was done."""

from __future__ import annotations

import streamlit as st

st.write("admin")
