"""From each service's download to the files that it reads again: everybody's points are under their own name, or under
none. Names have commas, accents and dashes, are alike, or are another student's number."""

import base64
import csv
import io
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simtlab.errors import UsageError
from simtlab.export.autograders import autolab, classroom, gradescope, junit
from simtlab.export.canvas import canvas_export, read_canvas
from simtlab.export.spreadsheet import harmless_cell
from simtlab.export.tables import grades_csv
from simtlab.intake.arranged import Arranged
from simtlab.intake.download import arrange
from simtlab.intake.roster import RosterEntry, match_roster, read_roster, with_roster
from simtlab.intake.submission import ClassIntake
from simtlab.score.gradebook import Gradebook
from simtlab.score.table import class_document
from simtlab.text import slug
from simtlab.verdict import Verdict
from tests.example_facts import passed_facts
from tests.fake_checkout import FakeCheckout
from tests.graded_book import book_of
from tests.test_cli_after_grading import simtlab
from tests.test_export import CLASSROOM_RESULT, GRADESCOPE, points

LAB = "07-shared-tiling"
SLOW = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)


@dataclass(frozen=True)
class Person:
    """Somebody of the course, as a registrar knows them. `number` is drawn so that it can be another's login."""

    first: str
    last: str
    login: str
    domain: str
    number: str

    @property
    def address(self) -> str:
        return f"{self.login}@{self.domain}"


_NAMES = st.text(st.sampled_from("abÄöüßé', -.:#\"O’łŚ王\u2028"), min_size=1, max_size=9).filter(
    lambda name: bool(name.strip())
)
_LOGINS = st.one_of(
    st.text(st.sampled_from("abc1"), min_size=1, max_size=3),
    st.sampled_from(
        ["ann", "Ann", "ann-lee", "ann-low", "lee", "low", "12", "13", "o.b", ".x", "__MACOSX", "a/b", "a_b"]
    ),
)
_PEOPLE = st.lists(
    st.builds(
        Person,
        _NAMES,
        _NAMES,
        _LOGINS,
        st.sampled_from(["a.org", "b.org"]),
        st.sampled_from(["11", "12", "13", "14", "15"]),
    ),
    min_size=1,
    max_size=6,
    unique_by=(lambda one: one.address.casefold(), lambda one: one.number),
)


def graded(arranged: Arranged, everybody: ClassIntake) -> tuple[Gradebook, dict[str, float]]:
    """The book of what was arranged, and the points by what stands in the file, which says who wrote it."""
    facts: dict[tuple[str, str], dict[str, Any] | Verdict] = {}
    marks: dict[str, str] = {}
    for student in everybody.students:
        path = arranged.folder / student / LAB / "kernel.cu"
        facts[student, LAB] = Verdict.NOT_SUBMITTED
        if path.is_file():
            marks[student] = path.read_text(encoding="utf-8")
    for student, mark in marks.items():
        document = passed_facts()
        document["fast"]["score"] = float(10 + sorted(set(marks.values())).index(mark))
        facts[student, LAB] = document
    book = book_of(facts)
    names = {student: list(each) for student, each in everybody.names.items()}
    book = replace(book, run=book.run.model_copy(update={"names": names, "canvas_ids": dict(everybody.canvas_ids)}))
    return book, {mark: points(book)[student, LAB] or 0 for student, mark in marks.items()}


def intake_of(arranged: Arranged, roster: Path | None = None) -> ClassIntake:
    students = sorted(one.name for one in arranged.folder.iterdir())
    intake = ClassIntake(students, [LAB], canvas_ids=arranged.canvas_ids, names=arranged.names)
    return with_roster(intake, read_roster(roster)) if roster else intake


def written(path: Path, head: Sequence[str], rows: Sequence[Sequence[str]]) -> Path:
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\r\n").writerows([head, *rows])
    path.write_text("\ufeff" + stream.getvalue(), encoding="utf-8", newline="")
    return path


# Gradescope.


def scalar(text: str) -> str:
    """A text as Ruby writes it into YAML: plain where it can be, else in quotation marks."""
    if re.search(r"[\x00-\x1f\x85\u2028\u2029]", text):
        return json.dumps(text).replace("\\u2028", "\\L")
    if re.fullmatch(r"[A-Za-zÀ-ſ王][\w .@-]*", text) and not text.endswith(" "):
        return text
    return "'" + text.replace("'", "''") + "'"


