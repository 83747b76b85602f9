"""Where Treeline keeps what it is given and what it makes.

Apart from the settings of models, because every command needs the home and few ask a model.
"""

from __future__ import annotations

import os
from pathlib import Path

from treeline.toolkit.secret_settings import secret_setting


def home() -> Path:
    """Return where Treeline keeps workspaces and the store: ``TREELINE_HOME`` or ``~/.treeline``."""
    return Path(os.environ.get("TREELINE_HOME") or Path.home() / ".treeline").expanduser().resolve()


def store_url() -> str:
    """Return the store's address: ``TREELINE_STORE`` or a SQLite file in the home."""
    return secret_setting("TREELINE_STORE") or str(home() / "treeline.sqlite")


def cache_folder() -> Path:
    """Return where what can be made again is kept between processes."""
    return home() / "cache"
