"""Stores a whole kernel as a variant: as a section of variants.diff where that is shorter, else as a file."""

from collections.abc import Callable, Container
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from simtlab.errors import UsageError
from simtlab.labs.difference import STAYS, Hunk, difference
from simtlab.labs.variants import (
    DIFFERENCES,
    EXPECT,
    FOLDER,
    NAME,
    SOLUTION,
    Kept,
    Section,
    Variant,
    as_base,
    joined,
    kept_in,
    lines_of,
    number_of,
    plain_solution,
    put_together,
    sections_of,
    split_head,
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


def store_variant(solution_folder: Path, file: Path, choice: Choice) -> Stored:
    """Stores the kernel in `file` as the variant of the file's name, in place of the one that has this name. Raises
    `UsageError` or `LabError`, and then nothing is written, where it is no variant, where the base is none, and where a
    variant that starts from it would no longer fit."""
    name, head, body = _read(file)
    kept = kept_in(solution_folder)
    before = put_together(solution_folder, kept)
    had = next((one.base for one in before.found if one.name == name), None)
    base, hunks = _chosen(_bases(solution_folder, before.found, name, choice), body, choice, name, had)
    section = Section(name, base, 0, head, hunks) if base else None
    after = _kept_with(solution_folder, kept, file, section)
    for other, fault in put_together(solution_folder, after).faults.items():
        if other == name:
            raise fault
        if other not in before.faults:
            raise UsageError(f"{file}: nothing is written, for {other} starts from it and would no longer fit: {fault}")
    if after.differences != kept.differences:
        (solution_folder / DIFFERENCES).write_bytes(after.differences.encode())
    whole = solution_folder / FOLDER / file.name
    if section is None:
        whole.parent.mkdir(exist_ok=True)
        whole.write_bytes(file.read_bytes())
        return Stored(whole, None, len(head) + len(body))
    whole.unlink(missing_ok=True)
    return Stored(solution_folder / DIFFERENCES, base, len(section_lines(section)))


def section_lines(section: Section) -> list[str]:
    """A section as variants.diff has it."""
    lines = [f"=== {section.name} of {section.base}", *section.head]
    for hunk in section.hunks:
        marked = [mark + text if mark != STAYS or text else "" for mark, text in hunk.lines]
        lines += ["@@", *marked]
    if lines[-1] == "":
        lines[-1] = STAYS  # a blank line at a section's end is no part of it
    return lines


def _read(file: Path) -> tuple[str, list[str], list[str]]:
    """Name, comment and code of the variant in a file."""
    if not NAME.fullmatch(file.stem) or file.stem == SOLUTION or file.suffix != ".cu":
        raise UsageError(f"{file}: expected a file that is called as its variant, such as missing-barrier.cu")
    head, body = split_head(lines_of(text_of(file)))
    if not head or not head[0].startswith(EXPECT) or not any(line.strip() for line in body):
        raise UsageError(f"{file}: expected `{EXPECT} …`, a comment that says what it is, and then a whole kernel")
    return file.stem, head, body


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


def _chosen(
    bases: dict[str, _Base], body: list[str], choice: Choice, name: str, had: str | None
) -> tuple[str | None, list[Hunk]]:
    """The base and what differs from it; no base for a variant that is kept whole."""
    if choice.base is not None:
        if name in choice.whole:
            raise UsageError(f"{name} is an anchor in lab.cpp, whose file is compiled: leave --base out")
        if choice.base not in bases:
            raise UsageError(f"{choice.base!r} is no base for {name}: expected one of {', '.join(bases)}")
        hunks = difference(bases[choice.base].lines, body)
        if not hunks:
            raise UsageError(f"{name} has the code of {choice.base}: a variant differs from its base")
        return choice.base, hunks
    if name in choice.whole:
        return None, []
    worth: list[tuple[bool, bool, int, bool, str, list[Hunk]]] = []
    for base, found in bases.items():
        hunks = difference(found.lines, body)
        length = sum(len(hunk.lines) + 1 for hunk in hunks)
        if hunks and length <= _WORTH * len(body):
            worth.append((base != had, not found.is_right, length, base != SOLUTION, base, hunks))
    return min(worth, key=lambda one: one[:-1])[-2:] if worth else (None, [])


def _kept_with(solution_folder: Path, kept: Kept, file: Path, section: Section | None) -> Kept:
    """The sources with this section or, where there is none, this file in place of what the variant is kept as."""
    name = file.stem
    sections = sections_of(kept.differences, str(solution_folder / DIFFERENCES))
    number = number_of(solution_folder)
    lines = lines_of(kept.differences) if kept.differences else lines_of(_REMARK.format(number=number))
    new = [*section_lines(section), ""] if section else []
    begin = end = len(lines)
    for one, behind in pairwise([*sections, None]):
        if one is not None and one.name == name:
            begin, end = one.place - 1, behind.place - 1 if behind else len(lines)
            break
    else:
        new = ["", *new] if new else []
    whole = {stem: path for stem, path in kept.whole.items() if stem != name}
    text = joined([*lines[:begin], *new, *lines[end:]]).rstrip("\n") + "\n"
    return Kept(whole if section else {**whole, name: file}, text if sections or section else kept.differences)
