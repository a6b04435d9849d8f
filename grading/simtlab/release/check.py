"""Looks for everything hidden in a students' copy: in its files, and in every object of its git history."""

import gc
import gzip
import hashlib
import io
import multiprocessing
import os
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from simtlab.errors import UsageError
from simtlab.labs.catalogue import LAB_NAME
from simtlab.release.hidden_numbers import HiddenNumbers
from simtlab.release.repository import git_folder_of, objects_of
from simtlab.release.shingles import Alphabet, ShingleSet
from simtlab.release.solutions import SHOWN, Solutions
from simtlab.release.students_copy import is_given
from simtlab.release.tokens import Token, code_of, views_of

LONG = 20
"""Tokens that a text may at most share with a solution by chance; measured on everything students get."""
SHORT = 12
"""The same where one of them is a device word: ordinary code has none."""
SNIPPET = 40
"""Tokens that the questions of a lab, which are kernels of a line or two, may share with another lab's solution; with
their own lab's they may share as many as any text in host code."""
_DEVICE_WORDS = frozenset("threadIdx blockIdx blockDim gridDim <<< __shared__ __syncthreads __global__".split())
_LARGEST_BYTES = 64 * 1024 * 1024
_INSTRUCTORS = ("solutions/*", "grading/*", "hidden.toml", "lab.toml", "expected.toml", "shown.toml", "course.toml")
_INSTRUCTORS_FOLDERS = {"solutions", "grading"}


@dataclass(frozen=True)
class Leak:
    """Something hidden, where it is and what to do."""

    place: str
    """File and line in the copy, or the git object."""
    what: str
    next_step: str

    def as_json(self) -> dict[str, str]:
        """A leak of the JSON document."""
        return asdict(self)


class LeakSearch:
    """Knows all that is hidden, and finds it in any text."""

    def __init__(self, solutions: Solutions) -> None:
        alphabet = Alphabet()
        self._long, self._short = ShingleSet(LONG, alphabet), ShingleSet(SHORT, alphabet)
        self._others = ShingleSet(LONG, alphabet)
        self._sets = (self._long, self._short, self._others)
        for model in solutions.models:
            self._add_model(model.file, model.text, model.regions)
        for variant in solutions.variants:
            tokens = code_of(variant.text)
            self._others.add(tokens, variant.file, _starts_of_device(tokens, LONG))
        for text in [*solutions.stubs.values(), *(one.text for one in solutions.shown)]:
            for view in views_of(text):
                for shingles in self._sets:
                    shingles.drop(view)
        self._stubs = solutions.stubs
        self._numbers = HiddenNumbers(solutions.hidden, [one.text for one in solutions.shown])

    def _add_model(self, file: str, text: str, regions: list[tuple[int, int]]) -> None:
        """The shingles of the file that lie in the regions for the most part, and those of the regions alone."""
        tokens = code_of(text)
        inside = [any(begin < token.line < end for begin, end in regions) for token in tokens]
        regions_alone = [token for token, is_inside in zip(tokens, inside, strict=True) if is_inside]
        for shingles in (self._long, self._short):
            n = shingles.length
            mostly = (at for at in range(len(tokens) - n + 1) if 2 * sum(inside[at : at + n]) >= n)
            for run, starts in ((tokens, mostly), (regions_alone, iter(range(len(regions_alone) - n + 1)))):
                if shingles is self._short:
                    of_device = set(_starts_of_device(run, n))
                    starts = (at for at in starts if at in of_device)
                shingles.add(run, file, starts)

    def leaks_in(self, place: str, text: str) -> list[Leak]:
        """Everything hidden in a text; each line once."""
        leaks: list[Leak] = []
        seen: set[int] = set()
        for view in views_of(text):
            for shingles in self._sets:
                for hit in shingles.search(view):
                    lines = range(hit.first_line, hit.last_line + 1)
                    if hit.tokens < _fewest_that_tell(place, hit.origin.file):
                        continue
                    if seen.issuperset(lines):
                        continue
                    seen.update(lines)
                    where = f"{hit.origin.file}:{hit.origin.line}"
                    leaks.append(
                        Leak(
                            f"{place}:{hit.first_line}",
                            f"{hit.tokens} tokens in a row equal {where}, names and spacing aside",
                            f"take them out there and release again; if students are meant to see them, list the text "
                            f"with the reason in {SHOWN}",
                        )
                    )
        code = PurePosixPath(place).suffix in {".h", ".cpp", ".def", ".svg"} and "lab.cpp" not in place
        leaks += [
            Leak(
                f"{place}:{number.line}",
                f"{number.text!r} is {number.what} of the hidden case {number.case.file}:{number.case.line}",
                f"write another value there, or give the hidden case another one; if it stands for something else, "
                f"list the text with the reason in {SHOWN}",
            )
            for number in self._numbers.found_in(text, code=code)
        ]
        return leaks

    def leaks_by_path(self, path: PurePosixPath, text: str) -> list[Leak]:
        """What a file's name alone gives away: it is the instructors', or it is a stub that somebody has filled in."""
        of_instructors = any(path.match(pattern) for pattern in _INSTRUCTORS) or path.parts[0] in _INSTRUCTORS_FOLDERS
        if of_instructors and not is_given(path):
            step = "take the file out, and make the copy anew if git has it: its history keeps it"
            return [Leak(str(path), "is the instructors'", step)]
        if path in self._stubs and text != self._stubs[path]:
            return [Leak(str(path), "is not the lab's stub", "put the stub there: it is the solution without regions")]
        return []


Progress = Callable[[str, int, int], None]
"""Gets what is going on, how much of it is done, and how much there is."""


def no_progress(what: str, done: int, of: int) -> None:
    """Nobody looks."""


