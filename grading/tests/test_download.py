"""Downloads of Gradescope, Canvas and GitHub Classroom become the one layout that intake reads."""

import json
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest

from simtlab.errors import UsageError
from simtlab.intake.arranged import Arranged
from simtlab.intake.class_folder import read_class
from simtlab.intake.download import arrange
from simtlab.intake.gradescope_export import login_of, read_metadata
from simtlab.intake.take_in import take_in
from simtlab.labs.catalogue import Catalogue, read_catalogue
from simtlab.store.results import ResultStore
from tests.fake_checkout import FakeCheckout

LAB = "07-shared-tiling"
METADATA = """---
submission_11:
  :submitters:
  - :name: Alice Liddell
    :sid: '4711'
    :email: alice@example.org
  - :name: Bob
    :sid: ''
    :email: bob@example.org
  :created_at: 2026-10-01 23:58:00.123000000 Z
  :score: 10.0
  :results:
    output: |-
      submission_99:
        :submitters:
        - :name: forged
          :email: mallory@example.org
    tests: []
  :history:
  - :id: 7
    :created_at: 2026-09-01 10:00:00.000000000 Z
submission_12:
  :submitters:
  - :name: Carol
    :sid: c3
  :created_at: nonsense
"""


def write(path: Path, text: str = "x") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def arranged(source: Path, tmp_path: Path, lab: str = LAB) -> Arranged:
    return arrange(source, lab, ["kernel.cu"], tmp_path / "place")


def handed_in(one: Arranged) -> dict[str, str]:
    return {
        str(path.relative_to(one.folder)): path.read_text(encoding="utf-8") for path in one.folder.rglob("kernel.cu")
    }


def test_the_metadata_of_gradescope_is_read_at_its_own_depth_alone() -> None:
    [first, second] = read_metadata(METADATA)
    assert (first[0], first[2]) == ("submission_11", datetime(2026, 10, 1, 23, 58, 0, 123000, tzinfo=UTC))
    assert [login_of(one) for one in first[1]] == ["alice", "bob"]
    assert (second[0], [login_of(one) for one in second[1]], second[2]) == ("submission_12", ["c3"], None)


@pytest.mark.parametrize("as_zip", [False, True])
def test_a_gradescope_export(tmp_path: Path, as_zip: bool) -> None:
    folder = tmp_path / "assignment_5_export"
    write(folder / "submission_metadata.yml", METADATA)
    write(folder / "submission_11" / "src" / "kernel.cu", "alice's")
    write(folder / "submission_12" / "notes.txt")
    source = folder
    if as_zip:
        source = tmp_path / "download.zip"
        with zipfile.ZipFile(source, "w") as target:
            for path in folder.rglob("*"):
                target.write(path, path.relative_to(tmp_path))
    one = arranged(source, tmp_path)
    assert one.layout == "Gradescope"
    assert handed_in(one) == {f"alice/{LAB}/kernel.cu": "alice's", f"bob/{LAB}/kernel.cu": "alice's"}
    assert (one.folder / "c3" / LAB).is_dir()
    assert one.notes == [f"c3 handed in notes.txt: {LAB} takes kernel.cu"]
    assert one.handed_in["alice", LAB].day == 1


def test_a_canvas_download_takes_the_newest_of_a_file(tmp_path: Path) -> None:
    source = tmp_path / "submissions.zip"
    with zipfile.ZipFile(source, "w") as target:
        target.writestr("liddellalice_17_900_kernel.cu", "first")
        target.writestr("liddellalice_17_901_kernel-1.cu", "second")
        target.writestr("brownbob_LATE_18_902_kernel-10.cu", "tenth")
        target.writestr("brownbob_LATE_18_903_kernel-2.cu", "third")
        target.writestr("stonecarol_19_904_main.cpp", "other")
    one = arranged(source, tmp_path)
    assert one.layout == "Canvas"
    assert handed_in(one) == {f"liddellalice-17/{LAB}/kernel.cu": "second", f"brownbob-18/{LAB}/kernel.cu": "tenth"}
    [other] = one.notes
    assert other == f"stonecarol-19 handed in main.cpp, which {LAB} does not take: it takes kernel.cu"
    assert one.late == {"brownbob-18"}


@pytest.mark.parametrize(
    "odd",
    ["mallory_777_text.html", "mallory_LATE_777_link.html", "mallory_777_888_a\\kernel.cu", "mallory.cu", "x/y/z"],
)
def test_no_file_of_one_student_keeps_canvas_from_being_read(tmp_path: Path, odd: str) -> None:
    source = tmp_path / "submissions.zip"
    with zipfile.ZipFile(source, "w") as target:
        target.writestr("liddellalice_17_900_kernel.cu", "a")
        target.writestr("brownbob_18_902_kernel.cu", "b")
        target.writestr(odd, "odd")
    one = arranged(source, tmp_path)
    assert one.layout == "Canvas"
    assert handed_in(one) == {f"liddellalice-17/{LAB}/kernel.cu": "a", f"brownbob-18/{LAB}/kernel.cu": "b"}
    assert any("mallory" in note or "x is not named" in note for note in one.notes)


