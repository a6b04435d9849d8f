"""From Moodle's download to the files that it imports: everybody's points land with their own user, or with nobody.

The reader here does what Moodle's import does (`grade/import/csv/classes/load_data.php`), traps included: an unknown
user stops the import, a blank user cell writes to the user of the row before, an empty grade takes a grade away.
"""

import csv
import io
import json
import zipfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simtlab.errors import UsageError
from simtlab.export.moodle import moodle_csv, moodle_export, read_moodle
from simtlab.intake.download import arrange
from simtlab.intake.moodle import is_moodle_entry, moodle_file_name
from simtlab.intake.roster import read_roster, with_roster
from simtlab.intake.submission import ClassIntake
from simtlab.score.gradebook import Gradebook
from simtlab.verdict import Verdict
from tests.example_facts import passed_facts, wrong_facts
from tests.fake_checkout import FakeCheckout
from tests.graded_book import book_of
from tests.test_cli_after_grading import simtlab

LAB, BANKS = "07-shared-tiling", "08-bank-conflicts"
ITEM = "Assignment: Lab 07 tiling (Real)"


def imported(text: str, key: str, users: set[str], column: str, before: dict[str, str] | None = None) -> dict[str, str]:
    """The grades that a course has after the import; `users` are what its users have in the column `key`."""
    grades = dict(before or {})
    head, *lines = csv.reader(io.StringIO(text))
    user = ""
    for line in lines:
        if len(line) <= 1:
            continue
        cells = dict(zip(head, (cell.strip() for cell in line), strict=True))
        if cells[key] not in ("", "0"):
            assert cells[key] in users, "an unknown user stops the whole import"
            user = cells[key]
        assert user
        if cells[column] in ("", "-"):
            grades.pop(user, None)
        else:
            grades[user] = str(float(cells[column]))
    return grades


@dataclass(frozen=True)
class User:
    """Somebody of the course, as Moodle knows them."""

    first: str
    last: str
    number: int
    email: str
    id_number: str

    @property
    def full(self) -> str:
        return f"{self.first} {self.last}"


def gradebook(users: list[User], items: tuple[str, ...] = (ITEM,)) -> str:
    """As Grades > Export > Plain text file writes it."""
    stream = io.StringIO()
    out = csv.writer(stream, lineterminator="\n")
    person = ["First name", "Last name", "ID number", "Institution", "Department", "Email address"]
    out.writerow([*person, *items, "Course total (Real)", "Last downloaded from this course"])
    out.writerows([one.first, one.last, one.id_number, "", "", one.email, *(["-"] * len(items)), "-", "1"]
                  for one in users)  # fmt: skip
    return stream.getvalue()


def worksheet(users: list[User]) -> str:
    """As an assignment's "download grading worksheet" writes it."""
    stream = io.StringIO()
    out = csv.writer(stream, lineterminator="\n")
    out.writerow(["Identifier", "Full name", "ID number", "Email address", "Status", "Grade", "Maximum Grade"])
    out.writerows([f"Participant {one.number}", one.full, one.id_number, one.email, "Submitted", "", "100"]
                  for one in users)  # fmt: skip
    return "\ufeff" + stream.getvalue()


ANN = User("Ann", "Lee", 4711, "ann@a.org", "17")
SEAN = User("Seán", "O'Brien, Jr", 4712, "sean@a.org", "18")
BOB = User("Bob", "Brown", 4713, "bob@a.org", "19")


@pytest.mark.parametrize("folders", [True, False])
@pytest.mark.parametrize("slash", ["_", ""])
def test_a_download_is_read_with_and_without_folders(tmp_path: Path, folders: bool, slash: str) -> None:
    source = tmp_path / "CS101-Lab 07-4711.zip"
    with zipfile.ZipFile(source, "w") as target:
        for user in (ANN, SEAN):
            name = f"{moodle_file_name(user.full)}_{user.number}_assignsubmission_file"
            inside = f"{name}{slash}/src/kernel.cu" if folders else f"{name}_kernel.cu"
            target.writestr(inside, user.full)
        target.writestr("Bob Brown_4713_assignsubmission_onlinetext_/onlinetext.html", "<p>my kernel")
    one = arrange(source, LAB, ["kernel.cu"], tmp_path / "work")
    assert one.layout == "Moodle"
    assert {path.parent.parent.name: path.read_text(encoding="utf-8") for path in one.folder.rglob("kernel.cu")} == {
        "Ann Lee": "Ann Lee",
        "Seán OBrien, Jr": "Seán O'Brien, Jr",
    }
    assert one.names["Ann Lee"] == ["Ann Lee", "Participant 4711"]
    assert one.notes == [f"Bob Brown handed in onlinetext: {LAB} takes kernel.cu"]
    assert (one.folder / "Bob Brown" / LAB).is_dir()


