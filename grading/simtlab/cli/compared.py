"""A comparison on the terminal: each pair in a line, or one pair with its criteria and all that differs."""

from dataclasses import dataclass, replace

from rich.console import Console
from rich.text import Text

from simtlab.compare.comparison import Comparison, effect_text, interval_text, summary
from simtlab.compare.points import Grades, points_lines, points_of
from simtlab.compare.statistics import CONFIDENCE, Difference
from simtlab.compare.uses import Figure, Use, kernel_figures, kernel_name, lines_text, role_name, uses_of
from simtlab.terminal import escape_terminal, plain_table
from simtlab.text import counted, number_text, points_text, printable, shortened

_STYLES = {
    Difference.FASTER: "green",
    Difference.SLOWER: "red",
    Difference.BETTER: "green",
    Difference.WORSE: "red",
    Difference.SAME: "",
    Difference.UNDECIDED: "yellow",
}
_MOST_COUNTERS = 16


def print_comparison(
    found: list[Comparison], notes: list[str], names: tuple[str, str], grades: tuple[Grades, Grades], out: Console
) -> None:
    out.print(escape_terminal(f"A: {names[0]}\nB: {names[1]}"))
    out.print()
    if len(found) == 1:
        _print_one(found[0], grades, out)
    else:
        table = plain_table(
            "student", "lab", "B against A", "B's time / A's", "counters", "points", right=("counters",)
        )
        for one in found:
            changed = len(one.changed_counters)
            table.add_row(
                Text(shortened(printable(one.b.student), 20)),
                one.b.lab.split("-", 1)[0],
                Text(one.difference.value, style=_STYLES[one.difference]),
                interval_text(one),
                f"{changed} differ" if changed else "same",
                _both_points(one, grades),
            )
        out.print(table)
        out.print()
        for reason in dict.fromkeys(one.reason for one in found):
            times = sum(one.reason == reason for one in found)
            out.print(escape_terminal(f"{times} × {reason}"), style="dim")
        out.print(Text(summary(found)))
    for note in notes:
        out.print(escape_terminal(f"note: {note}"))


def _both_points(one: Comparison, grades: tuple[Grades, Grades]) -> str:
    before, after = points_of(grades[0], one.a), points_of(grades[1], one.b)
    shown = ["–" if value is None else points_text(value) for value in (before, after)]
    return shown[0] if before == after else " → ".join(shown)


def _print_one(one: Comparison, grades: tuple[Grades, Grades], out: Console) -> None:
    out.print(Text(one.difference.value, style=f"bold {_STYLES[one.difference]}".strip()))
    if one.interval:
        out.print(escape_terminal(f"{effect_text(one)}: ratio {interval_text(one)}, {CONFIDENCE:.0%} interval"))
    out.print(escape_terminal(one.reason[:1].upper() + one.reason[1:] + "."))
    out.print(escape_terminal(printable(one.explanation)), style="bold")
    points = points_lines(one, *grades)
    for line in points:
        out.print(escape_terminal(line))
    if one.a.verdict is not one.b.verdict:
        out.print(escape_terminal(f"A ended as {one.a.verdict.words}, B as {one.b.verdict.words}."))
    if one.other_files and len(one.a.files | one.b.files) > 1:
        out.print(escape_terminal(f"These files differ: {printable(', '.join(one.other_files))}."))
    if one.median_a and one.median_b:
        out.print(escape_terminal(f"Median: A {number_text(one.median_a)} ms, B {number_text(one.median_b)} ms."))
    _print_criteria(one, out)
    _print_counters(one, out)
    same = one.a.counted and one.b.counted and not one.changed_counters
    if same and one.a.student != one.b.student and len(points) <= 1:
        out.print(
            escape_terminal(
                "Where points differ all the same, it is by predict.toml or by the course's policy. "
                "simtlab explain STUDENT LAB shows each."
            )
        )


def _heads(one: Comparison) -> tuple[str, str]:
    a, b = (shortened(printable(head), 20) for head in one.heads)
    return a, b


def _print_criteria(one: Comparison, out: Console) -> None:
    if not one.criteria:
        return
    a, b = _heads(one)
    table = plain_table("criterion", a, "points", b, "points ", right=(a, "points", b, "points "))
    for each in one.criteria:
        cells: list[str] = []
        for side, points in zip((each.a, each.b), each.points, strict=True):
            cells += [number_text(side.value if side else None), "–" if points is None else points_text(points)]
        table.add_row(Text(printable(each.name)), *cells)
    out.print()
    out.print(table)


@dataclass(frozen=True)
class _Group:
    """A use of an array, or a kernel, with its counters that differ."""

    name: str
    doubt: str
    lines: str
    figures: list[Figure]


def _groups(one: Comparison) -> list[_Group]:
    uses = [
        _Group(f"{role_name(use.pair)} {use.kind}", use.pair.doubt, _both_lines(use), use.figures)
        for use in uses_of(one.pairing)
    ]
    kernels = [_Group(kernel_name(pair), pair.doubt, "", kernel_figures(pair)) for pair in one.pairing.kernels]
    changed = [replace(each, figures=[f for f in each.figures if f.differs]) for each in (*uses, *kernels)]
    return [each for each in changed if each.figures]


def _print_counters(one: Comparison, out: Console) -> None:
    groups = _groups(one)
    if not groups or not (one.a.counted and one.b.counted):  # what one side alone has is on the page
        return
    a, b = _heads(one)
    table = plain_table("", "", a, b, "B / A", "at", right=(a, b, "B / A"))
    shown = [(each, figure) for each in groups for figure in each.figures]
    for each, figure in shown[:_MOST_COUNTERS]:
        first = figure is each.figures[0]
        table.add_row(
            Text(printable(each.name + (" (unsure)" if each.doubt else ""))) if first else "",
            figure.name.replace("_", " "),
            number_text(figure.a),
            number_text(figure.b),
            "–" if figure.ratio is None else f"{figure.ratio:.3g}",
            Text(printable(each.lines)) if first else "",
        )
    out.print()
    out.print(table)
    if len(shown) > _MOST_COUNTERS:
        more = counted(len(shown) - _MOST_COUNTERS, "more counter")
        out.print(escape_terminal(f"and {more}: --json or --page shows them all"))
    for line in dict.fromkeys(f"unsure of {each.name}: {each.doubt}" for each in groups if each.doubt):
        out.print(escape_terminal(printable(line)), style="dim")


def _both_lines(use: Use) -> str:
    sides = zip("AB", use.places, strict=True)
    return "; ".join(f"{side} {lines_text(places)}" for side, places in sides if places and places[0].line)
