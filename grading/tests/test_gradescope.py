"""A Gradescope autograder: what its zip holds, and that it finds the points that `simtlab grade` finds."""

import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from simtlab.labs.catalogue import find_root
from tests.fake_checkout import KERNEL, FakeCheckout
from tests.test_cli_after_grading import simtlab
from tests.test_export import GRADESCOPE

TILING, BANKS = "07-shared-tiling", "08-bank-conflicts"
ROOT = find_root(Path(__file__))
CLASS = ROOT / "solutions" / "sample-class"
LATE = """
[late]
percent_per_day = 10
[labs.07-shared-tiling]
due = 2026-10-01T00:00:00Z
"""


def exported(folder: Path, lab: str) -> Path:
    """The zip of the real checkout's lab, with a seed that a store in the folder keeps."""
    code, text = simtlab(
        "export", "gradescope-autograder", str(folder), "--labs", lab, "--store", str(folder / "store")
    )
    assert code == 0, text
    return folder / f"gradescope-{lab}.zip"


@pytest.fixture
def from_the_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.delenv("SIMTLAB_BUILD", raising=False)


@pytest.mark.usefixtures("from_the_checkout")
def test_the_zip_holds_what_grading_needs_and_no_solution(tmp_path: Path) -> None:
    with zipfile.ZipFile(exported(tmp_path, BANKS)) as archive:
        names = archive.namelist()
        modes = {one.filename: stat.S_IMODE(one.external_attr >> 16) for one in archive.infolist()}
        text = b"".join(archive.read(name) for name in names if name.endswith((".cu", ".cpp", ".toml", ".h", ".py")))
    for needed in (
        "setup.sh", "run_autograder", f"simtlab/labs/{BANKS}/lab.cpp", f"simtlab/labs/{BANKS}/lab.toml",
        f"simtlab/labs/{BANKS}/kernel.cu", f"simtlab/solutions/{BANKS}/hidden.toml", "simtlab/harness/sandbox/main.cpp",
        "simtlab/harness/emulator/driver/CMakeLists.txt", "simtlab/grading/simtlab/cli/gradescope.py",
        "simtlab/grading/pyproject.toml", "simtlab/CMakeLists.txt", "simtlab/results/seed",
    ):  # fmt: skip
        assert needed in names, needed
    assert modes["setup.sh"] == modes["run_autograder"] == 0o755
    assert modes["simtlab/results/seed"] == 0o600
    assert {name.split("/")[2] for name in names if name.startswith("simtlab/labs/")} == {BANKS}
    assert [name for name in names if name.startswith("simtlab/solutions/")] == [
        f"simtlab/solutions/{BANKS}/hidden.toml"
    ]
    assert not [name for name in names if "/tests/" in name and name.startswith("simtlab/grading")]
    solution = (ROOT / "solutions" / BANKS / "kernel.cu").read_bytes()
    assert solution not in text


@pytest.mark.usefixtures("from_the_checkout")
def test_the_same_checkout_and_seed_give_the_same_bytes(tmp_path: Path) -> None:
    first = exported(tmp_path, BANKS).read_bytes()
    assert exported(tmp_path, BANKS).read_bytes() == first
    (tmp_path / "store" / "seed").unlink()
    assert exported(tmp_path, BANKS).read_bytes() != first, "another store has another seed"


@pytest.fixture
def fake(checkout: FakeCheckout, monkeypatch: pytest.MonkeyPatch) -> FakeCheckout:
    monkeypatch.chdir(checkout.root)
    monkeypatch.setenv("SIMTLAB_ALLOW_WEAK", "1")
    monkeypatch.delenv("SIMTLAB_BUILD", raising=False)
    return checkout


def handed_in(root: Path, text: str | None, email: str = "alice@example.org", when: str = "") -> Path:
    """Gradescope's layout with one submission."""
    shutil.rmtree(root, ignore_errors=True)
    (root / "submission" / "src").mkdir(parents=True)
    (root / "results").mkdir()
    if text is not None:
        (root / "submission" / "src" / "kernel.cu").write_text(text, encoding="utf-8")
    about = {"id": 1, "created_at": when, "users": [{"email": email, "name": "A", "id": 7}], "assignment": {}}
    (root / "submission_metadata.json").write_text(json.dumps(about), encoding="utf-8")
    return root


