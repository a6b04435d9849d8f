"""Writes a new lab from the templates beside this file: a small lab that builds and grades, and says `FILL IN` wherever
its author has something to say."""

import re
from pathlib import Path

from simtlab.errors import UsageError
from simtlab.labs.catalogue import LAB_NAME

_TEMPLATES = Path(__file__).parent / "template"
_SUFFIX = ".in"
_WHOLE_NAME = re.compile(r"\d{2}-[a-z][a-z0-9]*(-[a-z0-9]+)*")


def create_lab(root: Path, name: str, title: str) -> list[Path]:
    """Writes `labs/name` and `solutions/name` and returns the files, in order. Raises `UsageError` for a name that is
    none or is taken."""
    if not _WHOLE_NAME.fullmatch(name):
        raise UsageError(f"{name!r} is no lab's name: expected two digits and lower-case words, such as 14-occupancy")
    number, _, topic = name.partition("-")
    for folder in sorted((root / "labs").iterdir()):
        match = LAB_NAME.fullmatch(folder.name)
        if match and match[1] == number:
            raise UsageError(f"there is a lab {number} already, {folder.name}: choose another number")
    if (root / "solutions" / name).exists():
        raise UsageError(f"solutions/{name} exists already: choose another name, or move it away")
    values = {
        "@NN@": number,
        "@ENTRY@": topic.replace("-", "_"),
        "@TITLE@": title or topic.replace("-", " ").capitalize(),
    }
    written: list[Path] = []
    for template in sorted(_TEMPLATES.rglob(f"*{_SUFFIX}")):
        part, *rest = template.relative_to(_TEMPLATES).parts
        path = root / part / name / Path(*rest).with_suffix("")
        text = template.read_text(encoding="utf-8")
        for mark, value in values.items():
            text = text.replace(mark, value)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        written.append(path)
    return written
