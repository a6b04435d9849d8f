"""Compiles a submission into a runner by the lab's build description: `compiler… -c kernel.cu`, then
`compiler… kernel.o link…`. In between lie the audit, a bounded process of its own, which reads what the preprocessor
and the compiler made of it, and the verifier of finished code, which needs no audit. simtcc keeps the text that it
compiles; nvcc is asked for it in a step before, and what a step left is moved away before the next. While they read,
the linker works on copies; what it makes is a runner when both have let the object pass.

Where the build has a real CUDA front end, the compiler asks it in the same step, inside of the same bounds: what it
refuses does not compile.

The compiler runs in the submission's own folder, so that its messages name `kernel.cu:12`, in the sandbox and inside
bounds. Its exit code says whose fault it was: 1 the program's, anything else ours, unless one of nvcc's tools speaks,
for they have codes of their own. A bound that was reached is a verdict of its own, however the compiler words it.
"""

import errno
import math
import os
import re
import shlex
import shutil
import signal
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

from simtlab.audit.audit import Audit, in_order
from simtlab.audit.finding import AuditFinding, Rule, summary
from simtlab.audit.limits import AuditLimit
from simtlab.audit.process import CompiledSource, audit_in_process
from simtlab.audit.verified_code import verified_code
from simtlab.errors import GraderError
from simtlab.full_disk import disk_sentence
from simtlab.labs.build_description import BackendBuild
from simtlab.process.bounded import Bounds, Ending, Outcome, run_bounded
from simtlab.sandbox.sandbox import UNPROTECTED, LaunchStatus, Sandbox, read_launch_status
from simtlab.text import printable
from simtlab.verdict import Verdict

_OUT_OF_BOUNDS_WORDS = re.compile(
    rb"virtual memory exhausted|out of memory allocating|cannot allocate memory|memory exhausted|std::bad_alloc"
    rb"|ptxas fatal +: Memory allocation failure"
    rb"|Killed signal terminated|CPU time limit exceeded|File size limit exceeded|No space left on device",
    re.IGNORECASE,
)
_FULL_DISK_WORDS = re.compile(rb"(?P<space>No space left on device)|Disk quota exceeded", re.IGNORECASE)
_LEAST_ROOM_BYTES = 1 << 20
_LIMIT_SIGNALS = {signal.SIGKILL, signal.SIGXCPU, signal.SIGXFSZ, signal.SIGABRT}
_NOT_ALLOWED = re.compile(r"^\S+:\d+:\d+: error: not allowed: ", re.MULTILINE)  # how simtcc begins such a refusal
# nvcc's front end ends with 2 for a wrong program, ptxas with 255 when a kernel asks for more than a GPU has.
_NVCC_REFUSES = re.compile(
    r"^\d+ errors? detected in the compilation of |^(ptxas|nvlink) .*\b(error|fatal)\b", re.MULTILINE
)
_SHELL_SIGNAL = 128  # how a shell tells of a signal
_SHOWN_STDERR_BYTES = 16 * 1024
_SECONDS_TO_CLEAR_AWAY = 5.0
_CLOCK_FOR_PROCESSOR_TIME = 3  # a compiler that sleeps is ended too
_SOURCES = {".cu", ".cpp", ".cc", ".cxx", ".c"}
_HOST_SIDE = ["-Xcompiler", "-U__CUDA_ARCH__"]  # nvcc preprocesses for the device otherwise; simtcc knows one side only
_LARGEST_TEXT_MB = 16


@dataclass(frozen=True)
class CompilerBounds:
    """What compiling one submission may use. `seconds` are processor time, so that a loaded machine refuses nobody."""

    seconds: float = 60
    memory_mb: int = 2048
    file_mb: int = 256
    output_bytes: int = 1024 * 1024


@dataclass(frozen=True)
class Compilation:
    """How compiling ended: the verdict is None when there is a runner."""

    verdict: Verdict | None
    message: str
    stderr: str
    seconds: float
    findings: list[AuditFinding] = field(default_factory=list)


class _NotCompiled(Exception):
    """A step of the compiler ended otherwise than well, and not by a fault of ours."""

    def __init__(self, verdict: Verdict, message: str) -> None:
        self.verdict, self.message = verdict, message
        super().__init__(message)


def compile_submission(
    build: BackendBuild,
    files: Sequence[str],
    folder: Path,
    runner: Path,
    *,
    audit: Audit | None = None,
    sandbox: Sandbox = UNPROTECTED,
    bounds: CompilerBounds | None = None,
    stop: threading.Event | None = None,
) -> Compilation:
    """Compiles `files`, which lie in `folder`, into `runner`, whose folder nobody else uses. Without an audit
    all becomes a runner that compiles and that the build's verifier lets pass. Raises `GraderError` when it could not
    be tried properly."""
    compiling = _Compiling(build, list(files), folder, runner, sandbox, bounds or CompilerBounds(), stop)
    findings: list[AuditFinding] = []
    try:
        compiling.run(audit, findings)
        verdict, message = None, ""
    except _NotCompiled as end:
        verdict, message = end.verdict, end.message
    findings = in_order(findings)
    # A function that nobody defines is a mistake, and the linker's words for it are the better ones.
    if findings and not (verdict is Verdict.COMPILE_ERROR and all(one.rule is Rule.FUNCTION for one in findings)):
        verdict, message = Verdict.FORBIDDEN, summary(findings)
    return Compilation(verdict, message, _shown(compiling.stderr), compiling.seconds, findings)


