"""`simtlab compare`: FASTER, SLOWER, SAME or UNDECIDED, with the interval, and the counters beside it."""

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from simtlab.cli.options import DEFAULT_STORE, BuildOption, JsonOption, PolicyOption, StoreOption, catalogue_of
from simtlab.compare.comparison import Comparison, compare, effect_text, interval_text, summary
from simtlab.compare.measurement import Measurement
from simtlab.compare.points import Grades, grades_of, points_lines
from simtlab.compare.sides import measurement_file, pairs, read_side
from simtlab.compare.statistics import CONFIDENCE, Difference
from simtlab.course.names import course_of
from simtlab.errors import UsageError
from simtlab.report.compare_page import write_comparison
from simtlab.store.class_run import latest_run
from simtlab.store.results import ResultStore
from simtlab.terminal import console, escape_terminal, plain_table
from simtlab.text import counted, number_text, points_text, printable, shortened

_STYLES = {
    Difference.FASTER: "green",
    Difference.SLOWER: "red",
    Difference.SAME: "",
    Difference.UNDECIDED: "yellow",
}
EXIT_CODES = {Difference.SLOWER: 11, Difference.UNDECIDED: 12, Difference.FASTER: 10, Difference.SAME: 0}
"""In this order: the first that any pair has is the command's."""
_MOST_COUNTERS = 12


def register(app: typer.Typer) -> None:
    """Adds the subcommand."""
    app.command("compare")(compare_sides)


