"""A lab's variants: other kernels beside the model solution, each with what the judge must say of it.

`solutions/NN-name/variants/NAME.cu` is a whole kernel. Most variants are another kernel with one mistake or one step
more or less; these stand in `solutions/NN-name/variants.diff`, each as what it is beside its base:

    === missing-second-barrier of solution
    // expect: correct=fail safe=fail fast=not_measured
    // Fast threads load the next tiles while slow ones still multiply with these.
    @@
           sum += tile_a[ty][p] * tile_b[p][tx];
         }
    -    __syncthreads();
       }

The comment at the head is the variant's own. The base is another variant, or `solution`: the model solution without
the lines that hold a comment alone, which guide the student. This module alone reads both forms, and what it gives is
always the whole kernel.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

from simtlab.errors import LabError
from simtlab.labs.difference import Base, compose
from simtlab.labs.section import COMMENT, SOLUTION, Section, joined, lines_of, sections_of, split_head

FOLDER = "variants"
DIFFERENCES = "variants.diff"
_NOT_ITS_WORDS = ("// Without the topic: ", "// As a mutant: ")


@dataclass(frozen=True)
class Variant:
    """A whole kernel, however it is kept."""

    name: str
    text: str
    place: str
    """Where it stands, from the solution's folder: `variants/limit.cu`, or `variants.diff:41: NAME`, its heading."""
    base: str | None
    """What it is a difference from; None for a whole file."""

    @property
    def file(self) -> str:
        """How reports and checks name it: `variants/NAME.cu`."""
        return file_of(self.name)

    @property
    def about(self) -> str:
        """What its comment says that it is: the first paragraph."""
        head, _ = split_head(lines_of(self.text))
        own = (line.removeprefix(COMMENT).strip() for line in head[1:] if not line.startswith(_NOT_ITS_WORDS))
        return " ".join(takewhile(bool, own))


@dataclass(frozen=True)
class Kept:
    """The sources of a lab's variants."""

    whole: dict[str, Path]
    """The files, by the variants' names."""
    differences: str
    """The text of variants.diff."""


@dataclass(frozen=True)
class Variants:
    """What a solution's folder has, by name, and the reason for each variant that cannot be had."""

    found: list[Variant]
    faults: dict[str, LabError]


def file_of(name: str) -> str:
    """How reports and checks name a variant, as a whole file or not."""
    return f"{FOLDER}/{name}.cu"


def variants_of(solution_folder: Path) -> list[Variant]:
    """The lab's variants by name; none where the folder has none. Raises `LabError` where one cannot be had."""
    variants = read_variants(solution_folder)
    for fault in variants.faults.values():
        raise fault
    return variants.found


def variant_of(solution_folder: Path, name: str) -> Variant:
    """One variant. Raises `LabError` where there is none of that name, or it cannot be had."""
    variants = read_variants(solution_folder)
    if name in variants.faults:
        raise variants.faults[name]
    for variant in variants.found:
        if variant.name == name:
            return variant
    raise LabError(
        f"{solution_folder} has no variant {name!r}: `simtlab variant {number_of(solution_folder)}` lists them"
    )


def read_variants(solution_folder: Path) -> Variants:
    """All variants of the lab. A variant at fault takes none with it but those that start from it. Raises `LabError`
    where the sections of variants.diff cannot be told apart."""
    return put_together(solution_folder, kept_in(solution_folder))


def kept_in(solution_folder: Path) -> Kept:
    """How the folder keeps its variants."""
    differences = solution_folder / DIFFERENCES
    whole = {path.stem: path for path in sorted((solution_folder / FOLDER).glob("*.cu"))}
    return Kept(whole, text_of(differences) if differences.exists() else "")


def put_together(solution_folder: Path, kept: Kept) -> Variants:
    """The variants of a folder that keeps them in this way."""
    return _Folder(solution_folder, kept).variants()


def plain_solution(solution_folder: Path) -> Base:
    """What a difference of `solution` starts from: the code of the model solution, without lines of comment alone."""
    path = solution_folder / "kernel.cu"
    lines = lines_of(text_of(path))
    kept = [(line, number) for number, line in enumerate(lines, 1) if not line.lstrip().startswith(COMMENT)]
    return Base(f"{SOLUTION} ({path})", [line for line, _ in kept], [number for _, number in kept])


