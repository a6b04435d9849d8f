"""From a download of Canvas to the file that it imports: everybody's points land in their own row, or in none."""

import csv
import io
import re
import unicodedata
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simtlab.errors import UsageError
from simtlab.export.canvas import canvas_export, read_canvas
from simtlab.intake.download import arrange
from simtlab.intake.roster import read_roster, with_roster
from simtlab.intake.submission import ClassIntake
from simtlab.score.gradebook import Gradebook
from simtlab.verdict import Verdict
from tests.example_facts import passed_facts, unsafe_facts
from tests.graded_book import book_of

LAB = "07-shared-tiling"
COLUMN = "07 Tiling (900)"


def gradebook(rows: list[list[str]], *, columns: tuple[str, ...] = (COLUMN,), logins: bool = True) -> str:
    """A gradebook as Canvas exports it: two rows before the students, read-only totals behind the assignments."""
    stream = io.StringIO()
    head = ["Student", "ID", *(["SIS User ID", "SIS Login ID"] if logins else []), "Section"]
    out = csv.writer(stream, lineterminator="\r\n")
    out.writerow([*head, *columns, "Final Score"])
    out.writerow(["", *[""] * (len(head) - 1), *["Manual Posting"] * len(columns), ""])
    out.writerow(["    Points Possible", *[""] * (len(head) - 1), *["100"] * len(columns), "(read only)"])
    out.writerows([*row, *[""] * len(columns), ""] for row in rows)
    return "\ufeff" + stream.getvalue()


def with_ids(book: Gradebook, ids: dict[str, str]) -> Gradebook:
    return replace(book, run=book.run.model_copy(update={"canvas_ids": ids}))


def exported(book: Gradebook, text: str) -> tuple[list[dict[str, str]], list[str]]:
    found = canvas_export(book, read_canvas(text))
    rows = list(csv.DictReader(io.StringIO(found.files["canvas.csv"])))
    return [row for row in rows if "Points Possible" not in row["Student"]], found.unmatched


def test_a_submission_and_its_row_meet_by_the_column_id() -> None:
    book = with_ids(book_of({("leeann-11", LAB): passed_facts()}), {"leeann-11": "11"})
    text = gradebook([["Lee, Ann", "11", "1001", "ann", "A"], ["Lee, Anna", "12", "1002", "anna", "A"]])
    [row], unmatched = exported(book, text)
    assert (row["Student"], row["ID"], row[COLUMN]) == ("Lee, Ann", "11", "92.5")
    assert unmatched == []


def test_who_matches_nobody_is_listed_and_in_no_row() -> None:
    facts: dict[tuple[str, str], dict[str, Any] | Verdict] = {
        ("leeann-99", LAB): unsafe_facts(),
        ("ann", LAB): passed_facts(),
        ("11", LAB): passed_facts(),
    }
    book = with_ids(book_of(facts), {"leeann-99": "99"})
    rows, unmatched = exported(book, gradebook([["Lee, Ann", "11", "1001", "ann", "A"]]))
    assert rows == []
    assert unmatched == ["leeann-99", "ann", "11"]  # two of the class for one row: neither is guessed


def test_two_students_of_one_name_are_told_apart_or_left_out() -> None:
    book = book_of({("Lee, Ann", LAB): passed_facts()})
    text = gradebook([["Lee, Ann", "11", "A"], ["Lee, Ann", "12", "B"]], logins=False)
    rows, unmatched = exported(book, text)
    assert (rows, unmatched) == ([], ["Lee, Ann"])


@pytest.mark.parametrize(
    "column",
    [COLUMN, "Lab 7: tiling (1)", "lab07 (2)", "07-shared-tiling (3)", "title of 07-shared-tiling (4)", "7 (5)"],
)
def test_the_gradebooks_own_assignment_is_filled(column: str) -> None:
    others = ("Lab 17 (70)", "2026 exam (71)", "Project (72)")
    text = gradebook([["A", "1", "1", "alice", "S"]], columns=(*others, column))
    book = book_of({("alice", LAB): passed_facts()})
    [row], _ = exported(book, text)
    assert row[column] == "92.5"
    assert "Lab 17 (70)" not in row


