"""Only declared files are taken, from inside the student's folder, and everything else is told in a sentence."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from simtlab.errors import UsageError
from simtlab.intake.class_folder import read_class
from simtlab.intake.declared_file import LARGEST_FILE_BYTES
from simtlab.intake.submission import ClassIntake, Refusal
from simtlab.labs.catalogue import Catalogue, read_catalogue
from simtlab.store.results import ResultStore
from simtlab.text import slug
from simtlab.verdict import Verdict
from tests.fake_checkout import KERNEL, FakeCheckout

TILING = "07-shared-tiling"
BANKS = "08-bank-conflicts"


@pytest.fixture
def take(checkout: FakeCheckout, catalogue: Catalogue, store: ResultStore) -> "Taker":
    return Taker(checkout, catalogue, store)


class Taker:
    """Intake of the fake checkout's class."""

    def __init__(self, checkout: FakeCheckout, catalogue: Catalogue, store: ResultStore) -> None:
        self.checkout, self.catalogue, self.store = checkout, catalogue, store

    def __call__(self, labs: list[str] | None = None, folder: Path | None = None) -> ClassIntake:
        return read_class(folder or self.checkout.class_folder, self.catalogue, self.store.keep_file, labs)

    def refusal(self, student: str = "bob", lab: str = TILING) -> Refusal:
        """The one refusal of a class in which alice's submission must be taken all the same."""
        self.checkout.submit("alice", TILING)
        intake = self()
        assert [one.student for one in intake.submissions] == ["alice"]
        [refusal] = [one for one in intake.refusals if one.student == student and one.lab == lab]
        return refusal


def test_the_content_is_copied_when_it_is_taken(take: Taker) -> None:
    path = take.checkout.submit("alice", TILING, KERNEL)
    [submission] = take().submissions
    path.write_text("changed afterwards", encoding="utf-8")
    assert take.store.file(submission.files["kernel.cu"]) == KERNEL.encode()


def test_only_declared_files_are_taken(take: Taker) -> None:
    path = take.checkout.submit("alice", TILING)
    (path.parent / "lab.cpp").write_text("my own judge", encoding="utf-8")
    [submission] = take().submissions
    assert list(submission.files) == ["kernel.cu"]


def test_a_lab_that_somebody_handed_in_is_graded_for_everybody(take: Taker) -> None:
    take.checkout.submit("alice", TILING)
    take.checkout.submit("bob", BANKS)
    intake = take()
    assert intake.labs == [TILING, BANKS]
    assert {(one.student, one.lab): one.verdict for one in intake.refusals} == {
        ("alice", BANKS): Verdict.NOT_SUBMITTED,
        ("bob", TILING): Verdict.NOT_SUBMITTED,
    }


def test_selected_labs_alone_are_graded(take: Taker) -> None:
    take.checkout.submit("alice", TILING)
    take.checkout.submit("alice", BANKS)
    assert [one.lab for one in take([BANKS]).submissions] == [BANKS]


def test_a_missing_file_is_not_submitted_and_a_near_miss_is_named(take: Taker) -> None:
    take.checkout.submit("bob", TILING).rename(take.checkout.class_folder / "bob" / TILING / "Kernel.cu")
    refusal = take.refusal()
    assert refusal.verdict is Verdict.NOT_SUBMITTED
    assert refusal.message == "kernel.cu is missing: found Kernel.cu; the file must be called kernel.cu"


def test_whoever_handed_in_under_another_name_is_told_of(take: Taker) -> None:
    take.checkout.submit("alice", BANKS)
    take.checkout.submit("bob", BANKS).rename(take.checkout.class_folder / "bob" / BANKS / "Kernel.cu")
    (take.checkout.class_folder / "carol").mkdir()
    (take.checkout.class_folder / "carol" / f"{BANKS}.zip").write_bytes(b"PK")
    take.checkout.submit("dave", "lab8")
    intake = take()
    told = {one.student: one.message for one in intake.refusals}
    assert told["carol"].endswith(f"found {BANKS}.zip: the file must be {BANKS}/kernel.cu")
    assert f"but one called lab8: rename it to {BANKS}" in told["dave"]
    for name in (f"bob/{BANKS}: kernel.cu is missing: found Kernel.cu", f"left alone: {BANKS}.zip", "dave/lab8"):
        assert sum(name in problem for problem in intake.problems) == 1, name


def test_a_folder_that_cannot_be_listed_stops_nobody(take: Taker, monkeypatch: pytest.MonkeyPatch) -> None:
    take.checkout.submit("bob", TILING).unlink()
    really_scandir = os.scandir

    def refusing_scandir(path: os.PathLike[str] | str) -> object:
        if str(path).endswith(f"bob/{TILING}"):
            raise PermissionError(13, "Permission denied")
        return really_scandir(path)

    monkeypatch.setattr(os, "scandir", refusing_scandir)
    assert take.refusal().verdict is Verdict.NOT_SUBMITTED


