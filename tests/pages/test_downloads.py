"""Files that pages give out: made for one person, and there when the browser comes for them."""

from __future__ import annotations

from pathlib import Path

import treeline.pages

PAGES = Path(treeline.pages.__path__[0]).resolve()


def test_every_file_is_given_out_in_one_way() -> None:
    given = {
        path.relative_to(PAGES).as_posix()
        for path in PAGES.rglob("*.py")
        if "st.download_button(" in path.read_text("utf-8")
    }
    # Given out elsewhere, a file is noted for nobody and a team's person is refused it.
    assert given == {"parts/shared/downloads.py"}
