import pytest

from treeline.core.engine.verification.clouds import tells_left_in, tells_masked


@pytest.mark.parametrize(
    ("text", "masked", "left_in"),
    [
        ("With clouds left out, 53 % of it was green.", True, False),
        ("With clouds removed it fell.", True, False),
        ("With the clouds it was 53 %.", False, True),
        ("It was 50 % (53 % with them).", False, True),
    ],
)
def test_whether_clouds_were_taken_out_or_left_in(text: str, masked: bool, left_in: bool):
    assert (bool(tells_masked(text)), bool(tells_left_in(text))) == (masked, left_in)
