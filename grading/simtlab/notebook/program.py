"""A cell as a program: compiled by simtcc in a folder of its own, and run where the notebook is. What it prints is
handed on while it runs."""

import contextlib
import os
import selectors
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from simtlab.notebook.messages import Message, messages_of
from simtlab.notebook.options import CellOptions
from simtlab.notebook.report import ProgramReport, read_report

_COMPILER_SECONDS = 120
_SECONDS_TO_REPORT = 12  # a kernel that is interrupted has ten to say where its threads stood
_MOST_OUTPUT = 1 << 20

Listener = Callable[[str, str], None]
"""Called with `stdout` or `stderr` and some text, as soon as the program writes it."""


@dataclass(frozen=True)
class CellResult:
    """What became of a cell. `exit_code` is None where it did not compile."""

    file: str
    source: str
    """The cell as the compiler saw it: its first line is empty, where `%%simt` stood."""
    compiler: str = ""
    messages: list[Message] = field(default_factory=list)
    exit_code: int | None = None
    stdout: str = ""
    stderr: str = ""
    stopped: str = ""
    """Why it was ended, where it was."""
    seconds: float = 0
    report: ProgramReport | None = None
    """None where it left none: it did not compile, was killed, or ended by `_exit`."""

    @property
    def compiled(self) -> bool:
        """Whether there was a program."""
        return self.exit_code is not None

    @property
    def right(self) -> bool:
        """Whether it compiled, ended with 0 and no finding is an error."""
        return self.exit_code == 0 and not self.stopped and not (self.report and self.report.has_error)


def run_cell(cell: str, options: CellOptions, listener: Listener, simtcc: Path) -> CellResult:
    """Compiles the cell and runs it in the current folder. Whatever it prints is handed to `listener`, too."""
    source = "\n" + cell
    with tempfile.TemporaryDirectory(prefix="simtlab-cell-", ignore_cleanup_errors=True) as place:
        folder = Path(place)
        (folder / options.file).write_text(source, encoding="utf-8")
        said, ready = _compiled(folder, options, simtcc)
        result = CellResult(options.file, source, said, messages_of(said, options.file))
        return _run(folder, result, options, listener) if ready else result


def _compiled(folder: Path, options: CellOptions, simtcc: Path) -> tuple[str, bool]:
    command = [str(simtcc), f"-I{Path.cwd()}", *options.compiler, options.file, "-o", "program"]
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, timeout=_COMPILER_SECONDS, check=False, stdin=subprocess.DEVNULL
        )
    except subprocess.TimeoutExpired:
        return f"the compiler was ended after {_COMPILER_SECONDS} s: look for templates or macros without end\n", False
    said = (done.stderr + done.stdout).decode("utf-8", "replace")
    return said, done.returncode == 0 and (folder / "program").exists()


def _run(folder: Path, compiled: CellResult, options: CellOptions, listener: Listener) -> CellResult:
    report = folder / "report.json"
    environment = os.environ | {"SIMTLAB_REPORT": str(report), "SIMTLAB_TEXT": "off"}
    if not options.counters:
        environment["SIMTLAB_COUNTERS"] = "off"
    started = time.monotonic()
    process = subprocess.Popen(
        [folder / "program", *options.args],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        start_new_session=True,
    )
    try:
        texts, stopped = _listen(process, started + options.seconds, options.seconds, listener)
    except BaseException:  # the reader's interrupt among them
        _end(process)
        raise
    return CellResult(
        file=compiled.file,
        source=compiled.source,
        compiler=compiled.compiler,
        messages=compiled.messages,
        exit_code=process.returncode,
        stdout=texts["stdout"],
        stderr=texts["stderr"],
        stopped=stopped,
        seconds=time.monotonic() - started,
        report=read_report(report),
    )


def _listen(
    process: subprocess.Popen[bytes], until: float, seconds: float, listener: Listener
) -> tuple[dict[str, str], str]:
    """What the program prints until it ends, and why it was ended if it was."""
    texts, stopped, total = {"stdout": "", "stderr": ""}, "", 0
    with selectors.DefaultSelector() as selector, _pipes(process) as pipes:
        for name, pipe in pipes.items():
            selector.register(pipe, selectors.EVENT_READ, name)
        while selector.get_map() and not stopped:
            ready = selector.select(max(0.0, until - time.monotonic()))
            if not ready:
                stopped = f"it was ended after {seconds:g} s; --limit-seconds allows more"
            for key, _ in ready:
                piece = os.read(key.fd, 1 << 16)
                if not piece:
                    selector.unregister(key.fileobj)
                    continue
                total += len(piece)
                text = piece.decode("utf-8", "replace")
                texts[key.data] += text
                listener(key.data, text)
            if total > _MOST_OUTPUT:
                stopped = f"it was ended because it printed more than {_MOST_OUTPUT >> 20} MB"
        if stopped:
            _end(process)
    try:
        process.wait(timeout=max(0.0, until - time.monotonic()))
    except subprocess.TimeoutExpired:  # it closed its output and runs on
        stopped = stopped or f"it was ended after {seconds:g} s; --limit-seconds allows more"
        _end(process)
    return texts, stopped


@contextlib.contextmanager
def _pipes(process: subprocess.Popen[bytes]):  # type: ignore[no-untyped-def]
    pipes: dict[str, IO[bytes]] = {}
    for name in ("stdout", "stderr"):
        pipe = getattr(process, name)
        pipes[name] = pipe
    try:
        yield pipes
    finally:
        for pipe in pipes.values():
            pipe.close()


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ends the program and all that it started: asked first, so that it reports."""
    for how, patience in ((signal.SIGTERM, _SECONDS_TO_REPORT), (signal.SIGKILL, None)):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, how)
        try:
            process.wait(timeout=patience)
            break
        except subprocess.TimeoutExpired:
            continue
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
