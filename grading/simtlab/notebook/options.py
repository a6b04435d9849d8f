"""The words behind `%%simt`."""

import argparse
import keyword
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn

from simtlab.errors import UsageError

DEFAULT_SECONDS = 60.0
_LONGEST_SECONDS = 24 * 3600.0


@dataclass(frozen=True)
class CellOptions:
    """What a cell asks for."""

    name: str = ""
    """Of the cell in messages, `NAME.cu`, and of the variable that gets the result; empty: cell.cu, no variable."""
    args: tuple[str, ...] = ()
    compiler: tuple[str, ...] = ()
    counters: bool = True
    seconds: float = DEFAULT_SECONDS
    strict: bool = False
    lab: str = ""
    """The cell is this lab's kernel.cu: the lab's judge tests it."""

    @property
    def file(self) -> str:
        """What the compiler is told that the cell is called."""
        return f"{self.name or 'cell'}.cu"


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"%%simt: {message}. %%simt --help lists what there is")

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:  # noqa: ARG002 - argparse's
        raise HelpAskedFor

    def print_help(self, file: object = None) -> None:  # noqa: ARG002 - the notebook shows it
        return


class HelpAskedFor(Exception):
    """`--help` stood there."""


def parse_options(line: str) -> CellOptions:
    """The options of `%%simt line`. Raises `UsageError` for a word that is none, `HelpAskedFor` for --help."""
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise UsageError(f"%%simt {line}: {error}; put a text of several words in one pair of quotes") from error
    given = _parser().parse_args(_values_joined(words))
    if given.lab and (given.args or given.options or given.name):
        raise UsageError("%%simt --lab: the lab's tests call the kernel; leave --args, --options and --name out")
    return CellOptions(
        given.name or "", given.args, given.options, not given.no_counters, given.limit_seconds, given.strict, given.lab
    )


def _values_joined(words: list[str]) -> list[str]:
    """`--args=-5` for `--args -5`: what is meant for another program may look like an option of ours."""
    joined: list[str] = []
    rest = iter(words)
    for word in rest:
        value = next(rest, None) if word in {"--args", "--options"} else None
        joined.append(word if value is None else f"{word}={value}")
    return joined


def help_text() -> str:
    """What `%%simt --help` shows."""
    return _parser().format_help()


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="%%simt", description="Compiles the cell as a CUDA program and runs it on the emulator. No GPU is needed."
    )
    option: Callable[..., Any] = parser.add_argument
    option("--name", type=_name, help="messages call the cell NAME.cu, and the variable NAME gets the result")
    option("--args", type=_words("--args"), default=(), help='words for the program: --args "1024 fast"')
    option("--options", type=_words("--options"), default=(), help='words for simtcc: --options "-O3 -DTILE=16"')
    option("--no-counters", action="store_true", help="count nothing, which is faster; findings stay")
    option(
        "--limit-seconds",
        type=_seconds,
        default=DEFAULT_SECONDS,
        metavar="S",
        help="end the program after S (60) seconds",
    )
    option("--strict", action="store_true", help="raise an exception where something is wrong, so that Run All stops")
    option("--lab", default="", help="the cell is this lab's kernel.cu: run the lab's tests on it")
    return parser


def _name(word: str) -> str:
    if not word.isidentifier() or keyword.iskeyword(word) or not word.isascii():
        raise argparse.ArgumentTypeError(f"{word!r} is no name of a variable")
    return word


def _words(option: str) -> Callable[[str], tuple[str, ...]]:
    def split(text: str) -> tuple[str, ...]:
        try:
            return tuple(shlex.split(text))
        except ValueError as error:
            raise argparse.ArgumentTypeError(f"{option} {text!r}: {error}") from error

    return split


def _seconds(word: str) -> float:
    try:
        seconds = float(word)
    except ValueError:
        seconds = 0
    if not 0 < seconds <= _LONGEST_SECONDS:
        raise argparse.ArgumentTypeError(f"{word!r}: expected seconds, a number above 0 and at most a day")
    return seconds
