"""Find a Chromium for the browser tests, or install Debian's: ``python -m tests.browser.chromium``."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


def find() -> str | None:
    """Return the path of a Chromium: ``CHROMIUM``, Playwright's own, or one on the path."""
    named = os.environ.get("CHROMIUM")
    if named and Path(named).is_file():
        return named
    return _of_playwright() or next((path for path in map(shutil.which, NAMES) if path), None)


def _of_playwright() -> str | None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).is_file() else None


def install() -> str:
    """Install Debian's package; return what happened, in a sentence."""
    if shutil.which("apt-get") is None:
        return "No Chromium was found and there is no apt-get: install one and set CHROMIUM to its path."
    if os.geteuid() != 0:
        return "No Chromium was found; as root, 'apt-get install chromium' provides it."
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (
        ["apt-get", "update"],
        ["apt-get", "install", "--yes", "--no-install-recommends", "chromium"],
    ):
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        if done.returncode:
            return f"{' '.join(command)} failed: {done.stderr.strip()[-400:]}"
    return f"Chromium was installed from Debian's packages: {find()}"


def main() -> int:
    """Print which Chromium the browser tests will use; they are skipped without one."""
    found = find()
    print(f"Chromium: {found}" if found else install())
    return 0


if __name__ == "__main__":
    sys.exit(main())
