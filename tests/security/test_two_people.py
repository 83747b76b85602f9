"""Two people on one server who cannot reach each other's things."""

from __future__ import annotations

import re
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from websockets.exceptions import WebSocketException

from tests.browser.server import Server
from tests.knowledge.test_card import VALID
from tests.security.team import ADA, ANA, BEN, DATES, EVA, SECRET, SETTINGS, visitor, write_home
from tests.security.visitor import Page, Session, Visitor
from treeline.core.access import Person
from treeline.core.disclosure.strategies import make_disclosure
from treeline.core.engine.actions import Call
from treeline.core.engine.environment import Environment
from treeline.core.engine.rundata import RunData
from treeline.core.engine.state import State
from treeline.core.memory.entries import Lesson, Source
from treeline.core.memory.failure import FailureMemory
from treeline.core.record.audit import deeds
from treeline.core.record.people import People
from treeline.core.record.store import Store
from treeline.core.runs.reach import ReachedCards, Rights
from treeline.core.workspace import Workspace
from treeline.core.workspace.library import WorkspaceLibrary
from treeline.knowledge import TaskCard
from treeline.toolkit import SkillTree, registry

QUESTION = "What is the mean NDVI of each date?"
PAGES = ("", "pinned", "data", "tools", "knowledge", "lessons", "memory", "compare", "runs")
# What only Ana has: her workspace, its files, her question's place.
OF_ANA = ("quarry", "Quarry of Ana")
MADE_UP = "0123456789ab"
KEY = "sk-of-the-server-0123456789"


@dataclass
class Belongings:
    """What Ana has, as she sees it."""

    session: Session
    run: str
    entry: str
    tile: str
    upload: str


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    home = tmp_path_factory.mktemp("team")
    write_home(home)
    with Server(home, {**SETTINGS, "OPENAI_API_KEY": KEY}) as running:
        yield running


@pytest.fixture(scope="module")
def store(server: Server) -> Iterator[Store]:
    opened = Store(server.home / "treeline.sqlite")
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def ana(server: Server) -> Visitor:
    return visitor(server, ANA)


@pytest.fixture(scope="module")
def ben(server: Server) -> Visitor:
    return visitor(server, BEN)


@pytest.fixture(scope="module")
def hers(server: Server, store: Store, ana: Visitor) -> Iterator[Belongings]:
    """Ana asks a question, learns a lesson, looks at the map."""
    with ana.session() as session:
        run = ask(session, store, QUESTION)
        lesson = Lesson("Quarry of Ana: take the July scene.")
        entry = FailureMemory(store, ANA).add(Source("i", QUESTION, "quarry", run, run), lesson)
        shown = session.open("", f"run={run}")
        data = session.open("data").text
        yield Belongings(
            session,
            run,
            entry.id,
            the(r"/tiles/([\w-]{20,})/", shown.text),
            the(r"token[^\w-]+([\w-]{20,})", data),
        )


def the(pattern: str, text: str) -> str:
    found = re.search(pattern, text)
    assert found, f"nothing like {pattern} was sent"
    return found[1]


def ask(session: Session, store: Store, question: str) -> str:
    """Type a question, press Ask, wait for the end, and return the run."""
    before = {record.id for record in store.runs()}
    page = session.open()
    typed = page.element("text_input", "Question").id
    pressed = page.element("button", "Ask").id
    session.use({typed: ("string_value", question), pressed: ("trigger_value", True)})
    until = time.monotonic() + 120
    while time.monotonic() < until:
        new = [record for record in store.runs() if record.id not in before]
        if new and new[0].is_finished:
            return new[0].id
        time.sleep(0.1)
    raise AssertionError("The run did not end.")


def assert_nothing_of_ana(page: Page) -> None:
    """Assert that a page says nothing of Ana's things, beyond repeating the address that was asked for."""
    text = re.sub(r"query_string: .*", "", page.text)
    for secret in (*OF_ANA, *(f"quarry_{date}" for date in DATES)):
        assert secret not in text
    assert page.elements("exception") == []


def test_she_sees_what_is_hers(hers: Belongings, store: Store, ana: Visitor) -> None:
    record = store.run(hers.run)
    assert record is not None and record.status == "answered" and record.workspace == "quarry"
    assert "Quarry of Ana" in hers.session.open("data").text
    assert ana.ask(f"/tiles/{hers.tile}/preview.png").status == 200
    assert "Quarry of Ana: take the July scene" in hers.session.open("memory", f"entry={hers.entry}").text