@dataclass
class _Made:
    """What there is of one source so far."""

    name: str
    preprocessed: Path | None = None
    object_file: Path | None = None


class _Compiling:
    """The steps of one submission's way to a runner, and what they said."""

    def __init__(
        self,
        build: BackendBuild,
        files: list[str],
        folder: Path,
        runner: Path,
        sandbox: Sandbox,
        bounds: CompilerBounds,
        stop: threading.Event | None,
    ) -> None:
        self._build, self._files, self._folder, self._runner = build, files, folder, runner
        self._bounds, self._stop = bounds, stop
        # Where the sandbox can write, and where it cannot: beside the folder, not in it.
        self._output, self._status = runner.parent / "compiled", runner.parent / "compiler.json"
        self._audited = runner.parent / "audited"
        self._prefix = sandbox.compiler_words(build, folder, self._output, self._status, self._bounds.memory_mb)
        self.stderr = b""
        self.seconds = 0.0

    def run(self, audit: Audit | None, findings: list[AuditFinding]) -> None:
        """Makes the runner, and adds what the audit finds on the way to `findings`; with such a finding there need not
        be a runner. Raises `_NotCompiled`."""
        self._output.mkdir()
        self._audited.mkdir()
        made = [_Made(name) for name in self._files if Path(name).suffix in _SOURCES]
        ending: _NotCompiled | None = None
        try:
            if audit and not self._build.expanded_text:
                for one in made:
                    one.preprocessed = self._preprocessed(one.name)
            for one in made:
                self._compile(one, bool(audit))
        except _NotCompiled as end:
            ending = end
        if ending:
            findings += self._audit(audit, made, ending) if audit else []
            raise ending
        objects = [one.object_file for one in made if one.object_file]
        said = self.stderr
        with ThreadPoolExecutor(1) as aside:
            linked = aside.submit(self._link, objects)
            if audit:
                findings += self._audit(audit, made, None)
            if self._build.verifier and not findings:
                findings += verified_code(self._build.verifier, objects, self._files, self._stop)
        if all(one.rule is Rule.FUNCTION for one in findings):
            linked.result()
        else:
            self.stderr = said

    def _preprocessed(self, name: str) -> Path:
        path = self._output / f"{Path(name).stem}.ii"
        said = self.stderr
        self._step(["-E", *_HOST_SIDE, name, "-o", str(path)], path, file_mb=_LARGEST_TEXT_MB)
        self.stderr = said  # what it says, compiling says again
        return self._taken_away(path)

    def _compile(self, one: _Made, is_audited: bool) -> None:
        """Makes the object, and, where the compiler can keep it, takes the text that it was made of for the audit, also
        where it then refused that text."""
        path, text = (self._output / f"{Path(one.name).stem}{ending}" for ending in (".o", ".ii"))
        words = [f"--front-end={real.program}"] if (real := self._build.front_end) else []
        keeps_text = is_audited and bool(self._build.expanded_text)
        if keeps_text:
            words.append(f"{self._build.expanded_text}{text}")
        try:
            self._step(["-c", *words, one.name, "-o", str(path)], path)
        finally:
            if keeps_text and text.is_file() and not text.is_symlink():
                one.preprocessed = self._taken_away(text)
        one.object_file = self._taken_away(path)

    def _taken_away(self, path: Path) -> Path:
        """Out of the sandbox's sight: every step finds the folder as empty as the one before, so that the preprocessor
        cannot answer otherwise the second time, when the audit no longer reads what it writes."""
        kept = self._audited / path.name
        _take(path, kept)
        return kept

    def _audit(self, audit: Audit, made: Sequence["_Made"], ending: "_NotCompiled | None") -> list[AuditFinding]:
        sources = [CompiledSource(one.name, one.preprocessed, one.object_file) for one in made]
        try:
            return audit_in_process(audit, sources, self._audited, self._stop)
        except AuditLimit as limit:
            raise ending or _NotCompiled(Verdict.COMPILER_LIMIT, str(limit)) from limit

    def _link(self, objects: Sequence[Path]) -> None:
        """One object with names of its own, then the runner: a variable called `write` stands in for no function of the
        system's, and what two files both define is still a mistake. All in one sandbox, whose start takes longer than
        the linker."""
        shown = [str(shutil.copyfile(path, self._output / path.name)) for path in objects]
        made = self._output / self._runner.name
        commands = []
        if self._build.close:
            joined, closed = str(self._output / "joined.o"), str(self._output / "closed.o")
            commands = [[*self._build.join, *shown, "-o", joined], [*self._build.close, joined, closed]]
            shown = [closed]
        commands.append([*self._build.compiler, *shown, *self._build.link, "-o", str(made)])
        self._step([" && ".join(map(shlex.join, commands))], made, program=("/bin/sh", "-c"))
        _take(made, self._runner)

    def _step(
        self, words: list[str], made: Path, file_mb: int | None = None, program: Sequence[str] | None = None
    ) -> None:
        bounds = replace(self._bounds, file_mb=min(file_mb or self._bounds.file_mb, self._bounds.file_mb))
        program = program or self._build.compiler
        self._status.unlink(missing_ok=True)
        outcome = run_bounded(
            [*self._prefix, *program, *words],
            self._folder,
            Bounds(
                seconds=bounds.seconds * _CLOCK_FOR_PROCESSOR_TIME,
                output_bytes=bounds.output_bytes,
                cpu_seconds=math.ceil(bounds.seconds),
                memory_mb=bounds.memory_mb,
                file_mb=bounds.file_mb,
                grace_seconds=_SECONDS_TO_CLEAR_AWAY if self._prefix else 0,
            ),
            self._stop,
        )
        self.stderr += outcome.stderr
        self.seconds += outcome.seconds
        in_sandbox = self._prefix and outcome.ending is Ending.EXITED
        launched = read_launch_status(self._status) if in_sandbox else None
        if full := _full_disk(outcome, launched, self._output):
            raise GraderError(disk_sentence(full) or str(full))
        limit = _limit_reached(outcome, launched, bounds)
        if limit:
            raise _NotCompiled(Verdict.COMPILER_LIMIT, f"the compiler {limit}")
        compiler = program[0]
        said = _shown(outcome.stderr)
        if outcome.exit_code == 1 or (outcome.exit_code and _NVCC_REFUSES.search(said)):
            verdict = Verdict.FORBIDDEN if _NOT_ALLOWED.search(said) else Verdict.COMPILE_ERROR
            raise _NotCompiled(verdict, _first_error(said, self._files))
        if outcome.exit_code != 0:
            raise GraderError(f"{compiler} ended with exit code {outcome.exit_code}:\n{said[-2000:]}")
        # A link would show us, or the next sandbox, what it points at.
        if made.is_symlink() or not made.is_file():
            raise GraderError(f"{compiler} exited with 0 but wrote no {made.name}")


