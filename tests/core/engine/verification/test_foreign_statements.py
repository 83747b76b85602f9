"""Statements in languages that the rules do not read, beside numbers that are right."""

from __future__ import annotations

import pytest

from tests.core.engine.verification.test_verification import call, why
from treeline.core.engine.actions import Answer
from treeline.core.engine.state import State
from treeline.core.engine.verification import settle

FILES = {"file_list": ["Lake_2021-05-03_NDVI.tif", "Lake_2021-07-12_NDVI.tif"]}
QUESTION = "What is the mean NDVI on 2021-07-12?"


def reason(text: str, question: str = QUESTION) -> str:
    return why(Answer(text), call(1, [0.25, 0.734], arguments=FILES, unit="1"), question=question)


@pytest.mark.parametrize(
    "text",
    [
        "Der NDVI ist 0,734, weil es stark geregnet hat.",
        "Der NDVI fiel auf 0,734.",
        "Der NDVI ist 0,734 und nicht höher als im Vorjahr.",
        "Le NDVI moyen est de 0,734 ; il a baissé.",
        "Le NDVI est de 0,734, à cause de la sécheresse.",
        "El NDVI medio es 0.734, el más bajo de todas las fechas.",
        "L'NDVI medio è 0,734, il più basso.",
        "O NDVI médio é 0,734, o mais baixo.",
        "De gemiddelde NDVI is 0,734, de laagste van alle.",
        "Średni NDVI wynosi 0,734 i jest najniższy.",
        "NDVI ortalaması 0,734 ve en düşük değerdir.",
        "平均NDVI为0.734，是所有日期中最低的。",
        "平均NDVIは0.734で、最低です。",
        "평균 NDVI는 0.734이며 가장 낮습니다.",
        "Средний NDVI равен 0,734, это самое низкое значение.",
        "متوسط NDVI هو 0.734 وهو الأدنى",
        "0.734, fallend",
        "0,734 — Rückgang",
        "The mean NDVI is 0.734, weil es regnete.",
        "The mean NDVI is 0.734. Das ist der niedrigste Wert.",
    ],
)
def test_what_is_stated_in_another_language_is_not_shown_as_verified(text: str):
    assert "in a language which is not checked" in reason(text)


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("Der mittlere NDVI ist 0,734.", "Wie hoch ist der mittlere NDVI am 12.07.2021?"),
        ("Am 12.07.2021 war der NDVI im Mittel 0,734.", "Wie hoch war der NDVI am 12.07.2021?"),
        ("Der NDVI ist von 0,25 auf 0,734 gestiegen.", "Wie hat sich der NDVI verändert?"),
        ("Am höchsten war er am 12.07.2021 mit 0,734.", "Wann war der NDVI am höchsten?"),
        ("Le NDVI moyen est de 0,734.", "Quel est le NDVI moyen le 12/07/2021 ?"),
        ("El NDVI medio es 0,734.", "¿Cuál es el NDVI medio?"),
        ("L'NDVI medio è 0,734.", "Qual è l'NDVI medio?"),
        ("De gemiddelde NDVI is 0,734.", "Wat is de gemiddelde NDVI?"),
        ("平均NDVI为0.734。", QUESTION),
        ("2021年7月12日的平均NDVI为0.734。", QUESTION),
        ("Средний NDVI равен 0,734.", QUESTION),
        ("0,734", QUESTION),
        ("It is 0.734 per pixel on average.", QUESTION),
        ("NDVI averaged 0.734 across the scene.", QUESTION),
    ],
)
def test_values_and_names_in_any_language_are_answers(text: str, question: str):
    assert not reason(text, question)


@pytest.mark.parametrize(
    "text",
    [
        "Der NDVI ist von 0,25 auf 0,734 gesunken.",
        "Am höchsten war er am 03.05.2021 mit 0,25.",
        "平均NDVI为0.834。",
        "2021年5月3日的平均NDVI为0.734。",
    ],
)
def test_what_is_false_in_words_that_are_read_has_its_own_reason(text: str):
    said = reason(text, "Wie hat sich der NDVI verändert?")
    assert said and "language which is not checked" not in said


def test_a_foreign_sentence_beside_the_answer_is_named():
    state = State(QUESTION, steps=(call(1, [0.25, 0.734], arguments=FILES, unit="1"),))
    first = "The mean NDVI on 2021-07-12 is 0.734. On 2021-05-03 it was 0.25."
    settled = settle(Answer(f"{first} Das liegt am vielen Regen."), state)
    assert settled.status == "answered" and settled.doubtful_sentences == ["Das liegt am vielen Regen."]
