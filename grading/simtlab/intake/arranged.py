"""A download on its way into the layout `<student>/<lab>/…`: what was copied, and what the download knew besides."""

import hashlib
import shutil
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from simtlab.text import decoded_name, printable

_LONGEST = 150
_NOT_STUDENTS = ("__MACOSX", "__pycache__")


@dataclass
class Arranged:
    """A class in the plain layout below `folder`, with what the download knew besides. Students go by their folders."""

    folder: Path
    layout: str
    handed_in: dict[tuple[str, str], datetime] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    late: set[str] = field(default_factory=set)
    """Students whose files Canvas marked as late, without a time."""
    table: Path | None = None
    """The table of times beside the students' folders."""
    origins: dict[tuple[str, str], list[Path]] = field(default_factory=dict)
    """By student and lab: the files of a clone that were taken, where their history still is."""
    canvas_ids: dict[str, str] = field(default_factory=dict)
    """By student: the number that Canvas knows them by, in its file names and in the column ID of its gradebook."""
    names: dict[str, list[str]] = field(default_factory=dict)
    """By student: what else the download calls them."""

    def folder_for(self, name: str, number: str, names: list[str]) -> str:
        """The folder of a student whom the download calls so, which nobody else has: where somebody has it already, or
        one that a file system or a reader takes for it, the submission's number is added. Keeps the student's names."""
        wish = _folder_name(name)
        taken = {one.casefold() for one in self.names}
        found = wish
        while found.casefold() in taken:
            found = f"{found}-{number}"
        if found != wish:
            self.notes.append(
                f"two students of the {self.layout} download are called {printable(wish)}: one is graded "
                f"as {printable(found)}"
            )
        self.names[found] = list(dict.fromkeys([name, *names]))
        return found


def _folder_name(name: str) -> str:
    """The name as one component of a path that intake takes for a student."""
    found = name.replace("/", "_").replace("\\", "_").replace("\0", "").strip().lstrip(".") or "unnamed"
    if found in _NOT_STUDENTS:
        return f"{found}_"
    coded = found.encode("utf-8", "replace")
    if len(coded) <= _LONGEST:
        return found
    return f"{coded[:_LONGEST].decode('utf-8', 'ignore')}-{hashlib.sha256(coded).hexdigest()[:8]}"


def take_declared(
    source: Path, target: Path, student: str, lab: str, files: list[str], taken: list[Path] | None = None
) -> list[str]:
    """Copies the declared files into `target/<student>/<lab>`, wherever in the submission's folder they first stand;
    never a link. Where none of them is there, a sentence that names what is. `taken` collects what was copied."""
    place = target / student / lab
    place.mkdir(parents=True, exist_ok=True)
    for name in files:
        found = [path for path in sorted(source.rglob(name)) if path.is_file() and not path.is_symlink()]
        inside = [path for path in found if path.resolve().is_relative_to(source.resolve())]
        if inside:
            chosen = min(inside, key=lambda path: len(path.parts))
            shutil.copyfile(chosen, place / name, follow_symlinks=False)
            if taken is not None:
                taken.append(chosen)
    if any(place.iterdir()):
        return []
    shown = sorted(printable(decoded_name(path.name)) for path in source.rglob("*") if path.is_file())
    more = f" and {len(shown) - 3} more" if len(shown) > 3 else ""
    return [f"{printable(student)} handed in {', '.join(shown[:3]) or 'nothing'}{more}: {lab} takes {', '.join(files)}"]
