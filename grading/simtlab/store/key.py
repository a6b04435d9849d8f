"""What a result depends on, and the key made of it: same key, same facts."""

import hashlib
import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from simtlab import __version__
from simtlab.audit.allowed import audit_version
from simtlab.intake.submission import Submission
from simtlab.judge.run import CaseLimits
from simtlab.labs.catalogue import Lab
from simtlab.record import Record


class KeyParts(Record):
    """Everything a result depends on. Points are not among them: they are worked out from facts whenever somebody
    looks."""

    student: str
    lab: str
    files: dict[str, str]
    specification: str
    """Hash of the judge, the hidden cases, what is linked into the runner, the allow-lists and the audit."""
    backend: str
    gpu: str
    """The device class: times compare within one alone. Empty for the emulator."""
    seed: int
    limits: list[str]
    runner_prefix: list[str]
    sandbox: list[str]
    """The layers of the sandbox, so that a result of a weak one is never taken for another."""
    grader_version: str
    attempt: int
    """Counts from 1; a result that was our fault is never replaced, the next attempt stands beside it."""

    @property
    def key(self) -> str:
        """The SHA-256 of the parts in a canonical form."""
        text = json.dumps(self.model_dump(mode="json"), sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        return hashlib.sha256(text.encode("ascii")).hexdigest()


def key_parts(
    submission: Submission,
    specification: str,
    *,
    backend: str,
    gpu: str,
    seed: int,
    limits: CaseLimits,
    runner_prefix: list[str],
    sandbox: Sequence[str] = (),
    attempt: int = 1,
) -> KeyParts:
    """The parts of a submission's key under the given conditions; `specification` is the lab's `specification_hash`."""
    return KeyParts(
        student=submission.student,
        lab=submission.lab,
        files=dict(submission.files),
        specification=specification,
        backend=backend,
        gpu=gpu,
        seed=seed,
        limits=limits.words(),
        runner_prefix=runner_prefix,
        sandbox=list(sandbox),
        grader_version=__version__,
        attempt=attempt,
    )


def specification_hash(lab: Lab, backend: str, without: Sequence[str] = ()) -> str:
    """Hash of all that decides a submission's facts besides the submission itself."""
    build = lab.build.backends[backend]
    parts: list[object] = [
        lab.name,
        lab.specification.files,
        lab.specification.allowed_headers,
        lab.specification.allowed_symbols,
        audit_version(),
        sorted(without),
        lab.hidden,
        _content_hash(lab.build.judge),
    ]
    if build.verifier:
        parts.append(_content_hash(build.verifier))
    if build.front_end:
        parts.append([build.front_end.name, _word_or_content(str(build.front_end.program))])
    if lab.build.predict:
        parts.append(_content_hash(lab.build.predict))
    parts += [_word_or_content(word) for word in [*build.compiler, *build.link, *build.comparison_words()]]
    parts += [build.join, build.close]
    for path in build.depends:
        files = sorted(one for one in path.rglob("*") if one.is_file()) if path.is_dir() else [path]
        parts += [(str(file.relative_to(path)), _content_hash(file)) for file in files]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _word_or_content(word: str) -> str:
    """A word of the build description; one that names a file stands for the file's content."""
    path = Path(word)
    return _content_hash(path) if path.is_absolute() and path.is_file() else word


def _content_hash(path: Path) -> str:
    status = path.stat()
    return _hash_of_version(path, status.st_size, status.st_mtime_ns)


@cache
def _hash_of_version(path: Path, size: int, changed_ns: int) -> str:  # noqa: ARG001 - both belong to the cache's key
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
