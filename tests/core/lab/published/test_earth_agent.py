"""Earth-Agent's own files: questions in two regimes, options and answers as they come, the expert's calls."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from treeline.core.lab.published.earth_agent import EXPERT_CALLS
from treeline.core.lab.records import Question, read_questions
from treeline.toolkit.errors import InputError

FILES = ["Lake_2021-05-01_LST.tif", "Lake 2021-06-01 LST.tif"]
LISTING = [
    {"role": "user", "content": "Which date is warmer?"},
    {
        "role": "assistant",
        "tool_calls": [
            {"type": "function", "function": {"name": "get_filelist", "arguments": {"dir_path": "d"}}}
        ],
    },
    {"role": "tool", "name": "get_filelist", "content": json.dumps(FILES)},
    {"role": "assistant", "tool_calls": [{"function": {"name": "mean", "arguments": '{"x": [1, 2]}'}}]},
    {"role": "tool", "name": "mean", "content": "1.5"},
]


def entry(**changes: Any) -> dict[str, Any]:
    common = {"data": "benchmark/data/question7", "gt_answer": {"whitelist": [["B"]]}}
    forms = [
        {"type": "Autonomous Planning", "question": "Which date is warmer?", **common},
        {"type": "Instruction Following", "question": "List the files, then compare.", **common},
    ]
    return {"evaluation": forms, "choices": ["A. May", "B. June"], "dialogs": LISTING} | changes


@pytest.fixture
def tmp_path(tmp_path: Path) -> Path:
    """A folder within that of the test: folders beside it are looked through, and would be other tests'."""
    own = tmp_path / "own"
    own.mkdir()
    return own


def read(folder: Path, **entries: dict[str, Any]) -> list[Question]:
    file = folder / "question.json"
    file.write_text(json.dumps(entries))
    return read_questions(file)


@pytest.mark.parametrize(
    ("number", "part"),
    [(1, "spectrum"), (100, "spectrum"), (101, "products"), (188, "products"), (189, "rgb"), (248, "rgb")],
)
def test_the_number_tells_the_part(tmp_path: Path, number: int, part: str) -> None:
    (one,) = read(tmp_path, **{str(number): entry()})
    assert one.modality == part


def test_a_question_of_no_number_is_of_no_part(tmp_path: Path) -> None:
    assert [one.modality for one in read(tmp_path, extra=entry(), **{"249": entry()})] == ["", ""]


def test_parts_of_the_published_numbers_are_those_of_the_questions(shared: Path, tmp_path: Path) -> None:
    lines = (shared / "earth_bench" / "questions.jsonl").read_text("utf-8").splitlines()
    known = {json.loads(line)["id"]: json.loads(line)["modality"] for line in lines}
    read_as = read(tmp_path, **{str(number): entry() for number in known})
    assert {one.id: one.modality for one in read_as} == known


def test_a_question_in_both_regimes(tmp_path: Path) -> None:
    (one,) = read(tmp_path, **{"7": entry()})
    assert one.id == 7 and one.text("ap") == "Which date is warmer?"
    assert one.text("if") == "List the files, then compare."
    assert one.choices == ("May", "June") and one.answers == ("B",)
    assert one.folder == "benchmark/data/question7"


@pytest.mark.parametrize(
    "names", [("autonomous planning", "instruction following"), ("Auto Planning", "INSTRUCTION")]
)
def test_the_regimes_are_known_in_each_spelling(tmp_path: Path, names: tuple[str, str]) -> None:
    given = entry()
    for form, name in zip(given["evaluation"], names, strict=True):
        form["type"] = name
    (one,) = read(tmp_path, question7={**given, "evaluation": given["evaluation"][::-1]})
    assert one.id == 7 and one.text("ap") == "Which date is warmer?"


def test_the_dialog_holds_files_and_calls_where_nothing_else_does(tmp_path: Path) -> None:
    (one,) = read(tmp_path, **{"7": entry()})
    assert one.files == tuple(FILES)
    assert [call.tool for call in one.ground_truth] == ["get_filelist", "mean"]
    assert one.ground_truth[1].arguments == {"x": [1, 2]} and one.ground_truth[1].output == "1.5"
    (bare,) = read(tmp_path, **{"7": entry(dialogs=[])})
    assert not bare.has_expert and bare.files == ()