def test_an_empty_lab_folder_is_not_submitted(take: Taker) -> None:
    take.checkout.submit("bob", TILING).unlink()
    assert "the lab's folder is empty" in take.refusal().message


@pytest.mark.parametrize("content", ["", "\n  \n"])
def test_an_empty_file_is_called_empty(take: Taker, content: str) -> None:
    take.checkout.submit("bob", TILING, content)
    refusal = take.refusal()
    assert refusal.verdict is Verdict.COMPILE_ERROR
    assert refusal.message == "kernel.cu is empty: hand in the file with your code"


def test_a_link_out_of_the_folder_is_refused(take: Taker) -> None:
    path = take.checkout.submit("bob", TILING)
    path.unlink()
    path.symlink_to(take.checkout.root / "solutions" / TILING / "kernel.cu")
    refusal = take.refusal()
    assert refusal.verdict is Verdict.FORBIDDEN
    assert "symbolic link that leaves" in refusal.message


def test_a_link_to_another_student_is_refused(take: Taker) -> None:
    take.checkout.submit("alice", TILING)
    path = take.checkout.submit("bob", TILING)
    path.unlink()
    path.symlink_to("../../alice/07-shared-tiling/kernel.cu")
    assert take.refusal().verdict is Verdict.FORBIDDEN


def test_a_linked_lab_folder_that_leaves_is_refused(take: Taker) -> None:
    folder = take.checkout.class_folder / "bob"
    folder.mkdir(parents=True)
    (folder / TILING).symlink_to(take.checkout.root / "solutions" / TILING)
    assert take.refusal().verdict is Verdict.FORBIDDEN


def test_a_link_inside_the_folder_is_followed(take: Taker) -> None:
    path = take.checkout.submit("alice", TILING)
    path.rename(path.with_name("final.cu"))
    path.symlink_to("final.cu")
    assert [one.student for one in take().submissions] == ["alice"]


@pytest.mark.parametrize("target", ["nowhere.cu", "kernel.cu"], ids=["to nothing", "to itself"])
def test_a_link_that_leads_nowhere_is_refused(take: Taker, target: str) -> None:
    path = take.checkout.submit("bob", TILING)
    path.unlink()
    path.symlink_to(target)
    refusal = take.refusal()
    assert refusal.verdict is Verdict.FORBIDDEN
    assert "symbolic link" in refusal.message


def test_a_linked_student_folder_that_leaves_the_class_is_left_alone(take: Taker, tmp_path: Path) -> None:
    take.checkout.submit("alice", TILING)
    take.checkout.submit("mallory", TILING, folder=tmp_path / "elsewhere")
    (take.checkout.class_folder / "mallory").symlink_to(tmp_path / "elsewhere" / "mallory")
    intake = take()
    assert intake.students == ["alice"]
    assert any("mallory is a symbolic link out of" in problem for problem in intake.problems)


def test_a_pipe_does_not_hold_up_the_class(take: Taker) -> None:
    path = take.checkout.submit("bob", TILING)
    path.unlink()
    os.mkfifo(path)
    refusal = take.refusal()
    assert refusal.verdict is Verdict.FORBIDDEN
    assert "not an ordinary file" in refusal.message


def test_a_folder_called_like_the_file_is_refused(take: Taker) -> None:
    path = take.checkout.submit("bob", TILING)
    path.unlink()
    path.mkdir()
    assert take.refusal().verdict is Verdict.FORBIDDEN


def test_a_file_of_100_megabytes_is_refused_without_being_read(take: Taker) -> None:
    path = take.checkout.submit("bob", TILING)
    with path.open("wb") as stream:
        stream.truncate(100_000_000)
    refusal = take.refusal()
    assert refusal.verdict is Verdict.FORBIDDEN
    assert refusal.message.startswith("kernel.cu has 100.0 MB and at most 1.0 MB are taken")


def test_the_largest_file_is_taken(take: Taker) -> None:
    take.checkout.submit("alice", TILING, "/" * LARGEST_FILE_BYTES)
    assert take().submissions


def test_a_file_that_is_not_utf8_names_line_byte_and_next_step(take: Taker) -> None:
    take.checkout.submit("bob", TILING).write_bytes(b"// one\n// Gr\xf6\xdfe\n")
    refusal = take.refusal()
    assert refusal.verdict is Verdict.COMPILE_ERROR
    assert refusal.message.startswith("kernel.cu:2: the byte 0xf6 is not UTF-8 text; save the file as UTF-8")


