"""`python -m simtlab.home audit LAB BUILD_TREE BACKEND`, and `python -m simtlab.home hint LAB SITUATION…`.

LAB is a folder. Exit codes of `audit`: 0 nothing is refused, 4 something is, 3 it could not be looked at; 1 is what
Python ends with when the audit itself fails. `hint` prints the lab's hint for the first situation that has one: a rule
as findings name it, `RULE=VARIABLE` where they name a variable, else a verdict.
"""

import platform
import sys
import textwrap
from pathlib import Path

from simtlab.audit.limits import AuditLimit
from simtlab.errors import SimtlabError
from simtlab.home.hints import fitting_hint
from simtlab.home.own_audit import audit_at_home, read_built_lab
from simtlab.home.texts import read_texts
from simtlab.text import printable

_USAGE, _NOT_AUDITED, _REFUSED = 2, 3, 4
_WIDTH = 74
_MOST_SHOWN = 5


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")


def _missing_for_objects() -> str:
    """Why the object cannot be read here; empty where it can."""
    if platform.machine() != "x86_64":
        return "only objects of x86-64 are read"
    try:
        import elftools  # noqa: F401 - whether it is there
    except ModuleNotFoundError:
        return "the Python module elftools is not there"
    return ""


def _audit(lab: Path, tree: Path, backend: str) -> int:
    missing = _missing_for_objects()
    try:
        findings = audit_at_home(read_built_lab(lab, tree, backend), objects=not missing)
    except AuditLimit as limit:
        _say(_wrapped(str(limit), ""))
        return _REFUSED
    if not findings and missing:
        _say(f"of your program the functions that it calls: {missing}")
        return _NOT_AUDITED
    if not findings:
        return 0
    _say("forbidden: the grader runs nothing of a program that contains this")
    for one in findings[:_MOST_SHOWN]:
        _say(f"  {one.file}:{one.line} {one.rule}" if one.line else f"  {one.file} {one.rule}")
        _say(_wrapped(printable(one.message), "    "))
    if len(findings) > _MOST_SHOWN:
        _say(f"  … and {len(findings) - _MOST_SHOWN} more")
    return _REFUSED


def _wrapped(text: str, indent: str) -> str:
    return textwrap.fill(text, _WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)


def _hint(lab: Path, situations: list[str]) -> int:
    parted = [one.partition("=") for one in situations]
    if text := fitting_hint(read_texts(lab).hints, [(when, variable) for when, _, variable in parted]):
        _say(_wrapped(f"Hint: {text}", ""))
    return 0


def main(words: list[str]) -> int:
    """Runs what the words ask for."""
    try:
        match words:
            case ["audit", lab, tree, backend]:
                return _audit(Path(lab), Path(tree), backend)
            case ["hint", lab, *situations]:
                return _hint(Path(lab), situations)
    except (SimtlabError, OSError) as error:
        _say(printable(str(error), keep_lines=True))
        return _NOT_AUDITED
    sys.stderr.write(f"{__doc__}\n")
    return _USAGE


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