def gradescope_download(folder: Path, submissions: Sequence[Sequence[Person]]) -> Path:
    lines = ["---"]
    for number, group in enumerate(submissions, 500):
        lines += [f"submission_{number}:", "  :submitters:"]
        for one in group:
            lines += [f"  - :name: {scalar(f'{one.first} {one.last}')}", f"    :sid: '{one.number}'"]
            lines += [f"    :email: {scalar(one.address)}"]
        lines += ["  :created_at: 2026-10-01 23:58:00.000000000 Z", "  :score: 1.0", "  :results:", "    output: |-"]
        lines += ["      submission_999:", "        :submitters:", "        - :email: mallory@a.org"]
        place = folder / f"submission_{number}" / "src"
        place.mkdir(parents=True)
        (place / "kernel.cu").write_text(group[0].address, encoding="utf-8")
    (folder / "submission_metadata.yml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


@SLOW
@given(people=_PEOPLE, absent=st.integers(0, 3), group=st.booleans(), shuffle=st.randoms(use_true_random=False))
def test_gradescope_keeps_everybodys_points_under_their_own_address(
    tmp_path_factory: pytest.TempPathFactory, people: list[Person], absent: int, group: bool, shuffle: Any
) -> None:
    place = tmp_path_factory.mktemp("gradescope")
    here = people[: max(len(people) - absent, 1)]
    submissions = [here[:2], *([one] for one in here[2:])] if group else [[one] for one in here]
    download = gradescope_download(place / "assignment_5_export", submissions)
    rows = [[one.first, one.last, one.number, one.address, "Student", "A, B"] for one in people]
    shuffle.shuffle(rows)
    staff = [["Prof", "Essor", "", "prof@a.org", "Instructor", ""]]
    roster = written(
        place / "roster.csv", ["First Name", "Last Name", "SID", "Email", "Role", "Sections"], rows + staff
    )

    arranged = arrange(download, LAB, ["kernel.cu"], place / "work")
    everybody = intake_of(arranged, roster)
    assert len(everybody.students) == len(people), "nobody is twice in the class, nobody is missing"
    assert len({one.casefold() for one in everybody.students}) == len(people)
    book, earned = graded(arranged, everybody)
    files = gradescope(book)
    assert len(files) == len(people)
    folders = {name.partition("/")[0]: json.loads(text) for name, text in files.items()}
    whose = {student: next(one for one in names if "@" in one) for student, names in everybody.names.items()}
    handed_in = {one.address: group[0].address for group in submissions for one in group}
    for student, address in whose.items():
        document = folders[slug(student)]
        jsonschema.validate(document, GRADESCOPE)
        assert document["score"] == earned.get(handed_in.get(address, ""), 0)
    assert all(arranged.handed_in[student, LAB].hour == 23 for student in arranged.names)

    # The same class into Canvas, whose gradebook knows registrar's numbers, and logins as addresses.
    gradebook = [
        [f"{one.last}, {one.first}", str(900 + at), one.number, one.address, "A"] for at, one in enumerate(people)
    ]
    known = gradebook[: len(gradebook) - (len(people) > 1)]
    text = written(
        place / "canvas.csv", ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "07 Tiling (1)"],
        [["    Points Possible", "", "", "", "", "100"], *([*row, ""] for row in known)],
    ).read_text(encoding="utf-8-sig")  # fmt: skip
    found = canvas_export(book, read_canvas(text))
    table = {row["SIS Login ID"]: row for row in csv.DictReader(io.StringIO(found.files["canvas.csv"]))}
    addresses = {student: whose[student] for student in found.unmatched}
    for row in known:
        one = table.get(harmless_cell(row[3]))
        assert one, (row, found.unmatched, everybody.names)
        assert float(one["07 Tiling (1)"]) == earned.get(handed_in.get(row[3], ""), 0)
    assert set(addresses.values()) == {row[3] for row in gradebook} - {row[3] for row in known}


