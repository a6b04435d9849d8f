"""The bundled class of 42 students over all labs: what it is made of, and that grading finds what each handed in."""

import csv
import json
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

from simtlab.labs.variants import variant_of
from simtlab.verify.expectation import parse_expectation

ROOT = Path(__file__).resolve().parents[2]
LABS = sorted(path.parent.name for path in ROOT.glob("labs/[0-9]*/lab.toml"))


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("whole") / "class"
    subprocess.run([sys.executable, ROOT / "solutions" / "whole_class.py", out], check=True, capture_output=True)
    return out


def origins(written: Path) -> list[dict[str, str]]:
    with (written / "origins.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize(
    ("words", "graded"),
    [
        ([], "solutions/sample-class"),
        (["CLASS=whole"], "build/whole-class"),
        (["CLASS=whole", "SUBMISSIONS=mine"], "mine"),
        (["SUBMISSIONS=mine"], "mine"),
    ],
)
def test_make_grade_names_the_class_that_was_asked_for(words: list[str], graded: str) -> None:
    told = subprocess.run(["make", "-n", "grade", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert told.rstrip().endswith(f'"{graded}"')


def test_it_has_more_than_forty_students_and_most_labs_have_every_kind_of_work(written: Path) -> None:
    rows = origins(written)
    assert len({row["student"] for row in rows}) >= 40
    handed_in = defaultdict(set)
    for row in rows:
        handed_in[row["lab"]].add(row["kernel"])
    assert sorted(handed_in) == LABS
    assert all(len(kernels) >= 3 and "solution" in kernels for kernels in handed_in.values())
    assert sum("stub" in kernels for kernels in handed_in.values()) > len(LABS) / 2
    assert sum(len(kernels) >= 4 for kernels in handed_in.values()) > len(LABS) / 2
    assert any(row["kernel"].startswith("cheats/") for row in rows)
    assert len(rows) < len(LABS) * len({row["student"] for row in rows})  # some handed in nothing


def test_a_folder_in_use_is_refused(written: Path) -> None:
    ran = subprocess.run(
        [sys.executable, ROOT / "solutions" / "whole_class.py", written], check=False, capture_output=True, text=True
    )
    assert ran.returncode == 1
    assert "a folder that does not exist" in ran.stderr


@pytest.mark.long
def test_grading_finds_what_each_handed_in(written: Path, tmp_path: Path) -> None:
    kept: list[str | Path] = ["--store", tmp_path / "results", "--report", tmp_path / "report"]
    words: list[str | Path] = ["grade", "--json", *kept, written]
    ran = subprocess.run(
        [sys.executable, "-m", "simtlab", *words], check=True, capture_output=True, text=True, cwd=ROOT
    )
    students = json.loads(ran.stdout)["students"]
    graded = {(one["student"], lab): grade["verdict"] for one in students for lab, grade in one["labs"].items()}
    wrong = {}
    for row in origins(written):
        verdict = graded[row["student"], row["lab"]]
        if verdict not in possible_verdicts(row["lab"], row["kernel"]):
            wrong[row["lab"], row["kernel"]] = verdict
    assert wrong == {}


def possible_verdicts(lab: str, kernel: str) -> set[str]:
    if kernel.startswith("cheats/"):
        return {"wrong_answer", "unsafe", "forbidden", "slow", "pass", "crash"}
    if kernel in {"solution", "stub"}:
        return {"pass"} if kernel == "solution" else {"unsolved"}
    variant = variant_of(ROOT / "solutions" / lab, Path(kernel).stem)
    expected = parse_expectation(variant.text, variant.place)
    if expected.correct is not None and expected.correct.value == "fail":
        return {"wrong_answer"}
    is_unsafe = expected.safe is not None and expected.safe.value == "fail"
    return {"unsafe", "leak"} if is_unsafe else {"slow", "pass"}