@pytest.mark.parametrize(
    "content",
    [
        str(FILES),
        {"type": "text", "text": json.dumps(FILES)},
        [{"type": "text", "content": json.dumps(FILES)}],
        [f"benchmark/data/question7/{name}" for name in FILES],
    ],
)
def test_a_listing_is_read_in_each_form_of_a_reply(tmp_path: Path, content: Any) -> None:
    dialog = [*LISTING[:2], {"role": "tool", "name": "get_filelist", "content": content}]
    (one,) = read(tmp_path, **{"7": entry(dialogs=dialog)})
    assert one.files == tuple(FILES)


@pytest.mark.parametrize("place", ["question.json's folder", "the folder above", "a folder beside"])
def test_the_experts_calls_go_before_the_dialog(tmp_path: Path, place: str) -> None:
    folder = tmp_path / "benchmark"
    (folder / "more").mkdir(parents=True)
    there = {
        "question.json's folder": folder,
        "the folder above": tmp_path,
        "a folder beside": folder / "more",
    }[place]
    calls = [
        {"name": "get_filelist", "input": {"dir_path": "d"}, "output": FILES},
        {"name": "mean", "input": '{"x": [3]}', "output": 3.0},
    ]
    (there / EXPERT_CALLS).write_text(json.dumps([{"question_index": "question7", "tool_calls": calls}]))
    (one,) = read(folder, **{"7": entry()})
    assert [(call.tool, call.arguments) for call in one.ground_truth] == [
        ("get_filelist", {"dir_path": "d"}),
        ("mean", {"x": [3]}),
    ]


def test_the_experts_listing_tells_the_files_where_there_is_no_dialog(tmp_path: Path) -> None:
    calls = [{"name": "get_filelist", "input": {"dir_path": "d"}, "output": FILES}]
    (tmp_path / EXPERT_CALLS).write_text(json.dumps([{"question_index": "question7", "tool_calls": calls}]))
    (one,) = read(tmp_path, **{"7": entry(dialogs=None)})
    assert one.files == tuple(FILES)


def test_the_folder_of_a_question_tells_its_files(tmp_path: Path) -> None:
    place = tmp_path / "benchmark" / "data" / "question7"
    place.mkdir(parents=True)
    (place / "Lake_NDVI.tif").touch()
    (inside,) = read(tmp_path / "benchmark", **{"7": entry()})
    assert inside.files == ("Lake_NDVI.tif",)
    assert read_questions(tmp_path) == [inside]
    (above,) = read(tmp_path, **{"7": entry()})
    assert above.files == ("Lake_NDVI.tif",)


@pytest.mark.parametrize(
    ("choices", "whitelist", "kept", "answers"),
    [
        (["A. 1 m", "B) 2 m"], ["B. 2 m"], ("1 m", "2 m"), ("B",)),
        ({"A": "1 m", "B": "2 m"}, [["A"]], ("1 m", "2 m"), ("A",)),
        (["C. elegans", "B. subtilis"], [["C. elegans"]], ("C. elegans", "B. subtilis"), ("A",)),
        (["1 m", "2 m"], [["2 m", "B"]], ("1 m", "2 m"), ("B",)),
        ([], [[3.5]], (), ("3.5",)),
        (None, None, (), ()),
        (["1 m", "2 m"], ["", None], ("1 m", "2 m"), ()),
        (["1 m", "2 m"], [[]], ("1 m", "2 m"), ()),
    ],
)
def test_options_and_answers_however_they_are_lettered(
    tmp_path: Path, choices, whitelist, kept, answers
) -> None:
    given = entry(choices=choices)
    for form in given["evaluation"]:
        form["gt_answer"] = {"whitelist": whitelist}
    (one,) = read(tmp_path, **{"7": given})
    assert (one.choices, one.answers) == (kept, answers)


