"""The class as a table on a terminal and as one JSON document; both show the gradebook's own numbers."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from simtlab.class_run.grading import GradingOutcome
from simtlab.score.gradebook import Gradebook, GradedSubmission
from simtlab.store.holds import Held
from simtlab.terminal import STYLES, escape_terminal, plain_table
from simtlab.text import counted, points_text, printable, shortened
from simtlab.verdict import Verdict

_LONGEST_NAME = 20
_LONGEST_MESSAGE = 300
_MOST_ADJUSTED = 30
_GAP = 2


def print_class(book: Gradebook, console: Console) -> None:
    """Students × labs with points and verdict, as many labs side by side as fit, then totals and sentences."""
    names = {student: shortened(printable(student), _LONGEST_NAME) for student in book.run.students}
    for labs, last in _side_by_side(book, names, console.width):
        console.print(_table(book, names, labs, with_total=last))
        console.print()
    for lab in book.run.labs:
        specification = book.specifications.get(lab)
        if specification:
            console.print(Text(f"{lab}: {specification.title}, {points_text(specification.points.total)} points"))
    console.print(_totals(book))
    for submission in book.waiting:
        message = submission.grade.message if submission.grade else ""
        first_line = message.strip().splitlines()[-1] if message.strip() else "no message"
        console.print(
            escape_terminal(
                f"waiting: {printable(submission.student)} {submission.lab}: {shortened(first_line, _LONGEST_MESSAGE)}"
            ),
            style=STYLES[submission.grade.verdict] if submission.grade else "",
        )
    _print_policy(book, console)
    _print_other_names(book, console)
    for submission in book.submissions.values():
        if submission.grade and submission.grade.verdict is Verdict.FORBIDDEN:
            who = f"{printable(submission.student)} {submission.lab}"
            message = shortened(printable(submission.grade.message), _LONGEST_MESSAGE)
            console.print(escape_terminal(f"forbidden: {who}: {message}"), style=STYLES[Verdict.FORBIDDEN])
    for note in [*book.sandbox_notes, *book.notes]:
        console.print(escape_terminal(f"note: {note}"))


def _print_other_names(book: Gradebook, console: Console) -> None:
    """Whose predictions were answered under another name."""
    found = book.under_other_names()
    for one, other in found[:_MOST_ADJUSTED]:
        console.print(escape_terminal(f"answers: {printable(one.student)} {one.lab}: {printable(other.sentence)}"))
    if len(found) > _MOST_ADJUSTED:
        console.print(
            escape_terminal(f"and {len(found) - _MOST_ADJUSTED} more answers under other names: see the report")
        )


def _print_policy(book: Gradebook, console: Console) -> None:
    """What the course's policy did to whom: late days, extensions, points set by hand."""
    adjusted = book.adjusted()
    for one, each in adjusted[:_MOST_ADJUSTED]:
        who = f"{printable(one.student)} {one.lab}"
        console.print(
            escape_terminal(f"{each.kind.value}: {who}: {shortened(printable(each.reason), _LONGEST_MESSAGE)}")
        )
    if len(adjusted) > _MOST_ADJUSTED:
        console.print(
            escape_terminal(f"and {len(adjusted) - _MOST_ADJUSTED} more of the course's policy: see the report")
        )


def class_document(book: Gradebook, outcome: GradingOutcome | None = None) -> dict[str, Any]:
    """The class as plain data for `--json`."""
    document: dict[str, Any] = {
        "format": "simtlab-class",
        "version": 1,
        "class": book.run.class_name,
        "started_at": book.run.started_at.isoformat(),
        "backend": book.run.backend,
        "policy": book.course.file,
        "possible": book.possible,
        "labs": [
            {"name": lab, "title": spec.title, "points": spec.points.model_dump()}
            for lab, spec in book.specifications.items()
        ],
        "students": [
            {
                "student": student,
                "total": book.total(student),
                "open": book.open_grades(student),
                "left_out": book.dropped(student),
                "labs": {one.lab: _submission_document(one) for one in book.of_student(student)},
            }
            for student in book.run.students
        ],
        "waiting": len(book.waiting),
        "ungraded": len(book.ungraded),
        "progress": book.progress.model_dump(mode="json") | {"waiting": book.progress.waiting}
        if book.progress
        else None,
        "sandbox": book.sandbox_notes,
        "problems": book.notes,
    }
    if outcome:
        document |= {
            "already_graded": outcome.already_graded,
            "graded_now": outcome.graded_now,
            "stopped": outcome.stopped,
        }
    return document


