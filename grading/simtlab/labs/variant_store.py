"""Stores a whole kernel as a variant: as a section of variants.diff where that is shorter, else as a file."""

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from simtlab.errors import UsageError
from simtlab.labs.difference import Hunk, difference
from simtlab.labs.section import (
    EXPECT,
    NAME,
    SOLUTION,
    Section,
    joined,
    lines_of,
    section_lines,
    sections_of,
    split_head,
)
from simtlab.labs.variants import (
    DIFFERENCES,
    FOLDER,
    Kept,
    Variant,
    as_base,
    kept_in,
    number_of,
    plain_solution,
    put_together,
    text_of,
)

_REMARK = """# Variants of lab {number} as differences from a base. `solution`: kernel.cu without lines of comment.
# `simtlab variant {number} NAME` prints one whole, `simtlab variant {number} --add NAME.cu` stores a whole kernel.
"""
_WORTH = 2 / 3
"""Of a kernel's lines, the part that a difference may have: a longer one is harder to read than the kernel."""


@dataclass(frozen=True)
class Stored:
    """Where a variant has come to."""

    name: str
    path: Path
    base: str | None
    """None: it is a whole file."""
    lines: int
    """Lines of its section, or of its file."""


@dataclass(frozen=True)
class Choice:
    """What is asked of a variant that is stored."""

    base: str | None
    """The base to start from. None: the one that it has; else the one that it differs least from; and none where no
    difference is worth it."""
    is_right: Callable[[Variant], bool]
    """Whether a variant is declared right: such a base goes before one with a mistake of its own."""
    whole: Container[str] = ()
    """Variants that must be whole files."""


@dataclass(frozen=True)
class _Base:
    lines: list[str]
    is_right: bool


def store_variants(solution_folder: Path, files: Sequence[Path], choice: Choice) -> list[Stored]:
    """Stores the kernels in `files`, each as the variant of the file's name in place of the one that has this name: as
    a section or a file as that one is, and a new one, or a file of the folder `variants`, as `choice` says. Raises
    `UsageError` or `LabError`, and then nothing is written, where one is no variant, where the base is none, and where
    a variant that starts from one of them would no longer fit."""
    before = kept_in(solution_folder)
    faults = put_together(solution_folder, before).faults
    read = [_read(file) for file in files]
    after = before
    for one in sorted(read, key=lambda one: (_depth(solution_folder, before, one.name), one.name)):
        after = _kept_with(solution_folder, after, one, choice)
    for name, fault in put_together(solution_folder, after).faults.items():
        if name in {one.name for one in read}:
            raise fault
        if name not in faults:
            raise UsageError(f"nothing is written, for {name} starts from one of them and would no longer fit: {fault}")
    _write(solution_folder, before, after)
    sections = {one.name: one for one in _sections(solution_folder, after)}
    return [_stored(solution_folder, one, sections.get(one.name)) for one in read]


@dataclass(frozen=True)
class _Kernel:
    """A variant to be stored."""

    file: Path
    head: list[str]
    body: list[str]

    @property
    def name(self) -> str:
        return self.file.stem


def _read(file: Path) -> _Kernel:
    if not NAME.fullmatch(file.stem) or file.stem == SOLUTION or file.suffix != ".cu":
        raise UsageError(f"{file}: expected a file that is called as its variant, such as missing-barrier.cu")
    head, body = split_head(lines_of(text_of(file)))
    if not head or not head[0].startswith(EXPECT) or not any(line.strip() for line in body):
        raise UsageError(f"{file}: expected `{EXPECT} …`, a comment that says what it is, and then a whole kernel")
    return _Kernel(file, head, body)


def _sections(solution_folder: Path, kept: Kept) -> list[Section]:
    return sections_of(kept.differences, str(solution_folder / DIFFERENCES))


def _depth(solution_folder: Path, kept: Kept, name: str) -> int:
    """How many bases a variant stands on: these are stored before it."""
    bases = {one.name: one.base for one in _sections(solution_folder, kept)}
    chain: list[str] = []
    while name in bases and name not in chain:
        chain.append(name)
        name = bases[name]
    return len(chain)


