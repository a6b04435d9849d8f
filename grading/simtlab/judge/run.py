"""Runs a lab's judge on a built runner. The judge exits with 0 whatever the verdict; anything else is our fault."""

import json
import signal
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from simtlab.errors import GraderError
from simtlab.facts.model import Facts
from simtlab.facts.read import read_facts
from simtlab.labs.build_description import SASS
from simtlab.labs.catalogue import Lab
from simtlab.process.bounded import Bounds, Ending, run_bounded
from simtlab.sandbox.layers import CODE_VERIFIER
from simtlab.sandbox.sandbox import UNPROTECTED, Sandbox
from simtlab.text import printable

_EMULATOR_WORKERS = 1  # the class is graded in parallel, one submission each; facts name the number, so it never varies


class KilledJudgeError(GraderError):
    """Somebody killed the judge: the kernel for memory, or a person. Another try may fare better."""


@dataclass(frozen=True)
class CaseLimits:
    """What one case of a submission may use; None leaves it to the lab."""

    seconds: float | None = None
    memory_mb: int | None = None

    def words(self) -> list[str]:
        """The limits as the judge's options."""
        options: list[str] = []
        if self.seconds is not None:
            options += ["--limit-seconds", f"{self.seconds:g}"]
        if self.memory_mb is not None:
            options += ["--limit-memory-mb", str(self.memory_mb)]
        return options


def backend_words(backend: str) -> tuple[str, ...]:
    """What the judge is told of a backend."""
    return ("--backend", "emulator", "--engine", "sass") if backend == SASS else ("--backend", backend)


def judge_submission(
    lab: Lab,
    runner: Path,
    folder: Path,
    *,
    submission: str,
    source: Path,
    backend: str,
    seed: int,
    limits: CaseLimits,
    runner_prefix: Sequence[str] = (),
    sandbox: Sandbox = UNPROTECTED,
    wall_seconds: float,
    without: Sequence[str] = (),
    until_failure: bool = False,
    only_times: bool = False,
    timing_session: Path | None = None,
    stop: threading.Event | None = None,
) -> Facts:
    """The facts about `runner`. `folder` is the judge's own: the student's code has no business in it. `source` is the
    submission's main file, which messages quote from. `without` names layers of defence that a test switches off.
    With `until_failure` nothing is run after the first case that does not pass, with `only_times` no case at all. In
    `timing_session` the judge keeps for the next submission what it compares times with; none may see that folder."""
    facts = folder / "facts.json"
    command = [
        str(lab.build.judge),
        *("--runner", str(runner)),
        *backend_words(backend),
        *("--facts", str(facts)),
        *("--submission", submission),
        *("--source", str(source)),
        *("--workers", str(_EMULATOR_WORKERS)),
        *limits.words(),
    ]
    if until_failure:
        command.append("--until-failure")
    if only_times:
        command.append("--only-times")
    if without:
        command += ["--without", ",".join(without)]
    prefix = [*runner_prefix, *sandbox.runner_words(runner, backend)]
    if prefix:
        command += ["--runner-prefix", json.dumps(prefix)]
    if runner_prefix:
        command += ["--baseline-prefix", json.dumps(list(runner_prefix))]
    command += lab.build.backends[backend].comparison_words()
    if timing_session is not None and backend == "cuda":
        timing_session.mkdir(mode=0o700, parents=True, exist_ok=True)
        command += ["--timing-session", str(timing_session)]
    if front_end := lab.build.backends[backend].front_end:
        command += ["--front-end", front_end.name]
    verifies = lab.build.backends[backend].verifier is not None
    if layers := [one for one in sandbox.layers if verifies or one != CODE_VERIFIER]:
        command += ["--sandbox-layers", ",".join(layers)]
    if lab.hidden is not None:
        hidden = folder / "hidden.json"
        hidden.write_text(lab.hidden, encoding="utf-8")
        command += ["--hidden", str(hidden)]
    outcome = run_bounded(
        command,
        folder,
        Bounds(wall_seconds, output_bytes=16 * 1024 * 1024),
        stop,
        # The arrays of a GPU benchmark fill gigabytes: with large pages their first touch takes a fraction of the time.
        {
            "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1",
            "SIMTLAB_SEED": str(seed),
        },  # any process may read a command line; the judge keeps its environment to itself
    )
    last_words = printable(outcome.stderr[-2000:].decode("utf-8", "replace"), keep_lines=True).strip()
    if outcome.ending is not Ending.EXITED:
        raise GraderError(f"the judge of {lab.name} {outcome.ending.value} ({wall_seconds:g} s): {last_words}")
    if outcome.exit_code == -signal.SIGKILL:
        raise KilledJudgeError(
            f"the judge of {lab.name} was killed as often as it was tried, most likely for memory: grade fewer at a "
            f"time (--workers), or give tasks more memory; then grade again {last_words}".strip()
        )
    if outcome.exit_code != 0:
        raise GraderError(f"the judge of {lab.name} ended with exit code {outcome.exit_code}: {last_words}")
    return read_facts(facts, lab=lab.name, submission=submission)
