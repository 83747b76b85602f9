from __future__ import annotations

import subprocess
import sys
from typing import Annotated

import pytest

from treeline.toolkit import KITS, SkillTree, registry
from treeline.toolkit.errors import InputError, UnknownTool
from treeline.toolkit.tool import Gives, Reads, Registry, Writes, build_tool, tool
from treeline.toolkit.tree import add_kit

OWN = Registry()


@tool(
    kit="Own",
    source="Author 2001, Journal",
    gives=Gives("raster", "ndvi"),
    formula="(a - b) / (a + b)",
    aliases=("older_name",),
    parameter_aliases={"nir": "nir_path"},
    registry=OWN,
)
def contrast(
    nir_path: Annotated[str, Reads("nir", "nir08")],
    red_paths: Annotated[list[str], Reads("red")],
    output_path: Annotated[str, Writes("ndvi")],
    weight: float = 2.0,
) -> str:
    """Contrast of two bands.

    More of it in a sentence.

    Parameters
    ----------
    nir_path : str
        The near infrared.
    red_paths : list of str
        The red bands.
    output_path : str
        Where it goes.
    weight : float
        How much it counts, 0 to 10.

    Returns
    -------
    str
        Result saved at PATH.
    """
    return output_path


CONTRAST = OWN.get("contrast")


def test_the_contract_comes_from_signature_and_docstring():
    assert CONTRAST.brief == "Contrast of two bands."
    assert CONTRAST.details == "More of it in a sentence."
    assert [p.name for p in CONTRAST.inputs] == ["nir_path", "red_paths"]
    assert [p.many for p in CONTRAST.inputs] == [False, True]
    assert [p.contract for p in CONTRAST.outputs] == [Writes("ndvi")]
    assert CONTRAST.parameters[-1].default == 2.0 and not CONTRAST.parameters[-1].required


def test_the_document_holds_all_that_a_caller_needs():
    document = CONTRAST.document
    assert document.startswith(
        "contrast(nir_path: str, red_paths: list[str], output_path: str, weight: float = 2.0)"
    )
    for part in (
        "a raster of role nir [1] or nir08 [1]",
        "where to write ndvi [1, -1 to 1]",
        "0 to 10",
        "Author 2001",
        "(a - b)",
    ):
        assert part in document


def test_the_schema_describes_every_parameter():
    schema = CONTRAST.schema
    assert schema["required"] == ["nir_path", "red_paths", "output_path"]
    assert all(field["description"] for field in schema["properties"].values())


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"nir_path": "a", "output_path": "o"}, "'red_paths', which is missing"),
        ({"nir_path": "a", "red_paths": ["b"], "output_path": "o", "wieght": 1}, "nearest is 'weight'"),
        ({"nir_path": "a", "red_paths": ["b"], "output_path": "o", "weight": "much"}, "found 'much'"),
        ({"nir_path": ["a"], "red_paths": ["b"], "output_path": "o"}, "'nir_path' is not usable"),
    ],
)
def test_wrong_arguments_are_named_with_the_signature(arguments, says):
    with pytest.raises(InputError) as caught:
        CONTRAST.validate(arguments)
    assert says in caught.value.message and CONTRAST.signature in caught.value.hint


def test_a_number_written_as_text_is_a_number():
    valid = CONTRAST.validate({"nir_path": "a", "red_paths": ["b"], "output_path": "o", "weight": "3.5"})
    assert valid["weight"] == 3.5


def test_an_older_name_finds_the_tool_and_a_name_is_given_once():
    assert OWN.get("older_name") is CONTRAST and "older_name" in OWN
    again = build_tool(
        contrast, kit="Own", source="s", gives=Gives("text"), name="other", aliases=("older_name",)
    )
    with pytest.raises(ValueError, match="older_name"):
        OWN.add(again)


def test_an_unknown_tool_is_told_the_nearest():
    with pytest.raises(UnknownTool, match="contrast"):
        OWN.get("contrsat")


def test_what_cannot_be_explained_is_not_registered():
    def bare(x: float) -> float:
        """Do something."""
        return x

    with pytest.raises(ValueError, match="parameter x"):
        build_tool(bare, kit="Own", source="s", gives=Gives("number", "change", "1"))
    bare.__doc__ = None
    with pytest.raises(ValueError, match="no docstring"):
        build_tool(bare, kit="Own", source="s", gives=Gives("number", "change", "1"))


def test_a_kit_is_named_once():
    registry()
    with pytest.raises(ValueError, match="Index"):
        add_kit("Index", "again")


def test_every_tool_hangs_under_a_kit_and_can_be_read():
    tree = SkillTree.of(registry())
    assert sum(len(tools) for tools in tree.tools.values()) == len(registry()) >= 164
    for one in registry():
        assert one.kit in KITS
        assert one.document and one.schema["type"] == "object" and one.returns, one.name
        assert len(one.brief) <= 130 and one.brief.endswith("."), (one.name, one.brief)


def test_the_toolkit_stands_alone():
    code = (
        "import sys; from treeline import toolkit; toolkit.registry(); "
        "print([name for name in ('treeline.core', 'streamlit', 'treeline.pages') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
