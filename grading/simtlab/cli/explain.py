"""`simtlab explain` and `simtlab replay`: from facts to points, and one case once more from its stored seed."""

import json
import sys
import tempfile
import threading
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from simtlab.class_run.conditions import Conditions, choose_backend
from simtlab.class_run.worker import grade_submission
from simtlab.cli.latest import latest_gradebook
from simtlab.cli.options import (
    DEFAULT_STORE,
    AllowWeakOption,
    BuildOption,
    JsonOption,
    PolicyOption,
    StoreOption,
    catalogue_of,
    stored_results,
)
from simtlab.errors import UsageError
from simtlab.facts.model import Case, Criterion, Facts
from simtlab.intake.student_names import StudentNames
from simtlab.intake.submission import Submission
from simtlab.report.anonymous import pseudonyms
from simtlab.report.pages import place_text, threshold
from simtlab.sandbox.sandbox import require_sandbox
from simtlab.score.gradebook import Gradebook, GradedSubmission
from simtlab.score.points import Grade
from simtlab.store.results import ResultStore
from simtlab.terminal import console, escape_terminal, plain_table, verdict_text
from simtlab.text import counted, element_text, number_text, points_text, printable, shortened

_MOST_PRINTED = 300
StudentArgument = Annotated[str, typer.Argument(metavar="STUDENT", help="As in the table.")]
LabArgument = Annotated[str, typer.Argument(metavar="LAB", help="07 or 07-shared-tiling.")]


def register(app: typer.Typer) -> None:
    """Adds the subcommands."""
    app.command("explain")(explain)
    app.command("replay")(replay)


