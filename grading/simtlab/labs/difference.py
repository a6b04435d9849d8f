"""How a kernel differs from another one: hunks that find their place by text.

A hunk is a run of lines, each with a mark in front: a blank for a line that stays, `-` for one that goes, `+` for one
that comes. It has no line number. Its old lines must stand in the base exactly once behind the hunk before it; a base
that moved is therefore an error, and never a kernel that nobody wrote.
"""

import difflib
from collections.abc import Sequence
from dataclasses import dataclass

from simtlab.errors import LabError
from simtlab.text import counted, shortened

STAYS, GOES, COMES = " ", "-", "+"
_LONGEST_QUOTE = 90


@dataclass(frozen=True)
class Hunk:
    """Consecutive lines of a difference."""

    place: int
    """The line of its `@@`, 0 for a hunk that stands in no file yet."""
    lines: tuple[tuple[str, str], ...]
    """Mark and text."""

    @property
    def old(self) -> list[str]:
        """What the base must have."""
        return [text for mark, text in self.lines if mark != COMES]

    @property
    def new(self) -> list[str]:
        """What stands there instead."""
        return [text for mark, text in self.lines if mark != GOES]


@dataclass(frozen=True)
class Base:
    """What a difference starts from."""

    title: str
    """As a message names it: `solution (/…/kernel.cu)`."""
    lines: list[str]
    numbers: list[int]
    """The number of each line in the file that the title names."""


def compose(base: Base, hunks: Sequence[Hunk], where: str) -> list[str]:
    """The base's lines with every hunk done. Raises `LabError`, which names `where` and the first hunk that does not
    fit, what it expected and what stands there."""
    done: list[str] = []
    end = 0
    for number, hunk in enumerate(hunks, 1):
        places = _places(hunk.old, base.lines, end)
        if len(places) != 1:
            raise LabError(f"{where}, hunk {number} (line {hunk.place}): {_misfit(base, hunk, end, places)}")
        done += base.lines[end : places[0]] + hunk.new
        end = places[0] + len(hunk.old)
    return done + base.lines[end:]


def difference(base: Sequence[str], lines: Sequence[str]) -> list[Hunk]:
    """The hunks that make `lines` of a base. A line that is replaced stands alone where that tells its place; what only
    goes or only comes has its neighbours beside it. Raises `LabError` where the base has no line."""
    if not base:
        raise LabError("a kernel without a line of code is no base")
    changes = _changes(base, lines)
    hunks: list[Hunk] = []
    end = 0
    while changes:
        change = _widened(changes.pop(0), base, end)
        while changes and changes[0].begin <= change.end + 1:
            change = _widened(_joined(change, changes.pop(0), base), base, end)
        hunks.append(Hunk(0, tuple(change.lines)))
        end = change.end
    return hunks


@dataclass(frozen=True)
class _Change:
    """Lines `begin` to `end` of the base, and what becomes of them."""

    begin: int
    end: int
    lines: list[tuple[str, str]]


def _changes(base: Sequence[str], lines: Sequence[str]) -> list[_Change]:
    found = []
    for kind, begin, end, new_begin, new_end in difflib.SequenceMatcher(
        None, base, lines, autojunk=False
    ).get_opcodes():
        if kind != "equal":
            marked = [(GOES, line) for line in base[begin:end]] + [(COMES, line) for line in lines[new_begin:new_end]]
            found.append(_Change(begin, end, marked))
    return found


def _widened(change: _Change, base: Sequence[str], least: int) -> _Change:
    """The change with so many lines around it that its old lines stand once behind `least`, the last one not blank."""
    marks = {mark for mark, _ in change.lines}
    if marks in ({GOES}, {COMES}):
        if change.end < len(base) and base[change.end]:
            change = _with_after(change, base)
        if change.begin > least and base[change.begin - 1]:
            change = _with_before(change, base, least)
            while not _tells_a_place(change.lines[0][1]) and change.begin > least:
                change = _with_before(change, base, least)
    before = True
    while len(_places(_old(change), base, least)) != 1:
        change = _with_before(change, base, least) if before else _with_after(change, base)
        before = not before
    while change.lines[-1] == (STAYS, "") and change.end < len(base):
        change = _with_after(change, base)
    return change


