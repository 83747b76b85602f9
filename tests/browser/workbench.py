"""What a person does and sees on the pages, in words of the pages."""

from __future__ import annotations

import contextlib
import io
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlparse

from axe_playwright_python.sync_playwright import Axe
from PIL import Image
from playwright.sync_api import FrameLocator, Locator, Page, WebSocket, expect

# A machine that does much else is slow; who waits for what is seen waits no longer than it takes.
PATIENCE = 120_000
# So often a page is looked at before what is found counts as what stays.
_LOOKS = 3
# Comes once the page and its frames stand still: nothing was changed and nothing moved while so many pictures
# were drawn, for which a machine that does much else takes longer.
_REST = """patience => new Promise((done, fail) => {
    const frames = [...document.querySelectorAll('iframe')].map(frame => frame.contentDocument);
    const seen = [document, ...frames.filter(each => each)];
    const ends = motion => motion.effect && motion.effect.getComputedTiming().endTime !== Infinity;
    const moves = each => each.getAnimations().some(motion => motion.playState === 'running' && ends(motion));
    const begun = performance.now();
    let drawn = 0;
    const watch = new MutationObserver(() => { drawn = 0; });
    const all = {subtree: true, childList: true, attributes: true, characterData: true};
    seen.forEach(each => watch.observe(each, all));
    const look = () => {
        drawn = seen.some(moves) ? 0 : drawn + 1;
        const late = performance.now() - begun > patience;
        if (drawn < 15 && !late) return requestAnimationFrame(look);
        watch.disconnect();
        return late ? fail(new Error('the page did not come to rest')) : done();
    };
    requestAnimationFrame(look);
})"""
expect.set_options(timeout=PATIENCE)


