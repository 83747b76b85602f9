"""What a model is writing stands over the steps until it is one."""

from __future__ import annotations

from dataclasses import replace

from streamlit.testing.v1 import AppTest

from treeline.core.engine.events import Draft
from treeline.pages.parts.shared.run_view import RunView
from treeline.pages.parts.workbench.team.card import card
from treeline.pages.parts.workbench.team.model import Lane


def _page() -> None:
    from treeline.core.engine.events import Draft
    from treeline.pages.parts.shared.run_view import RunView
    from treeline.pages.parts.workbench.steps import show_steps

    draft = Draft("Means are *statistics*.", ('call {"tool": "calc_batch_im',))
    show_steps(RunView(draft=draft), None, lambda step: None, run="r")


def test_thought_and_half_written_call_are_shown():
    page = AppTest.from_function(_page, default_timeout=60).run()
    assert not page.exception
    assert any("the model is writing" in each.value for each in page.markdown)
    assert [each.value for each in page.code] == ['call {"tool": "calc_batch_im']
    assert any("statistics" in each.value for each in page.caption)
    assert not any("No step yet" in each.value for each in page.caption)


def test_a_members_card_shows_what_its_model_is_writing():
    working = Lane("one", "executor", "ndvi", "Make ndvi", status="running")
    calls = replace(working, view=RunView(draft=Draft("", ('call {"tool": "<b>calc', "call {"))))
    marked = replace(working, view=RunView(draft=Draft("<b>")))
    words = replace(working, view=RunView(draft=Draft("y" * 500)))
    assert "✎ call {</p>" in card(calls, [], titled="One")
    assert "✎ &lt;b&gt;</p>" in card(marked, [], titled="One")
    assert f"… {'y' * 120}</p>" in card(words, [], titled="One")
    assert "✎" not in card(working, [], titled="One")
