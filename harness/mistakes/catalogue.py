"""The mistakes of `solutions/mistakes/NN-name.toml`: each is an edit of the lab's solution, and the words that the
terminal must have for it."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "solutions" / "mistakes"


class EditError(ValueError):
    """A mistake's edit does not fit the lab's solution."""


@dataclass(frozen=True)
class Mistake:
    """One wrong submission."""

    lab: str
    name: str
    what: str
    """What the student did, for the person who judges the message."""
    edits: tuple[tuple[str, str], ...]
    """Each replaces the one place of the solution that has its first text."""
    says: tuple[str, ...]
    """Words that the terminal must have, whatever its line breaks."""
    never: tuple[str, ...]
    """Words that would lead astray."""

    def source(self) -> str:
        """The submission."""
        text = without_marks((ROOT / "solutions" / self.lab / "kernel.cu").read_text(encoding="utf-8"))
        for old, new in self.edits:
            if text.count(old) != 1:
                raise EditError(f"{self.lab} {self.name}: the solution has {old!r} {text.count(old)} times, expected 1")
            text = text.replace(old, new)
        return text


def without_marks(solution: str) -> str:
    """The solution as a student would have written it: without the marks around its regions."""
    return "".join(line for line in solution.splitlines(keepends=True) if not line.strip().startswith("//@@"))


def all_mistakes(folder: Path = FOLDER) -> list[Mistake]:
    """Every mistake, in the order of the files."""
    found: list[Mistake] = []
    for path in sorted(folder.glob("[0-9]*.toml")):
        listed = tomllib.loads(path.read_text(encoding="utf-8"))["mistake"]
        found.extend(
            Mistake(
                lab=path.stem,
                name=one["name"],
                what=one["what"],
                edits=tuple((old, new) for old, new in one["edits"]),
                says=tuple(one["says"]),
                never=tuple(one.get("never", ())),
            )
            for one in listed
        )
    return found
