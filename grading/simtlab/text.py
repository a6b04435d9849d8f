"""Text from outside (names, compiler output, messages) made safe for a terminal, a file name, a sentence."""

import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*")
_UNSAFE_CATEGORIES = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
_LONGEST_SLUG = 64


def printable(text: str, *, keep_lines: bool = False) -> str:
    """The text with every control, formatting or unpaired character written as an escape.

    Terminal escapes, newlines in names and direction overrides become visible instead of acting. With `keep_lines`
    newlines and tabs stay, for text of several lines such as compiler messages.
    """
    if text.isprintable():
        return text
    kept = "\n\t" if keep_lines else ""
    return "".join(
        c if c in kept or unicodedata.category(c) not in _UNSAFE_CATEGORIES else ascii(c)[1:-1] for c in text
    )


def decoded_name(name: str) -> str:
    """A file name as the system gave it, with bytes that are not UTF-8 written as `\\xNN`."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def slug(name: str) -> str:
    """A name for files and command lines: the name itself when it is plain, otherwise readable letters and a hash.

    Different names give different slugs (up to a 64-bit hash); a slug never holds `/`, never starts with a dot or dash.
    """
    if _PLAIN.fullmatch(name) and len(name) <= _LONGEST_SLUG and "--" not in name:
        return name
    import hashlib  # the audit of a submission is a process that does without it

    letters = re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-")[:40] or "name"
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return f"{letters}--{digest}"


def shortened(text: str, width: int) -> str:
    """The text cut to `width` characters, with an ellipsis where something was cut."""
    return text if len(text) <= width else text[: max(width - 1, 0)] + "…"


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """`1 submission`, `2 submissions`."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def moment_text(when: "datetime | None") -> str:
    """A date and time with its zone, to the minute: `2026-10-01 23:59 UTC+02:00`; a dash where it is not known."""
    return f"{when:%Y-%m-%d %H:%M %Z}" if when else "–"


def points_text(points: float) -> str:
    """Points as every table, page and export writes them: two decimals at most, none when whole."""
    return f"{points:.2f}".rstrip("0").rstrip(".")


def element_text(value: float | int | str) -> str:
    """An element of an output as the judge's sentences write it: seven digits, whole numbers whole."""
    return f"{value:.7g}" if isinstance(value, float) else str(value)


def number_text(value: float | int | str | None) -> str:
    """A measured number for people: whole numbers in groups of three, others with four digits; the judge's sentences
    write theirs alike."""
    if value is None:
        return "–"
    if isinstance(value, str):
        return value
    if float(value).is_integer() and abs(value) < 1e15:
        return f"{int(value):,}"
    return f"{value:.4g}"
