"""The formats by the name that a person types."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path

from simtlab.errors import UsageError
from simtlab.export.autograders import autolab, classroom, gradescope, junit
from simtlab.export.canvas import canvas_csv
from simtlab.export.moodle import moodle_csv
from simtlab.export.nbgrader import nbgrader_csv
from simtlab.export.prairielearn import prairielearn
from simtlab.export.tables import grades_csv
from simtlab.score.gradebook import Gradebook
from simtlab.score.table import class_document

Files = dict[str, str]


def _class_json(book: Gradebook) -> Files:
    return {"grades.json": json.dumps(class_document(book), indent=1) + "\n"}


FORMATS: dict[str, Callable[[Gradebook], Files]] = {
    "csv": grades_csv,
    "json": _class_json,
    "canvas": canvas_csv,
    "moodle": moodle_csv,
    "gradescope": gradescope,
    "prairielearn": prairielearn,
    "autolab": autolab,
    "classroom": classroom,
    "junit": junit,
    "nbgrader": nbgrader_csv,
}


def write_files(files: Files, folder: Path, withheld: Iterable[str] = ()) -> None:
    """Writes the files below the folder, where nothing stays of those that are `withheld` now. Names are made of slugs,
    so that none leaves it."""
    for name in withheld:
        if name not in files:
            (folder / name).unlink(missing_ok=True)
    for name, text in files.items():
        path = folder / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="")
        except OSError as error:
            raise UsageError(f"{path} cannot be written: {error.strerror}; choose another folder") from error
