"""The templates with all that they use, and how a page gets onto the disk.

Every text from outside passes two gates: `printable` makes control characters visible, and Jinja escapes what HTML
would read. A content security policy that allows our own script by its hash alone stands behind both.
"""

import base64
import hashlib
import os
import re
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from simtlab import __version__
from simtlab.facts.model import Criterion, Place
from simtlab.report.charts import share_bar
from simtlab.report.source import same_file
from simtlab.sandbox.layers import weakness
from simtlab.text import element_text, moment_text, number_text, points_text, printable
from simtlab.verdict import Verdict

_MARKS: dict[Verdict, str] = {
    Verdict.PASS: "✓",
    Verdict.SLOW: "▲",
    Verdict.LEAK: "▲",
    Verdict.UNSAFE: "▲",
    Verdict.NOT_SUBMITTED: "–",
    Verdict.UNSOLVED: "–",
    Verdict.INTERNAL_ERROR: "◷",
}


@cache
def site_environment() -> Environment:
    """The one environment of this process."""
    environment = Environment(
        loader=PackageLoader("simtlab.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_visible,
    )
    templates = files("simtlab.report") / "templates"
    script = (templates / "site.js").read_text(encoding="utf-8")
    environment.globals |= {
        "style": Markup((templates / "style.css").read_text(encoding="utf-8")),  # noqa: S704 - our own file
        "script": Markup(script),  # noqa: S704 - our own file
        "script_hash": base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        "grader_version": __version__,
        "written_at": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "share_bar": share_bar,
        "verdict_class": _verdict_class,
        "verdict_mark": lambda verdict: _MARKS.get(verdict, "✕"),
        "first_sentence": first_sentence,
        "place_text": place_text,
        "same_file": same_file,
        "threshold": threshold,
        "weakness": weakness,
    }
    environment.filters |= {
        "points": points_text,
        "moment": moment_text,
        "number": number_text,
        "index": _index_text,
        "element": element_text,
        "beginning": _beginning,
        "code_spans": _code_spans,
    }
    return environment


def _visible(value: object) -> object:
    """Control characters of any text made visible before it is escaped."""
    return printable(value, keep_lines=True) if isinstance(value, str) and not isinstance(value, Markup) else value


def _verdict_class(verdict: Verdict) -> str:
    """The style of a verdict's mark; the words stand beside it, so that colour never carries the meaning alone."""
    kinds = {
        Verdict.PASS: "good",
        Verdict.SLOW: "careful",
        Verdict.LEAK: "careful",
        Verdict.UNSAFE: "careful",
        Verdict.NOT_SUBMITTED: "absent",
        Verdict.UNSOLVED: "absent",
        Verdict.INTERNAL_ERROR: "waiting",
    }
    return kinds.get(verdict, "bad")


def first_sentence(text: str) -> str:
    """The text up to its first full stop that ends a sentence; `kernel.cu` and `0.5` do not."""
    return re.split(r"(?<=[.!?;]) ", text, maxsplit=1)[0].rstrip(";")


def _beginning(text: str, length: int) -> str:
    """The text, or its beginning with a word on how much is left out."""
    return text if len(text) <= length else f"{text[:length]}\n… {len(text) - length:,} more characters"


def _code_spans(text: str) -> Markup:
    """A sentence whose names stand between backticks, as `input`, with these as code."""
    pieces = printable(text).split("`")
    return Markup("").join(
        Markup("<code>{}</code>").format(piece) if number % 2 else piece for number, piece in enumerate(pieces)
    )


def _index_text(index: list[int]) -> str:
    return "".join(f"[{one}]" for one in index)


def place_text(place: Place) -> str:
    """`kernel.cu:23, block (0, 0, 0), thread (5, 0, 0), read`, as far as it is known."""
    parts = [f"{place.file}:{place.line}" if place.line else place.file or "place unknown"]
    if place.block is not None:
        parts.append("block ({}, {}, {})".format(*place.block))
    if place.thread is not None:
        parts.append("thread ({}, {}, {})".format(*place.thread))
    return ", ".join([*parts, place.action] if place.action else parts)


def threshold(criterion: Criterion) -> str:
    """`full at ≥ 1, none at 0.125`."""
    sign = "≥" if criterion.full_at >= criterion.none_at else "≤"
    return f"full at {sign} {number_text(criterion.full_at)}, none at {number_text(criterion.none_at)}"


def replace_file(path: Path, text: str) -> None:
    """Writes a page whole or not at all, so that a reader never sees half of one."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(path)