class Workbench:
    """The pages in one browser tab."""

    def __init__(self, page: Page, url: str, home: Path | None = None) -> None:
        self.page = page
        self.url = url
        self.home = home or Path()
        self._answered = True
        page.set_default_timeout(PATIENCE)
        page.on("websocket", self._watch)
        # A visitor who has seen the tour; the card of one who has not lies over the page.
        page.add_init_script("localStorage.setItem('treeline-tour', 'seen')")

    def open(self, path: str = "/") -> None:
        """Open a page and wait for the sidebar."""
        self.page.goto(self.url + path)
        expect(self.page.get_by_role("combobox", name="Workspace")).to_be_visible(timeout=PATIENCE)

    def go_to(self, title: str) -> None:
        """Follow a link of the navigation."""
        self.page.get_by_test_id("stSidebarNav").get_by_role("link", name=title).click()

    def create_workspace(self, title: str) -> None:
        """Make a workspace and wait until it is chosen."""
        self.page.get_by_test_id("stSidebar").get_by_role("button", name="Edit").click()
        self.page.get_by_label("Name", exact=True).fill(title)
        self.page.keyboard.press("Enter")
        self.page.keyboard.press("Escape")
        chosen = self.page.get_by_role("combobox", name="Workspace")
        expect(chosen).to_have_value(title, timeout=PATIENCE)

    def upload(self, files: Sequence[Path]) -> None:
        """Give files to the uploader of the page."""
        field = self.page.get_by_test_id("stFileUploader").locator("input[type=file]").first
        field.set_input_files([str(path) for path in files])

    def ask(self, question: str) -> None:
        """Type a question and press Ask."""
        field = self.page.get_by_label("Question")
        field.fill(question)
        field.press("Tab")
        self.page.get_by_role("button", name="Ask", exact=True).click()

    def choose_language(self, url: str) -> None:
        """Choose the language policy with an endpoint."""
        self.page.get_by_text("Language model", exact=True).click()
        self._name_endpoint(url, "scripted", "secret")

    def forget_language(self) -> None:
        """Empty the fields of the endpoint, which the server would offer to the next page."""
        self._name_endpoint("", "", "")

    def _name_endpoint(self, url: str, model: str, key: str) -> None:
        for label, text in (("Endpoint", url), ("Model", model), ("Key", key)):
            field = self.page.get_by_label(label, exact=True)
            field.fill(text)
            self.page.keyboard.press("Tab")
            # A page that is drawn anew takes no text meanwhile.
            self.wait_until_settled()
            expect(field).to_have_value(text)

    def wait_until_idle(self) -> None:
        """Wait until the page is drawn to its end."""
        idle = ("data-test-script-state", "notRunning")
        expect(self.page.get_by_test_id("stApp")).to_have_attribute(*idle, timeout=PATIENCE)

    def wait_until_settled(self) -> None:
        """Wait until what the page told the server is answered and drawn, and nothing moves any more."""
        self.wait_until_idle()
        self.page.evaluate(_REST, PATIENCE)
        self.wait_until(lambda: self._answered, "an answer of the server")
        self.wait_until_idle()
        self.page.evaluate(_REST, PATIENCE)

    def _watch(self, socket: WebSocket) -> None:
        """Note whether the server has said something since the page told it something."""
        socket.on("framesent", lambda _: setattr(self, "_answered", False))
        socket.on("framereceived", lambda _: setattr(self, "_answered", True))
        socket.on("close", lambda _: setattr(self, "_answered", True))

    def barriers(self) -> list[str]:
        """Return what axe-core finds that keeps somebody from using the page: what is serious or worse.

        What is about to be drawn anew is faded, and a list is there before its entries: neither is a barrier,
        since it does not stay.
        """
        for _ in range(_LOOKS):
            self.wait_until_settled()
            found = self._find_barriers()
            if not found:
                break
        return found

    def _find_barriers(self) -> list[str]:
        found = Axe().run(self.page).response["violations"]
        return [
            f"{fault['id']}: {node['html'][:200]}"
            for fault in found
            if fault["impact"] in ("serious", "critical")
            for node in fault["nodes"]
        ]

    def expect_no_barriers(self) -> None:
        """Expect that nothing keeps somebody from using the page once all of it is drawn."""
        until = time.monotonic() + PATIENCE / 1_000
        while found := self.barriers():
            assert time.monotonic() < until, found

    def wait_until(self, holds: Callable[[], bool], what: str) -> None:
        """Wait until a condition holds; what it is stands in the failure."""
        until = time.monotonic() + PATIENCE / 1_000
        while not holds():
            assert time.monotonic() < until, f"{what} did not come"
            self.page.wait_for_timeout(100)

    def click_in_chart(self, mark: Locator, then: Locator, **how: Any) -> None:
        """Click a mark of a chart until what follows from it is seen.

        A chart that is drawn anew between press and release takes no click, as a person sees too.
        """
        until = time.monotonic() + PATIENCE / 1_000
        while not then.is_visible():
            assert time.monotonic() < until, f"nothing came of a click on {mark}"
            self._wait_until_at_rest(mark, then)
            if not then.is_visible():
                mark.click(**how)
            with contextlib.suppress(AssertionError):
                expect(then).to_be_visible(timeout=15_000)

    def _wait_until_at_rest(self, mark: Locator, then: Locator) -> None:
        """Wait until a mark of a chart stands still, or what was waited for is there."""
        boxes: list[Any] = [None]

        def rests() -> bool:
            self.wait_until_settled()
            boxes.append(mark.bounding_box() if mark.count() else None)
            return then.is_visible() or boxes[-1] is not None and boxes[-1] == boxes[-2]

        self.wait_until(rests, "a chart at rest")

    def wait_for(self, status: str) -> None:
        """Wait until the run's badge says so, and what follows it is drawn."""
        expect(self.badge(status)).to_be_visible(timeout=PATIENCE)
        if status != "running":
            self.wait_until_idle()

    def badge(self, status: str) -> Locator:
        """Return the badge of the answer card."""
        return self.page.locator(".st-key-answer").get_by_text(status, exact=False).first

    @property
    def run(self) -> str:
        """The run of the address."""
        return parse_qs(urlparse(self.page.url).query)["run"][0]

    def tree_labels(self) -> list[str]:
        """Return what stands in the tree's chart."""
        chart = self.page.locator('[data-testid="stEChartsChart"] svg').first
        return [text.strip() for text in chart.locator("text").all_text_contents()]

    @property
    def map(self) -> FrameLocator:
        """The map's frame."""
        return self.page.frame_locator("iframe").first

    def tile_addresses(self) -> list[str]:
        """Return the addresses of our tiles that the map shows."""
        images = self.map.locator("img.leaflet-tile-loaded")
        return [a for a in images.evaluate_all("all => all.map(i => i.src)") if "/tiles/" in a]

    def wait_for_tiles(self) -> None:
        """Wait until the map shows tiles of ours, at rest; one without a pixel never counts as loaded."""
        expect(self.map.locator("img.leaflet-tile-loaded").first).to_be_attached(timeout=PATIENCE)
        self.wait_until_settled()

    def point_of(self, latitude: float, longitude: float) -> tuple[float, float]:
        """Return where a place is in the map's frame, in pixels."""
        x, y = self.map.locator("body").evaluate(
            "(_, place) => { const p = window.map.latLngToContainerPoint(place); return [p.x, p.y]; }",
            [latitude, longitude],
        )
        return x, y

    def colour_at(self, latitude: float, longitude: float) -> tuple[int, ...]:
        """Return the colour on the screen at a place of the map."""
        frame = self.page.locator("iframe").first
        box = frame.bounding_box()
        assert box is not None
        point = self.point_of(latitude, longitude)
        image = Image.open(io.BytesIO(self.page.screenshot())).convert("RGB")
        return image.getpixel((round(box["x"] + point[0]), round(box["y"] + point[1])))
