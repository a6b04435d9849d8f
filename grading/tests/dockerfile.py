"""A Dockerfile, read and followed in a plain folder instead of by a container engine.

Understood: ARG, FROM … AS, ENV, WORKDIR, USER root, COPY with --from, RUN, CMD. Anything else is a `ValueError`, so
that a line that this does not follow cannot go unnoticed.
"""

import re
import shlex
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

_ENTER = """
mount --bind "$0" "$0" && cd "$0" &&
mount --rbind /dev dev && mount -t proc proc proc && mount --rbind /sys sys &&
mkdir -p .outside && pivot_root . .outside && umount -l .outside && cd / && exec "$@"
"""
_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


@dataclass
class Stage:
    """From one FROM to the next."""

    base: str
    name: str
    steps: list[tuple[str, str]] = field(default_factory=list)


def read_stages(text: str) -> list[Stage]:
    """The stages in their order."""
    arguments: dict[str, str] = {}
    stages: list[Stage] = []
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    joined = re.sub(r"\\\n", " ", "\n".join(lines))
    for line in filter(None, map(str.strip, joined.splitlines())):
        word, _, rest = line.partition(" ")
        rest = re.sub(r"\$\{(\w+)\}", lambda found: arguments.get(found[1], found[0]), rest) if word == "FROM" else rest
        if word == "ARG" and not stages:
            name, _, value = rest.partition("=")
            arguments[name] = value
        elif word == "FROM":
            base, _, name = rest.partition(" AS ")
            stages.append(Stage(base.strip(), name.strip() or str(len(stages))))
        elif word in {"ENV", "WORKDIR", "USER", "COPY", "RUN", "CMD"} and stages:
            stages[-1].steps.append((word, rest.strip()))
        else:
            raise ValueError(f"this Dockerfile says `{line}`, which is not followed here")
    return stages


def ignored(pattern_file: Path) -> Callable[[PurePosixPath], bool]:
    """Whether a path of the context is left out, by .dockerignore: names at the top, and `**/name` anywhere."""
    lines = [line.strip() for line in pattern_file.read_text(encoding="utf-8").splitlines()]
    patterns = [line for line in lines if line and not line.startswith("#")]

    def is_left_out(path: PurePosixPath) -> bool:
        return any(
            fnmatchcase(path.name, one.removeprefix("**/")) if one.startswith("**/") else str(path) == one
            for one in patterns
        )

    return is_left_out


class Image:
    """Stages become folders under `place`; `base_root` makes the one that the first stage begins with."""

    def __init__(self, context: Path, place: Path, environment: dict[str, str]) -> None:
        self._context, self._place, self._machine = context, place, environment
        self._left_out = ignored(context / ".dockerignore")
        self._roots: dict[str, Path] = {}
        self._environments: dict[str, dict[str, str]] = {}
        self._folders: dict[str, str] = {}

    def build(self, stages: list[Stage], base_root: Callable[[str, Path], None]) -> str:
        """Follows every step; the name of the last stage."""
        for stage in stages:
            root = self._place / stage.name
            if stage.base in self._roots:
                subprocess.run(["cp", "-a", self._roots[stage.base], root], check=True)
            else:
                base_root(stage.base, root)
            self._roots[stage.name] = root
            self._environments[stage.name] = dict(self._environments.get(stage.base, {"PATH": _PATH, "HOME": "/root"}))
            self._folders[stage.name] = self._folders.get(stage.base, "/")
            for word, rest in stage.steps:
                self._step(stage.name, word, rest)
        return stages[-1].name

    def run(self, stage: str, command: str) -> subprocess.CompletedProcess[str]:
        """A command of the shell inside a stage's folder, which is its whole file system."""
        inside = self._folders[stage]
        words = ["unshare", "--mount", "--propagation", "private", "sh", "-c", _ENTER, str(self._roots[stage])]
        words += ["sh", "-c", f"cd {shlex.quote(inside)} && {command}"]
        known = self._environments[stage] | self._machine
        return subprocess.run(
            words, env=known, text=True, check=False, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )  # fmt: skip

    def _step(self, stage: str, word: str, rest: str) -> None:
        if word == "ENV":
            name, _, value = rest.partition("=")
            self._environments[stage][name] = value
        elif word == "WORKDIR":
            self._folders[stage] = rest
            self._inside(stage, rest).mkdir(parents=True, exist_ok=True)
        elif word == "COPY":
            self._copy(stage, rest.split())
        elif word == "RUN":
            done = self.run(stage, rest)
            if done.returncode:
                raise AssertionError(f"RUN {rest}\nended with {done.returncode}:\n{done.stdout[-6000:]}")
        elif word == "USER" and rest != "root":
            raise ValueError(f"USER {rest} is not followed here")

    def _inside(self, stage: str, path: str) -> Path:
        return self._roots[stage] / str(PurePosixPath(self._folders[stage], path)).lstrip("/")

    def _copy(self, stage: str, words: list[str]) -> None:
        source, target = words[-2], self._inside(stage, words[-1])
        if words[0].startswith("--from="):
            origin = self._inside(words[0].removeprefix("--from="), source)
            shutil.rmtree(target, ignore_errors=True)
            subprocess.run(["cp", "-a", origin, target], check=True)
        elif (self._context / source).is_dir():
            shutil.copytree(self._context / source, target, symlinks=True, dirs_exist_ok=True, ignore=self._ignore)
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(self._context / source, target)

    def _ignore(self, folder: str, names: list[str]) -> set[str]:
        relative = PurePosixPath(Path(folder).relative_to(self._context).as_posix())
        return {name for name in names if self._left_out(relative / name)}