def _take(made: Path, place: Path) -> None:
    """Moves what a step made out of the sandbox's reach."""
    made.rename(place)
    if os.geteuid() == 0:
        os.chown(place, 0, 0)
    place.chmod(0o755)


def _full_disk(outcome: Outcome, launched: LaunchStatus | None, place: Path) -> OSError | None:
    """The error where the compiler failed for want of room on this machine's disk, which is no student's fault. Inside
    the sandbox it may also be the room that a submission gets."""
    said = _FULL_DISK_WORDS.search(outcome.stderr) if outcome.exit_code else None
    if said is None:
        return None
    number = errno.ENOSPC if said["space"] else errno.EDQUOT
    room = os.statvfs(place)
    if launched and (launched.disk_full or (said["space"] and room.f_bavail * room.f_frsize > _LEAST_ROOM_BYTES)):
        return None
    return OSError(number, os.strerror(number), str(place))


def _limit_reached(outcome: Outcome, launched: LaunchStatus | None, bounds: CompilerBounds) -> str | None:
    """Which bound ended the compiler, as the rest of a sentence."""
    if outcome.ending is Ending.TIME:
        return f"ran longer than {bounds.seconds:g} s: look for templates or macros that expand without end"
    if outcome.ending is Ending.OUTPUT:
        return f"wrote more than {bounds.output_bytes // 1024} KB of messages: mend the first error and compile again"
    if outcome.exit_code == 0:
        return None
    code = outcome.exit_code
    ended_by = launched.signal if launched else code - _SHELL_SIGNAL if code > _SHELL_SIGNAL else -code
    beyond = launched is not None and (launched.memory_kills > 0 or launched.disk_full)
    if beyond or ended_by in _LIMIT_SIGNALS or _OUT_OF_BOUNDS_WORDS.search(outcome.stderr):
        return (
            f"needed more than it may use ({bounds.memory_mb} MB of memory, {bounds.seconds:g} s, "
            f"files of {bounds.file_mb} MB): look for huge arrays, templates or macros"
        )
    return None


def _first_error(stderr: str, files: Sequence[str]) -> str:
    """The first line that names the student's own file, else the first line that says error, else the first at all."""
    lines = [line for line in stderr.splitlines() if line.strip()]
    own = [line for line in lines if any(re.match(rf"(\S*/)?{re.escape(name)}[:(]\d+", line) for name in files)]
    errors = [line for line in own if "error" in line] or own or [line for line in lines if "error" in line] or lines
    return errors[0].strip()[:500] if errors else "the compiler failed without a message"


def _shown(stderr: bytes) -> str:
    """The compiler's messages as text to keep: the beginning, where the first error is."""
    text = printable(stderr[:_SHOWN_STDERR_BYTES].decode("utf-8", "replace"), keep_lines=True)
    left_out = len(stderr) - _SHOWN_STDERR_BYTES
    return text if left_out <= 0 else f"{text}\n… {left_out} bytes more"
