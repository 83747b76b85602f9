"""A scripted model fails in round 1 and succeeds in round 2 because of the reflection in its context."""

from __future__ import annotations

import json
import re

import pytest

from tests.core.memory import scenes
from tests.endpoint import Refuse, Say, ScriptedEndpoint, use
from treeline.core.context.guardrails import AvoidTool, RequireRole
from treeline.core.engine.journal import recorded_state
from treeline.core.memory.failure import FailureMemory
from treeline.core.settings import Endpoint

RATIO, MEANS, SINGLE = "calculate_threshold_ratio", "calc_batch_image_mean", "lst_single_channel"
LST = {"bt_path": "@bt10", "red_path": "@red", "nir_path": "@nir", "output_path": "lst.tif"}


def call(tool, **arguments):
    return use("call", tool=tool, arguments=arguments)


def read_highest_number(messages):
    """Answer with the highest number of the last result, as a model would."""
    result = re.sub(r"\d{4}-\d\d-\d\d", "", messages[-1]["content"].partition("result:")[2])
    value = max(map(float, re.findall(r"\d+\.\d+", result)))
    return use("answer", text=f"It is {value:.2f}.", value=value, choice="B")


class Analyst:
    """A model that takes a naive way, and a better one where its context holds words of a reflection.

    Attributes
    ----------
    reflected : list of str
        What it was told when it was asked to reflect.
    """

    def __init__(self, naive, informed, keyword, reflection):
        self.ways = (naive, informed)
        self.keyword, self.reflection = keyword, reflection
        self.reflected: list[str] = []

    def __call__(self, messages):
        if messages[0]["content"].startswith("You look back"):
            self.reflected.append(messages[1]["content"])
            return self.reflection
        way = self.ways[self.keyword in _memory(messages)]
        step = way[min(sum(m["role"] == "tool" for m in messages), len(way) - 1)]
        return step(messages) if callable(step) else step


def _memory(messages):
    found = re.search(r"# What was learned earlier\n\n(.*?)(?=\n\n# )", messages[1]["content"], re.DOTALL)
    return found[1] if found else ""


def reflection_reply(text, guardrails=()):
    return Say(json.dumps({"reflection": text, "guardrails": list(guardrails)}), usage=(700, 60, 0))


