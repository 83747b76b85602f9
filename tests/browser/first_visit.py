"""A first visit of the Workbench: with a browser that has nothing of it yet."""

from __future__ import annotations

from dataclasses import dataclass

from playwright.sync_api import Browser

from tests.browser.workbench import PATIENCE

_WINDOW = {"width": 1440, "height": 900}
_QUESTION = 'input[aria-label="Question"]:not(:disabled)'
# The moment is taken in the page: asking for it from outside takes longer than the page.
_WATCH = f"""
new MutationObserver((_, watch) => {{
  if (document.querySelector('{_QUESTION}')) {{ window.usable = performance.now(); watch.disconnect(); }}
}}).observe(document, {{subtree: true, childList: true, attributes: true}});
"""


@dataclass(frozen=True)
class Visit:
    """What a first visit took.

    Attributes
    ----------
    seconds : float
        From the address to a question box in which one can type.
    requests, bytes : int
        Until the map is drawn; bytes as they are sent.
    """

    seconds: float
    requests: int
    bytes: int


def visit_first(browser: Browser, url: str) -> Visit:
    """Open the Workbench as somebody who was never there, until the map is drawn."""
    context = browser.new_context(viewport=_WINDOW)
    try:
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.add_init_script(_WATCH)
        page.wait_for_timeout(1000)  # the browser's own start is not the page's
        asked: list[str] = []
        received: list[float] = []
        network = context.new_cdp_session(page)
        network.on("Network.requestWillBeSent", lambda event: asked.append(event["request"]["url"]))
        network.on("Network.loadingFinished", lambda event: received.append(event["encodedDataLength"]))
        network.send("Network.enable")
        page.goto(url, wait_until="commit")
        page.locator(_QUESTION).wait_for()
        page.frame_locator("iframe").first.locator("img.leaflet-tile-loaded").first.wait_for(state="attached")
        page.wait_for_timeout(1500)
        return Visit(page.evaluate("window.usable") / 1000, len(asked), round(sum(received)))
    finally:
        context.close()
