"""The list of skips that are accepted: harness/check/known-skips.toml."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path

from check.outcome import Outcome, Status


class SkipListError(Exception):
    """The list of known skips itself is wrong."""


@dataclass(frozen=True)
class KnownSkip:
    """One accepted skip: tests whose name matches `test` may skip with a reason that matches `reason`."""

    test: str
    """Shell pattern over the whole name, `step:name`: `ctest:cuda.*`."""
    reason: str
    """Shell pattern over the whole reason the test gave."""
    why: str
    """Why we accept it, for the reader of the list."""

    def covers(self, step: str, outcome: Outcome) -> bool:
        """True if this entry accepts the skip."""
        return fnmatchcase(f"{step}:{outcome.name}", self.test) and fnmatchcase(outcome.text, self.reason)


def read_known_skips(path: Path) -> list[KnownSkip]:
    """The entries of the list. Each `[[skip]]` has exactly `test`, `reason` and `why`, none of them empty."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as problem:
        raise SkipListError(f"{path}: {problem}") from problem
    skips: list[KnownSkip] = []
    for number, entry in enumerate(content.get("skip", []), start=1):
        if set(entry) != {"test", "reason", "why"} or not all(isinstance(v, str) and v.strip() for v in entry.values()):
            raise SkipListError(f"{path}: entry {number} must have exactly test, reason and why, each with text")
        if not entry["reason"].strip("*? ") or not entry["test"].strip("*? "):
            raise SkipListError(f"{path}: entry {number} would accept any test or any reason; name them")
        skips.append(KnownSkip(**entry))
    return skips


def judge_skips(step: str, outcomes: list[Outcome], known: list[KnownSkip]) -> list[Outcome]:
    """The outcomes of a step, with every skip that has no reason or is not on the list turned into a failure."""
    judged: list[Outcome] = []
    for outcome in outcomes:
        if outcome.status is not Status.SKIPPED or any(skip.covers(step, outcome) for skip in known):
            judged.append(outcome)
        elif outcome.text:
            text = (
                f"skipped ({outcome.text}), and harness/check/known-skips.toml does not accept this: make the test run,"
                f' or add an entry with test = "{step}:{outcome.name}"'
            )
            judged.append(replace(outcome, status=Status.FAILED, text=text))
        else:
            text = "skipped without a reason: print a line `SKIP: reason` before exiting with 77"
            judged.append(replace(outcome, status=Status.FAILED, text=text))
    return judged