CASES = {
    "brightness temperature for surface temperature": (
        "What share of the land surface temperature exceeds 301 K?",
        scenes.thermal,
        Analyst(
            [use("doc", tool=RATIO), call(RATIO, image_paths="@bt10", threshold=301), read_highest_number],
            [
                use("doc", tool=SINGLE),
                call(SINGLE, **LST),
                use("doc", tool=RATIO),
                call(RATIO, image_paths="lst.tif", threshold=301),
                read_highest_number,
            ],
            "emissivity",
            reflection_reply("Step 2 measured the brightness temperature. Correct it for emissivity first."),
        ),
        "wrong_variable",
    ),
    "clouds counted": (
        "What is the highest mean NDVI of the dates when cloudy pixels are left out?",
        scenes.cloudy,
        Analyst(
            [use("doc", tool=MEANS), call(MEANS, file_list="@ndvi"), read_highest_number],
            [
                use("doc", tool="apply_cloud_mask"),
                call(
                    "apply_cloud_mask",
                    sr_band_path="@ndvi",
                    qa_pixel_path="@cloud_mask",
                    output_path=[f"clear{i}.tif" for i in range(4)],
                ),
                use("doc", tool=MEANS),
                call(MEANS, file_list=[f"clear{i}.tif" for i in range(4)]),
                read_highest_number,
            ],
            "mask",
            reflection_reply("Cloudy pixels entered the means. Apply the cloud mask to every date first."),
        ),
        "unmasked_clouds",
    ),
    "a guess": (
        "What is the mean NDVI?",
        scenes.cloudy,
        Analyst(
            [use("answer", text="It is probably about 0.55, typical values.", value=0.55, choice="B")],
            [use("doc", tool=MEANS), call(MEANS, file_list="@ndvi"), read_highest_number],
            "Compute",
            reflection_reply("No tool was called. Compute the means of all dates. Option B is right."),
        ),
        "hedging",
    ),
    "the same failing call": (
        "What is the mean NDVI of the first date?",
        scenes.cloudy,
        Analyst(
            [
                use("doc", tool=MEANS),
                *[call(MEANS, file_list=["Lake_NDVI_missing.tif"])] * 2,
                use("answer", text="The raster is missing.", declined=True),
            ],
            [use("doc", tool=MEANS), call(MEANS, file_list="@ndvi"), read_highest_number],
            "handle",
            reflection_reply("The file does not exist. Use the handle of the collection."),
        ),
        "repeated_failure",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_failure_is_mended_by_its_reflection(ask, folder, name):
    question, write, analyst, sign = CASES[name]
    write(folder)
    with ScriptedEndpoint(analyst) as server:
        endpoint = Endpoint(server.url, "scripted")
        asked = ask(question, endpoint, policy="language", rounds=3, choices=("0", "1"))
        alone = ask(question, endpoint, policy="language", choices=("0", "1"))
    assert sign in asked.signs[0] and asked.signs[1] == [] and len(asked.rounds) == 2
    assert asked.finished.status == "answered" and asked.finished.answer.value is not None
    entry = FailureMemory(asked.manager.store).get(asked.rounds[0].judgement.entry)
    assert entry.lesson.author == "model" and entry.lesson.tokens == 760 and entry.helped == 1
    assert alone.finished.answer != asked.finished.answer, "without memory the naive way is taken again"
    assert question in analyst.reflected[0] and "# What was done" in analyst.reflected[0]
    assert "Option B" not in entry.lesson.text


def test_the_environment_holds_a_stubborn_model_to_the_guardrails(ask, folder):
    scenes.thermal(folder)
    naive = [use("doc", tool=RATIO), call(RATIO, image_paths="@bt10", threshold=301), read_highest_number]
    stubborn = [*naive[:2], use("answer", text="Surface temperature cannot be measured.", declined=True)]
    reflection = reflection_reply(
        "It went wrong.", [{"kind": "avoid_tool", "tool": "split_window", "reason": "one band"}]
    )
    with ScriptedEndpoint(Analyst(naive, stubborn, "went wrong", reflection)) as server:
        asked = ask(
            "What share of the land surface temperature exceeds 301 K?",
            Endpoint(server.url, "scripted"),
            policy="language",
            rounds=2,
        )
    run = asked.rounds[1].run
    refused = recorded_state(asked.manager.store, run).calls[0].observation
    assert (refused.kind, refused.error) == ("refusal", "GuardrailBroken")
    assert "lst" in refused.hint
    entry = FailureMemory(asked.manager.store).get(asked.rounds[0].judgement.entry)
    assert {type(rule) for rule in entry.lesson.guardrails} == {RequireRole, AvoidTool}
    assert asked.finished.answer == asked.rounds[0].finished.answer, (
        "no round succeeded: the last answer stands"
    )


@pytest.mark.parametrize("reply", [Refuse(401), Say(""), Say('{"reflection": "Option A is right."}')])
def test_where_the_model_gives_no_reflection_the_rules_stand(ask, folder, reply):
    scenes.cloudy(folder)
    guess = [use("answer", text="I guess it is 3.", value=3)]
    with ScriptedEndpoint(Analyst(guess, guess, "", reply)) as server:
        asked = ask("What is the mean NDVI?", Endpoint(server.url, "scripted"), policy="language", rounds=2)
    entry = FailureMemory(asked.manager.store).get(asked.rounds[0].judgement.entry)
    assert entry.lesson.author == "rules" and "no tool was called" in entry.lesson.text
