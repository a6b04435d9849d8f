"""A cell's result as text: what terminals and notebooks without HTML show."""

import textwrap
from io import StringIO

from rich.console import Console
from rich.text import Text

from simtlab.notebook.program import CellResult
from simtlab.notebook.report import Finding, LineCounters, ProgramReport
from simtlab.terminal import plain_table
from simtlab.text import counted, printable

_WIDTH = 120


def result_text(result: CellResult) -> str:
    """Everything but what the program itself printed."""
    parts = []
    if not result.compiled:
        return f"{result.compiler.rstrip()}\n{result.file} does not compile"
    if result.compiler.strip():
        parts.append(result.compiler.rstrip())
    report = result.report
    if report:
        parts += [_finding(one) for one in report.findings]
        parts += [_counters(report, result.source)] if report.lines else []
    return "\n\n".join(printable(part, keep_lines=True) for part in [*parts, ending(result)])


def ending(result: CellResult) -> str:
    """The last line: how the program ended, and what was found."""
    words = [result.stopped or _exit_words(result.exit_code)]
    report = result.report
    if report is None:
        words.append("it left no report")
    else:
        errors = sum(one.severity == "error" for one in report.findings)
        warnings = sum(one.severity == "warning" for one in report.findings)
        launches = sum(one.count for one in report.launches)
        words.append(f"{counted(errors, 'error')}, {counted(warnings, 'warning')}")
        words.append(counted(launches, "launch", "launches"))
    words.append(f"{result.seconds:.2f} s")
    return f"{result.file}: {'; '.join(words)}"


def _exit_words(code: int | None) -> str:
    if code is None:
        return "not compiled"
    return f"ended by signal {-code}" if code < 0 else f"exit code {code}"


def _finding(one: Finding) -> str:
    place = f"{one.places[0].file}:{one.places[0].line}: " if one.places and one.places[0].line else ""
    times = f" ({one.count} times)" if one.count > 1 else ""
    lines = [f"{place}{one.severity}: {one.rule}{finding_subject(one)}{times}"]
    lines += [f"  {where.file}:{where.line}: {where.action}" for where in one.places if where.line]
    lines += textwrap.wrap(one.message, _WIDTH - 20, initial_indent="    ", subsequent_indent="    ")
    return "\n".join(lines)


def finding_subject(one: Finding) -> str:
    """` of s in kernel reverse`, as far as it is known."""
    return (f" of {one.variable}" if one.variable else "") + (f" in kernel {one.kernel}" if one.kernel else "")


def launch_words(report: ProgramReport) -> list[str]:
    """A sentence for each kernel and shape."""
    return [
        f"{one.kernel}<<<{one.grid}, {one.block}>>>: {counted(one.count, 'launch', 'launches')}, "
        f"{one.warps} of {one.most_warps} warps fit, limited by {one.limited_by}"
        for one in report.launches
    ]


def cost_words(one: LineCounters) -> tuple[str, str]:
    """What a request costs, and the least that would do."""
    if not one.unit:
        return "", ""
    return f"{one.cost_per_request:.2f} {one.unit}", f"{one.least_per_request:.2f}"


def _counters(report: ProgramReport, source: str) -> str:
    table = plain_table(
        "line",
        "source",
        "access",
        "requests",
        "lanes",
        "per request",
        "ideal",
        right=("line", "requests", "lanes", "ideal"),
    )
    lines = source.splitlines()
    for one in report.lines:
        cost, least = cost_words(one)
        table.add_row(
            str(one.line),
            Text(source_line(lines, one)),
            Text(f"{one.space} {one.access} {one.variable}"),
            f"{one.requests}",
            f"{one.lanes_per_request:.1f}",
            cost,
            least,
        )
    written = StringIO()
    # In a notebook rich would show the table by itself, in colour.
    Console(file=written, width=_WIDTH, force_terminal=False, force_jupyter=False, color_system=None).print(table)
    return "\n".join([*launch_words(report), *(line.rstrip() for line in written.getvalue().splitlines())])


def source_line(lines: list[str], one: LineCounters) -> str:
    """The line of the cell, shortened; the file's name where the line is in another file."""
    if one.file.rsplit("/", 1)[-1].endswith(".cu") and 0 < one.line <= len(lines):
        text = lines[one.line - 1].strip()
        return text if len(text) <= 48 else f"{text[:47]}…"
    return one.file
