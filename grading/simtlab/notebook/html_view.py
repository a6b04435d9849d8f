"""A cell's result as HTML, for notebooks. It carries its colours in itself and takes the notebook's for all else, so
that it is readable on light and on dark."""

from collections.abc import Iterable
from html import escape

from simtlab.notebook.program import CellResult
from simtlab.notebook.report import Finding, LineCounters, ProgramReport
from simtlab.notebook.text_view import cost_words, ending, finding_subject, launch_words, source_line

_COLOURS = {"error": "#c62828", "warning": "#b26a00", "note": "#5f6b7a", "good": "#2e7d32"}
_MONO = "font-family:monospace;white-space:pre-wrap"
_WASTED = 1.5
"""Times the fewest sectors or wavefronts, from which on a line is marked."""


def result_html(result: CellResult) -> str:
    """Everything but what the program itself printed."""
    lines = result.source.splitlines()
    parts = [
        _message(one.kind, f"{result.file}:{one.line}", one.text, _excerpt(lines, one.line, one.column))
        for one in result.messages
    ]
    if not result.compiled:
        if not parts:
            parts = [f'<pre style="{_MONO}">{escape(result.compiler)}</pre>']
        else:
            parts.append(
                _details("all that the compiler says", f'<pre style="{_MONO}">{escape(result.compiler)}</pre>')
            )
        return _frame([*parts, _last(f"{result.file} does not compile", "error")])
    report = result.report
    if report:
        parts += [_finding(one, lines, result.file) for one in report.findings]
        parts += [_counters(report, lines)] if report.lines else []
    return _frame([*parts, _last(ending(result), "good" if result.right else "error")])


def _frame(parts: Iterable[str]) -> str:
    return f'<div class="simtlab">{"".join(parts)}</div>'


def _last(text: str, kind: str) -> str:
    return f'<div style="color:{_COLOURS[kind]}">{escape(text)}</div>'


def _details(title: str, body: str) -> str:
    return f"<details><summary>{escape(title)}</summary>{body}</details>"


def _message(kind: str, place: str, text: str, below: str) -> str:
    return (
        f'<div style="border-left:3px solid {_COLOURS[kind]};padding-left:8px;margin:6px 0">'
        f'<b style="color:{_COLOURS[kind]}">{kind}</b> <code>{escape(place)}</code> {escape(text)}{below}</div>'
    )


def _excerpt(lines: list[str], line: int, column: int = 0) -> str:
    """The line with its number, and a mark below the column."""
    if not 0 < line <= len(lines):
        return ""
    number = f"{line:>4}  "
    mark = "\n" + " " * (len(number) + column - 1) + "^" if 0 < column <= len(lines[line - 1]) + 1 else ""
    return f'<pre style="{_MONO};margin:2px 0">{escape(number + lines[line - 1] + mark)}</pre>'


def _finding(one: Finding, lines: list[str], file: str) -> str:
    below = [f"<div>{escape(one.message)}</div>"]
    for place in one.places:
        if place.line:
            below.append(f"<div><code>{escape(place.file)}:{place.line}</code> {escape(place.action)}</div>")
            if place.file.rsplit("/", 1)[-1] == file:
                below.append(_excerpt(lines, place.line))
    first = one.places[0] if one.places else None
    where = f"{first.file}:{first.line}" if first and first.line else ""
    times = f" ({one.count} times)" if one.count > 1 else ""
    return _message(one.severity, where, f"{one.rule}{finding_subject(one)}{times}", "".join(below))


def _counters(report: ProgramReport, lines: list[str]) -> str:
    head = ("line", "source", "access", "requests", "lanes", "per request", "ideal")
    cells = "".join(f'<th style="text-align:left">{word}</th>' for word in head)
    rows = "".join(_row(one, lines) for one in report.lines)
    launches = "".join(f"<div><code>{escape(words)}</code></div>" for words in launch_words(report))
    return f"{launches}<table><thead><tr>{cells}</tr></thead><tbody>{rows}</tbody></table>"


def _row(one: LineCounters, lines: list[str]) -> str:
    cost, least = cost_words(one)
    wasted = one.least and one.cost > _WASTED * one.least
    style = f' style="color:{_COLOURS["error"]};font-weight:bold"' if wasted else ""
    left = 'style="text-align:left"'
    return (
        f"<tr><td>{one.line}</td><td {left}><code>{escape(source_line(lines, one))}</code></td>"
        f"<td {left}>{escape(f'{one.space} {one.access} {one.variable}')}</td><td>{one.requests:,}</td>"
        f"<td>{one.lanes_per_request:.1f}</td><td{style}>{escape(cost)}</td><td>{escape(least)}</td></tr>"
    )
