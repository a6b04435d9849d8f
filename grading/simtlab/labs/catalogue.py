"""The labs of a checkout or a course and their build tree, found by folder: adding a lab touches no list here."""

import difflib
import os
import re
from dataclasses import dataclass
from pathlib import Path

from simtlab.errors import LabError, UsageError
from simtlab.installed import installed_build, installed_labs
from simtlab.labs.build_description import BuildDescription, read_build_description
from simtlab.labs.draft import unproven_of
from simtlab.labs.hidden import hidden_cases_json
from simtlab.labs.specification import LabSpecification, read_specification
from simtlab.predict.model import ANSWERS_FILE

COURSE_FILE = "course.toml"
GIVEN_TO_STUDENTS = "given.toml"
"""Of a lab.toml what the students' wheel has (harness/wheels/pack.py): no points and hints."""
LAB_NAME = re.compile(r"(\d+)-([a-z0-9-]+)")
_NUMBER_FIRST = re.compile(r"(?:labs?)?[ _-]*(\d+)", re.IGNORECASE)


@dataclass(frozen=True)
class Lab:
    """A lab that can be graded."""

    name: str
    folder: Path
    solution_folder: Path
    specification: LabSpecification
    build: BuildDescription
    hidden: str | None
    """The hidden cases as JSON, None where there are none."""

    @property
    def optional_files(self) -> list[str]:
        """What else is taken from a submission where it is there."""
        return [ANSWERS_FILE] if self.build.predict else []

    @property
    def taken_files(self) -> list[str]:
        """The names of all that is taken from a submission."""
        return [*self.specification.files, *self.optional_files]


@dataclass(frozen=True)
class Catalogue:
    """All labs of a checkout; those that cannot be graded stand in `faults` with the reason."""

    root: Path
    build: Path
    labs: dict[str, Lab]
    faults: dict[str, str]
    unbuilt: dict[str, LabSpecification]
    """Labs whose specification is sound, but whose description or something it names is missing from the build tree."""

    @property
    def names(self) -> list[str]:
        """Every lab that has a folder, whatever its state."""
        return sorted({*self.labs, *self.faults, *self.unbuilt})

    def specification(self, name: str) -> LabSpecification | None:
        """The lab's specification where it could be read."""
        return self.labs[name].specification if name in self.labs else self.unbuilt.get(name)

    def resolve(self, word: str) -> str:
        """A lab's name from what a person typed: `07`, `7`, `07-shared-tiling` or `shared-tiling`."""
        number = int(word) if word.isdecimal() else None
        for name in self.names:
            match = LAB_NAME.fullmatch(name)
            if word == name or (match and (int(match[1]) == number or match[2] == word)):
                return name
        raise UsageError(f"there is no lab {word!r}.{self.suggestion(word)} The labs are: {', '.join(self.names)}.")

    def suggestion(self, word: str) -> str:
        """` Did you mean 07-shared-tiling?`, or nothing when no name is near."""
        near = self.nearest(word)
        return f" Did you mean {near}?" if near else ""

    def nearest(self, word: str) -> str:
        """The lab whose number (`lab8`, `8_transpose`) or name is nearest to the word, empty when none is near."""
        if number := _NUMBER_FIRST.match(word):
            for name in self.names:
                match = LAB_NAME.fullmatch(name)
                if match and int(match[1]) == int(number[1]):
                    return name
        return next(iter(difflib.get_close_matches(word, self.names, n=1, cutoff=0.5)), "")


def find_root(start: Path | None = None) -> Path:
    """The folder whose `labs/` are meant: the nearest checkout or course above `start` (here by default), else the
    checkout that this package is installed from, else the labs that the package brought along."""
    start = (start or Path.cwd()).resolve()
    for folder in (start, *start.parents):
        if is_checkout(folder) or is_course(folder):
            return folder
    found = _own_checkout() or installed_labs()
    if found is None:
        raise UsageError(
            f"no labs at {start} or above it: expected a checkout of simtlab (labs/ and harness/) or a course's folder "
            "(labs/ and course.toml); simtlab new-course NAME begins one"
        )
    return found


def labs_of_package() -> Path:
    """The folder with the `labs/` and `solutions/` that belong to this package, wherever it is called."""
    found = installed_labs() or _own_checkout()
    if found is None:
        raise UsageError(
            "this simtlab brings no labs along: install the wheel (make wheel in a checkout), or use a checkout"
        )
    return found


def is_checkout(folder: Path) -> bool:
    """Whether the folder is a checkout of simtlab, whose judges come from a build tree."""
    return (folder / "labs").is_dir() and (folder / "harness").is_dir()


def is_course(folder: Path) -> bool:
    """Whether the folder is a course's, as `simtlab new-course` writes it."""
    return (folder / "labs").is_dir() and (folder / COURSE_FILE).is_file()


def find_checkout(what: str) -> Path:
    """The checkout for a command that changes or proves labs. Raises `UsageError` in a course's folder, where the
    source of the labs is not; `what` names what the command needs."""
    root = find_root()
    if not is_checkout(root):
        raise UsageError(f"{root} is no checkout of simtlab, and only a checkout has {what}: go there and try again")
    return root


def default_build(root: Path) -> Path:
    """The build tree to use: `$SIMTLAB_BUILD`, else the checkout's `build/default`, else what the package brought along
    or, where it is installed from a checkout, that one's."""
    if chosen := os.environ.get("SIMTLAB_BUILD"):
        return Path(chosen)
    if is_checkout(root):
        return root / "build" / "default"
    own = _own_checkout()
    return installed_build() or (own or root) / "build" / "default"


def _own_checkout() -> Path | None:
    return next((folder for folder in Path(__file__).resolve().parents if is_checkout(folder)), None)


def read_catalogue(root: Path, build: Path) -> Catalogue:
    """Reads every lab of the checkout; a lab at fault takes no other with it."""
    labs: dict[str, Lab] = {}
    faults: dict[str, str] = {}
    unbuilt: dict[str, LabSpecification] = {}
    for folder in sorted((root / "labs").iterdir()):
        if not LAB_NAME.fullmatch(folder.name) or not folder.is_dir():
            continue
        try:
            specification = read_specification(_specification_file(folder))
            solution_folder = root / "solutions" / folder.name
            if specification.draft:
                specification = specification.model_copy(update={"unproven": unproven_of(solution_folder)})
            hidden = hidden_cases_json(solution_folder / "hidden.toml")
            description = build / "labs" / folder.name / "lab.json"
            if not description.is_file():
                unbuilt[folder.name] = specification
                continue
            built = read_build_description(description).built_part()
            if built is None:
                unbuilt[folder.name] = specification
                continue
        except LabError as fault:
            faults[folder.name] = str(fault)
            continue
        labs[folder.name] = Lab(folder.name, folder, solution_folder, specification, built, hidden)
    if not labs and not faults and not unbuilt:
        raise UsageError(f"{root / 'labs'} holds no lab: expected folders like 07-shared-tiling with a lab.toml")
    return Catalogue(root, build, labs, faults, unbuilt)


def _specification_file(folder: Path) -> Path:
    """`lab.toml`, or in what students install the part of it that they may read."""
    given = folder / GIVEN_TO_STUDENTS
    return given if given.is_file() else folder / "lab.toml"
