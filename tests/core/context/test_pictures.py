"""Pictures that a model asked for."""

from __future__ import annotations

import base64
from pathlib import Path

from treeline.core.context import pictures
from treeline.core.context.pictures import is_picture, picture_messages, without_pictures
from treeline.core.engine.actions import Call, Observation, ProductRecord
from treeline.core.engine.state import Step


def draw(path: Path, kind: str = "image") -> Step:
    product = ProductRecord(path.name, str(path), "", "", kind=kind)
    return Step(3, Call("draw_map"), Observation("result", "drawn", products=(product,)))


def test_pictures_that_are_there_and_small_enough_are_sent(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(pictures, "_LARGEST", 4)
    (small := tmp_path / "map.png").write_bytes(b"1234")
    (large := tmp_path / "large.png").write_bytes(b"12345")
    (other := tmp_path / "map.tif").write_bytes(b"1234")
    for step in (draw(large), draw(other), draw(small, "raster"), draw(tmp_path / "gone.png")):
        assert list(picture_messages([step])) == []
    (message,) = picture_messages([draw(large), draw(small)])
    words, picture = message["content"]
    assert message["role"] == "user" and words["text"] == "[step 3] map.png:"
    assert is_picture(picture) and not is_picture(words)
    assert picture["image_url"]["url"] == f"data:image/png;base64,{base64.b64encode(b'1234').decode()}"
    assert without_pictures(message["content"]).splitlines()[0] == words["text"]
    assert without_pictures("as it is") == "as it is"
