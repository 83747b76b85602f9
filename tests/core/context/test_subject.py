"""What a question names of the data, and which tools and cards follow from it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.rasters import write_raster
from treeline.core.context.cards import card_for
from treeline.core.context.subject import Subject, subject_of
from treeline.core.disclosure.strategies import make_disclosure
from treeline.core.workspace import Workspace
from treeline.toolkit import SkillTree, registry

LEGEND = {1: "Water", 2: "Cropland", 3: "Built up"}
ROLES = frozenset({"ndvi", "lst", "landcover", "cloud_mask", "red", "green", "nir", "swir1", "bt10"})
LAND = Subject("", ROLES, (LEGEND,), frozenset({"Larchford"}), zones=True)
BY_CLASS, BY_ZONE = ("statistics_by_class", "area_by_class"), ("zonal_statistics",)


@pytest.mark.parametrize(
    ("question", "tools"),
    [
        ("Which land-cover class lost the most NDVI?", BY_CLASS),
        ("How warm was cropland in July?", BY_CLASS),
        ("How warm was Larchford?", BY_ZONE),
        ("Which of the regions has the most built-up land?", (*BY_ZONE, "zonal_class_shares", *BY_CLASS)),
        ("Which dates are cloud-free?", ("apply_cloud_mask",)),
        ("What is the mean NDVI?", ()),
        ("Classify the scene into land cover classes.", ()),
    ],
)
def test_the_tools_for_what_a_question_names_are_known(question: str, tools: tuple[str, ...]) -> None:
    assert replace(LAND, question=question).tools == tools
    bare = Subject(question, frozenset({"ndvi"}))
    assert bare.tools == (), "the data hold none of it"


def test_making_a_land_cover_is_advised_only_where_it_is_asked_for_or_none_is_there() -> None:
    question = "Which land cover class is the largest?"
    making = replace(LAND, question="Classify this scene into a land cover map by clustering.")
    by_method = replace(LAND, question="Make a land cover map of the bands by random forest.")
    no_map = Subject(question, ROLES - {"landcover"})
    for subject in (making, by_method, no_map):
        found = card_for(subject.question, subject=subject)
        assert found is not None and found.card.id == "land_cover_classification"
    for other in (question, "What does the cloud mask leave of each land cover class?"):
        assert card_for(other, subject=replace(LAND, question=other)) is None


def test_a_card_fits_by_more_than_what_the_data_are_called() -> None:
    question = "How warm was Larchford, and what share of it is built-up area?"
    assert (found := card_for(question)) is not None and found.card.id == "built_up_index"
    assert card_for(question, subject=replace(LAND, question=question)) is None


def test_documents_are_of_what_the_question_names_and_of_nothing_that_is_there() -> None:
    question = "Which land-cover class had the highest NDVI on clear dates?"
    tree = SkillTree.of(registry())
    told = make_disclosure("adaptive", tree, question, subject=replace(LAND, question=question))
    documents = told.context()["documents"]
    assert all(f"{tool}:" in documents for tool in (*BY_CLASS, "apply_cloud_mask"))
    given = documents + told.context()["tree"]
    absent = ("get_filelist:", "calculate_batch_ndvi:", "random_forest_classification:")
    assert not any(tool in given for tool in absent)
    untold = make_disclosure("adaptive", tree, question).context()
    assert "get_filelist:" in untold["documents"] and "statistics_by_class:" not in untold["documents"]


def test_names_of_classes_and_roles_are_read_from_the_data(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    classes = np.array([[1, 2], [2, 3]], "uint8")
    tags = {"TREELINE_CLASSES": '{"1": "Mire", "2": "Heath", "3": "Dune"}'}
    write_raster(folder / "landcover.tif", classes, tags=tags)
    subject = subject_of("How large is the heath?", Workspace(tmp_path / "work", [folder]))
    assert subject.roles == {"landcover"} and subject.tools == BY_CLASS
    assert not subject_of("How large is the lake?", Workspace(tmp_path / "work", [folder])).tools