def held_document(held: Held) -> dict[str, Any]:
    """A hold as plain data."""
    until = held.until.isoformat() if held.until else None
    return {"since": held.since.isoformat(), "until": until, "by": held.by, "reason": held.reason}


def _submission_document(submission: GradedSubmission) -> dict[str, Any]:
    grade, result = submission.grade, submission.result
    return {
        "verdict": grade.verdict.value if grade else None,
        "message": grade.message if grade else submission.absence,
        "points": grade.points if grade else None,
        "possible": grade.possible if grade else None,
        "waiting": bool(grade and grade.waiting),
        "handed_in": submission.handed_in.isoformat() if submission.handed_in else None,
        "due": submission.due.isoformat() if submission.due else None,
        "parts": {part.name.value: part.model_dump(mode="json", exclude={"name"}) for part in grade.parts}
        if grade
        else {},
        "adjustments": [one.model_dump(mode="json") for one in grade.adjustments] if grade else [],
        "other_name": asdict(submission.other_name) | {"sentence": submission.other_name.sentence}
        if submission.other_name
        else None,
        "held": held_document(submission.held) if submission.held else None,
        "audit": [asdict(one) for one in result.audit] if result else [],
        "key": result.key if result else None,
        "attempt": result.parts.attempt if result else None,
    }


def _side_by_side(book: Gradebook, names: dict[str, str], width: int) -> Iterator[tuple[Sequence[str], bool]]:
    """The labs in groups that fit the width beside the names, and whether the group is the last (it holds the
    total)."""
    free = width - max((len(name) for name in [*names.values(), "student"]), default=0) - _GAP
    total = max((len(_total(book, student)) for student in names), default=0)
    total = max(total, len("total")) + _GAP
    groups: list[list[str]] = [[]]
    used = 0
    for lab in book.run.labs:
        cells = [len(_cell(one).plain) for one in book.of_lab(lab)]
        needed = max([len(_number(lab)), *cells]) + _GAP
        if groups[-1] and used + needed + total > free:
            groups.append([])
            used = 0
        groups[-1].append(lab)
        used += needed
    for position, group in enumerate(groups, 1):
        yield group, position == len(groups)


def _table(book: Gradebook, names: dict[str, str], labs: Sequence[str], *, with_total: bool) -> Table:
    columns = ["student", *(_number(lab) for lab in labs), *(["total"] if with_total else [])]
    table = plain_table(*columns, right=("total",))
    for student, name in names.items():
        cells = [_cell(book.submissions[student, lab]) for lab in labs]
        table.add_row(Text(name), *cells, *([_total(book, student)] if with_total else []))
    return table


def _total(book: Gradebook, student: str) -> str:
    """The points so far; an ellipsis says that a grade waits."""
    return points_text(book.total(student)) + (" …" if book.open_grades(student) else "")


def _cell(submission: GradedSubmission) -> Text:
    grade = submission.grade
    if grade is None:
        return Text(submission.absence, style="dim")
    points = "–" if grade.points is None else points_text(grade.points)
    words = ", ".join([grade.verdict.words, *submission.marks])
    return Text(f"{points:>5} {words}", style=STYLES[grade.verdict])


def _number(lab: str) -> str:
    return lab.split("-", 1)[0]


def _totals(book: Gradebook) -> Text:
    verdicts: dict[str, int] = {}
    for submission in book.submissions.values():
        if submission.grade:
            verdicts[submission.grade.verdict.words] = verdicts.get(submission.grade.verdict.words, 0) + 1
    ending = ", ".join(
        f"{count} {words}" for words, count in sorted(verdicts.items(), key=lambda item: (-item[1], item[0]))
    )
    return Text(
        f"{counted(len(book.run.students), 'student')}, {counted(len(book.run.labs), 'lab')}, "
        f"{points_text(book.possible)} points possible: {ending or 'nothing graded yet'}"
    )
