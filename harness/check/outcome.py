"""What one test came to, and how the result files of CTest and pytest say it."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path

# A test says why it, or a part of it, does not run: a line of its own, so that prose about skipping does not count.
_SKIP_LINE = re.compile(r"^\s*SKIP: *(.*\S)\s*$", re.MULTILINE)
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


class Status(Enum):
    """How a test ended."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"
    UNSTEADY = "unsteady"
    """Failed beside other tests and passed alone: no reason to refuse a change, and a defect of the test or of us."""


@dataclass(frozen=True)
class Outcome:
    """One test and what it came to."""

    name: str
    status: Status
    text: str = ""
    """A skip's reason, a failure's output (an unsteady test's first one); empty for a pass."""


class UnreadableResultsError(Exception):
    """A result file is missing, empty or not XML: the test program itself did not end well."""


def read_ctest(path: Path) -> list[Outcome]:
    """Outcomes of `ctest --output-junit`.

    CTest writes "notrun" both for a test that skipped itself and for one that could not start (no executable, its
    build failed); only the first is a skip. A passed test that printed `SKIP: reason` counts as passed and, once per
    such line, as skipped: a part of it did not run.
    """
    outcomes: list[Outcome] = []
    for case in _cases(path):
        name = case.get("name", "?")
        output = case.findtext("system-out") or ""
        skipped = case.find("skipped")
        reasons: list[str] = _SKIP_LINE.findall(output)
        match case.get("status"):
            case "run":
                outcomes.append(Outcome(name, Status.PASSED))
                outcomes.extend(Outcome(name, Status.SKIPPED, reason) for reason in reasons)
            case "disabled":
                outcomes.append(Outcome(name, Status.SKIPPED, "disabled in CMake"))
            case "notrun" if skipped is not None and "SKIP_RETURN_CODE" in skipped.get("message", ""):
                outcomes.append(Outcome(name, Status.SKIPPED, "; ".join(reasons)))
            case "notrun":
                why = skipped.get("message", "") if skipped is not None else ""
                outcomes.append(Outcome(name, Status.FAILED, f"not run: {why}\n{output}"))
            case _:
                outcomes.append(Outcome(name, Status.FAILED, output))
    return outcomes


def read_pytest(path: Path) -> list[Outcome]:
    """Outcomes of `pytest --junitxml`. An expected failure (xfail) is a skip with its reason."""
    outcomes: list[Outcome] = []
    for case in _cases(path):
        name = f"{case.get('classname', '')}.{case.get('name', '?')}".lstrip(".")
        problems = [*case.findall("failure"), *case.findall("error")]
        skipped = case.find("skipped")
        if problems:
            outcomes.append(Outcome(name, Status.FAILED, "\n".join(p.text or str(p.get("message")) for p in problems)))
        elif skipped is not None:
            outcomes.append(Outcome(name, Status.SKIPPED, skipped.get("message", "").removeprefix("Skipped: ")))
        else:
            outcomes.append(Outcome(name, Status.PASSED))
    return outcomes


def after_another_try(first: list[Outcome], again: list[Outcome]) -> list[Outcome]:
    """The outcomes of a run whose failed tests ran again, alone: who passes then is unsteady, not failed."""
    passed = {outcome.name for outcome in again if outcome.status is Status.PASSED}
    return [
        replace(outcome, status=Status.UNSTEADY)
        if outcome.status is Status.FAILED and outcome.name in passed
        else outcome
        for outcome in first
    ]


def _cases(path: Path) -> list[ElementTree.Element]:
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
        root = ElementTree.fromstring(_NOT_XML.sub("?", text))  # noqa: S314 - written by our own test programs
    except (OSError, ElementTree.ParseError) as problem:
        raise UnreadableResultsError(f"{path}: {problem}") from problem
    return list(root.iter("testcase"))
