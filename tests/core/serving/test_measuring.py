"""The map's ruler counts on the ellipsoid."""

from __future__ import annotations

import pytest


def test_length_and_area_are_those_of_the_ellipsoid(client):
    # A degree of the meridian at the equator, and a square of a hundredth of a degree there, on WGS 84.
    told = client.get("/measure?line=0,0;0,1").json()
    assert told == {"metres": pytest.approx(110_574.389, abs=0.001), "square_metres": None}
    told = client.get("/measure?line=0,0;0.01,0;0.01,0.01;0,0.01").json()
    assert told["square_metres"] == pytest.approx(1113.1949 * 1105.7428, rel=1e-6)


def test_a_line_that_crosses_itself_has_no_area(client):
    assert client.get("/measure?line=0,0;1,1;1,0;0,1").json()["square_metres"] is None


@pytest.mark.parametrize("line", ["", "1,2", "1,2;x,3", "0,0;0,91", "0,0;nan,1", ";".join(["0,0"] * 501)])
def test_what_is_no_line_is_refused(client, line):
    assert client.get(f"/measure?line={line}").status_code == 400
