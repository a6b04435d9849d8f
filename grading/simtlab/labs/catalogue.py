"""The labs of a checkout and its build tree, found by folder: adding a lab touches no list here."""

import difflib
import os
import re
from dataclasses import dataclass
from pathlib import Path

from simtlab.errors import LabError, UsageError
from simtlab.labs.build_description import BuildDescription, read_build_description
from simtlab.labs.hidden import hidden_cases_json
from simtlab.labs.specification import LabSpecification, read_specification
from simtlab.predict.model import ANSWERS_FILE

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
    """The checkout: the nearest folder above `start` (here by default) with `labs/` and `harness/`, else where this
    package is installed from."""
    start = (start or Path.cwd()).resolve()
    for folder in (start, *start.parents, *Path(__file__).resolve().parents):
        if (folder / "labs").is_dir() and (folder / "harness").is_dir():
            return folder
    raise UsageError(f"no simtlab checkout at {start} or above it: expected a folder with labs/ and harness/")


def default_build(root: Path) -> Path:
    """The build tree to use: `$SIMTLAB_BUILD`, else the default preset's."""
    return Path(os.environ.get("SIMTLAB_BUILD") or root / "build" / "default")


def read_catalogue(root: Path, build: Path) -> Catalogue:
    """Reads every lab of the checkout; a lab at fault takes no other with it."""
    labs: dict[str, Lab] = {}
    faults: dict[str, str] = {}
    unbuilt: dict[str, LabSpecification] = {}
    for folder in sorted((root / "labs").iterdir()):
        if not LAB_NAME.fullmatch(folder.name) or not folder.is_dir():
            continue
        try:
            specification = read_specification(folder / "lab.toml")
            solution_folder = root / "solutions" / folder.name
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