@pytest.mark.parametrize("nothing", [None, "", [], {}, {"whitelist": ""}])
def test_an_empty_answer_decides_nothing(tmp_path: Path, nothing: Any) -> None:
    given = entry()
    for form in given["evaluation"]:
        form["gt_answer"] = nothing
    (one,) = read(tmp_path, **{"7": given})
    assert one.answers == ()


@pytest.mark.parametrize("described", ["Monthly NDVI of a lake, 2021", "Lake NDVI"])
def test_a_description_of_the_data_is_no_folder(described: str, tmp_path: Path) -> None:
    given = entry()
    for form in given["evaluation"]:
        form["data"] = described
    (one,) = read(tmp_path, **{"7": given})
    assert one.folder == "benchmark/data/question7"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ({"7": {"auto_planning": "?"}}, "form of no benchmark"),
        (["7"], "form of no benchmark"),
        ({"7": {"evaluation": []}}, "Question 7 of question.json has no text"),
    ],
)
def test_what_is_not_the_published_form_is_refused(tmp_path: Path, content: Any, said: str) -> None:
    file = tmp_path / "question.json"
    file.write_text(json.dumps(content))
    with pytest.raises(InputError, match=said):
        read_questions(file)


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ({"evaluation": []}, "Question 8 of question.json has no text"),
        ({"evaluation": 3}, "Question 8 has another form"),
        ([1], "Question 8 is no object"),
        ({**entry(), "dialogs": 7}, "Question 8 has another form"),
    ],
)
def test_a_question_that_is_not_usable_costs_no_other(tmp_path: Path, bad: Any, said: str) -> None:
    file = tmp_path / "question.json"
    file.write_text(json.dumps({"7": entry(), "8": bad, "9": entry()}))
    found = read_questions(file)
    assert [one.id for one in found] == [7, 9]
    assert len(found.unread) == 1 and said in found.unread[0]


def test_it_is_said_where_no_calls_of_the_expert_are_found(tmp_path: Path) -> None:
    # Folders beside that of the file are looked through too.
    file = tmp_path / "archive" / "benchmark" / "question.json"
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps({"7": entry(dialogs=[])}))
    assert EXPERT_CALLS in read_questions(file).unread[0]


def test_a_file_of_calls_that_holds_something_else_is_named(tmp_path: Path) -> None:
    (tmp_path / EXPERT_CALLS).write_text('[{"question": 1}]')
    with pytest.raises(InputError, match=EXPERT_CALLS):
        read(tmp_path, **{"7": entry()})


def test_a_folder_without_questions_says_what_it_lacks(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no questions in the folder"):
        read_questions(tmp_path)


@pytest.mark.parametrize(
    "changes",
    [
        {"choices": "A. May\nB. June"},
        {"choices": {"A": "May", "B": "June"}},
        {"evaluation": [{**form, "type": f" {form['type'].upper()} "} for form in entry()["evaluation"]]},
        {"evaluation": [{**form, "gt_answer": {"whitelist": "b"}} for form in entry()["evaluation"]]},
        {"evaluation": [{**entry()["evaluation"][0], "gt_answer": None}, entry()["evaluation"][1]]},
        {"evaluation": [{**form, "data": {"path": form["data"]}} for form in entry()["evaluation"]]},
        {"evaluation": [{**form, "data": form["data"].replace("/", "\\")} for form in entry()["evaluation"]]},
        {
            "evaluation": [
                {**form, "data": rf"D:\Earth-Agent\{form['data']}"} for form in entry()["evaluation"]
            ]
        },
    ],
)
def test_what_is_written_otherwise_is_the_same_question(tmp_path: Path, changes: dict[str, Any]) -> None:
    assert read(tmp_path, **{"7": entry(**changes)}) == read(tmp_path, **{"7": entry()})


def test_a_byte_order_mark_is_no_part_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "question.json"
    file.write_text(json.dumps({"7": entry()}), encoding="utf-8-sig")
    calls = [{"question_index": "question7", "tool_calls": [{"name": "mean", "input": {"x": 1}}]}]
    (tmp_path / EXPERT_CALLS).write_text(json.dumps(calls), encoding="utf-8-sig")
    assert [call.tool for call in read_questions(file)[0].ground_truth] == ["mean"]
