"""Counting one program's benchmark, on the emulator or on a GPU. The programs are the course's own: no sandbox."""

import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from simtlab.calibrate.counters import CounterDocument, read_counters
from simtlab.compiler.compile import compile_submission
from simtlab.errors import GraderError, LabError, UsageError
from simtlab.judge.run import backend_words
from simtlab.labs.catalogue import Lab
from simtlab.process.bounded import Bounds, run_bounded
from simtlab.text import printable

COUNTING_TOOL = "ncu"
_LONGEST_SECONDS = 300.0


def counting_tool() -> str:
    """Nsight Compute's program; UsageError with what to do where there is none."""
    if found := shutil.which(COUNTING_TOOL):
        return found
    raise UsageError(
        f"--counters needs Nsight Compute, and there is no {COUNTING_TOOL} in PATH; it comes with the CUDA Toolkit"
    )


def build_runner(
    lab: Lab, name: str, files: dict[str, bytes], backend: str, place: Path, compiler_words: Sequence[str] = ()
) -> Path:
    """The program's runner, made in the empty folder `place`; `compiler_words` are told to the backend's compiler."""
    build = lab.build.backends[backend]
    build = build.model_copy(update={"compiler": [*build.compiler, *compiler_words]})
    source, runner = place / "source", place / "built" / "runner"
    source.mkdir()
    runner.parent.mkdir()
    for file, content in files.items():
        (source / file).write_bytes(content)
    compiled = compile_submission(build, lab.build.files, source, runner)
    if compiled.verdict is not None:
        raise LabError(f"{lab.name}/{name} does not build for the backend {backend}: {compiled.message}")
    return runner


def count_words(lab: Lab, runner: Path, backend: str, document: Path) -> list[str]:
    """The command that has the judge write the counters of the benchmark at the emulator's size."""
    words = [str(lab.build.judge), "--runner", str(runner), *backend_words(backend)]
    return [*words, "--count", str(document)]


def count(
    lab: Lab,
    name: str,
    files: dict[str, bytes],
    backend: str,
    judge_words: Sequence[str],
    compiler_words: Sequence[str] = (),
) -> CounterDocument:
    """The counters of the benchmark at the emulator's size, `compiler_words` being told to the backend's compiler."""
    with tempfile.TemporaryDirectory(prefix="simtlab-count-") as folder:
        place, document = Path(folder), Path(folder) / "counters.json"
        runner = build_runner(lab, name, files, backend, place, compiler_words)
        words = count_words(lab, runner, backend, document)
        outcome = run_bounded([*words, *judge_words], place, Bounds(_LONGEST_SECONDS))
        if outcome.exit_code != 0:
            said = printable(outcome.stderr[-1000:].decode("utf-8", "replace"), keep_lines=True).strip()
            raise GraderError(f"the judge of {lab.name} could not count {name}: {said}")
        return read_counters(document)
