"""A lab's kernel built and tested as `make test` does it: the judge's three tests in its own words, without hidden
cases, points and sandbox. For people who try their own code: a course's `make test`, and notebooks."""

import platform
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from simtlab.audit.audit import audit_of
from simtlab.audit.finding import AuditFinding
from simtlab.compiler.compile import compile_submission
from simtlab.errors import GraderError, UsageError
from simtlab.labs.catalogue import Lab
from simtlab.process.bounded import Bounds, Ending, run_bounded
from simtlab.process.workplace import workplace

PARTS = ("correct", "safe", "fast")
_SECONDS = 600
_OUTPUT_BYTES = 4 * 1024 * 1024


@dataclass(frozen=True)
class PartResult:
    """How one of the judge's tests ended, and what it said."""

    name: str
    passed: bool
    said: str
    seconds: float


@dataclass(frozen=True)
class OwnTest:
    """What became of a kernel. Without parts it was not run: `refused` says why."""

    lab: str
    compiler: str
    """The compiler's messages, warnings too."""
    refused: str = ""
    audit: list[AuditFinding] = field(default_factory=list)
    parts: list[PartResult] = field(default_factory=list)
    objects_audited: bool = True
    """Whether the audit read the object, too, as the grader's does: it reads those of x86-64."""

    @property
    def passed(self) -> bool:
        """Whether all three tests passed."""
        return bool(self.parts) and all(one.passed for one in self.parts)


def check_own_kernel(lab: Lab, folder: Path) -> OwnTest:
    """Compiles the files of the lab that lie in `folder`, audits them as the grader does, and runs the three tests on
    the emulator with the public seed. Raises `UsageError` where a file is missing."""
    with _built(lab, folder) as (test, runner):
        if runner is None:
            return test
        source = runner.parent / "submission" / lab.specification.files[0]
        return replace(test, parts=[_part(lab, runner, source, name) for name in PARTS])


def profile_own_kernel(lab: Lab, folder: Path) -> tuple[OwnTest, str]:
    """The source with its counters and findings beside each line; empty where it does not compile."""
    with _built(lab, folder) as (test, runner):
        if runner is None:
            return test, ""
        source = runner.parent / "submission" / lab.specification.files[0]
        return test, _judged(lab, runner, ["--profile", str(source)])[1]


@contextmanager
def _built(lab: Lab, folder: Path) -> Iterator[tuple[OwnTest, Path | None]]:
    """The runner, as long as somebody needs it; None where there is none, and why."""
    if "emulator" not in lab.build.backends:
        raise UsageError(f"{lab.name} is not built for the emulator: simtlab doctor says what is missing")
    build = lab.build.backends["emulator"]
    files = lab.specification.files
    with workplace() as place:
        sources = place / "submission"
        sources.mkdir()
        for name in files:
            if not (folder / name).is_file():
                raise UsageError(f"{folder / name} is missing: {lab.name} is about {', '.join(files)}")
            shutil.copyfile(folder / name, sources / name)
        texts = {name: (sources / name).read_text(encoding="utf-8", errors="replace") for name in files}
        headers = [str(path) for path in build.depends if path.is_dir()]
        runner = place / "runner"
        audit = replace(audit_of(texts, lab.specification, headers), objects=platform.machine() == "x86_64")
        made = compile_submission(build, files, sources, runner, audit=audit)
        refused = "" if made.verdict is None else made.message
        test = OwnTest(lab.name, made.stderr, refused, made.findings, objects_audited=audit.objects)
        yield test, runner if made.verdict is None else None


def _part(lab: Lab, runner: Path, source: Path, name: str) -> PartResult:
    code, said, seconds = _judged(lab, runner, ["--source", str(source), f"--test-case={name}"])
    return PartResult(name, code == 0, said, seconds)


def _judged(lab: Lab, runner: Path, words: list[str]) -> tuple[int, str, float]:
    command = [str(lab.build.judge), "--runner", str(runner), "--backend", "emulator", *words]
    outcome = run_bounded(command, runner.parent, Bounds(_SECONDS, output_bytes=_OUTPUT_BYTES))
    last_words = outcome.stderr.decode("utf-8", "replace").strip()
    if outcome.ending is not Ending.EXITED or outcome.exit_code not in {0, 1}:
        raise GraderError(
            f"the judge of {lab.name} {outcome.ending.value}, exit code {outcome.exit_code}: {last_words}"
        )
    said = outcome.stdout.decode("utf-8", "replace")
    return outcome.exit_code, said + (f"{last_words}\n" if last_words else ""), outcome.seconds
