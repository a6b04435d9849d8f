"""A lab that goes to students before it is proven (labs/draft.py)."""

from pathlib import Path

import pytest

from simtlab.errors import LabError
from simtlab.labs.catalogue import default_build, find_root, read_catalogue
from simtlab.labs.draft import ALL_PROVEN, NOT_CHECKED, UNPROVEN_FILE, unproven_of, write_unproven
from simtlab.labs.specification import read_specification
from simtlab.verify.check import Check, LabReport

ROOT = find_root(Path(__file__))
LAB_TOML = """title = "Twice as much"
draft = true
[points]
correct = 50
safe = 20
fast = 30
"""


def test_what_a_check_could_not_prove_is_kept(tmp_path: Path) -> None:
    assert unproven_of(tmp_path) == [NOT_CHECKED]
    sentences = ['variants: 3 variants; a lab needs 8, "textbook" steps', "mutants: \\d survived – twice"]
    assert write_unproven(tmp_path, sentences) == tmp_path / UNPROVEN_FILE
    assert unproven_of(tmp_path) == sentences
    write_unproven(tmp_path, [])
    assert unproven_of(tmp_path) == [ALL_PROVEN]


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / UNPROVEN_FILE).write_text("unproven = 3\n", encoding="utf-8")
    with pytest.raises(LabError, match="unproven"):
        unproven_of(tmp_path)


def test_the_catalogue_knows_what_is_not_proven_of_a_draft(tmp_path: Path) -> None:
    lab, solution = tmp_path / "labs" / "99-double-up", tmp_path / "solutions" / "99-double-up"
    lab.mkdir(parents=True)
    solution.mkdir(parents=True)
    (lab / "lab.toml").write_text(LAB_TOML, encoding="utf-8")
    write_unproven(solution, ["variants: 3 variants; a lab needs 8"])
    specification = read_catalogue(tmp_path, tmp_path / "build").specification("99-double-up")
    assert specification is not None
    assert specification.unproven == ["variants: 3 variants; a lab needs 8"]


def test_lab_toml_cannot_claim_it_by_hand(tmp_path: Path) -> None:
    (tmp_path / "lab.toml").write_text('unproven = ["x"]\n' + LAB_TOML, encoding="utf-8")
    with pytest.raises(LabError, match="simtlab lab check writes it"):
        read_specification(tmp_path / "lab.toml")


def test_a_draft_needs_its_stub_and_its_solution() -> None:
    stub, solution = Check("99", "stub"), Check("99", "solution")
    few = Check("99", "variants/ones.cu", problems=["correct: pass, declared fail", "and more"])
    report = LabReport("99", [stub, solution, few])
    assert report.is_usable
    assert not report.passed
    assert report.unproven == ["ones.cu: correct: pass, declared fail"]
    assert not LabReport("99", [stub, Check("99", "solution", problems=["earns 90 of 100 points"])]).is_usable
    assert not LabReport("99", [solution]).is_usable


def test_no_lab_of_this_repository_is_a_draft() -> None:
    catalogue = read_catalogue(ROOT, default_build(ROOT))
    assert [name for name in catalogue.names if (one := catalogue.specification(name)) and one.draft] == []
