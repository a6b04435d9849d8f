"""When a file was committed, read from a student's clone without trusting it.

A clone's own configuration can name programs that git starts (a signature checker, a transport for missing objects), so
it is never read: git runs in an empty repository of ours and only looks objects up in the clone's store. HEAD and what
it points to are read here. A time is given only for what the commit really holds: the file's bytes are the blob's.
"""

import hashlib
import re
from datetime import UTC, datetime
from pathlib import Path

from simtlab.errors import GraderError
from simtlab.process.bounded import Bounds, Ending, run_bounded

_BOUNDS = Bounds(seconds=30, cpu_seconds=20, output_bytes=4096, memory_mb=2048)
_COMMIT = re.compile(r"[0-9a-f]{40}")
_BRANCH = re.compile(r"refs/[A-Za-z0-9._/-]+")
_LONGEST = 8 * 1024 * 1024


class NoCommitTime(Exception):
    """Why a file has no time, as the end of a sentence about it."""


class CommitTimes:
    """Looks up times; `place` is an empty folder for a repository of our own."""

    def __init__(self, place: Path) -> None:
        self._place = place
        self._initialised = False

    def of(self, file: Path) -> datetime:
        """The time of the last commit that changed the file, as its committer's clock had it. Raises `NoCommitTime`."""
        top = next((folder for folder in file.absolute().parents if (folder / ".git").exists()), None)
        if top is None:
            raise NoCommitTime("stands in no git repository")
        store = top / ".git"
        if not store.is_dir() or store.is_symlink() or not (store / "objects").is_dir():
            raise NoCommitTime("stands in a worktree or submodule, whose history is not read: clone it by itself")
        if (store / "shallow").exists():
            raise NoCommitTime("comes from a shallow clone, whose history is cut short: clone it whole")
        head = _head(store)
        name = file.absolute().relative_to(top).as_posix()
        objects = store / "objects"
        if self._git(objects, "rev-parse", f"{head}:{name}") != _blob(file):
            raise NoCommitTime("is not what the last commit holds")
        seconds = self._git(objects, "log", "-1", "--format=%ct", head, "--", name)
        if not seconds.isdecimal():
            raise NoCommitTime("has no commit")
        try:
            return datetime.fromtimestamp(int(seconds), UTC)
        except (ValueError, OverflowError, OSError) as error:
            raise NoCommitTime("was committed at a time that no calendar has") from error

    def _git(self, objects: Path, *words: str) -> str:
        """What git prints about the objects, nothing where it fails."""
        environment = {
            "GIT_DIR": str(self._place / "own.git"),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": "/dev/null",
            "GIT_LITERAL_PATHSPECS": "1",
            "GIT_NO_REPLACE_OBJECTS": "1",
            "HOME": str(self._place),
        }
        if not self._initialised:
            run_bounded(["git", "init", "--quiet", "--bare"], self._place, _BOUNDS, environment=environment)
            self._initialised = True
        environment["GIT_OBJECT_DIRECTORY"] = str(objects)
        outcome = run_bounded(["git", *words], self._place, _BOUNDS, environment=environment)
        if outcome.ending is not Ending.EXITED or outcome.exit_code != 0:
            return ""
        return outcome.stdout.decode("utf-8", "replace").strip()


def _head(store: Path) -> str:
    """The commit that HEAD points to."""
    found = _line(store / "HEAD")
    if found.startswith("ref: "):
        branch = found.removeprefix("ref: ")
        if not _BRANCH.fullmatch(branch) or ".." in branch:
            raise NoCommitTime("stands in a repository whose HEAD cannot be read")
        found = _line(store / branch) or _packed(store / "packed-refs", branch)
    if not _COMMIT.fullmatch(found):
        raise NoCommitTime("stands in a repository without a commit")
    return found


def _line(path: Path) -> str:
    return _text(path).strip()


def _packed(path: Path, branch: str) -> str:
    pairs = (line.split(" ", 1) for line in _text(path).splitlines() if _COMMIT.match(line))
    return next((pair[0] for pair in pairs if len(pair) == 2 and pair[1] == branch), "")


def _text(path: Path) -> str:
    if not path.is_file() or path.is_symlink() or path.stat().st_size > _LONGEST:
        return ""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise GraderError(f"{path} cannot be read: {error.strerror}") from error


def _blob(file: Path) -> str:
    """The name that git gives the file's bytes."""
    content = file.read_bytes()
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()
