"""The two sides of a comparison: a store, a run of one, a submission, a result, or a file of an earlier term."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import ValidationError

from simtlab.compare.measurement import Measurement, MeasurementFile, measurement_of, read_measurement_file
from simtlab.errors import UsageError
from simtlab.facts.read import first_problem
from simtlab.intake.student_names import StudentNames
from simtlab.store.class_run import ClassRun, latest_run, read_run
from simtlab.store.index import ResultIndex
from simtlab.store.result import Result
from simtlab.store.results import ResultStore

_EXPECTED = (
    "a store, a run of it (STORE/runs/TIME.json), STUDENT/LAB of --store (or A B LAB), a result, or a file of "
    "`compare --save`"
)


@dataclass(frozen=True)
class Side:
    """What stands on one side: its name, and the measurements by student and lab."""

    name: str
    measurements: dict[tuple[str, str], Measurement]
    single: bool = False
    """Whether the side is one submission, which is compared with whatever the other side has of its lab."""
    store: ResultStore | None = None
    run: ClassRun | None = None
    """The grading that it is, or is of; none for files."""

    def sources(self, one: Measurement) -> dict[str, str]:
        """The submitted files, nothing where the side is a file without a store."""
        if self.store is None or not all(self.store.has_file(digest) for digest in one.files.values()):
            return {}
        return {name: self.store.file(digest).decode("utf-8", "replace") for name, digest in one.files.items()}


def read_side(word: str, store: Path, lab: str = "") -> Side:
    """The side that a person named, of one lab alone where `lab` (`07`, `07-shared-tiling`) says so: then a student's
    name will do. Raises `UsageError` when it is nothing that can be compared."""
    path = Path(word)
    if path.is_dir() and (path / "runs").is_dir():
        results = ResultStore(path)
        return _of_lab(_of_run(word, latest_run(results), results), lab)
    if path.is_file():
        return _of_lab(_of_file(path), lab)
    student, _, of = word.rpartition("/")
    if lab and not student:
        student, of = word, lab
    if student and of:
        return _of_submission(word, student, of, store)
    raise UsageError(f"{word} cannot be compared: expected {_EXPECTED}")


def read_class(store: Path, lab: str) -> Side:
    """The latest grading in a store, of one lab. Raises `UsageError` where there is none."""
    if not (store / "runs").is_dir():
        raise UsageError(f"{store} is no store of results: run `simtlab grade DIR` first, or name one with --store")
    return read_side(str(store), store, lab)


def _of_lab(side: Side, lab: str) -> Side:
    if not lab:
        return side
    kept = {key: one for key, one in side.measurements.items() if _lab_pattern(lab).match(key[1])}
    if not kept:
        labs = ", ".join(sorted({name for _, name in side.measurements})) or "none"
        raise UsageError(f"{side.name} has nothing of lab {lab}; its labs: {labs}")
    return replace(side, measurements=kept)


def _lab_pattern(lab: str) -> re.Pattern[str]:
    return re.compile(rf"0*{re.escape(lab.lstrip('0'))}-") if lab.isdecimal() else re.compile(rf"{re.escape(lab)}$")


def measurement_file(run: ClassRun, store: ResultStore) -> MeasurementFile:
    """What `--save` keeps of a run."""
    measurements = list(_measurements(run, store))
    return MeasurementFile(class_name=run.class_name, started_at=run.started_at, measurements=measurements)


def _of_run(name: str, run: ClassRun, store: ResultStore) -> Side:
    return Side(name, {(one.student, one.lab): one for one in _measurements(run, store)}, store=store, run=run)


def _measurements(run: ClassRun, store: ResultStore) -> Iterator[Measurement]:
    index = ResultIndex(store)
    try:
        for entry in run.entries:
            result = store.get(entry.key) if entry.key else None
            if result:
                yield measurement_of(result, _repeats(result, index, store))
    finally:
        index.close()


def _repeats(result: Result, index: ResultIndex, store: ResultStore) -> list[Result]:
    """Other results of the same files, specification and machine: each is one more process run of the same thing."""
    if not result.facts or not result.facts.timing.samples:
        return []
    others = [key for key in index.keys_of(result.parts.student, result.parts.lab) if key != result.key]
    found = [one for key in others if (one := store.get(key))]
    return [one for one in found if _what_ran(one) == _what_ran(result)]


def _what_ran(result: Result) -> tuple[object, ...]:
    parts = result.parts
    return parts.files, parts.specification, parts.backend, parts.gpu, parts.limits


def _of_file(path: Path) -> Side:
    try:
        content = path.read_bytes()
        kind = json.loads(content).get("format")
        if kind == "simtlab-class-run":
            return _of_run(str(path), read_run(path), ResultStore(path.resolve().parent.parent))
        if kind == "simtlab-measurements":
            kept = read_measurement_file(content)
            return Side(
                f"{kept.class_name}, {kept.started_at:%Y-%m-%d}", {(m.student, m.lab): m for m in kept.measurements}
            )
        if kind == "simtlab-result":
            one = measurement_of(Result.model_validate_json(content))
            return Side(str(path), {(one.student, one.lab): one}, single=True)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from error
    except ValidationError as error:
        raise UsageError(f"{path} is damaged: {first_problem(error)}") from error
    except (ValueError, AttributeError):
        kind = None
    raise UsageError(f"{path} cannot be compared: expected {_EXPECTED}")


def _of_submission(word: str, student: str, lab: str, store: Path) -> Side:
    if not (store / "runs").is_dir():
        raise UsageError(f"{word}: {store} is no store of results; name one with --store")
    results = ResultStore(store)
    run = latest_run(results)
    student = StudentNames(run.students, run.names, run.canvas_ids).one(student)
    labs = [name for name in run.labs if _lab_pattern(lab).match(name)]
    if student not in run.students or not labs:
        raise UsageError(
            f"{word}: the latest run of {store} knows no such student and lab; its labs: {', '.join(run.labs)}"
        )
    [key] = [entry.key for entry in run.entries if (entry.student, entry.lab) == (student, labs[0])]
    result = results.get(key) if key else None
    index = ResultIndex(results)
    try:
        one = measurement_of(result, _repeats(result, index, results)) if result else None
    finally:
        index.close()
    if one is None:
        raise UsageError(f"{word}: nothing was handed in, or it was not graded; `simtlab explain` says which")
    return Side(word, {(one.student, one.lab): one}, single=True, store=results, run=run)


def pairs(a: Side, b: Side) -> tuple[list[tuple[Measurement, Measurement]], list[str]]:
    """What is compared with what, and a sentence for everything that only one side has."""
    if a.single and b.single:
        [one], [other] = a.measurements.values(), b.measurements.values()
        if one.lab != other.lab:
            raise UsageError(f"{a.name} is of {one.lab} and {b.name} of {other.lab}: compare the same lab")
        return [(one, other)], []
    if a.single or b.single:
        [one] = (a if a.single else b).measurements.values()
        many = (b if a.single else a).measurements
        match = many.get((one.student, one.lab))
        if match is None:
            raise UsageError(f"{(b if a.single else a).name} has nothing of {one.student} in {one.lab}")
        return [(one, match) if a.single else (match, one)], []
    both = [key for key in a.measurements if key in b.measurements]
    notes = [
        f"{student} {lab}: only in {a.name}" for student, lab in a.measurements if (student, lab) not in b.measurements
    ]
    notes += [
        f"{student} {lab}: only in {b.name}" for student, lab in b.measurements if (student, lab) not in a.measurements
    ]
    return [(a.measurements[key], b.measurements[key]) for key in both], notes
