"""Everything of solutions/ that students must not get, in the form that the check looks for."""

import importlib.util
import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from types import ModuleType

from pydantic import Field

from simtlab.errors import GraderError, LabError, UsageError
from simtlab.labs.variants import DIFFERENCES, kept_in, read_variants, variants_of
from simtlab.record import Record
from simtlab.toml_file import read_toml, read_toml_as

SHOWN = "solutions/shown.toml"


@dataclass(frozen=True)
class ModelSolution:
    """A lab's solution and the lines of its marked regions, both markers included."""

    file: str
    text: str
    regions: list[tuple[int, int]]


@dataclass(frozen=True)
class SourceText:
    """Another text that solves a lab: a variant, or all its lines that variants.diff keeps of some."""

    file: str
    text: str


@dataclass(frozen=True)
class HiddenCase:
    """A case of a hidden.toml, and the line of the file where its name stands."""

    file: str
    line: int
    lab: str
    name: str
    sizes: dict[str, int]
    seed: int | None
    public_sizes: frozenset[tuple[str, int]]
    """Names and values that the lab's visible cases and benchmarks have."""


class ShownText(Record):
    """Text of a solution, or a hidden number, that students are deliberately shown."""

    text: str = Field(min_length=1)
    reason: str = Field(min_length=10, description="why students see it; empty words do not count")


class ShownList(Record):
    """`solutions/shown.toml`: `[[shown]]` tables with `text` and `reason`."""

    shown: list[ShownText] = []


@dataclass(frozen=True)
class Solutions:
    """What the folder solutions/ of a checkout holds."""

    stubs: dict[PurePosixPath, str]
    """Every stub, by its path in the checkout."""
    models: list[ModelSolution]
    variants: list[SourceText]
    hidden: list[HiddenCase]
    shown: list[ShownText]


def read_solutions(root: Path, *, sound_only: bool = False) -> Solutions:
    """Reads the folder. Raises `UsageError` where there is none: a students' copy cannot be released or checked; and
    `LabError` for a variant that cannot be had, unless only the sound ones are asked for."""
    folder = root / "solutions"
    if not folder.is_dir():
        raise UsageError(f"{root} has no folder solutions: run this in the instructors' checkout")
    stubs_module = _load_stubs(folder / "stubs.py")
    stubs: dict[PurePosixPath, str] = {}
    models: list[ModelSolution] = []
    for path in sorted(folder.glob("[0-9][0-9]-*/kernel.cu")):
        text = _text_of(path)
        try:
            models.append(ModelSolution(_relative(path, root), text, stubs_module.regions_of(text)))
            stubs[PurePosixPath("labs", path.parent.name, path.name)] = stubs_module.stub_of(text)
        except stubs_module.MarkerError as error:
            raise LabError(f"{path}: {error}") from error
    if not models:
        raise UsageError(f"{folder} holds no solution: expected folders like 07-shared-tiling with a kernel.cu")
    variants = [one for path in sorted(folder.glob("[0-9][0-9]-*")) for one in _variants(path, root, sound_only)]
    hidden = [case for path in sorted(folder.glob("[0-9][0-9]-*/hidden.toml")) for case in _hidden_cases(path, root)]
    return Solutions(stubs, models, variants, hidden, _shown(root / SHOWN))


def _variants(folder: Path, root: Path, sound_only: bool) -> list[SourceText]:
    """Each variant whole, and the differences as they are written."""
    where = _relative(folder, root)
    try:
        variants = read_variants(folder).found if sound_only else variants_of(folder)
        differences = kept_in(folder).differences
    except LabError:
        if sound_only:
            return []
        raise
    texts = [
        SourceText(f"{where}/{one.file}" if one.base is None else f"{where}/{DIFFERENCES}, {one.name}", one.text)
        for one in variants
    ]
    return [*texts, SourceText(f"{where}/{DIFFERENCES}", differences)] if differences else texts


def write_stub(root: Path, lab: str) -> Path:
    """Writes the stub that a lab's solution gives, and returns its path."""
    solution = root / "solutions" / lab / "kernel.cu"
    stub = root / "labs" / lab / "kernel.cu"
    stub.write_text(_load_stubs(root / "solutions" / "stubs.py").stub_of(_text_of(solution)), encoding="utf-8")
    return stub


def _load_stubs(path: Path) -> ModuleType:
    """solutions/stubs.py, which alone knows how regions are marked."""
    specification = importlib.util.spec_from_file_location("simtlab_stubs", path)
    if not path.is_file() or specification is None or specification.loader is None:
        raise GraderError(f"{path} is missing: it says where the regions of a solution are")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def _hidden_cases(path: Path, root: Path) -> list[HiddenCase]:
    text = _text_of(path)
    tables = read_toml(path, LabError).get("case", [])
    lines = [number for number, line in enumerate(text.splitlines(), 1) if line.strip().startswith("name")]
    cases: list[HiddenCase] = []
    for position, table in enumerate(tables):
        sizes = {name: value for name, value in table.get("sizes", {}).items() if isinstance(value, int)}
        line = lines[position] if position < len(lines) else 1
        name, seed, lab = str(table.get("name", "")), table.get("seed"), path.parent.name
        cases.append(HiddenCase(_relative(path, root), line, lab, name, sizes, seed, _public_sizes(root, lab)))
    return cases


def _public_sizes(root: Path, lab: str) -> frozenset[tuple[str, int]]:
    """`{"rows", 33}` in the lab's specification."""
    specification = root / "labs" / lab / "lab.cpp"
    text = _text_of(specification) if specification.is_file() else ""
    return frozenset((name, int(value)) for name, value in re.findall(r'\{"(\w+)", (\d+)\}', text))


def _shown(path: Path) -> list[ShownText]:
    return read_toml_as(path, ShownList, LabError).shown if path.is_file() else []


def _relative(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix()


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise LabError(f"{path}: cannot be read: {error}") from error
