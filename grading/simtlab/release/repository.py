"""A git repository that knows nothing of the one it comes from, and everything that a repository holds."""

import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from simtlab.errors import GraderError, UsageError

BRANCH = "main"
_MESSAGE = "The labs"


@dataclass(frozen=True)
class Author:
    """Who the one commit is by."""

    name: str
    mail: str


@dataclass(frozen=True)
class GitObject:
    """One object of a repository: reachable or not, loose or packed."""

    name: str
    kind: str
    content: bytes


def author_of(words: str | None, root: Path) -> Author:
    """The author from `Name <mail>`, else git's own configuration of the checkout."""
    if words is None:
        try:
            name, mail = (_git(["-C", str(root), "config", key], {}).strip() for key in ("user.name", "user.email"))
        except GraderError as fault:
            raise UsageError('git does not know who you are: give --author "Name <mail>" for the one commit') from fault
        return Author(name, mail)
    name, bracket, rest = words.partition("<")
    if not name.strip() or not bracket or not rest.strip().endswith(">") or not rest.strip()[:-1]:
        raise UsageError(f'--author {words!r}: expected "Name <mail>"')
    return Author(name.strip(), rest.strip()[:-1])


def commit_everything(folder: Path, author: Author) -> None:
    """Makes a repository of the folder, whose only commit holds every file in it. No configuration, template or hook
    of this machine takes part."""
    who = {
        f"GIT_{role}_{what}": value
        for role in ("AUTHOR", "COMMITTER")
        for what, value in (("NAME", author.name), ("EMAIL", author.mail))
    }
    here = ["-C", str(folder), "-c", "core.logAllRefUpdates=false", "-c", "core.autocrlf=false", "-c", "gc.auto=0"]
    _git(["init", "--quiet", "--template=", f"--initial-branch={BRANCH}", str(folder)], who)
    _git([*here, "add", "--all", "--force"], who)
    _git([*here, "commit", "--quiet", "--no-gpg-sign", "--message", _MESSAGE], who)
    (folder / ".git" / "COMMIT_EDITMSG").unlink(missing_ok=True)


def git_folder_of(folder: Path) -> Path | None:
    """Where the repository of a copy is: its .git, or the folder itself for a bare one; None without a history."""
    if (folder / ".git").exists():
        return folder / ".git"
    return folder if (folder / "objects").is_dir() and (folder / "HEAD").is_file() else None


def objects_of(git_folder: Path) -> Iterator[GitObject]:
    """Every object, also those that no branch leads to."""
    words = ["-c", "safe.directory=*", f"--git-dir={git_folder}", "cat-file", "--batch-all-objects", "--batch"]
    try:
        done = subprocess.run(["git", *words], capture_output=True, check=False, env=_environment({}))
    except OSError as error:
        raise GraderError(f"git cannot be started ({error.strerror}): apt-get install git") from error
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace").strip()
        raise UsageError(f"{git_folder} is no repository that git can read: {said}")
    position, listing = 0, done.stdout
    while position < len(listing):
        end = listing.index(b"\n", position)
        name, kind, size = listing[position:end].decode().split()
        yield GitObject(name, kind, listing[end + 1 : end + 1 + int(size)])
        position = end + 1 + int(size) + 1


def _git(words: list[str], more: dict[str, str]) -> str:
    environment = _environment(more) if more else None
    try:
        done = subprocess.run(["git", *words], capture_output=True, text=True, check=False, env=environment)
    except OSError as error:
        raise GraderError(f"git cannot be started ({error.strerror}): apt-get install git") from error
    if done.returncode != 0:
        raise GraderError(f"git {' '.join(words)}: exit code {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def _environment(more: dict[str, str]) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return {**kept, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "TZ": "UTC", **more}