def test_a_single_submission_is_no_wrapping_folder(tmp_path: Path) -> None:
    folder = tmp_path / "download" / "Ann Lee_4711_assignsubmission_file_"
    folder.mkdir(parents=True)
    (folder / "kernel.cu").write_text("x", encoding="utf-8")
    assert arrange(tmp_path / "download", LAB, ["kernel.cu"], tmp_path / "work").layout == "Moodle"
    with pytest.raises(UsageError, match="download of Moodle, which holds one assignment: name its lab with --labs"):
        arrange(tmp_path / "download", "", [], tmp_path / "other")


@pytest.mark.parametrize("name", ["ann_17_900_kernel.cu", "lab-07-ann", "ann", "submission_11"])
def test_no_other_systems_name_is_moodles(name: str) -> None:
    assert not is_moodle_entry(name)


def test_who_has_no_file_keeps_an_empty_cell_and_no_row_in_the_labs_own_file() -> None:
    book = book_of({("bob@a.org", LAB): passed_facts(), ("ann@a.org", LAB): Verdict.NOT_SUBMITTED,
                    ("sean@a.org", LAB): Verdict.COMPILE_ERROR})  # fmt: skip
    found = moodle_export(book, read_moodle(gradebook([ANN, SEAN, BOB])))
    assert found.unmatched == []
    users = {"ann@a.org", "sean@a.org", "bob@a.org"}
    whole = imported(found.files["moodle.csv"], "Email address", users, ITEM)
    assert whole == {"bob@a.org": "92.5", "sean@a.org": "0.0"}, "what does not compile has earned its zero"
    kept = imported(found.files[f"moodle/{LAB}.csv"], "Email address", users, ITEM, {"ann@a.org": "50.0"})
    assert kept["ann@a.org"] == "50.0", "a grade that Moodle has already is not taken away"


def test_who_matches_nobody_or_two_is_listed_and_in_no_row() -> None:
    twin = replace(ANN, number=9, email="ann2@a.org", id_number="99")
    book = book_of({("Ann Lee", LAB): passed_facts(), ("zoe", LAB): passed_facts(), ("18", LAB): wrong_facts()})
    found = moodle_export(book, read_moodle(gradebook([ANN, twin, SEAN])))
    assert sorted(found.unmatched) == ["Ann Lee", "zoe"]
    assert list(imported(found.files["moodle.csv"], "ID number", {"17", "18", "99"}, ITEM)) == ["18"]


@pytest.mark.parametrize("bad", ["", "0", "+4911", "=1+1"])
def test_a_column_that_moodle_would_misread_is_left_out(bad: str) -> None:
    """Moodle gives the grades of a row with a blank user cell to the user of the row before."""
    odd = replace(SEAN, id_number=bad)
    book = book_of({("ann@a.org", LAB): passed_facts(), ("sean@a.org", LAB): wrong_facts()})
    found = moodle_export(book, read_moodle(gradebook([ANN, odd])))
    head = found.files["moodle.csv"].splitlines()[0]
    assert "ID number" not in head
    assert "Email address" in head
    assert found.notes[0] == "map from Email address when Moodle asks"
    assert found.unmatched == []
    nothing = replace(odd, email=bad)
    book = book_of({("Ann Lee", LAB): passed_facts(), ("Seán O'Brien, Jr", LAB): wrong_facts()})
    found = moodle_export(book, read_moodle(gradebook([ANN, nothing])))
    assert found.unmatched == ["Seán O'Brien, Jr"]
    assert len(found.files["moodle.csv"].splitlines()) == 2


def test_the_gradebooks_own_activity_is_filled_and_a_missing_one_is_told() -> None:
    book = book_of({("ann@a.org", LAB): passed_facts(), ("ann@a.org", BANKS): passed_facts()})
    found = moodle_export(book, read_moodle(gradebook([ANN], (ITEM, "Quiz: Lab 07 tiling (Percentage)"))))
    head = next(csv.reader(io.StringIO(found.files["moodle.csv"])))
    assert head[-2:] == [ITEM, BANKS]
    assert f"no activity for {BANKS}" in found.notes[1]
    with pytest.raises(UsageError, match="could be several assignments of the gradebook"):
        moodle_export(book, read_moodle(gradebook([ANN], (ITEM, "Quiz: 07 questions (Real)"))))


def test_what_is_no_table_of_moodle_is_refused() -> None:
    with pytest.raises(UsageError, match="none of Moodle: expected one of the columns Username, ID number, Email"):
        read_moodle("Vorname,Nachname\nAnn,Lee\n")


def test_of_two_with_one_full_name_the_number_tells_who_has_handed_in(tmp_path: Path) -> None:
    users = [User("Ann", "Lee", 100, "u0@a.org", "0"), User("Ann", "Lee", 101, "u1@a.org", "1")]
    (tmp_path / "table.csv").write_text(worksheet(users), encoding="utf-8")
    for user in users:
        download = tmp_path / str(user.number)
        download.mkdir()
        (download / f"Ann Lee_{user.number}_assignsubmission_file_kernel.cu").touch()
        arranged = arrange(download, LAB, ["kernel.cu"], tmp_path / f"work{user.number}")
        [student] = [one.name for one in arranged.folder.iterdir()]
        entries = read_roster(tmp_path / "table.csv")
        intake = with_roster(ClassIntake([student], [LAB], names=arranged.names), entries)
        assert user.email in intake.names[student]
        assert len(intake.students) == 2


