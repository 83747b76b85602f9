"""The files by which a team's server is deployed: parsed, and where nginx is at hand, used."""

from __future__ import annotations

import base64
import functools
import json
import os
import re
import shlex
import shutil
import ssl
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tests import postgres
from tests.browser.server import Server, free_port
from tests.security.visitor import Session
from treeline.core.runs.quotas import Quotas
from treeline.toolkit.limits import Limits

ROOT = Path(__file__).resolve().parents[1]
TEMPLATE = (ROOT / "deploy" / "nginx.conf.template").read_text("utf-8")
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))
HOSTING = (ROOT / "docs" / "hosting.md").read_text("utf-8")
KNOWN = {
    "FROM",
    "RUN",
    "CMD",
    "COPY",
    "ENV",
    "USER",
    "WORKDIR",
    "VOLUME",
    "EXPOSE",
    "HEALTHCHECK",
}
SECRET = "of-the-proxy-0123456789"


def instructions() -> list[tuple[str, str]]:
    """Return the instructions of the Dockerfile with their arguments on one line."""
    text = (ROOT / "Dockerfile").read_text("utf-8")
    lines = re.sub(r"\\\n\s*", " ", re.sub(r"(?m)^#.*\n", "", text)).splitlines()
    return [(line.split(None, 1)[0], line.split(None, 1)[1]) for line in lines if line.strip()]


def test_the_dockerfile_copies_what_there_is_and_does_not_run_as_root():
    found = instructions()
    assert {name for name, _ in found} <= KNOWN
    copied = [shlex.split(rest)[:-1] for name, rest in found if name == "COPY" and "--from" not in rest]
    for source in (source for sources in copied for source in sources):
        assert (ROOT / source).exists(), source
    last = max(index for index, (name, _) in enumerate(found) if name == "FROM")
    final = dict(found[last:])
    assert final["USER"] == "treeline"
    assert "/readyz" in final["HEALTHCHECK"]
    assert "TREELINE_HOME=/home/treeline/data" in final["ENV"] and final["VOLUME"] == "/home/treeline/data"
    assert json.loads(final["CMD"])[:2] == ["treeline", "serve"]


def test_what_the_wheel_is_built_from_is_copied():
    copied = {part for name, rest in instructions() if name == "COPY" for part in shlex.split(rest)}
    assert {"core", "toolkit", "knowledge", "pages", ".streamlit", ".package", "app.py"} <= copied
    kept_out = (ROOT / ".dockerignore").read_text("utf-8").split()
    uncommitted = [line.strip("/") for line in (ROOT / ".gitignore").read_text("utf-8").split()]
    told = {"deploy/people", "deploy/certificate", "deploy/secrets.toml", ".streamlit/secrets.toml", ".env"}
    settings = {each["path"] for each in COMPOSE["services"]["treeline"]["env_file"]}
    assert settings == {"treeline.env"}
    assert told | settings <= set(kept_out) and told | settings <= set(uncommitted)


def test_the_extras_that_are_installed_exist():
    (extras,) = re.findall(r"whl\)\[([\w,]+)\]", (ROOT / "Dockerfile").read_text("utf-8"))
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    for extra in extras.split(","):
        assert re.search(rf"(?m)^{extra} = \[", project), extra


def test_the_services_know_each_other_and_their_files():
    services: dict[str, Any] = COMPOSE["services"]
    assert set(services) == {"database", "treeline", "proxy"}
    for service in services.values():
        for other in service.get("depends_on", {}):
            assert services[other].get("healthcheck") or services[other].get("build")
    named = {volume.partition(":")[0] for service in services.values() for volume in service["volumes"]}
    assert {name for name in named if not name.startswith(".")} == set(COMPOSE["volumes"])
    assert [port for service in services.values() for port in service.get("ports", ())] == ["443:8443"]
    environment = services["treeline"]["environment"]
    assert environment["TREELINE_MODE"] == "team"
    assert environment["TREELINE_STORE"].startswith("postgresql+psycopg://")
    for header in json.loads(environment["STREAMLIT_SERVER_TRUSTED_USER_HEADERS"]):
        assert f"proxy_set_header {header} $remote_user;" in TEMPLATE
    filled = set(re.findall(r"\$\{(\w+)\}", TEMPLATE))
    assert filled == set(services["proxy"]["environment"])


def test_the_settings_of_limits_and_quotas_are_told():
    for limits in (Limits, Quotas):
        for name in limits.__dataclass_fields__:
            assert f"`{name}`" in HOSTING, name


def test_the_files_that_the_page_names_exist():
    for name in re.findall(r"`((?:deploy/)?[\w.]+\.(?:yaml|template|conf))`", HOSTING):
        assert (ROOT / name).exists(), name


