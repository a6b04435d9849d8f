"""A lab that goes to students before it is proven: lab.toml says `draft = true`, and what could not be proven stands
beside the solution, so that the reports of the lab say it."""

import json
from pathlib import Path

from simtlab.errors import LabError
from simtlab.record import Record
from simtlab.toml_file import read_toml_as

UNPROVEN_FILE = "unproven.toml"
NOT_CHECKED = "nothing is proven yet: simtlab lab check has not run"
ALL_PROVEN = "everything is proven: the lab needs no `draft` any more"

_HEAD = "# Written by simtlab lab check, for a lab whose lab.toml says draft = true: what it could not prove.\n"


class Unproven(Record):
    """The members of unproven.toml."""

    unproven: list[str] = []


def unproven_of(solution_folder: Path) -> list[str]:
    """Of a draft: what its last check could not prove, in sentences. Raises `LabError` where that cannot be read."""
    path = solution_folder / UNPROVEN_FILE
    if not path.is_file():
        return [NOT_CHECKED]
    return read_toml_as(path, Unproven, LabError).unproven or [ALL_PROVEN]


def write_unproven(solution_folder: Path, sentences: list[str]) -> Path:
    """Keeps what the check of a draft could not prove. Returns the file."""
    path = solution_folder / UNPROVEN_FILE
    lines = "".join(f"  {json.dumps(one, ensure_ascii=False)},\n" for one in sentences)
    path.write_text(f"{_HEAD}unproven = [\n{lines}]\n", encoding="utf-8")
    return path
