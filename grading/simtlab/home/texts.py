"""What a lab says to students beside its handout: hints, and what it allows besides the lists of all labs."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simtlab.audit.allowed import LabLists
from simtlab.errors import LabError

GIVEN_FILE = "hints.toml"
"""In a students' copy: what lab.toml says, without points. Written by `simtlab release`."""


@dataclass(frozen=True)
class GivenHint:
    """One of a lab's hints: `labs/specification.py` says what its members mean."""

    when: str
    variable: str
    text: str


@dataclass(frozen=True)
class LabTexts:
    """A lab's hints, and its additions to the allow-lists."""

    hints: tuple[GivenHint, ...]
    lists: LabLists


def read_texts(lab: Path) -> LabTexts:
    """Reads lab.toml, or in a students' copy what stands there of it. Raises `LabError` for what cannot be read."""
    path = next((lab / name for name in ("lab.toml", GIVEN_FILE) if (lab / name).exists()), None)
    if path is None:
        return LabTexts((), LabLists())
    try:
        said = tomllib.loads(path.read_text(encoding="utf-8"))
        hints = tuple(
            GivenHint(one.get("when", ""), one.get("variable", ""), one["text"]) for one in said.get("hints", [])
        )
        lists = LabLists(frozenset(said.get("allowed_headers", [])), frozenset(said.get("allowed_symbols", [])))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise LabError(f"{path} cannot be read: {error}") from error
    return LabTexts(hints, lists)


def given_text(said: dict[str, Any]) -> str:
    """The text of `hints.toml` for a lab whose lab.toml says this."""
    lines = ["# What the course allows in this lab, and its hints; `make test` shows the one that fits."]
    allowed = [name for name in ("allowed_headers", "allowed_symbols") if said.get(name)]
    lines += [f"{name} = [{', '.join(map(_quoted, said[name]))}]" for name in allowed]
    for one in said.get("hints", []):
        lines += ["", "[[hints]]", f"when = {_quoted(one.get('when', ''))}"]
        lines += [f"variable = {_quoted(one['variable'])}"] if "variable" in one else []
        lines += [f"text = {_quoted(one['text'])}"]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    """A basic string of TOML."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c >= " " and c != "\x7f" else f"\\u{ord(c):04X}" for c in escaped) + '"'