def compare_sides(
    a: Annotated[str, typer.Argument(metavar="A", help="Before: a store, STUDENT/LAB, a result or a saved file.")],
    b: Annotated[str | None, typer.Argument(metavar="[B]", help="After: likewise. Not with --save.")] = None,
    build: BuildOption = None,
    store: StoreOption = Path(DEFAULT_STORE),
    policy: PolicyOption = None,
    by_ratio: Annotated[
        bool, typer.Option("--by-ratio", help="Compare different machines by the ratio to each one's own copy.")
    ] = False,
    margin: Annotated[
        float | None,
        typer.Option(
            "--margin", min=0, max=0.5, help="Differences below do not count.", show_default="0.01; by ratio 0.05"
        ),
    ] = None,
    page: Annotated[Path | None, typer.Option("--page", help="Write the comparison as a page, too.")] = None,
    save: Annotated[
        Path | None, typer.Option("--save", metavar="FILE", help="Keep the times of the store A for a later term.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Compare two runs, two submissions, or this term with a saved file of an earlier one.

    Where a side is a store, or part of one, its points stand beside the times: by today's labs (--build) and policy.

    Exit code 0: the same; 10: something is faster and nothing slower; 11: something is slower; 12: nothing is slower,
    but something is undecided; 2: the two cannot be compared.
    """
    if save is not None:
        _save(Path(a), b, save, as_json=as_json)
        return
    if b is None:
        raise UsageError("compare needs two sides: simtlab compare A B")
    side_a, side_b = read_side(a, store), read_side(b, store)
    matched, notes = pairs(side_a, side_b)
    if not matched:
        raise UsageError(f"{a} and {b} have no student and lab in common")
    found = [compare(one, other, by_ratio=by_ratio, margin=margin) for one, other in matched]
    catalogue = catalogue_of(build)
    course = course_of(catalogue, policy)
    grades = grades_of(side_a, catalogue, course), grades_of(side_b, catalogue, course)
    if page is not None:
        write_comparison(found, notes, (side_a.name, side_b.name), (side_a.sources, side_b.sources), page)
    if as_json:
        sys.stdout.write(json.dumps(document(found, notes, (side_a.name, side_b.name), grades), indent=1) + "\n")
    else:
        _print(found, notes, (side_a.name, side_b.name), grades, console())
        if page is not None:
            console().print(escape_terminal(f"page: {page}"))
    raise typer.Exit(next(code for word, code in EXIT_CODES.items() if any(one.difference is word for one in found)))


def _save(folder: Path, b: str | None, path: Path, *, as_json: bool) -> None:
    if b is not None or not (folder / "runs").is_dir():
        raise UsageError("--save keeps one store: simtlab compare --save FILE STORE")
    results = ResultStore(folder)
    kept = measurement_file(latest_run(results), results)
    path.write_text(kept.model_dump_json(indent=1) + "\n", encoding="utf-8")
    if as_json:
        said = {"format": "simtlab-saved", "version": 1, "path": str(path), "submissions": len(kept.measurements)}
        sys.stdout.write(json.dumps(said, indent=1) + "\n")
        return
    console().print(escape_terminal(f"{path}: {counted(len(kept.measurements), 'submission')}"))


def document(
    found: list[Comparison], notes: list[str], names: tuple[str, str], grades: tuple[Grades, Grades] = ({}, {})
) -> dict[str, Any]:
    """The comparison as plain data for `--json`."""
    return {
        "format": "simtlab-comparison",
        "version": 1,
        "a": names[0],
        "b": names[1],
        "confidence": CONFIDENCE,
        "pairs": [
            {
                "student_a": one.a.student,
                "student_b": one.b.student,
                "lab": one.b.lab,
                "difference": one.difference.value,
                "ratio": one.interval.ratio if one.interval else None,
                "low": one.interval.low if one.interval else None,
                "high": one.interval.high if one.interval and one.interval.low else None,
                "median_a_ms": one.median_a,
                "median_b_ms": one.median_b,
                "by_ratio": one.by_ratio,
                "same_files": one.same_files,
                "reason": one.reason,
                "points_a": _points(grades[0], one.a),
                "points_b": _points(grades[1], one.b),
                "score_a": one.a.score,
                "score_b": one.b.score,
                "counters": {c.name: [c.before, c.after] for c in one.changed_counters},
            }
            for one in found
        ],
        "notes": notes,
    }


def _points(grades: Grades, one: Measurement) -> float | None:
    grade = grades.get((one.student, one.lab))
    return grade.points if grade else None


def _print(
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
    before, after = _points(grades[0], one.a), _points(grades[1], one.b)
    shown = ["–" if value is None else points_text(value) for value in (before, after)]
    return shown[0] if before == after else " → ".join(shown)


def _print_one(one: Comparison, grades: tuple[Grades, Grades], out: Console) -> None:
    out.print(Text(one.difference.value, style=f"bold {_STYLES[one.difference]}".strip()))
    if one.interval:
        out.print(escape_terminal(f"{effect_text(one)}: ratio {interval_text(one)}, {CONFIDENCE:.0%} interval"))
    out.print(escape_terminal(one.reason[:1].upper() + one.reason[1:] + "."))
    for line in points_lines(one, *grades):
        out.print(escape_terminal(line))
    if one.a.verdict is not one.b.verdict:
        out.print(escape_terminal(f"A ended as {one.a.verdict.words}, B as {one.b.verdict.words}."))
    if one.other_files and len(one.a.files | one.b.files) > 1:
        out.print(escape_terminal(f"These files differ: {printable(', '.join(one.other_files))}."))
    if one.uncounted:
        without = " and ".join(one.uncounted)
        out.print(escape_terminal(f"{without} without counters: they are measured where every answer is right."))
        return
    scores = [("score", one.a.score, one.b.score)] if one.a.score != one.b.score else []
    times = [("median, ms", one.median_a, one.median_b)] if one.median_a and one.median_b else []
    rows = times + scores + [(c.name, c.before, c.after) for c in one.changed_counters]
    if not rows:
        out.print(escape_terminal("Every counter is the same."))
        if one.a.student != one.b.student:
            out.print(
                escape_terminal(
                    "Where points differ all the same, it is by predict.toml or by the course's policy. "
                    "simtlab explain STUDENT LAB shows each."
                )
            )
        return
    table = plain_table("", "A", "B", "B / A", right=("A", "B", "B / A"))
    for name, before, after in rows[:_MOST_COUNTERS]:
        ratio = f"{after / before:.3g}" if before and after is not None else "–"
        table.add_row(Text(printable(name)), number_text(before), number_text(after), ratio)
    out.print()
    out.print(table)
    if len(rows) > _MOST_COUNTERS:
        out.print(
            escape_terminal(
                f"and {counted(len(rows) - _MOST_COUNTERS, 'more counter')}: --json or --page shows them all"
            )
        )
