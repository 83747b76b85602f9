"""What the log is like, and that it holds nothing secret."""

from __future__ import annotations

import json
import logging

import pydantic
import pytest

from treeline.core.logs import redact, set_up_logging
from treeline.core.settings import Endpoint
from treeline.toolkit.errors import InputError

KEY = "a-key-without-any-form-0815"
CONTENT = "FIELD;OWNER\n12;a person's name\n"
LOG = logging.getLogger("treeline.core.engine")


class Upload(pydantic.BaseModel):
    size: int


@pytest.fixture
def log(monkeypatch, capsys):
    """A function that sets the log up and returns what it has then written."""

    def set_up(setting: str):
        monkeypatch.setenv("TREELINE_LOG", setting)
        set_up_logging()
        return lambda: capsys.readouterr().err

    yield set_up
    monkeypatch.delenv("TREELINE_LOG", raising=False)
    set_up_logging()


def test_warnings_are_written_as_text_by_default(log):
    written = log("")
    LOG.info("unheard")
    LOG.warning("A %s.", "warning")
    (line,) = written().splitlines()
    assert line.endswith("WARNING treeline.core.engine: A warning.")


def test_the_level_and_the_form_are_set(log):
    written = log("debug:json")
    LOG.debug("Step %d.", 3)
    try:
        1 / 0  # noqa: B018
    except ZeroDivisionError:
        LOG.exception("It failed.")
    first, second = [json.loads(line) for line in written().splitlines()]
    assert first["level"] == "debug" and first["logger"] == LOG.name and first["message"] == "Step 3."
    assert "traceback" not in first and second["traceback"].endswith("ZeroDivisionError: division by zero\n")


@pytest.mark.parametrize("setting", ["loud", "info:xml", ":yaml"])
def test_a_setting_that_names_nothing_is_refused(log, setting, monkeypatch):
    with pytest.raises(InputError, match="TREELINE_LOG.*debug, info.*text, json"):
        log(setting)


@pytest.mark.parametrize("form", ["info:text", "info:json"])
def test_no_log_holds_a_key_a_token_or_an_upload(log, form):
    Endpoint(key=KEY)
    written = log(form)
    secrets = {
        f"asking with {KEY}": KEY,
        "sent Authorization: Bearer abcdef123456": "abcdef123456",
        "api_key='0123456789abcdef'": "0123456789abcdef",
        "the key sk-abcdef0123456789 is refused": "abcdef0123456789",
        "postgresql://treeline:open-sesame@host/db": "open-sesame",
        "GET /tiles/kNf3_secretToken-9/3/1/2.png": "secretToken",
        "PUT /upload/kNf3_secretToken-9/field.csv": "secretToken",
        f"got {CONTENT.encode()!r}": "person",
    }
    for message in secrets:
        LOG.info(message)
    LOG.info("got %s", CONTENT.encode())
    text = written()
    assert len(text.splitlines()) == len(secrets) + 1 and "<31 bytes>" in text
    for secret in (*secrets.values(), "person"):
        assert secret not in text


def test_no_traceback_holds_a_key_or_an_upload(log):
    Endpoint(key=KEY)
    written = log("info")
    try:
        try:
            raise ConnectionError(f"401 for {KEY}")
        except ConnectionError as error:
            raise RuntimeError("No answer.") from error
    except RuntimeError:
        LOG.exception("Asking failed.")
    try:
        Upload.model_validate({"size": CONTENT})
    except pydantic.ValidationError:
        LOG.exception("An upload failed.")
    try:
        raise ValueError("x" * 1_000 + CONTENT)
    except ValueError:
        LOG.exception("Another one failed.")
    text = written()
    assert "ConnectionError: 401 for ***" in text and "ValidationError" in text and "Traceback" in text
    assert KEY not in text and "person" not in text


def test_what_is_not_secret_is_kept():
    told = "mean of @ndvi[2021-06] is 0.25; the key question is open. Keys: 3. https://host/path?x=1"
    assert redact(told) == told