def test_two_logins_alike_at_two_domains_are_two_students(tmp_path: Path) -> None:
    """An absent student took the place, and a zero, of the one who had handed in under the same login."""
    here, absent = Person("Ann", "Lee", "ann", "a.org", "11"), Person("Ann", "Lee", "ann", "b.org", "12")
    download = gradescope_download(tmp_path / "export", [[here]])
    roster = written(
        tmp_path / "roster.csv", ["First Name", "Last Name", "SID", "Email", "Role"],
        [[one.first, one.last, one.number, one.address, "Student"] for one in (absent, here)],
    )  # fmt: skip
    everybody = intake_of(arrange(download, LAB, ["kernel.cu"], tmp_path / "work"), roster)
    assert len(everybody.students) == 2
    assert "ann@a.org" in everybody.names["ann"]
    [refusal] = everybody.refusals
    assert refusal.student != "ann"
    assert everybody.problems == []


# GitHub Classroom.


_GITHUB = st.from_regex(r"[a-c]{1,2}(-[a-c1]{1,2}){0,2}", fullmatch=True)


@SLOW
@given(
    logins=st.lists(_GITHUB, min_size=1, max_size=5, unique=True),
    absent=st.lists(_GITHUB, max_size=3, unique=True),
    inside=st.booleans(),
    evidence=st.sampled_from(["folder", "roster"]),
)
def test_clones_of_a_classroom_keep_everybodys_points(
    tmp_path_factory: pytest.TempPathFactory, logins: list[str], absent: list[str], inside: bool, evidence: str
) -> None:
    place = tmp_path_factory.mktemp("classroom")
    download = place / ("lab-07-submissions" if evidence == "folder" else "clones")
    for login in logins:
        folder = download / f"lab-07-{login}" / (f"labs/{LAB}" if inside else "")
        folder.mkdir(parents=True)
        (folder / "kernel.cu").write_text(login, encoding="utf-8")
    people = [*logins, *(login for login in absent if login not in logins)]
    roster = written(
        place / "roster.csv", ["identifier", "github_username", "github_id", "name"],
        [[f"{login}@a.org", login, str(number), ""] for number, login in enumerate(people)],
    )  # fmt: skip
    known = [name for one in read_roster(roster) for name in one.names] if evidence == "roster" else []
    try:
        arranged = arrange(download, LAB, ["kernel.cu"], place / "work", known)
    except UsageError:
        assert evidence == "roster"
        assert any(one.endswith(f"-{login}") for one in logins for login in people)
        return
    if evidence == "roster" and len(logins) == 1 and arranged.layout == "plain":
        return  # one folder alone may be anything
    everybody = intake_of(arranged, roster)
    assert set(everybody.students) == set(people)
    book, earned = graded(arranged, everybody)
    files = classroom(book)
    for login in people:
        document = json.loads(base64.b64decode(files[f"{slug(login)}/{slug(LAB)}.txt"]))
        jsonschema.validate(document, CLASSROOM_RESULT)
        assert sum(one["score"] for one in document["tests"]) == earned.get(login, 0)


def test_a_plain_class_whose_names_begin_alike_keeps_its_names(tmp_path: Path) -> None:
    """`--labs 07` took the first part of everybody's name for an assignment's."""
    for student in ("ann-lee", "ann-low"):
        (tmp_path / "class" / student / LAB).mkdir(parents=True)
        (tmp_path / "class" / student / LAB / "kernel.cu").write_text(student, encoding="utf-8")
    arranged = arrange(tmp_path / "class", LAB, ["kernel.cu"], tmp_path / "work")
    assert (arranged.layout, arranged.folder) == ("plain", tmp_path / "class")


@pytest.mark.parametrize("lab", ["", LAB])
def test_a_folder_that_the_roster_names_whole_is_never_cut(tmp_path: Path, lab: str) -> None:
    for student in ("ann-lee", "ann-low"):
        (tmp_path / "class" / student / LAB).mkdir(parents=True)
    known = ["ann-lee", "ann-low", "lee", "low"]
    assert arrange(tmp_path / "class", lab, ["kernel.cu"], tmp_path / "work", known).layout == "plain"


