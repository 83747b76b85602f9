"""A lesson: a run that is taught, with the notes of a teacher; kept with the workspace of the run."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from treeline.toolkit.errors import InputError
from treeline.toolkit.files import output_file

VERSION: Literal[1] = 1
FOLDER = "lessons"
LONGEST_NOTE = 4000


class StepNote(BaseModel):
    """What a teacher says of a step: a hint before it is shown, a note with it."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    hint: str = Field(default="", max_length=LONGEST_NOTE)
    note: str = Field(default="", max_length=LONGEST_NOTE)


class Lesson(BaseModel):
    """A run that is taught.

    Attributes
    ----------
    run : str
        Whose steps are the lesson's.
    introduction : str
        What is said before the first step.
    notes : dict
        By the number of the step.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    version: Literal[1] = VERSION
    run: str = Field(pattern="^[0-9a-z-]{1,64}$")
    title: str = Field(min_length=1, max_length=200)
    introduction: str = Field(default="", max_length=LONGEST_NOTE)
    notes: dict[int, StepNote] = {}

    def note(self, step: int) -> StepNote:
        """Return what is said of a step."""
        return self.notes.get(step, StepNote())


def keep_lesson(folder: Path, lesson: Lesson) -> None:
    """Keep a lesson with a workspace, by its folder.

    Raises
    ------
    RasterError
        It cannot be written.
    """
    with output_file(folder / FOLDER / f"{lesson.run}.json") as place:
        place.write_text(lesson.model_dump_json(indent=1), "utf-8")


def lessons_in(folder: Path) -> list[Lesson]:
    """Return the lessons of a workspace, by title; what is none is passed over."""
    found = []
    for path in sorted((folder / FOLDER).glob("*.json")):
        try:
            found.append(Lesson.model_validate_json(path.read_bytes()))
        except (OSError, ValidationError):
            continue
    return sorted(found, key=lambda lesson: lesson.title.casefold())


def lesson_of(folder: Path, run: str) -> Lesson:
    """Return the lesson that a run became.

    Raises
    ------
    InputError
        It became none.
    """
    found = next((lesson for lesson in lessons_in(folder) if lesson.run == run), None)
    if found is None:
        raise InputError(f"The run {run!r} is no lesson.", "Make one of it on the Runs page.")
    return found


def delete_lesson(folder: Path, run: str) -> None:
    """Forget a lesson; its run stays."""
    (folder / FOLDER / f"{run}.json").unlink(missing_ok=True)