def _kept_with(solution_folder: Path, kept: Kept, kernel: _Kernel, choice: Choice) -> Kept:
    """The sources with this kernel in place of the variant of its name."""
    variants = put_together(solution_folder, kept).found
    sections = _sections(solution_folder, kept)
    had = next((one.base for one in sections if one.name == kernel.name), None)
    file = kept.whole.get(kernel.name)
    text = next((lines_of(one.text) for one in variants if one.name == kernel.name), None)
    if choice.base is None and had and file is None and text == [*kernel.head, *kernel.body]:
        return kept
    base: str | None = None
    hunks: list[Hunk] = []
    if choice.base or file is None or file.resolve() == kernel.file.resolve():
        base, hunks = _chosen(_bases(solution_folder, variants, kernel.name, choice), kernel, choice, had)
    section = Section(kernel.name, base, 0, kernel.head, hunks) if base else None
    whole = {name: path for name, path in kept.whole.items() if name != kernel.name}
    remark = _REMARK.format(number=number_of(solution_folder))
    differences = _with_section(kept.differences or remark, sections, kernel.name, section)
    if section is None:
        return Kept({**whole, kernel.name: kernel.file}, differences if sections else kept.differences)
    return Kept(whole, differences)


def _write(solution_folder: Path, before: Kept, after: Kept) -> None:
    if after.differences != before.differences:
        (solution_folder / DIFFERENCES).write_bytes(after.differences.encode())
    for name, file in after.whole.items():
        path = solution_folder / FOLDER / f"{name}.cu"
        if file != path:
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(file.read_bytes())
    for name, file in before.whole.items():
        if name not in after.whole:
            file.unlink()


def _stored(solution_folder: Path, kernel: _Kernel, section: Section | None) -> Stored:
    if section is None:
        lines = len(kernel.head) + len(kernel.body)
        return Stored(kernel.name, solution_folder / FOLDER / f"{kernel.name}.cu", None, lines)
    return Stored(kernel.name, solution_folder / DIFFERENCES, section.base, len(section_lines(section)))


def _bases(solution_folder: Path, variants: list[Variant], name: str, choice: Choice) -> dict[str, _Base]:
    """Every possible base: all that have code and do not start from `name` themselves."""
    by_name = {one.name: one for one in variants}

    def starts_from_it(one: Variant) -> bool:
        at: Variant | None = one
        while at is not None and at.name != name:
            at = by_name.get(at.base or "")
        return at is not None

    bases = {SOLUTION: _Base(plain_solution(solution_folder).lines, is_right=True)}
    for one in variants:
        if not starts_from_it(one):
            bases[one.name] = _Base(as_base(one.name, one.text).lines, choice.is_right(one))
    return {base: found for base, found in bases.items() if found.lines}


def _chosen(bases: dict[str, _Base], kernel: _Kernel, choice: Choice, had: str | None) -> tuple[str | None, list[Hunk]]:
    """The base and what differs from it; no base for a variant that is kept whole."""
    name = kernel.name
    if choice.base is not None:
        if name in choice.whole:
            raise UsageError(f"{name} is an anchor in lab.cpp, whose file is compiled: leave --base out")
        if choice.base not in bases:
            raise UsageError(f"{choice.base!r} is no base for {name}: expected one of {', '.join(bases)}")
        hunks = difference(bases[choice.base].lines, kernel.body)
        if not hunks:
            raise UsageError(f"{name} has the code of {choice.base}: a variant differs from its base")
        return choice.base, hunks
    if name in choice.whole:
        return None, []
    worth: list[tuple[bool, bool, int, bool, str, list[Hunk]]] = []
    for base, found in bases.items():
        hunks = difference(found.lines, kernel.body)
        length = sum(len(hunk.lines) + 1 for hunk in hunks)
        if hunks and length <= (1 if base == had else _WORTH) * len(kernel.body):
            worth.append((base != had, not found.is_right, length, base != SOLUTION, base, hunks))
    return min(worth, key=lambda one: one[:-1])[-2:] if worth else (None, [])


def _with_section(text: str, sections: list[Section], name: str, section: Section | None) -> str:
    """The text of variants.diff with this section in place of the one of its name, or at its end."""
    lines = lines_of(text)
    new = [*section_lines(section), ""] if section else []
    begin = end = len(lines)
    for one, behind in pairwise([*sections, None]):
        if one is not None and one.name == name:
            begin, end = one.place - 1, behind.place - 1 if behind else len(lines)
            break
    else:
        new = ["", *new] if new else []
    return joined([*lines[:begin], *new, *lines[end:]]).rstrip("\n") + "\n"