def _tells_a_place(line: str) -> bool:
    """Whether a reader knows from the line where it stands; a brace alone stands everywhere."""
    return any(letter.isalpha() for letter in line)


def _old(change: _Change) -> list[str]:
    return [text for mark, text in change.lines if mark != COMES]


def _with_before(change: _Change, base: Sequence[str], least: int) -> _Change:
    if change.begin <= least:
        return change
    begin = change.begin - 1
    return _Change(begin, change.end, [(STAYS, base[begin]), *change.lines])


def _with_after(change: _Change, base: Sequence[str]) -> _Change:
    if change.end >= len(base):
        return change
    return _Change(change.begin, change.end + 1, [*change.lines, (STAYS, base[change.end])])


def _joined(first: _Change, second: _Change, base: Sequence[str]) -> _Change:
    """Both, and the lines between them. The first may have been widened into the second, and beyond it."""
    kept = first.lines[: len(first.lines) - max(0, first.end - second.begin)]
    between = [(STAYS, line) for line in base[first.end : second.begin]]
    beyond = [(STAYS, line) for line in base[second.end : first.end]]
    return _Change(first.begin, max(first.end, second.end), [*kept, *between, *second.lines, *beyond])


def _places(wanted: Sequence[str], lines: Sequence[str], least: int) -> list[int]:
    """Where `wanted` stands in `lines` from line `least` on."""
    length = len(wanted)
    if length == 0:
        return []
    return [at for at in range(least, len(lines) - length + 1) if list(lines[at : at + length]) == list(wanted)]


def _misfit(base: Base, hunk: Hunk, end: int, places: list[int]) -> str:
    old = hunk.old
    if not old:
        return "it has no line of the base and so no place: put a line that stays in front of those that come"
    behind = f" behind line {base.numbers[end - 1]}" if end else ""
    if places:
        found = ", ".join(str(base.numbers[at]) for at in places[:3]) + (", …" if len(places) > 3 else "")
        return (
            f"its old lines stand {counted(len(places), 'time')} in {base.title}{behind}, at lines {found}: add lines "
            "that stay until they stand once"
        )
    if earlier := _places(old, base.lines, 0):
        return (
            f"its old lines stand in {base.title} at line {base.numbers[earlier[0]]}, in front of where the hunk "
            "before it ends: put the hunks into the base's order, or join them"
        )
    return (
        f"no longer fits {base.title}: expected {_quoted(old[0])}{_and_more(old)}{behind}; {_nearest(base, old, end)}. "
        "Write the hunk's lines as the base has them, or store the whole kernel anew: `simtlab variant LAB --add FILE`"
    )


def _nearest(base: Base, old: list[str], end: int) -> str:
    """What in the base is most like the hunk's old lines, and its first line that differs."""
    wanted = "\n".join(old)
    likeness = difflib.SequenceMatcher(None, autojunk=False)
    likeness.set_seq2(wanted)
    best, ratio = None, 0.3
    for at in range(end, len(base.lines)):
        likeness.set_seq1("\n".join(base.lines[at : at + len(old)]))
        if likeness.quick_ratio() > ratio and likeness.ratio() > ratio:
            best, ratio = at, likeness.ratio()
    if best is None:
        return "nothing there is like it"
    found = base.lines[best : best + len(old)]
    for offset, line in enumerate(old):
        if offset >= len(found):
            return f"the nearest begins at line {base.numbers[best]}, and the base ends before {_quoted(line)}"
        if found[offset] != line:
            number = base.numbers[best + offset]
            return f"the nearest is line {number}, {_quoted(found[offset])} where the hunk has {_quoted(line)}"
    return f"the nearest begins at line {base.numbers[best]}"


def _quoted(line: str) -> str:
    return f"`{shortened(line.strip(), _LONGEST_QUOTE)}`" if line.strip() else "a blank line"


def _and_more(old: list[str]) -> str:
    return f" and {counted(len(old) - 1, 'line')} more" if len(old) > 1 else ""
