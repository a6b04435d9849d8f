"""Asks a lab's questions of a student's predict.toml: the program is ours, only the answers are the student's."""

import json
import tempfile
import threading
from collections.abc import Mapping
from pathlib import Path

from pydantic import ValidationError

from simtlab.errors import GraderError
from simtlab.facts.read import first_problem
from simtlab.predict.model import ANSWERS_FILE, Predictions
from simtlab.process.bounded import Bounds, Ending, run_bounded
from simtlab.record import Record
from simtlab.text import printable

_BOUNDS = Bounds(seconds=60, cpu_seconds=30)
_UNREADABLE = 1


class Question(Record):
    """A question with somebody's numbers; the answer is there where the key was asked for."""

    name: str
    text: str
    answered: bool
    right: bool
    answer: float | None = None


class _Document(Record):
    format: str
    version: int
    student: str
    questions: list[Question]


def judge_predictions(program: Path, answers: bytes | None, stop: threading.Event | None = None) -> Predictions | None:
    """How many of the answers are right; None where none were handed in."""
    if answers is None:
        return None
    document = _ask(program, answers, (), stop)
    if isinstance(document, str):
        return Predictions(student="", right=0, answered=0, total=0, message=document)
    return Predictions(
        student=printable(document.student),
        right=sum(question.right for question in document.questions),
        answered=sum(question.answered for question in document.questions),
        total=len(document.questions),
    )


def questions_for(program: Path, student: str, answers: Mapping[str, float] | None = None) -> list[Question]:
    """The questions with a student's numbers and their answers, for `simtlab verify`."""
    text = "".join(f"{name} = {value!r}\n" for name, value in (answers or {}).items())
    document = _ask(program, text.encode(), ("--student", student, "--key"), None)
    if isinstance(document, str):
        raise GraderError(f"{program}: {document}")
    return document.questions


def _ask(program: Path, answers: bytes, words: tuple[str, ...], stop: threading.Event | None) -> "_Document | str":
    """The program's document, or its sentence about answers that it cannot read."""
    with tempfile.TemporaryDirectory(prefix="simtlab-predict-") as place:
        path = Path(place) / ANSWERS_FILE
        path.write_bytes(answers)
        outcome = run_bounded([str(program), "--answers", str(path), "--json", *words], Path(place), _BOUNDS, stop)
    said = printable(outcome.stderr.decode("utf-8", "replace")[-2000:]).strip()
    if outcome.ending is Ending.EXITED and outcome.exit_code == _UNREADABLE:
        return said
    if outcome.ending is not Ending.EXITED or outcome.exit_code != 0:
        raise GraderError(f"{program} {outcome.ending.value} with exit code {outcome.exit_code}: {said}")
    try:
        return _Document.model_validate(json.loads(outcome.stdout))
    except (ValueError, ValidationError) as error:
        problem = first_problem(error) if isinstance(error, ValidationError) else str(error)
        raise GraderError(f"{program}: {problem}") from error
