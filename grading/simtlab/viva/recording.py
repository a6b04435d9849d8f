"""A kernel's benchmark run once more, as submissions run, and then with blocks of another shape."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from simtlab.class_run.build import build_files
from simtlab.class_run.conditions import Conditions
from simtlab.compiler.compile import Compilation
from simtlab.errors import GraderError
from simtlab.labs.catalogue import Lab
from simtlab.process.bounded import Bounds, Ending, run_bounded
from simtlab.process.workplace import workplace
from simtlab.text import printable
from simtlab.viva.questions import Recorded
from simtlab.viva.requests import read_requests
from simtlab.viva.samples import read_sample

_OUTPUT_BYTES = 16 * 1024 * 1024
_SHAPES = ((16, 16, 1), (32, 8, 1), (8, 32, 1), (8, 8, 1), (16, 2, 1), (8, 4, 1))
_KEEP = """kept=$1; shift; "$@"; code=$?
for folder; do :; done
result=$folder/result/result.json
[ -f "$result" ] && [ ! -L "$result" ] && cp "$result" "$kept"
exit $code"""
"""Runs its words, the last of which is a case's folder, and keeps the result that it wrote there, unless a submission
has put a link in its place."""


@dataclass(frozen=True)
class Recording:
    """What became of the files. The texts are empty where they did not compile."""

    compilation: Compilation
    profile: str = ""
    """The source with its counters beside each line."""
    result: str = ""
    """The runner's result.json, whose launches have whole requests as `examples`; empty where it did not end."""
    changed: str = ""
    """The same of a run whose blocks have another shape; empty where there is no other, or the kernel did not end."""

    @property
    def recorded(self) -> Recorded:
        """What questions are made of."""
        return Recorded(read_requests(self.result), read_sample(self.result), read_requests(self.changed))


def record(lab: Lab, contents: Mapping[str, bytes], conditions: Conditions) -> Recording:
    """Compiles the lab's files of these contents and runs the benchmark on the emulator, in the sandbox of the
    conditions. A `GraderError` is a fault of ours."""
    with workplace() as place:
        compilation = build_files(contents, lab, place, conditions, None)
        if compilation.verdict is not None:
            return Recording(compilation)
        profile, result = _profiled(lab, place, conditions, "as-it-is", ["--samples"])
        shape = _other_shape(result)
        words = [] if shape is None else ["--launch-block", ",".join(map(str, shape))]
        changed = _profiled(lab, place, conditions, "changed", words)[1] if words else ""
        return Recording(compilation, profile, result, changed)


def _profiled(lab: Lab, place: Path, conditions: Conditions, name: str, words: list[str]) -> tuple[str, str]:
    """The profile, and the runner's result."""
    judgement, runner = place / name, place / "runner"
    judgement.mkdir()
    kept = judgement / "recorded.json"
    prefix = [*conditions.runner_prefix, *conditions.sandbox.runner_words(runner, conditions.backend)]
    command = [
        str(lab.build.judge),
        *("--runner", str(runner)),
        *("--backend", conditions.backend),
        *("--profile", str(place / "submission" / lab.specification.files[0])),
        *words,
        *conditions.limits.words(),
        *("--runner-prefix", json.dumps(["/bin/sh", "-c", _KEEP, "sh", str(kept), *prefix])),
    ]
    outcome = run_bounded(command, judgement, Bounds(conditions.judge_seconds, output_bytes=_OUTPUT_BYTES))
    if outcome.ending is not Ending.EXITED or outcome.exit_code not in {0, 1}:
        last_words = printable(outcome.stderr[-2000:].decode("utf-8", "replace"), keep_lines=True).strip()
        raise GraderError(
            f"the judge of {lab.name} {outcome.ending.value}, exit code {outcome.exit_code}: {last_words}"
        )
    result = kept.read_text(encoding="utf-8") if kept.is_file() else ""
    return outcome.stdout.decode("utf-8", "replace"), result


def _other_shape(result: str) -> tuple[int, int, int] | None:
    """A shape of blocks that no launch has, and that has no more threads than the smallest of them."""
    launches = json.loads(result)["measured"]["launches"] if result else []
    shapes = [tuple(one["block"]) for one in launches]
    least = min((math.prod(one) for one in shapes), default=0)
    return next((one for one in _SHAPES if one not in shapes and math.prod(one) <= least), None)
