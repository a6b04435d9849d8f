"""The command: `python -m check [--full] [--only step,step] [--fix]`.

Every step runs, whatever the ones before it came to. The last line is `N passed, N failed, N skipped, N unsteady`, and
the exit code is 0 only when nothing failed. Unsteady is a test that failed beside others and passed alone.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from check.known_skips import KnownSkip, SkipListError, judge_skips, read_known_skips
from check.outcome import Outcome, Status
from check.progress import Estimate, StepProgress, keep_seconds, usual_seconds
from check.steps import ONLY_FULL, STEPS, Options

_SHOWN_LINES = 60  # of a failure's output; the rest is in the log
_LAST_LINES = 5  # of a failure's output, beside its name at the end: often a log's end is all that one sees
_LAST_WIDTH = 160


@dataclass(frozen=True)
class StepResult:
    """One step, done."""

    name: str
    seconds: float
    outcomes: list[Outcome]

    def count(self, status: Status) -> int:
        """How many of its tests ended so."""
        return sum(outcome.status is status for outcome in self.outcomes)


def run_step(name: str, options: Options, known: list[KnownSkip], estimate: Estimate) -> StepResult:
    """Runs one step and applies the list of known skips. A step that breaks is a failure, not the end."""
    begin = time.monotonic()
    try:
        with StepProgress(estimate):
            outcomes = STEPS[name](options)
    except Exception as problem:  # noqa: BLE001 - the other steps still have something to say
        outcomes = [Outcome(name, Status.FAILED, f"the step broke: {type(problem).__name__}: {problem}")]
    result = StepResult(name, time.monotonic() - begin, judge_skips(name, outcomes, known))
    estimate.finished(result.seconds)
    if not options.full:  # a full check takes longer than the next one will
        keep_seconds(name, result.seconds)
    print(f"{name:<8}{result.seconds:8.1f} s  {'FAILED' if result.count(Status.FAILED) else 'ok'}", flush=True)
    for outcome in result.outcomes:
        if outcome.status is Status.FAILED:
            print(f"\n--- {name}: {outcome.name} FAILED")
            lines = outcome.text.rstrip().splitlines()
            if len(lines) > _SHOWN_LINES:
                lines = [*lines[:_SHOWN_LINES], f"... and {len(lines) - _SHOWN_LINES} more lines, see build/check/"]
            print("\n".join(f"    {line}" for line in lines), flush=True)
    return result


def _skips_by_reason(result: StepResult) -> dict[str, Counter[str]]:
    """For each reason of a skip the tests that gave it, how often; a parametrized test's cases are one name."""
    reasons: dict[str, Counter[str]] = {}
    for outcome in result.outcomes:
        if outcome.status is Status.SKIPPED:
            reasons.setdefault(outcome.text, Counter())[outcome.name.partition("[")[0]] += 1
    return reasons


def summarise(results: list[StepResult]) -> int:
    """Prints the skips, the table, the failures and the closing line; returns the exit code."""
    for result in results:
        for reason, names in _skips_by_reason(result).items():
            listed = ", ".join(f"{name} ({count})" if count > 1 else name for name, count in names.items())
            print(f"skipped  {result.name}: {names.total()} x {reason}: {listed}")
    print(f"\n{'step':<8}{'time':>10}{'passed':>9}{'failed':>9}{'skipped':>9}{'unsteady':>10}")
    for result in results:
        counts = "".join(f"{result.count(status):>9}" for status in Status)
        print(f"{result.name:<8}{result.seconds:>8.1f} s{counts}")
    totals = {status: sum(result.count(status) for result in results) for status in Status}
    print(f"{'total':<8}{sum(r.seconds for r in results):>8.1f} s{''.join(f'{n:>9}' for n in totals.values())}\n")
    for result in results:
        for outcome in result.outcomes:
            if outcome.status in (Status.FAILED, Status.UNSTEADY):
                print(f"{outcome.status.value:<8} {result.name}:{outcome.name}")
                lines = [line for line in outcome.text.splitlines() if line.strip()]
                print("\n".join(f"    {line[:_LAST_WIDTH]}" for line in lines[-_LAST_LINES:]))
    print(", ".join(f"{count} {status.value}" for status, count in totals.items()))
    return 1 if totals[Status.FAILED] or not totals[Status.PASSED] else 0


def main(arguments: list[str] | None = None) -> int:
    """Parses the command line and runs the steps it asks for."""
    parser = argparse.ArgumentParser(prog="check", description="every test of the project")
    parser.add_argument("--full", action="store_true", help="add ThreadSanitizer and all that is marked long")
    parser.add_argument("--only", metavar="STEP,STEP", help=f"run only these of {', '.join(STEPS)}")
    parser.add_argument("--fix", action="store_true", help="let formatters and ruff change the files")
    given = parser.parse_args(arguments)

    names = given.only.split(",") if given.only else [name for name in STEPS if given.full or name not in ONLY_FULL]
    if unknown := [name for name in names if name not in STEPS]:
        parser.error(f"unknown step {', '.join(unknown)}; the steps are {', '.join(STEPS)}")
    try:
        known = read_known_skips(Path(__file__).with_name("known-skips.toml"))
    except SkipListError as problem:
        print(problem, file=sys.stderr)
        return 1
    options = Options(full=given.full, fix=given.fix)
    estimate = Estimate(names, usual_seconds())
    return summarise([run_step(name, options, known, estimate) for name in names])


if __name__ == "__main__":
    sys.exit(main())
