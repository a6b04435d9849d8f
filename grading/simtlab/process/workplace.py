"""Temporary folders that carry their owner's process number, so that those of a killed grading can be swept away."""

import contextlib
import os
import re
import shutil
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

from simtlab.process.running import is_running

_NAME = re.compile(r"simtlab-(?P<host>.+)-(?P<process>\d+)-[^-]+")


def _host() -> str:
    return re.sub(r"[^A-Za-z0-9.-]", "", socket.gethostname()) or "host"


@contextlib.contextmanager
def workplace() -> Iterator[Path]:
    """An empty folder for one submission, gone afterwards."""
    with tempfile.TemporaryDirectory(prefix=f"simtlab-{_host()}-{os.getpid()}-", ignore_cleanup_errors=True) as name:
        yield Path(name)


def sweep_workplaces(place: Path | None = None) -> int:
    """Removes the folders that gradings killed on this machine left behind; returns how many."""
    swept = 0
    for folder in (place or Path(tempfile.gettempdir())).glob("simtlab-*"):
        match = _NAME.fullmatch(folder.name)
        if not match or match["host"] != _host() or folder.is_symlink() or is_running(int(match["process"])):
            continue
        if folder.stat().st_uid == os.getuid():
            shutil.rmtree(folder, ignore_errors=True)
            swept += not folder.exists()
    return swept