def test_an_assignment_that_could_be_several_is_asked_for_and_a_missing_one_is_told() -> None:
    book = book_of({("alice", LAB): passed_facts()})
    text = gradebook([["A", "1", "1", "alice", "S"]], columns=("Lab 7 (1)", "07 again (2)"))
    with pytest.raises(UsageError, match="could be several assignments"):
        canvas_export(book, read_canvas(text))
    notes = canvas_export(book, read_canvas(gradebook([["A", "1", "1", "alice", "S"]], columns=("Exam (1)",)))).notes
    assert "no assignment for 07-shared-tiling" in notes[0]


def test_other_full_marks_in_canvas_are_told() -> None:
    book = book_of({("alice", LAB): passed_facts()})
    text = gradebook([["A", "1", "1", "alice", "S"]]).replace(",100,", ",10,")
    assert "out of 10 points in Canvas" in canvas_export(book, read_canvas(text)).notes[0]


def test_semicolons_are_read_too() -> None:
    book = book_of({("alice", LAB): passed_facts()})
    rows, _ = exported(book, f"Student;ID;SIS Login ID;{COLUMN}\r\nA;1;alice;\r\n")
    assert [row["ID"] for row in rows] == ["1"]


_NAMES = st.text(st.sampled_from("abcÄöüßé', -.O’łŚ王 "), min_size=1, max_size=12).filter(lambda name: name.strip())
_STUDENTS = st.lists(st.tuples(_NAMES, _NAMES, st.integers(0, 2)), min_size=1, max_size=6)


def file_name(last: str, first: str, number: int, late: int) -> str:
    """As Canvas names a submission: the sortable name's letters, LATE, user, submission, file."""
    letters = re.sub(r"[\W_]", "", unicodedata.normalize("NFC", last + first).casefold()) or "student"
    return f"{letters}_{'LATE_' if late == 2 else ''}{number}_{number + 5000}_kernel{'-1' if late else ''}.cu"


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(students=_STUDENTS, absent=_STUDENTS, logins=st.booleans(), data=st.data())
def test_from_download_to_import_everybody_keeps_their_own_points(
    tmp_path_factory: pytest.TempPathFactory,
    students: list[tuple[str, str, int]],
    absent: list[tuple[str, str, int]],
    logins: bool,
    data: st.DataObject,
) -> None:
    place = tmp_path_factory.mktemp("canvas")
    download = place / "submissions"
    download.mkdir()
    rows, points = [], {}
    for number, (last, first, late) in enumerate(students, 11):
        (download / file_name(last, first, number, late)).write_text(f"// {number}\n", encoding="utf-8")
    for number, (last, first, _) in enumerate([*students, *absent], 11):
        # Logins and SIS numbers on purpose like other people's Canvas numbers.
        rows.append(
            [f"{last}, {first}", str(number), *([str(number + 1), str(number + 2)] if logins else []), "A; B, C"]
        )
    rows.append(["Student, Test", "900", *(["", ""] if logins else []), "A"])
    text = gradebook(data.draw(st.permutations(rows)), logins=logins)
    (place / "gradebook.csv").write_text(text, encoding="utf-8")

    arranged = arrange(download, LAB, ["kernel.cu"], place / "work")
    names = sorted(one.name for one in arranged.folder.iterdir())
    assert len(names) == len(students)
    intake = ClassIntake(names, [LAB], canvas_ids=arranged.canvas_ids)
    everybody = with_roster(intake, read_roster(place / "gradebook.csv"))
    assert len(everybody.students) == len(students) + len(absent) + 1, "nobody is twice in the class"

    facts: dict[tuple[str, str], dict[str, Any] | Verdict] = {}
    for position, name in enumerate(names):
        document = passed_facts()
        document["fast"]["score"] = float(position)
        facts[name, LAB] = document
        own = (arranged.folder / name / LAB / "kernel.cu").read_text(encoding="utf-8")
        points[own.removeprefix("// ").strip()] = position
    book = with_ids(book_of(facts), arranged.canvas_ids)
    found, unmatched = exported(book, text)
    assert unmatched == []
    assert {row["ID"] for row in found} == points.keys(), "no row for the absent, none for the test student"
    expected = {name: book.submissions[name, LAB].grade for name in names}
    for row in found:
        grade = expected[names[points[row["ID"]]]]
        assert grade
        assert float(row[COLUMN]) == grade.points
