"""`simtlab compare`: what two submissions differ in and which is better, or a class by its strategies."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from simtlab.cli.compared import print_comparison
from simtlab.cli.options import DEFAULT_STORE, BuildOption, JsonOption, PolicyOption, StoreOption, catalogue_of
from simtlab.compare.comparison import compare
from simtlab.compare.document import comparison_document, strategies_document
from simtlab.compare.points import grades_of, points_lines
from simtlab.compare.sides import measurement_file, pairs, read_class, read_side
from simtlab.compare.statistics import Difference
from simtlab.compare.strategies import strategies_of
from simtlab.course.names import course_of
from simtlab.errors import UsageError
from simtlab.report.compare_page import write_comparison
from simtlab.report.strategies_page import write_strategies
from simtlab.store.class_run import latest_run
from simtlab.store.results import ResultStore
from simtlab.terminal import console, escape_terminal, plain_table
from simtlab.text import counted, number_text, printable, shortened

EXIT_CODES = {
    Difference.SLOWER: 11,
    Difference.WORSE: 11,
    Difference.UNDECIDED: 12,
    Difference.FASTER: 10,
    Difference.BETTER: 10,
    Difference.SAME: 0,
}
"""In this order: the first that any pair has is the command's."""


def register(app: typer.Typer) -> None:
    """Adds the subcommand."""
    app.command("compare")(compare_sides)


def compare_sides(
    a: Annotated[
        str | None, typer.Argument(metavar="[A]", help="Before: a store, STUDENT/LAB, a result or a saved file.")
    ] = None,
    b: Annotated[str | None, typer.Argument(metavar="[B]", help="After: likewise. Not with --save.")] = None,
    lab: Annotated[
        str | None, typer.Argument(metavar="[LAB]", help="This lab alone: then A and B may be students.")
    ] = None,
    class_lab: Annotated[
        str | None, typer.Option("--class", metavar="LAB", help="Group the class of --store by strategy in this lab.")
    ] = None,
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
    """Compare two submissions, two runs, or this term with a saved file of an earlier one; or group a class.

    simtlab compare alice bob 07: which is better and by what. Kernels and arrays are paired by what they are to the
    lab, not by name. Times decide (FASTER, SLOWER, UNDECIDED) where both sides have them, else the lab's criteria
    (BETTER, WORSE). Where a side is a store, or part of one, its points stand beside it: by today's labs (--build) and
    policy.

    simtlab compare --class 07: the class by what its counters look like, an example of each strategy and its score.

    Exit code 0: the same; 10: something is faster or better and nothing slower or worse; 11: something is slower or
    worse; 12: neither, but something is undecided; 2: the two cannot be compared.
    """
    if class_lab is not None:
        _class(store, class_lab, a, page, as_json=as_json)
        return
    if a is None:
        raise UsageError("compare needs two sides: simtlab compare A B, or a class: simtlab compare --class LAB")
    if save is not None:
        _save(Path(a), b, save, as_json=as_json)
        return
    if b is None:
        raise UsageError("compare needs two sides: simtlab compare A B")
    side_a, side_b = read_side(a, store, lab or ""), read_side(b, store, lab or "")
    matched, notes = pairs(side_a, side_b)
    if not matched:
        raise UsageError(f"{a} and {b} have no student and lab in common")
    found = [compare(one, other, by_ratio=by_ratio, margin=margin) for one, other in matched]
    catalogue = catalogue_of(build)
    course = course_of(catalogue, policy)
    grades = grades_of(side_a, catalogue, course), grades_of(side_b, catalogue, course)
    names = side_a.name, side_b.name
    if page is not None:
        points = [points_lines(one, *grades) for one in found]
        write_comparison(found, notes, names, (side_a.sources, side_b.sources), page, points)
    if as_json:
        sys.stdout.write(json.dumps(comparison_document(found, notes, names, grades), indent=1) + "\n")
    else:
        print_comparison(found, notes, names, grades, console())
        if page is not None:
            console().print(escape_terminal(f"page: {page}"))
    raise typer.Exit(next(code for word, code in EXIT_CODES.items() if any(one.difference is word for one in found)))


def _class(store: Path, lab: str, extra: str | None, page: Path | None, *, as_json: bool) -> None:
    if extra is not None:
        raise UsageError(f"--class takes the whole class of --store, and no side {extra}")
    side = read_class(store, lab)
    found = strategies_of(side.measurements.values())
    name = found[0].example.lab
    if page is not None:
        write_strategies(found, name, page)
    if as_json:
        sys.stdout.write(json.dumps(strategies_document(found, name), indent=1) + "\n")
        return
    out = console()
    out.print(
        escape_terminal(f"{name}: {counted(len(found), 'strategy', 'strategies')} by what the counters look like")
    )
    out.print()
    table = plain_table("students", "example", "its score", "all scores", "strategy", right=("students", "its score"))
    for one in found:
        example = Text(shortened(printable(one.example.student), 20))
        score = number_text(one.example.score)
        table.add_row(str(len(one.members)), example, score, one.scores_text, Text(printable(one.words)))
    out.print(table)
    if page is not None:
        out.print(escape_terminal(f"page: {page}"))


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
