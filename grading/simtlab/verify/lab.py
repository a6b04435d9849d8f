"""Runs a lab's stub, solution and variants through the worker that grades submissions, and compares with what they
declare."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from simtlab.class_run.conditions import Conditions
from simtlab.class_run.plan import PlannedGrade
from simtlab.class_run.pool import PoolListener, run_pool
from simtlab.class_run.worker import grade_submission
from simtlab.errors import LabFault
from simtlab.facts.model import Facts, Status
from simtlab.intake.submission import Submission
from simtlab.labs.catalogue import Lab
from simtlab.score.points import grade_from_facts
from simtlab.store.result import Result
from simtlab.store.results import ResultStore
from simtlab.text import points_text
from simtlab.verdict import Verdict
from simtlab.verify.expectation import Expectation, differences, parse_expectation

FULL_MARKS = Expectation(verdict=Verdict.PASS, correct=Status.PASS, safe=Status.PASS, fast=(100.0, 100.0))
NOT_SOLVED = Expectation(verdict=Verdict.UNSOLVED, correct=Status.FAIL)


@dataclass(frozen=True)
class Specimen:
    """A source whose end is known: the stub, the solution or a variant."""

    lab: Lab
    name: str
    files: dict[str, bytes]
    expected: Expectation


@dataclass(frozen=True)
class Check:
    """One specimen's end beside its declaration; no problems means that it kept its word."""

    lab: str
    specimen: str
    expected: str
    verdict: str
    correct: str
    safe: str
    fast: str
    problems: list[str]

    @property
    def passed(self) -> bool:
        """Whether it ended as declared."""
        return not self.problems


def specimens_of(lab: Lab) -> tuple[list[Specimen], list[Check]]:
    """The lab's specimens, and a failed check for each that cannot even be read."""
    specimens: list[Specimen] = []
    broken: list[Check] = []

    def add(name: str, folder: Path, expected: Expectation | None, kernel: Path | None = None) -> None:
        try:
            files = {file: (folder / file).read_bytes() for file in lab.specification.files}
            if kernel is not None:
                files[lab.specification.files[0]] = kernel.read_bytes()
            declared = expected or parse_expectation(files[lab.specification.files[0]].decode(), f"{lab.name}/{name}")
            specimens.append(Specimen(lab, name, files, declared))
        except (OSError, UnicodeDecodeError, LabFault) as error:
            broken.append(Check(lab.name, name, "", "", "", "", "", [str(error)]))

    add("stub", lab.folder, NOT_SOLVED)
    add("solution", lab.solution_folder, FULL_MARKS)
    for variant in sorted((lab.solution_folder / "variants").glob("*.cu")):
        add(f"variants/{variant.name}", lab.solution_folder, None, variant)
    return specimens, broken


def verify(
    labs: Sequence[Lab],
    conditions: Conditions,
    store: ResultStore,
    listener: PoolListener,
    *,
    workers: int,
    stop: threading.Event,
) -> list[Check]:
    """Checks every specimen of the labs; the checks of a lab stand together, stub first."""
    checks: dict[str, list[Check]] = {lab.name: [] for lab in labs}
    planned: list[tuple[Specimen, PlannedGrade]] = []
    for lab in labs:
        specimens, broken = specimens_of(lab)
        checks[lab.name] += broken
        planned += [(specimen, _plan(specimen, conditions, store)) for specimen in specimens]
    results: dict[str, Result] = {}

    def keep(result: Result) -> None:
        results[result.key] = result

    def grade(one: PlannedGrade, asked_to_stop: threading.Event) -> Result:
        return grade_submission(one.submission, one.lab, one.parts, conditions, store, asked_to_stop)

    run_pool([one for _, one in planned], grade, keep, listener, workers=workers, stop=stop)
    for specimen, one in planned:
        result = results.get(one.parts.key)
        checks[specimen.lab.name].append(_check(specimen, result))
    return [check for lab in labs for check in checks[lab.name]]


def _plan(specimen: Specimen, conditions: Conditions, store: ResultStore) -> PlannedGrade:
    files = {name: store.keep_file(content) for name, content in specimen.files.items()}
    submission = Submission(specimen.name, specimen.lab.name, files)
    parts = conditions.key_parts(submission, specimen.lab)
    return PlannedGrade(submission, specimen.lab, parts)


def _check(specimen: Specimen, result: Result | None) -> Check:
    expected = str(specimen.expected)
    if result is None:
        return Check(specimen.lab.name, specimen.name, expected, "", "", "", "", ["was not run: stopped"])
    problems = differences(specimen.expected, result.verdict, result.facts)
    if result.verdict is Verdict.INTERNAL_ERROR:
        problems.append(result.message)
    elif specimen.expected is FULL_MARKS and result.facts is not None:
        grade = grade_from_facts(result.facts, specimen.lab.specification.points)
        if grade.points != grade.possible:
            problems.append(f"earns {points_text(grade.points or 0)} of {points_text(grade.possible)} points")
    if problems and result.message and result.message not in problems:
        problems.append(result.message.strip().splitlines()[0])
    correct, safe, fast = _ended(result.facts)
    return Check(specimen.lab.name, specimen.name, expected, result.verdict.value, correct, safe, fast, problems)


def _ended(facts: Facts | None) -> tuple[str, str, str]:
    """How the three parts ended; the score stands for `fast` where there is one."""
    if facts is None:
        return "", "", ""
    score = facts.fast.status.value if facts.fast.status is Status.NOT_MEASURED else f"{facts.fast.score:.1f}"
    return facts.correct.status.value, facts.safe.status.value, score