def test_clones_that_could_be_two_students_are_refused(tmp_path: Path) -> None:
    for login in ("ann-lee", "ann-low"):
        (tmp_path / "clones" / f"lab-07-{login}").mkdir(parents=True)
        (tmp_path / "clones" / f"lab-07-{login}" / "kernel.cu").write_text(login, encoding="utf-8")
    known = ["ann-lee", "ann-low", "lee", "low"]
    with pytest.raises(UsageError, match="lab-07-ann-lee may be of ann-lee or lee, all as the roster has them"):
        arrange(tmp_path / "clones", LAB, ["kernel.cu"], tmp_path / "work", known)
    (tmp_path / "clones").rename(tmp_path / "lab-07-submissions")
    arranged = arrange(tmp_path / "lab-07-submissions", LAB, ["kernel.cu"], tmp_path / "again", known)
    assert sorted(one.name for one in arranged.folder.iterdir()) == ["ann-lee", "ann-low"]


# Exports that name students by their folder, and rosters of the plain kind.


@SLOW
@given(names=st.lists(_NAMES, min_size=1, max_size=5, unique=True), known=st.integers(0, 5), quiet=st.booleans())
def test_other_exports_keep_everybodys_points(names: list[str], known: int, quiet: bool) -> None:
    facts: dict[tuple[str, str], dict[str, Any] | Verdict] = {}
    for position, name in enumerate(names):
        document = passed_facts()
        document["fast"]["score"] = float(position)
        facts[name, LAB] = document
    book = book_of(facts).only(set(names[:known]) or set(names))
    expected: Mapping[tuple[str, str], float | None] = points(book)
    rows = list(csv.DictReader(io.StringIO(grades_csv(book)["grades.csv"])))
    labs = autolab(book)
    suites = {one.get("name"): one for one in ET.fromstring(junit(book)["junit.xml"]).iter("testsuite")}  # noqa: S314
    document = {one["student"]: one["labs"][LAB]["points"] for one in class_document(book)["students"]}
    assert len(labs) == len(suites) == len(document) == len(expected)
    assert {row["student"] for row in rows} == {harmless_cell(name) for name, _ in expected}
    for (name, _), value in expected.items():
        assert json.loads(labs[f"{slug(name)}/{slug(LAB)}.txt"].splitlines()[-1])["scores"] == {LAB: value}
        assert document[name] == value


@given(
    st.lists(
        _PEOPLE.map(lambda people: people[0]), min_size=1, max_size=6, unique_by=lambda one: one.address.casefold()
    ),
    st.data(),
)
def test_no_entry_of_a_roster_is_two_students_and_no_student_two_entries(
    people: list[Person], data: st.DataObject
) -> None:
    entries = [RosterEntry((one.login, one.number), "", one.address, f"{one.first} {one.last}") for one in people]
    students = data.draw(
        st.lists(st.sampled_from([x for p in people for x in (p.login, p.number, p.first)]), unique=True)
    )
    names = {
        s: data.draw(st.lists(st.sampled_from([x for p in people for x in (p.address, p.number)]), max_size=2))
        for s in students
    }
    matched = match_roster(entries, students, names, {})
    assert len(set(matched.values())) == len(matched)
    for position, student in matched.items():
        addresses = {name for name in names[student] if "@" in name}
        assert not addresses or people[position].address in addresses


@pytest.mark.parametrize("kind", ["csv", "json", "gradescope", "autolab", "classroom", "junit"])
def test_who_is_not_in_the_roster_is_listed_and_not_exported(
    checkout: FakeCheckout, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.chdir(checkout.root)
    monkeypatch.setenv("SIMTLAB_ALLOW_WEAK", "1")
    monkeypatch.delenv("SIMTLAB_BUILD", raising=False)
    for student in ("alice", "zoe"):
        checkout.submit(student, LAB)
    assert simtlab("grade", "class")[0] == 0
    roster = written(
        checkout.root / "roster.csv", ["identifier", "github_username"], [["alice", "alice"], ["bob", "bob"]]
    )
    code, text = simtlab("export", kind, "out", "--roster", str(roster))
    assert (code, "not exported: zoe" in text) == (1, True)
    told = "".join(f"{path} {path.read_text(encoding='utf-8')}" for path in (checkout.root / "out").rglob("*.*"))
    assert "zoe" not in told
    assert simtlab("export", kind, "out", "--roster", str(roster), "--allow-unmatched")[0] == 0
    assert json.loads(simtlab("export", kind, "out", "--roster", str(roster), "--json")[1])["unmatched"] == ["zoe"]
