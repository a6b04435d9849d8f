"""Files in TOML that people write: lab.toml, hidden.toml, course.toml and those beside the solutions."""

import tomllib
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from simtlab.errors import SimtlabError
from simtlab.facts.read import first_problem
from simtlab.record import Record

Model = TypeVar("Model", bound=Record)


def read_toml(path: Path, fault: type[SimtlabError]) -> dict[str, Any]:
    """The tables of the file. Raises `fault`, whose text names the file and what is wrong."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise fault(f"{path}: cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise fault(f"{path}: is not TOML: {error}") from error


def read_toml_as(path: Path, model: type[Model], fault: type[SimtlabError]) -> Model:
    """The file as a document of that model. Raises `fault`, whose text names file and member."""
    try:
        return model.model_validate(read_toml(path, fault))
    except ValidationError as error:
        raise fault(f"{path}: {first_problem(error)}") from error