@pytest.mark.parametrize("page", PAGES)
def test_no_page_shows_him_what_is_hers(hers: Belongings, ben: Visitor, page: str) -> None:
    query = f"run={hers.run}&workspace=quarry&entry={hers.entry}&runs={hers.run}"
    with ben.session() as session:
        assert_nothing_of_ana(session.open(page, query))
        assert_nothing_of_ana(session.open(page))


def test_her_run_is_to_him_as_one_that_is_not_there(hers: Belongings, ben: Visitor) -> None:
    texts = []
    for run in (hers.run, MADE_UP):
        with ben.session() as session:
            page = session.open("", f"run={run}")
            texts.append([e.body for e in page.elements("markdown") + page.elements("alert")])
    assert texts[0] == texts[1]


@pytest.mark.parametrize(
    "path", ["preview.png", "legend.json", "0/0/0.png", "value?longitude=14&latitude=46"]
)
def test_her_tiles_are_not_his(hers: Belongings, ana: Visitor, ben: Visitor, path: str) -> None:
    assert ana.ask(f"/tiles/{hers.tile}/{path}").status in (200, 204)
    his, made_up = (ben.ask(f"/tiles/{token}/{path}") for token in (hers.tile, "x" * 24))
    assert his.status == made_up.status == 404
    assert his.body == made_up.body
    assert Visitor(ana.url).ask(f"/tiles/{hers.tile}/{path}").status == 401


def test_her_upload_token_is_worth_nothing_to_him(hers: Belongings, ben: Visitor, server: Server) -> None:
    for who, status in ((ben, 404), (Visitor(ben.url), 401)):
        assert who.ask(f"/upload/{hers.upload}/his.json", "PUT", b"{}").status == status
    assert not (server.home / "workspaces" / "quarry" / "inputs" / "his.json").exists()


def test_her_upload_token_is_worth_something_to_her_and_is_noted(
    hers: Belongings, ana: Visitor, server: Server, store: Store
) -> None:
    assert ana.ask(f"/upload/{hers.upload}/hers.json", "PUT", b"{}").status == 201
    last = deeds(store, ANA)[0]
    assert (last.action, last.thing, last.detail) == ("upload", "quarry", "hers.json")
    (server.home / "workspaces" / "quarry" / "inputs" / "hers.json").unlink()


def test_her_session_takes_no_file_of_his(hers: Belongings, ben: Visitor) -> None:
    path = f"/_stcore/upload_file/{hers.session.id}/some-file"
    for who, status in ((ben, 404), (Visitor(ben.url), 401)):
        assert who.ask(path, "PUT", b"x").status == status
        assert who.ask(path, "DELETE").status == status


DOWNLOADS = [
    ("knowledge", "card=lst_single_channel", "This card", b"lst_single_channel"),
    ("knowledge", "", "All cards", b"lst_single_channel"),
    ("memory", "", "Export", b"Quarry of Ana: take the July scene"),
]


@pytest.mark.parametrize(("page", "query", "label", "holds"), DOWNLOADS)
def test_a_file_that_is_made_for_her_arrives_and_is_not_his(
    hers: Belongings, ana: Visitor, ben: Visitor, page: str, query: str, label: str, holds: bytes
) -> None:
    button = hers.session.open(page, query).element("download_button", label)
    media = hers.session.make(button.deferred_file_id)
    assert holds in ana.ask(media).body
    assert ben.ask(media).status == 404
    assert Visitor(ben.url).ask(media).status == 401
    # Whoever guesses what her button is called has her file made, and made for her alone.
    with ben.session() as session:
        session.open()
        made = session.make(button.deferred_file_id)
        assert not made or ben.ask(made).status == 404


def test_a_picture_of_her_page_stays_hers_while_the_page_is_drawn_anew(
    hers: Belongings, ana: Visitor
) -> None:
    icon = the(r"(/media/[0-9a-f]+\.png)", hers.session.open().text)
    ended = threading.Event()

    def ask() -> list[int]:
        answers = []
        while not ended.is_set():
            answers.append(ana.ask(icon).status)
        return answers

    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(ask)
        for _ in range(5):
            hers.session.open()
        ended.set()
        assert set(asked.result()) == {200}
    with ana.session() as another:  # as soon as a session is told of it
        assert ana.ask(the(r"(/media/[0-9a-f]+\.png)", another.open().text)).status == 200