def number_of(solution_folder: Path) -> str:
    """The lab as commands name it."""
    return solution_folder.name.partition("-")[0]


def text_of(path: Path) -> str:
    """A source as it is. Raises `LabError` where it cannot be read or is no text."""
    try:
        return path.read_bytes().decode("utf-8")
    except OSError as error:
        raise LabError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise LabError(f"{path}: is not UTF-8: byte {error.start} is {error.object[error.start]:#04x}") from error


class _Folder:
    """The variants of one folder, while they are put together."""

    def __init__(self, folder: Path, kept: Kept) -> None:
        self._folder = folder
        self._path = folder / DIFFERENCES
        self._whole = kept.whole
        self._sections: dict[str, Section] = {}
        self._bases: dict[str, Base] = {}
        self._found: dict[str, Variant] = {}
        self._faults: dict[str, LabError] = {}
        for section in sections_of(kept.differences, str(self._path)):
            self._take(section)

    def variants(self) -> Variants:
        """All of them."""
        for name in self._whole:
            self._try(self._read_whole, name)
        for name in self._sections:
            for section in reversed(self._chain(name)):
                self._try(self._compose, section.name)
        return Variants([self._found[name] for name in sorted(self._found)], dict(sorted(self._faults.items())))

    def _take(self, section: Section) -> None:
        where, name = self._where(section), section.name
        if name in self._sections:
            first = self._sections[name].place
            self._faults[name] = LabError(f"{where}: line {first} has a section of that name: choose another one")
        elif name in self._whole:
            self._faults[name] = LabError(
                f"{where}: is a section and the file {self._whole[name]}: take one of them away (`simtlab variant "
                f"{number_of(self._folder)} --add FILE` turns a file into a section and removes it)"
            )
        elif section.fault:
            self._faults[name] = section.fault
        self._sections.setdefault(name, section)

    def _chain(self, name: str) -> list[Section]:
        """The section, its base, the base's base: those that are not composed yet. Of a circle, what leads into it."""
        chain: list[Section] = []
        while name in self._sections and name not in self._bases and name not in self._faults:
            section = self._sections[name]
            if section in chain:
                around = " of ".join(one.name for one in [*chain[chain.index(section) :], section])
                self._faults[name] = LabError(
                    f"{self._where(section)}: goes round in a circle, {around}: let one of them start from "
                    f"`{SOLUTION}` or a whole kernel"
                )
                break
            chain.append(section)
            name = section.base
        return chain

    def _try(self, part: Callable[[str], None], name: str) -> None:
        if name in self._faults or name in self._found:
            return
        try:
            part(name)
        except LabError as fault:
            self._faults[name] = fault

    def _read_whole(self, name: str) -> None:
        if name == SOLUTION:
            raise LabError(f"{self._whole[name]}: has the name of the model solution: choose another one")
        text = text_of(self._whole[name])
        self._found[name] = Variant(name, text, file_of(name), None)
        self._bases[name] = as_base(f"{name} ({self._whole[name]})", text)

    def _compose(self, name: str) -> None:
        section = self._sections[name]
        where = self._where(section)
        if section.base in self._faults:
            raise LabError(f"{where}: mend its base {section.base} first: {self._faults[section.base]}")
        text = joined([*section.head, *compose(self._base(section), section.hunks, where)])
        self._found[name] = Variant(name, text, f"{DIFFERENCES}:{section.place}: {name}", section.base)
        self._bases[name] = as_base(f"{name} (`simtlab variant {number_of(self._folder)} {name}` prints it)", text)

    def _base(self, section: Section) -> Base:
        if section.base == SOLUTION and SOLUTION not in self._bases:
            self._bases[SOLUTION] = plain_solution(self._folder)
        if section.base not in self._bases:
            known = ", ".join([SOLUTION, *sorted({*self._whole, *self._sections} - {section.name})])
            raise LabError(f"{self._where(section)}: there is no base {section.base!r}: expected one of {known}")
        return self._bases[section.base]

    def _where(self, section: Section) -> str:
        return f"{self._path}:{section.place}: {section.name}"


def as_base(title: str, text: str) -> Base:
    """What a difference of a variant starts from: its code, without the comment at its head."""
    head, body = split_head(lines_of(text))
    first = len(head) + 1
    return Base(title, body, list(range(first, first + len(body))))