def test_no_folder_of_one_student_decides_how_clones_are_read(tmp_path: Path) -> None:
    source = tmp_path / "clones"
    for name in ("alice", "bob"):
        write(source / f"lab-07-{name}" / "labs" / LAB / "kernel.cu", name)
    write(source / "lab-07-mallory" / LAB / "kernel.cu", "m")
    one = arranged(source, tmp_path)
    assert handed_in(one) == {
        f"{name}/{LAB}/kernel.cu": text for name, text in (("alice", "alice"), ("bob", "bob"), ("mallory", "m"))
    }


def test_clones_of_github_classroom(tmp_path: Path) -> None:
    source = tmp_path / "clones"
    write(source / "lab-07-alice" / "kernel.cu", "a")
    write(source / "lab-07-bob-smith" / "labs" / LAB / "kernel.cu", "b")
    write(source / "lab-07-bob-smith" / "labs" / "08-bank-conflicts" / "kernel.cu", "another lab's")
    one = arranged(source, tmp_path)
    assert one.layout == "GitHub Classroom"
    assert handed_in(one) == {f"alice/{LAB}/kernel.cu": "a", f"bob-smith/{LAB}/kernel.cu": "b"}


def test_a_link_in_a_clone_is_not_followed(tmp_path: Path) -> None:
    secret = write(tmp_path / "secret", "hidden")
    source = tmp_path / "clones"
    write(source / "lab-07-alice" / "kernel.cu", "a")
    (source / "lab-07-bob").mkdir()
    (source / "lab-07-bob" / "kernel.cu").symlink_to(secret)
    assert handed_in(arranged(source, tmp_path)) == {f"alice/{LAB}/kernel.cu": "a"}


@pytest.mark.parametrize("link", ["labs", f"labs/{LAB}", LAB, "nested", "nested/kernel.cu"])
@pytest.mark.parametrize("target", ["../lab-07-alice", "../../secret"])
def test_no_link_of_a_clone_leads_to_somebody_elses_files(tmp_path: Path, link: str, target: str) -> None:
    source = tmp_path / "lab-07-submissions"
    for place in (source / "lab-07-alice", tmp_path / "secret"):
        for folder in (f"labs/{LAB}", LAB, "nested"):
            write(place / folder / "kernel.cu", "a")
    path = source / "lab-07-bob" / link
    path.parent.mkdir(parents=True)
    up = "../" * link.count("/")
    path.symlink_to(f"{up}{target}/{link}")
    assert path.exists()
    assert handed_in(arranged(source, tmp_path)) == {f"alice/{LAB}/kernel.cu": "a"}


@pytest.mark.parametrize("wrapped", [False, True])
def test_a_plain_zip(
    checkout: FakeCheckout, catalogue: Catalogue, store: ResultStore, tmp_path: Path, wrapped: bool
) -> None:
    checkout.submit("alice", LAB, "a")
    checkout.submit("bob", LAB, "b")
    source = tmp_path / "class.zip"
    with zipfile.ZipFile(source, "w") as target:
        for path in checkout.class_folder.rglob("*"):
            target.write(path, path.relative_to(checkout.class_folder.parent if wrapped else checkout.class_folder))
    one = arranged(source, tmp_path, "")
    assert one.layout == "plain"
    assert [each.student for each in read_class(one.folder, catalogue, store.keep_file).submissions] == ["alice", "bob"]


def test_a_class_of_one_student_is_no_wrapping(tmp_path: Path) -> None:
    write(tmp_path / "class" / "alice" / LAB / "kernel.cu")
    assert arranged(tmp_path / "class", tmp_path).folder == tmp_path / "class"


def test_a_download_of_one_assignment_needs_its_lab(tmp_path: Path) -> None:
    write(tmp_path / "export" / "submission_metadata.yml", METADATA)
    with pytest.raises(UsageError, match="name its lab with --labs"):
        arranged(tmp_path / "export", tmp_path, "")
    with pytest.raises(UsageError, match="is not a folder, nor a zip"):
        arranged(tmp_path / "nothing", tmp_path)


def test_a_misspelt_folder_is_told_where_the_student_reads(
    checkout: FakeCheckout, catalogue: Catalogue, store: ResultStore
) -> None:
    checkout.submit("alice", LAB)
    checkout.submit("bob", "07-sharde-tiling")
    [refusal] = read_class(checkout.class_folder, catalogue, store.keep_file).refusals
    assert refusal.message.endswith(f"but one called 07-sharde-tiling: rename it to {LAB} and hand in again")


def test_answers_to_the_questions_are_taken_from_a_download_too(checkout: FakeCheckout, tmp_path: Path) -> None:
    """Optional files came from plain folders alone: a class in Gradescope lost the points of its predictions."""
    described = checkout.build / "labs" / LAB / "lab.json"
    about = json.loads(described.read_text(encoding="utf-8"))
    described.write_text(json.dumps(about | {"predict": about["judge"]}), encoding="utf-8")
    catalogue = read_catalogue(checkout.root, checkout.build)
    write(tmp_path / "export" / "submission_metadata.yml", METADATA)
    write(tmp_path / "export" / "submission_11" / "kernel.cu")
    write(tmp_path / "export" / "submission_11" / "predict.toml", "a = 1")
    intake = take_in(tmp_path / "export", catalogue, ResultStore(tmp_path / "store").keep_file, [LAB])
    taken = {one.student: sorted(one.files) for one in intake.submissions}
    assert taken["alice"] == ["kernel.cu", "predict.toml"]