def explain(
    student: StudentArgument,
    lab: LabArgument,
    build: BuildOption = None,
    store: StoreOption = Path(DEFAULT_STORE),
    policy: PolicyOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print the arithmetic from a submission's facts to its points: parts, criteria, and the course's policy."""
    book, one = _find(student, lab, build, store, policy)
    if as_json:
        sys.stdout.write(json.dumps(_document(book, one), indent=1) + "\n")
        return
    out = console()
    out.print(escape_terminal(f"{one.student}, {one.lab}: {book.specifications[one.lab].title}"))
    if one.grade is None:
        out.print("not graded yet")
        return
    if one.held:
        out.print(escape_terminal(one.held.sentence))
    out.print(verdict_text(one.grade.verdict))
    if one.grade.message:
        out.print(escape_terminal(one.grade.message.strip()))
    out.print()
    _print_points(one.grade, out)
    if one.times:
        out.print(escape_terminal(one.times))
    if one.other_name:
        out.print(escape_terminal(f"Whose answers? {one.other_name.sentence}."))
    if one.regraded:
        out.print(escape_terminal(f"Graded once more: {one.regraded}"))
        out.print()
    if facts := one.facts:
        _print_findings(facts, out)
        _print_criteria(facts, out)
        _print_parameters(facts, out)
    dropped = book.dropped(one.student)
    if one.lab in dropped:
        out.print(escape_terminal("This lab is left out of the total (drop_lowest)."))
    waits = book.open_grades(one.student)
    so_far = f" so far: {waits}" if waits else ""
    total, possible = points_text(book.total(one.student)), points_text(book.possible)
    out.print(escape_terminal(f"Total of {one.student}: {total} of {possible} points{so_far}."))


def _find(
    student: str, lab: str, build: Path | None, store: Path, policy: Path | None
) -> tuple[Gradebook, GradedSubmission]:
    results, catalogue = stored_results(store), catalogue_of(build)
    book = latest_gradebook(results, catalogue, policy)
    name = catalogue.resolve(lab)
    by_pseudonym = {pseudonym: known for known, pseudonym in pseudonyms(book.run.students, results.seed()).items()}
    names = StudentNames(book.run.students, book.run.names, book.run.canvas_ids)
    student = names.one(student) if names.find(student) else by_pseudonym.get(student, student)
    found = book.submissions.get((student, name))
    if found is None:
        graded = student in book.run.students
        known = ", ".join(book.run.labs) if graded else names.listed()
        missing = f"the lab {name}" if graded else f"a student {printable(student)!r}"
        way = "; `simtlab grade` without --labs adds it, and nothing that is stored runs again" if graded else ""
        raise UsageError(f"the latest grading in {store} does not have {missing}; it has: {known}{way}")
    if name not in book.specifications:
        raise UsageError(f"{name} has no readable lab.toml: `simtlab list` says what is wrong with it")
    return book, found


def _print_points(grade: Grade, out: Console) -> None:
    table = plain_table("", "points", "of", "why", right=("points", "of"))
    for part in grade.parts:
        earned = "–" if part.earned is None else points_text(part.earned)
        table.add_row(part.name.value, earned, points_text(part.possible), escape_terminal(part.reason))
    for one in grade.adjustments:
        table.add_row("course", points_text(one.points), "", escape_terminal(one.reason))
    points = "waits" if grade.points is None else points_text(grade.points)
    table.add_row(Text("points", style="bold"), Text(points, style="bold"), points_text(grade.possible), "")
    out.print(table)
    out.print()


def _print_findings(facts: Facts, out: Console) -> None:
    """What `safe` found: the rule, the variable, and where."""
    if not facts.safe.findings:
        return
    table = plain_table("finding", "of", "where", "times", right=("times",))
    for one in facts.safe.findings:
        places = [place_text(place) for place in (one.first, one.second) if place]
        rule = one.rule if one.severity == "error" else f"{one.rule} ({one.severity})"
        table.add_row(*map(escape_terminal, (rule, one.variable, "\n".join(places), number_text(one.count))))
    out.print(table)
    out.print()


def _costly_line(one: Criterion) -> str:
    """The line that costs a criterion most; empty where it earned everything."""
    return f"{one.where.file}:{one.where.line}" if one.where and one.fraction < 1 else ""


def _print_criteria(facts: Facts, out: Console) -> None:
    if not facts.fast.criteria:
        return
    heads = ("criterion", "value", "threshold", "earns", "weight", "costs most at")
    table = plain_table(*heads, right=("value", "earns", "weight"))
    for one in facts.fast.criteria:
        measured = one.status == "measured"
        name = f"{one.metric.replace('_', ' ')} {one.argument}".strip()
        earns = f"{100 * one.fraction:.0f} %" if measured else "–"
        weight = f"{one.weight:.0f} %" if one.weight else "–"
        line = escape_terminal(_costly_line(one))
        table.add_row(escape_terminal(name), number_text(one.value), threshold(one), earns, weight, line)
    out.print(table)
    if facts.fast.status != "not_measured":
        terms = " + ".join(
            f"{number_text(round(one.weight, 2))} × {number_text(round(one.fraction, 4))}"
            for one in facts.fast.criteria
            if one.status == "measured"
        )
        out.print(escape_terminal(f"fast: {terms} = {facts.fast.score:.2f} of 100"))
    out.print()


def _print_parameters(facts: Facts, out: Console) -> None:
    host = facts.host
    if not host.parameter_bytes:
        return
    carried = f"{number_text(host.parameter_bytes)} bytes in {counted(host.launches, 'launch', 'launches')}"
    out.print(escape_terminal(f"Kernel parameters beside pointers: {carried} of the benchmark."))


def _document(book: Gradebook, one: GradedSubmission) -> dict[str, Any]:
    facts = one.facts
    return {
        "format": "simtlab-explanation",
        "version": 1,
        "student": one.student,
        "lab": one.lab,
        "grade": one.grade.model_dump(mode="json") if one.grade else None,
        "points": one.grade.points if one.grade else None,
        "possible": one.grade.possible if one.grade else None,
        "fast": facts.fast.model_dump(mode="json") if facts else None,
        "handed_in": one.handed_in.isoformat() if one.handed_in else None,
        "due": one.due.isoformat() if one.due else None,
        "other_name": one.other_name.sentence if one.other_name else "",
        "regraded": one.regraded,
        "facts": facts.model_dump(mode="json", exclude={"seed"}) if facts else None,
        "left_out": one.lab in book.dropped(one.student),
        "total": book.total(one.student),
        "total_possible": book.possible,
    }


def replay(
    student: StudentArgument,
    lab: LabArgument,
    case: Annotated[
        str, typer.Argument(metavar="[CASE]", help="The case's name.", show_default="all that failed")
    ] = "",
    build: BuildOption = None,
    store: StoreOption = Path(DEFAULT_STORE),
    allow_weak: AllowWeakOption = False,
    as_json: JsonOption = False,
) -> None:
    """Run a submission again with the inputs it was graded on, hidden cases included; the stored result stays.

    Exit code 0: it ended as before; 1: it ended otherwise; 2: there is nothing to replay.
    """
    _, one = _find(student, lab, build, store, None)
    result, facts = one.result, one.facts
    if result is None or facts is None:
        raise UsageError(
            f"{printable(student)} in {one.lab} has no stored facts: nothing ran that could be replayed; "
            "`simtlab explain` says why, and the same `simtlab grade` once more runs what waits"
        )
    wanted = [each for each in facts.cases if (each.name == case if case else each.verdict != "pass")]
    if case and not wanted:
        names = ", ".join(each.name for each in facts.cases)
        raise UsageError(f"{one.lab} has no case {case!r}; its cases: {names}")
    catalogue = catalogue_of(build)
    if one.lab not in catalogue.labs:
        raise UsageError(f"{one.lab} is not built in {catalogue.build}")
    _, reason, gpu = choose_backend(result.parts.backend)
    conditions = Conditions(
        backend=result.parts.backend,
        backend_reason=reason,
        gpu=gpu,
        seed=result.parts.seed,
        runner_prefix=tuple(result.parts.runner_prefix),
        sandbox=require_sandbox(catalogue.build, catalogue.root, allow_weak=allow_weak),
    )
    submission = Submission(one.student, one.lab, result.parts.files)
    with tempfile.TemporaryDirectory(prefix="simtlab-replay-") as place:
        files = ResultStore(store)
        kept = ResultStore(Path(place))
        for digest in result.parts.files.values():
            kept.keep_file(files.file(digest))
        lab_now = catalogue.labs[one.lab]
        again = grade_submission(submission, lab_now, result.parts, conditions, kept, threading.Event())
    conditions.sandbox.sweep()
    if again.facts is None:
        raise UsageError(f"the replay did not come to its cases: {again.verdict.words}: {again.message}")
    found = {each.name: each for each in again.facts.cases}
    pairs = [(each, found.get(each.name)) for each in wanted]
    if as_json:
        cases = [
            {
                "stored": before.model_dump(mode="json"),
                "replayed": after.model_dump(mode="json") if after else None,
                "same": _same(before, after),
            }
            for before, after in pairs
        ]
        document = {"format": "simtlab-replay", "version": 1, "seed": result.parts.seed, "cases": cases}
        sys.stdout.write(json.dumps(document, indent=1) + "\n")
    else:
        _print_replay(pairs, again.facts, console())
    if not all(_same(before, after) for before, after in pairs):
        raise typer.Exit(1)


def _same(before: Case, after: Case | None) -> bool:
    return after is not None and (before.verdict, before.mismatch) == (after.verdict, after.mismatch)


def _print_replay(pairs: list[tuple[Case, Case | None]], facts: Facts, out: Console) -> None:
    if not pairs:
        out.print(escape_terminal(f"Every case passed, then and now ({counted(len(facts.cases), 'case')})."))
    for before, after in pairs:
        sizes = ", ".join(f"{name} {number_text(value)}" for name, value in before.sizes.items())
        out.print(escape_terminal(f"{before.name}{' (hidden)' if before.hidden else ''}: {sizes}"), style="bold")
        if after is None:
            out.print("  the lab no longer has this case", style="yellow")
            continue
        out.print(
            Text("  ")
            + verdict_text(after.verdict)
            + escape_terminal("" if _same(before, after) else "  otherwise than before")
        )
        if after.message:
            out.print(escape_terminal("  " + after.message.strip().replace("\n", "\n  ")))
        if after.mismatch:
            table = plain_table(
                f"  {printable(after.mismatch.argument)}", "expected", "found", right=("expected", "found")
            )
            for element in after.mismatch.first:
                index = "".join(f"[{number}]" for number in element.index)
                actual = "never written" if element.never_written else element_text(element.actual)
                table.add_row(f"  {index}", element_text(element.expected), actual)
            out.print(table)
        for finding in after.findings:
            out.print(
                escape_terminal(f"  {finding.severity} {finding.rule} {finding.variable}: {place_text(finding.first)}")
            )
        if after.printed:
            out.print(escape_terminal("  it printed: " + shortened(after.printed.strip(), _MOST_PRINTED)))