@pytest.fixture(scope="module")
def proxy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of nginx before a team's server with a PostgreSQL record."""
    nginx, openssl = shutil.which("nginx", path="/usr/sbin:/usr/bin:/usr/local/bin"), shutil.which("openssl")
    if nginx is None or openssl is None:
        pytest.skip("nginx or openssl is not installed (Debian: apt-get install nginx-light openssl)")
    folder = tmp_path_factory.mktemp("proxy")
    asked = [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    written = ["-keyout", folder / "server.key", "-out", folder / "server.crt"]
    subprocess.run([*asked, *written], check=True, capture_output=True)
    kept = subprocess.run(
        [openssl, "passwd", "-apr1", "a password"], check=True, capture_output=True, text=True
    )
    (folder / "people").write_text(f"ana@example.org:{kept.stdout.strip()}\n")
    home = tmp_path_factory.mktemp("home")
    with postgres.server() as database:
        settings = {
            "TREELINE_MODE": "team",
            "TREELINE_STORE": database.url(),
            "TREELINE_PROXY_SECRET": SECRET,
            "TREELINE_ADMINS": "ana@example.org",
            "STREAMLIT_SERVER_TRUSTED_USER_HEADERS": '{"X-Treeline-Person": "email"}',
        }
        with Server(home, settings) as server:
            port = free_port()
            written = (
                TEMPLATE.replace("${TREELINE_ADDRESS}", f"127.0.0.1:{server.port}")
                .replace("${TREELINE_PROXY_SECRET}", SECRET)
                .replace("/etc/nginx/certificate", str(folder))
                .replace("/etc/nginx/people", str(folder / "people"))
                .replace("8443", f"127.0.0.1:{port}")
            )
            places = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy"))
            # Its workers would be another account's, which may not enter pytest's folders.
            account = "user root;" if os.geteuid() == 0 else ""
            (folder / "nginx.conf").write_text(
                f"{account} daemon off; pid {folder}/pid; error_log {folder}/error.log;\n"
                f"events {{}}\nhttp {{ access_log off;\n{places}{written}\n}}\n"
            )
            subprocess.run([nginx, "-t", "-c", folder / "nginx.conf"], check=True, capture_output=True)
            running = subprocess.Popen([nginx, "-c", folder / "nginx.conf"])
            try:
                yield f"https://127.0.0.1:{port}"
            finally:
                running.terminate()
                running.wait(20)


def trust_any_certificate() -> ssl.SSLContext:
    """Return how a certificate is taken that nobody has signed."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


def credentials(password: str) -> dict[str, str]:
    said = base64.b64encode(f"ana@example.org:{password}".encode()).decode()
    return {"Authorization": f"Basic {said}"}


def ask(address: str, password: str = "", **headers: str) -> tuple[int, str]:
    """Return the code and the text of an answer; redirections are followed."""
    known = credentials(password) if password else {}
    request = urllib.request.Request(address, headers={**headers, **known})
    for _ in range(600):
        try:
            with urllib.request.urlopen(request, timeout=60, context=trust_any_certificate()) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, ""
        except urllib.error.URLError:  # nginx is on its way
            time.sleep(0.1)
    raise AssertionError("nginx does not answer")


def test_behind_the_proxy_a_person_reaches_the_page_and_nobody_the_numbers(proxy):
    assert ask(f"{proxy}/treeline/")[0] == 401
    assert ask(f"{proxy}/treeline/", "another password")[0] == 401
    # The sign-in of OpenID Connect is asked for at the root, and led to below the prefix.
    assert ask(f"{proxy}/auth/login?provider=x")[0] == ask(f"{proxy}/oauth2callback?code=x")[0] == 401
    code, page = ask(f"{proxy}/", "a password")
    assert code == 200 and "<title>" in page
    script = re.search(r'src="\./(static/js/[\w.-]+\.js)"', page)
    assert script is not None
    assert ask(f"{proxy}/treeline/{script[1]}", "a password")[0] == 200
    assert ask(f"{proxy}/treeline/_stcore/host-config", "a password")[0] == 200
    for path in ("treeline/metrics", "treeline/readyz", "_stcore/health", "tiles/x/0/0/0.png"):
        assert ask(f"{proxy}/{path}", "a password")[0] == 404
    forged = {"X-Treeline-Person": "eva@example.org", "X-Treeline-Proxy-Secret": SECRET}
    assert ask(f"{proxy}/treeline/", "", **forged)[0] == 401


@pytest.mark.parametrize("origin_is_own", [True, False])
def test_a_session_is_opened_through_the_proxy_from_its_own_pages_alone(proxy, origin_is_own):
    assert ask(f"{proxy}/treeline/", "a password")[0] == 200
    socket = functools.partial(
        connect,
        proxy.replace("https", "wss", 1) + "/treeline/_stcore/stream",
        ssl=trust_any_certificate(),
        max_size=None,
        additional_headers=credentials("a password"),
        subprotocols=["streamlit", "none"],
    )
    if not origin_is_own:
        with pytest.raises(InvalidStatus):
            socket(origin="https://elsewhere.example.org")
        return
    with Session(socket(origin=proxy)) as session:
        assert "Workbench" in session.open().titles