def find_leaks(copy: Path, search: LeakSearch, progress: Progress = no_progress) -> list[Leak]:
    """All leaks of a students' copy: of its files, then of its git objects, the same content once."""
    if not copy.is_dir():
        raise UsageError(f"{copy} is no folder: expected a copy that `simtlab release` wrote, or a clone of one")
    if built := sorted(copy.glob("build/*/CMakeCache.txt")):
        tree = built[0].parent.parent
        raise UsageError(
            f"{tree} holds what was built in the copy, hundreds of MB made from the files beside it: "
            f"`rm -rf {tree}`, then check again"
        )
    known: set[bytes] = set()
    contents: list[_Content] = []
    for place, content in _contents(copy):
        digest = hashlib.sha256(content).digest()
        contents.append(_Content(place, content, digest not in known))
        known.add(digest)
    leaks: list[Leak] = []
    for number, found in enumerate(_searched(search, contents)):
        progress("searching the copy for what students must not see: text", number, len(contents))
        leaks += found
    return leaks


class _Content(NamedTuple):
    """A file of a copy, or an object of its history; `is_new`: no other before it has the same bytes."""

    place: str
    content: bytes
    is_new: bool


_FEW_TEXTS = 64
_searching: LeakSearch | None = None


def _searched(search: LeakSearch, contents: Sequence[_Content]) -> Iterator[list[Leak]]:
    """The leaks of one text after the other. Many texts are searched by as many processes as there are processors; each
    has the search, which is large, from its parent."""
    global _searching
    _searching = search
    if len(contents) <= _FEW_TEXTS:
        yield from map(_leaks_of, contents)
        return
    # The search makes millions of tuples and no cycles: looking for cycles takes as long as the search.
    with multiprocessing.get_context("fork").Pool(len(os.sched_getaffinity(0)), initializer=gc.disable) as pool:
        yield from pool.imap(_leaks_of, contents, chunksize=8)


def _leaks_of(one: _Content) -> list[Leak]:
    assert _searching is not None  # noqa: S101 - for the type checker
    leaks: list[Leak] = []
    if not one.place.startswith("git object"):
        leaks += _searching.leaks_by_path(PurePosixPath(one.place), one.content.decode("utf-8", "replace"))
    if one.is_new:
        for inner, text in _texts(one.place, one.content):
            leaks += _searching.leaks_in(inner, text)
    return leaks


def leaks_of_other_labs(copy: Path, labs: Collection[str]) -> list[Leak]:
    """The labs in a copy's working tree that are not among those named."""
    there = sorted(path.name for path in copy.glob("labs/*/") if LAB_NAME.fullmatch(path.name))
    step = "take the folder out, and make the copy anew if git has it: its history keeps it"
    return [Leak(f"labs/{name}", "is a lab that --labs does not name", step) for name in there if name not in labs]


def _contents(copy: Path) -> Iterator[tuple[str, bytes]]:
    """Name and content of all that is in the copy; of the .git folder what is no object, too: logs, remotes."""
    git_folder = git_folder_of(copy)
    for path in sorted(copy.rglob("*")):
        in_objects = git_folder is not None and path.is_relative_to(git_folder / "objects")
        if path.is_symlink() or not path.is_file() or in_objects:
            continue
        if path.stat().st_size > _LARGEST_BYTES:
            raise UsageError(f"{path} has {path.stat().st_size >> 20} MB; at most {_LARGEST_BYTES >> 20} are searched")
        yield path.relative_to(copy).as_posix(), path.read_bytes()
    if git_folder is not None:
        for one in objects_of(git_folder):
            if one.kind != "tree":
                yield f"git object {one.name[:12]} ({one.kind})", one.content


def _texts(place: str, content: bytes) -> Iterator[tuple[str, str]]:
    """The text of a file, and of what it has packed inside. A picture has none, nor git's index: names, hashes and
    times, whose bytes are now and then those of a number."""
    if content.startswith(b"PK\x03\x04"):
        try:
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                for member in archive.infolist():
                    if member.file_size <= _LARGEST_BYTES:
                        yield f"{place}!{member.filename}", _decoded(archive.read(member))
        except (zipfile.BadZipFile, RuntimeError, NotImplementedError, zlib.error):
            pass
    elif content.startswith(b"\x1f\x8b"):
        try:
            with gzip.GzipFile(fileobj=io.BytesIO(content)) as stream:
                yield f"{place}!", _decoded(stream.read(_LARGEST_BYTES))
        except (OSError, EOFError, zlib.error):
            pass
    elif not content.startswith(b"\x89PNG") and not (place.endswith(".git/index") and content.startswith(b"DIRC")):
        yield place, _decoded(content)


def _decoded(content: bytes) -> str:
    """The text; of a file that is none, the runs of letters that are in it."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", "replace")
    return content.decode("utf-8", "replace").replace("\0", " ")


def _fewest_that_tell(place: str, solution: str) -> int:
    """How many tokens of a solution are too many in a file, if more than a shingle's."""
    path = PurePosixPath(place)
    if path.name != "predict.cu":
        return 0
    return LONG if path.parent.name in PurePosixPath(solution).parts else SNIPPET


def _starts_of_device(tokens: list[Token], length: int) -> Iterator[int]:
    """Where runs of so many tokens begin that have a word of device code; at the end they may be shorter."""
    last = -1  # the place of such a word, the first that is not before the run's begin
    for at in range(len(tokens)):
        while last < at or (last < len(tokens) and not _is_of_device(tokens[last])):
            last += 1
        if last < min(at + length, len(tokens)):
            yield at


def _is_of_device(token: Token) -> bool:
    return token.kind in _DEVICE_WORDS or token.kind.startswith("cuda")