def test_asking_without_what_the_page_would_send_is_no_fault(ben: Visitor, store: Store) -> None:
    with ben.session() as session:
        page = session.open()
        pressed = page.element("button", "Ask").id
        typed = page.element("text_input", "Question").id
        before = {record.id for record in store.runs()}
        answered = session.use({typed: ("string_value", QUESTION), pressed: ("trigger_value", True)})
        assert "KeyError" not in answered.text
    assert {record.id for record in store.runs()} != before


def test_her_card_is_not_his(
    hers: Belongings, ben: Visitor, server: Server, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TREELINE_HOME", str(server.home))
    card = TaskCard.from_content({**VALID, "title": "Dunes behind the quarry"})
    rights = Rights(Person(ANA, role="analyst"), store, WorkspaceLibrary(server.home / "workspaces"))
    ReachedCards(store, rights).save(card)
    assert "Dunes behind the quarry" in hers.session.open("knowledge", f"card={card.id}").text
    with ben.session() as session:
        for query in ("", f"card={card.id}"):
            assert_nothing_of_ana(session.open("knowledge", query))


def test_a_forged_choice_opens_nothing(hers: Belongings, ben: Visitor, store: Store) -> None:
    answers = []
    for name in ("quarry", "quarrx"):
        with ben.session() as session:
            page = session.open()
            workspace = page.element("selectbox", "Workspace").id
            typed, pressed = page.element("text_input", "Question").id, page.element("button", "Ask").id
            forged = {workspace: name, typed: QUESTION}
            states = {widget: ("string_value", value) for widget, value in forged.items()}
            answered = session.use({**states, pressed: ("trigger_value", True)})
            answers.append([e.body.replace(name, "it") for e in answered.elements("alert")])
    assert answers[0] == answers[1]
    assert [record.id for record in store.runs("quarry")] == [hers.run]


@pytest.mark.parametrize(
    "name", ["quarry_2021-06-03.tif", "../../quarry/inputs/quarry_2021-06-03.tif", "{home}"]
)
def test_no_argument_of_a_tool_reaches_her_files(server: Server, name: str) -> None:
    path = server.home / "workspaces" / "quarry" / "inputs" / "quarry_2021-06-03.tif"
    address = name.replace("{home}", str(path))
    environment = tools_in(server.home / "workspaces" / "harbour")
    for given in (address, [address], f"{address}#nir"):
        assert not environment.act(Call("calc_batch_image_mean", {"file_list": given}), State("")).is_success


def test_a_handle_is_that_of_his_own_workspace(server: Server) -> None:
    environment = tools_in(server.home / "workspaces" / "harbour")
    observation = environment.act(Call("calc_batch_image_mean", {"file_list": "@red"}), State(""))
    assert observation.is_success and "quarry" not in repr(observation)


def tools_in(folder: Path) -> Environment:
    tree = make_disclosure("flat", SkillTree.of(registry()))
    return Environment(RunData(Workspace(folder), "tried"), tree, registry(), "science")


def test_nobody_comes_in_without_the_proxy(server: Server) -> None:
    forged = [
        {},
        {"X-Email": ANA},
        {"X-Email": ANA, "X-Treeline-Proxy-Secret": "wrong" * 5},
        {"X-Treeline-Proxy-Secret": SECRET},
        {"X-Email": "", "X-Treeline-Proxy-Secret": SECRET},
    ]
    for headers in forged:
        outsider = Visitor(server.url, headers)
        assert not outsider.is_let_in()
        for path in ("/", "/data", "/tiles/x/preview.png", "/_stcore/metrics", "/anything"):
            assert outsider.ask(path).status == 401
    assert Visitor(server.url).ask("/livez").status == 200


@pytest.mark.parametrize("origin", ["null", "http://localhost:1", "http://127.0.0.1:1", "http://x.example"])
def test_no_page_of_another_server_opens_a_session(ana: Visitor, origin: str) -> None:
    with pytest.raises(WebSocketException):
        ana.session(origin)


def test_what_the_process_counts_is_nobodys(ana: Visitor) -> None:
    assert ana.ask("/_stcore/metrics").status == 404


def test_somebody_who_is_blocked_is_out(server: Server, store: Store) -> None:
    zoe = visitor(server, "zoe@example.org")
    with zoe.session() as session:
        assert "zoe@example" in session.open().text
        People(store).set_blocked("zoe@example.org", True)
        time.sleep(2.5)
        assert "Demo" not in session.open("data").text
    assert not zoe.is_let_in()
    assert zoe.ask("/").status == 401


def test_a_viewer_neither_asks_nor_adds(server: Server, store: Store) -> None:
    eva = visitor(server, EVA)
    with eva.session() as session:
        session.open()
        People(store).set_role(EVA, "viewer")
        time.sleep(2.5)
        for page in ("", "data", "tools"):
            opened = session.open(page)
            assert "Compare" not in opened.titles and not opened.elements("radio")
            buttons = [e.label for e in opened.elements("button")]
            assert not {"Ask", "Create", "Look again", "Copy this one"} & set(buttons)


def test_only_an_admin_has_the_page_of_admins(server: Server, ben: Visitor) -> None:
    with ben.session() as session:
        assert "Admin" not in session.open().titles
    with visitor(server, ADA).session() as session:
        assert "Admin" in session.open().titles


def test_nobody_empties_what_all_work_with(hers: Belongings, ana: Visitor, ben: Visitor) -> None:
    with ben.session() as session:
        session.open()
        message = BackMsg()
        message.clear_cache = True
        session.send(message)
        session.open("data")
    assert ana.ask(f"/tiles/{hers.tile}/preview.png").status == 200
    assert "quarry" in hers.session.open("", f"run={hers.run}").text


def test_tokens_end_with_the_session(ana: Visitor) -> None:
    with ana.session() as session:
        token = the(r"token[^\w-]+([\w-]{20,})", session.open("data").text)
        assert ana.ask(f"/upload/{token}/a.exe", "PUT", b"x").status == 422
    until = time.monotonic() + 20
    while time.monotonic() < until and ana.ask(f"/upload/{token}/a.exe", "PUT", b"x").status != 404:
        time.sleep(0.05)
    assert ana.ask(f"/upload/{token}/a.exe", "PUT", b"x").status == 404


def test_the_log_holds_no_secret(server: Server, hers: Belongings) -> None:
    log = Path(server.log).read_text("utf-8")
    assert SECRET not in log and hers.upload not in log


@pytest.mark.skipif(sys.platform != "linux", reason="other systems tell of no process's environment")
def test_no_process_beside_the_server_has_its_secrets(server: Server, hers: Belongings, ana: Visitor) -> None:
    assert ana.ask(f"/tiles/{hers.tile}/preview.png").status == 200
    beside = psutil.Process(server.process.pid).children(recursive=True)
    told = {name: value for process in beside for name, value in process.environ().items()}
    assert told["TREELINE_MODE"] == "team"
    assert not {SECRET, KEY} & set(told.values())


def test_a_proxy_is_told_by_its_own_address(tmp_path: Path) -> None:
    write_home(tmp_path)
    settings = {**SETTINGS, "TREELINE_PROXY_ADDRESSES": "127.0.0.1", "FORWARDED_ALLOW_IPS": ""}
    del settings["TREELINE_PROXY_SECRET"]
    with Server(tmp_path, settings) as told:
        proxied = Visitor(told.url, {"X-Email": BEN, "X-Forwarded-For": "10.9.8.7"})
        assert proxied.is_let_in()
    settings["TREELINE_PROXY_ADDRESSES"] = "10.9.8.7"
    with Server(tmp_path, settings) as other:
        claiming = Visitor(other.url, {"X-Email": BEN, "X-Forwarded-For": "10.9.8.7"})
        assert not claiming.is_let_in()
        assert claiming.ask("/data").status == 401


def test_pages_without_the_gate_know_nobody(tmp_path: Path) -> None:
    class Bare(Server):
        def command(self) -> list[str]:
            return [part.replace("app.py", "pages/main.py") for part in super().command()]

        def _wait(self) -> None:
            until = time.monotonic() + 60
            while Visitor(self.url).status("/_stcore/health") != 200 and time.monotonic() < until:
                time.sleep(0.1)

    write_home(tmp_path)
    with Bare(tmp_path, SETTINGS) as bare, Visitor(bare.url, {"X-Email": ANA}).session() as session:
        assert "Quarry" not in session.open("data", "workspace=quarry").text
