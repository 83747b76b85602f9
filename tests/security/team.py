"""A server of a team behind a proxy that says who comes, with two people who have a workspace each."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

from tests.browser.server import Server
from tests.rasters import write_raster
from tests.security.visitor import Visitor
from treeline.core.record.ownership import Ownership
from treeline.core.record.store import Store
from treeline.core.workspace.library import WorkspaceLibrary, WorkspaceSettings

SECRET = "of-the-proxy-" + "0123456789" * 2
ANA, BEN, EVA, ADA = "ana@example.org", "ben@example.org", "eva@example.org", "ada@example.org"
SETTINGS = {
    "TREELINE_MODE": "team",
    "STREAMLIT_SERVER_TRUSTED_USER_HEADERS": json.dumps({"X-Email": "email", "X-Name": "name"}),
    "TREELINE_PROXY_SECRET": SECRET,
    "TREELINE_DEFAULT_ROLE": "analyst",
    "TREELINE_ADMINS": ADA,
}
DATES = ("2021-06-03", "2021-07-12")


def visitor(server: Server, email: str) -> Visitor:
    """Return a person who comes through the proxy."""
    return Visitor(server.url, {"X-Email": email, "X-Treeline-Proxy-Secret": SECRET})


def write_workspace(home: Path, name: str, title: str, owner: str) -> None:
    """Write a workspace of red and near infrared on two dates that belongs to a person."""
    library = WorkspaceLibrary(home / "workspaces")
    inputs = home / "workspaces" / name / "inputs"
    inputs.mkdir(parents=True)
    for date in DATES:
        bands = np.stack([np.full((40, 40), 0.1), np.full((40, 40), 0.3)]).astype("float32")
        write_raster(inputs / f"{name}_{date}.tif", bands, descriptions=["red", "nir"])
    library.keep(name, WorkspaceSettings(title))
    if owner:
        store = Store(home / "treeline.sqlite")
        Ownership(store).set_owner("workspace", name, owner)
        store.close()


def write_emptied(home: Path) -> Path:
    """Write the demo and a workspace of Ana's without a file; return the folder of its files."""
    write_workspace(home, "demo", "Demo", "")
    write_workspace(home, "quarry", "Quarry", ANA)
    inputs = home / "workspaces" / "quarry" / "inputs"
    for path in inputs.iterdir():
        path.unlink()
    return inputs


def write_home(home: Path) -> None:
    """Write a workspace of Ana's and one of Ben's; the demo is small and nobody's."""
    write_workspace(home, "demo", "Demo", "")
    write_workspace(home, "quarry", "Quarry of Ana", ANA)
    write_workspace(home, "harbour", "Harbour of Ben", BEN)


class ServedTeam(Server):
    """``treeline serve --mode team`` from a folder whose secrets name an OpenID provider.

    Parameters
    ----------
    home : Path
    provider : str
        Address of the provider.
    """

    def __init__(self, home: Path, provider: str) -> None:
        super().__init__(home, {"TREELINE_DEFAULT_ROLE": "analyst", "TREELINE_ADMINS": ADA})
        self.folder = home
        self.url = f"http://localhost:{self.port}"
        secrets = {
            "redirect_uri": f"{self.url}/oauth2callback",
            "cookie_secret": "of-the-cookie-" + "0123456789" * 3,
            "client_id": "treeline",
            "client_secret": "of-the-client",
            "server_metadata_url": f"{provider}/.well-known/openid-configuration",
        }
        (home / ".streamlit").mkdir()
        lines = [f"{name} = {json.dumps(value)}" for name, value in secrets.items()]
        (home / ".streamlit" / "secrets.toml").write_text("\n".join(["[auth]", *lines]), "utf-8")

    def command(self) -> list[str]:
        """Return what is started."""
        run = "import sys; from treeline.core.cli import main; sys.exit(main())"
        serve = ["serve", "--mode", "team", "--host", "localhost", "--port", str(self.port)]
        return [sys.executable, "-c", run, *serve]