def results(root: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((root / "results" / "results.json").read_text(encoding="utf-8"))
    jsonschema.validate(document, GRADESCOPE)
    return document


@pytest.mark.parametrize(
    ("wish", "points"), [("unsafe", 72.5), ("wrong_answer", 25), ("full", 100), ("// fake compiler: error", 0)]
)
def test_a_submission_gets_the_points_that_a_grading_gives(
    fake: FakeCheckout, tmp_path: Path, wish: str, points: float
) -> None:
    line = wish if wish.startswith("//") else f"// fake judge: {wish}"
    root = handed_in(tmp_path / "autograder", f"{KERNEL}{line}\n")
    code, text = simtlab("gradescope", str(root), "--labs", "07")
    assert code == 0, text
    assert results(root)["score"] == points
    assert "weak sandbox" in text, "a container without layers is told of"
    assert results(root)["extra_data"]["sandbox"] == []


def test_the_courses_policy_counts_by_the_login_and_the_time_that_gradescope_tells(
    fake: FakeCheckout, tmp_path: Path
) -> None:
    (fake.root / "course.toml").write_text(LATE, encoding="utf-8")
    root = handed_in(tmp_path / "autograder", f"{KERNEL}// fake judge: full\n", when="2026-10-02T13:00:00+02:00")
    assert simtlab("gradescope", str(root), "--labs", "07")[0] == 0
    assert results(root)["score"] == 80
    assert "2 days late" in results(root)["output"]


def test_a_policy_that_speaks_of_other_labs_grades_the_one_that_is_there(fake: FakeCheckout, tmp_path: Path) -> None:
    """The container has one lab; a policy with a second one ended every run without a score."""
    others = """
[labs.99-elsewhere]
weight = 2
[[override]]
student = "alice"
lab = "99"
points = 1
comment = "c"
author = "a"
[[extension]]
student = "alice"
lab = "99"
days = 9
[[group]]
members = ["alice", "bob"]
labs = ["99"]
"""
    (fake.root / "policy.toml").write_text(LATE + others, encoding="utf-8")
    root = handed_in(tmp_path / "autograder", f"{KERNEL}// fake judge: full\n", when="2026-10-02T13:00:00+02:00")
    assert simtlab("gradescope", str(root), "--labs", "07", "--policy", str(fake.root / "policy.toml"))[0] == 0
    assert results(root)["score"] == 80


@pytest.mark.usefixtures("from_the_checkout")
def test_the_policy_that_is_asked_for_goes_into_the_zip(tmp_path: Path) -> None:
    (tmp_path / "policy.toml").write_text("[labs.08]\nweight = 2\n", encoding="utf-8")
    words = ["export", "gradescope-autograder", str(tmp_path), "--labs", "08", "--store", str(tmp_path / "store")]
    assert simtlab(*words, "--policy", str(tmp_path / "policy.toml"))[0] == 0
    with zipfile.ZipFile(tmp_path / f"gradescope-{BANKS}.zip") as archive:
        assert archive.read("simtlab/course.toml") == b"[labs.08]\nweight = 2\n"
    (tmp_path / "wrong.toml").write_text("[labs.99]\nweight = 2\n", encoding="utf-8")
    assert simtlab(*words, "--policy", str(tmp_path / "wrong.toml"))[0] == 2


def test_nothing_handed_in_is_no_fault_of_ours(fake: FakeCheckout, tmp_path: Path) -> None:
    root = handed_in(tmp_path / "autograder", None)
    assert simtlab("gradescope", str(root), "--labs", "07")[0] == 0
    assert results(root)["score"] == 0


@pytest.mark.parametrize("words", [["--labs", "07", "--build", "/nowhere"], []])
def test_a_fault_of_ours_leaves_a_sentence_and_no_score(fake: FakeCheckout, tmp_path: Path, words: list[str]) -> None:
    root = handed_in(tmp_path / "autograder", KERNEL)
    code, _ = simtlab("gradescope", str(root), *words)
    assert code != 0
    assert "score" not in results(root)
    assert "a fault of ours" in results(root)["output"]


def test_a_judge_that_fails_leaves_a_sentence_and_no_score(fake: FakeCheckout, tmp_path: Path) -> None:
    root = handed_in(tmp_path / "autograder", f"{KERNEL}// fake judge: exit 7\n")
    assert simtlab("gradescope", str(root), "--labs", "07")[0] == 1
    assert "score" not in results(root)


@pytest.mark.parametrize("about", ["", "[]", '{"users": 7, "created_at": {}}', '{"users": [{"email": "../x@y"}]}'])
def test_metadata_of_any_kind_stays_inside(fake: FakeCheckout, tmp_path: Path, about: str) -> None:
    root = handed_in(tmp_path / "autograder", f"{KERNEL}// fake judge: full\n")
    (root / "submission_metadata.json").write_text(about, encoding="utf-8")
    assert simtlab("gradescope", str(root), "--labs", "07")[0] == 0
    assert results(root)["score"] == 100


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """As /autograder is: other users come to what is not closed inside of it."""
    with tempfile.TemporaryDirectory(prefix="simtlab-autograder-") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.mark.long
@pytest.mark.skipif(os.getuid() != 0, reason="Gradescope's containers run as root, this is no root")
def test_the_autograder_finds_the_points_of_a_grading_without_a_network(open_folder: Path) -> None:
    """Unpacked, set up and run as Gradescope does it; where this machine lets us, with no network at all."""
    words = [sys.executable, "-m", "simtlab"]
    kept = ["--store", str(open_folder / "store")]
    graded = subprocess.run(
        [*words, "grade", str(CLASS), "--labs", "08", *kept, "--report", str(open_folder / "report"), "--json"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert graded.returncode == 0, graded.stderr
    expected = {
        one["student"]: one["labs"][BANKS]["points"]
        for one in json.loads(graded.stdout)["students"]
        if (CLASS / one["student"] / BANKS).is_dir()
    }
    assert len(expected) > 5
    root = open_folder / "autograder"
    subprocess.run(
        [*words, "export", "gradescope-autograder", open_folder, "--labs", "08", *kept], cwd=ROOT, check=True
    )
    # Python's zipfile drops modes; Gradescope's images have unzip, which keeps them.
    with zipfile.ZipFile(open_folder / f"gradescope-{BANKS}.zip") as archive:
        for member in archive.infolist():
            Path(archive.extract(member, root / "source")).chmod(stat.S_IMODE(member.external_attr >> 16))
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("SIMTLAB", "PYTHON"))}
    ready = subprocess.run([root / "source" / "setup.sh"], env=clean, capture_output=True, text=True, check=False)
    assert ready.returncode == 0, ready.stdout[-3000:] + ready.stderr[-3000:]
    shutil.copy(root / "source" / "run_autograder", root)
    alone = ["unshare", "--net"]
    if subprocess.run([*alone, "true"], capture_output=True, check=False).returncode != 0:
        alone = []
    (root / "results").mkdir()

    def graded_there(student: str, *before: str) -> str:
        shutil.rmtree(root / "submission", ignore_errors=True)
        shutil.copytree(CLASS / student / BANKS, root / "submission")
        about = {"users": [{"email": f"{student}@example.org"}], "created_at": "2026-10-01T12:00:00+02:00"}
        (root / "submission_metadata.json").write_text(json.dumps(about), encoding="utf-8")
        done = subprocess.run(
            [*alone, *before, root / "run_autograder"], env={**clean, "AUTOGRADER_ROOT": str(root)},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    found: dict[str, float | None] = {}
    for student in expected:
        assert "sandbox layers: " in graded_there(student)
        found[student] = results(root).get("score")
    assert found == expected

    # As in a container that may not make namespaces: other layers hold, and it is said which.
    first = next(iter(expected))
    said = graded_there(first, "setpriv", "--bounding-set=-sys_admin", "--inh-caps=-sys_admin")
    assert results(root)["score"] == expected[first]
    assert "weak sandbox: graded without user-namespace, mount-namespace" in said
    assert {"seccomp", "rlimits", "unprivileged-user"} <= set(results(root)["extra_data"]["sandbox"])
    for closed in (f"solutions/{BANKS}/hidden.toml", "results/seed", f"build/default/labs/{BANKS}/judge-{BANKS}"):
        path = root / "source" / "simtlab" / closed
        assert path.exists()
        as_another = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "cat", str(path)]
        assert subprocess.run(as_another, capture_output=True, check=False).returncode != 0, closed