def test_without_a_roster_the_folder_is_the_username() -> None:
    [head, row] = csv.reader(io.StringIO(moodle_csv(book_of({("alice", LAB): passed_facts()}))["moodle.csv"]))
    assert (head, row) == (["Username", LAB], ["alice", "92.5"])


_WORDS = st.text(st.sampled_from("abÄöüé', -\"łŚ王=+-@"), min_size=1, max_size=8).filter(
    lambda word: bool(moodle_file_name(word)) and moodle_file_name(word) == moodle_file_name(word).strip(" .")
)
_USERS = st.lists(st.tuples(_WORDS, _WORDS, st.booleans()), min_size=1, max_size=6)


@settings(
    max_examples=20, deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.filter_too_much, HealthCheck.too_slow],
)  # fmt: skip
@given(drawn=_USERS, folders=st.booleans(), by_number=st.booleans(), data=st.data())
def test_from_download_to_import_everybody_keeps_their_own_points(
    tmp_path_factory: pytest.TempPathFactory,
    drawn: list[tuple[str, str, bool]],
    folders: bool,
    by_number: bool,
    data: st.DataObject,
) -> None:
    place = tmp_path_factory.mktemp("moodle")
    users = [User(first, last, 100 + at, f"u{at}@a.org", str(at)) for at, (first, last, _) in enumerate(drawn)]
    here = [user for user, (_, _, handed_in) in zip(users, drawn, strict=True) if handed_in] or users[:1]
    download = place / "download"
    for user in here:
        name = f"{moodle_file_name(user.full)}_{user.number}_assignsubmission_file_"
        path = download / name / "kernel.cu" if folders else download / f"{name}kernel.cu"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(user.email, encoding="utf-8")
    mixed = data.draw(st.permutations(users))
    table = worksheet(mixed) if by_number else gradebook(mixed)
    (place / "table.csv").write_text(table, encoding="utf-8")

    arranged = arrange(download, LAB, ["kernel.cu"], place / "work")
    students = sorted(one.name for one in arranged.folder.iterdir())
    assert len(students) == len(here)
    intake = with_roster(ClassIntake(students, [LAB], names=arranged.names), read_roster(place / "table.csv"))
    facts: dict[tuple[str, str], dict[str, Any] | Verdict] = {}
    owner: dict[str, str] = {}
    for student in intake.students:
        path = arranged.folder / student / LAB / "kernel.cu"
        facts[student, LAB] = Verdict.NOT_SUBMITTED
        if path.is_file():
            document = passed_facts()
            document["fast"]["score"] = float(len(owner))
            facts[student, LAB] = document
            owner[student] = path.read_text(encoding="utf-8")
    book = book_of(facts)
    names = {student: list(known) for student, known in intake.names.items()}
    book = replace(book, run=book.run.model_copy(update={"names": names}))
    found = moodle_export(book, read_moodle(table))
    column = LAB if by_number else ITEM
    got = imported(found.files["moodle.csv"], "Email address", {user.email for user in users}, column)
    expected = {mail: str(_points(book, student)) for student, mail in owner.items() if student not in found.unmatched}
    assert got == expected
    alike = {one: [user for user in users if moodle_file_name(user.full).casefold() == one] for one in
             {moodle_file_name(user.full).casefold() for user in users}}  # fmt: skip
    alone = {user.email for named in alike.values() if len(named) == 1 for user in named}
    if by_number:
        assert set(got) == {user.email for user in here}, "the number in the folder's name tells everybody apart"
    else:
        assert set(got) >= {user.email for user in here} & alone


def _points(book: Gradebook, student: str) -> float:
    grade = book.submissions[student, LAB].grade
    assert grade
    assert grade.points is not None
    return float(grade.points)


def test_the_command_writes_both_files_and_takes_labs(checkout: FakeCheckout, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(checkout.root)
    monkeypatch.setenv("SIMTLAB_ALLOW_WEAK", "1")
    monkeypatch.delenv("SIMTLAB_BUILD", raising=False)
    for lab in (LAB, BANKS):
        checkout.submit("ann", lab)
        checkout.submit("zoe", lab)
    assert simtlab("grade", "class")[0] == 0
    (checkout.root / "table.csv").write_text(gradebook([ANN, BOB]), encoding="utf-8")
    code, text = simtlab("export", "moodle", "out", "--roster", "table.csv", "--labs", "07", "--json")
    told = json.loads(text)
    assert (code, told["unmatched"]) == (1, ["zoe"])
    assert [Path(name).name for name in told["files"]] == ["moodle.csv", f"{LAB}.csv"]
    assert BANKS not in (checkout.root / "out" / "moodle.csv").read_text(encoding="utf-8")
    code, text = simtlab("export", "csv", "out", "--labs", "07")
    assert (code, "--labs is for moodle, nbgrader, prairielearn" in text) == (2, True)