def test_an_unreadable_file_is_our_fault(take: Taker, monkeypatch: pytest.MonkeyPatch) -> None:
    """As root nothing is unreadable, so the system call is made to say so."""
    take.checkout.submit("bob", TILING)
    really_open = os.open

    def refusing_open(path: Path, *arguments: int, **named: int) -> int:
        if "bob" in str(path):
            raise PermissionError(13, "Permission denied")
        return really_open(path, *arguments, **named)

    monkeypatch.setattr(os, "open", refusing_open)
    refusal = take.refusal()
    assert refusal.verdict is Verdict.INTERNAL_ERROR
    assert "make it readable and grade again" in refusal.message


def test_an_unknown_lab_names_the_known_ones_and_stops_nobody(take: Taker) -> None:
    take.checkout.submit("alice", TILING)
    take.checkout.submit("bob", "07-shared-tilling")
    intake = take()
    assert [one.student for one in intake.submissions] == ["alice"]
    [problem] = intake.problems
    assert "bob/07-shared-tilling: there is no such lab" in problem
    assert "Did you mean 07-shared-tiling?" in problem
    assert f"The labs are: {TILING}, {BANKS}." in problem


def test_a_file_outside_of_a_lab_folder_is_told(take: Taker) -> None:
    take.checkout.submit("alice", TILING)
    (take.checkout.class_folder / "bob").mkdir()
    (take.checkout.class_folder / "bob" / "kernel.cu").write_text(KERNEL, encoding="utf-8")
    assert "bob: outside of a lab's folder and left alone: kernel.cu. Expected: <student>/<lab>/kernel.cu" in (
        take().problems
    )


def test_litter_beside_the_students_is_no_student(take: Taker) -> None:
    take.checkout.submit("alice", TILING)
    for name in (".git", "__MACOSX"):
        (take.checkout.class_folder / name).mkdir()
    (take.checkout.class_folder / "roster.csv").write_text("alice", encoding="utf-8")
    assert take().students == ["alice"]


def test_an_empty_class_is_told_what_was_expected(take: Taker) -> None:
    take.checkout.class_folder.mkdir()
    with pytest.raises(UsageError, match=r"is an empty class.*DIR/<student>/<lab>/kernel.cu"):
        take()


def test_a_class_without_submissions_is_told_what_was_expected(take: Taker) -> None:
    (take.checkout.class_folder / "alice").mkdir(parents=True)
    with pytest.raises(UsageError, match=r"holds no submission.*07-shared-tiling, 08-bank-conflicts"):
        take()


def test_a_students_folder_given_for_the_class_is_recognised(take: Taker) -> None:
    take.checkout.submit("alice", TILING)
    with pytest.raises(UsageError, match="looks like one student's folder"):
        take(folder=take.checkout.class_folder / "alice")


def test_a_folder_that_does_not_exist_is_told(take: Taker) -> None:
    with pytest.raises(UsageError, match="is not a folder"):
        take()


def test_a_lab_that_is_not_built_waits(checkout: FakeCheckout, store: ResultStore) -> None:
    (checkout.build / "labs" / BANKS / "lab.json").unlink()
    checkout.submit("alice", BANKS)
    checkout.submit("alice", TILING)
    intake = read_class(checkout.class_folder, read_catalogue(checkout.root, checkout.build), store.keep_file)
    [refusal] = intake.refusals
    assert refusal.verdict is Verdict.INTERNAL_ERROR
    assert "is not built" in refusal.message
    assert [one.lab for one in intake.submissions] == [TILING]


FOLDER_NAMES = st.binary(min_size=1, max_size=40).filter(
    lambda name: b"/" not in name and b"\0" not in name and not name.startswith(b".") and name != b"__MACOSX"
)


@given(names=st.lists(FOLDER_NAMES, min_size=1, max_size=4, unique=True))
@example(names=[b"a\nb", b"\x1b[2J", b"<img src=x onerror=alert(1)>", b"=1+cmd|calc!A0"])
@example(names=[b"--facts", b"$(reboot)", b"caf\xe9", b"%00", b"a..."])
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_students_are_called_they_are_graded(
    names: list[bytes], catalogue: Catalogue, store: ResultStore, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("class")
    for name in names:
        lab = folder / os.fsdecode(name) / TILING
        lab.mkdir(parents=True)
        (lab / "kernel.cu").write_text(KERNEL, encoding="utf-8")
    intake = read_class(folder, catalogue, store.keep_file)
    assert len(intake.submissions) == len(names)
    assert len({one.label for one in intake.submissions}) == len(names)
    for submission in intake.submissions:
        submission.student.encode("utf-8")  # never bytes that no document can hold
        assert slug(submission.label) == submission.label or "--" in submission.label
