"""Labs are found by folder; a lab at fault names its file and member and takes no other with it."""

import json
from pathlib import Path

import pytest

from simtlab.errors import LabError, UsageError
from simtlab.labs.catalogue import Catalogue, find_root, read_catalogue
from simtlab.labs.hidden import hidden_cases_json
from simtlab.labs.specification import read_specification
from tests.fake_checkout import FakeCheckout

TILING = "07-shared-tiling"


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


GOOD = 'title = "T"\nfiles = ["kernel.cu"]\n[points]\ncorrect = 50\nsafe = 20\nfast = 30\n'


def test_a_specification_is_read(tmp_path: Path) -> None:
    specification = read_specification(write(tmp_path / "lab.toml", GOOD))
    assert specification.points.total == 100
    assert specification.files == ["kernel.cu"]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (GOOD.replace("safe = 20", "safe = -1"), "points.safe"),
        (GOOD.replace("safe = 20\n", ""), "points.safe"),
        (GOOD + 'surprise = "x"\n', "surprise"),
        (GOOD.replace('"kernel.cu"', '"../lab.cpp"'), "must be a plain file name"),
        (GOOD.replace("50", "0").replace("20", "0").replace("30", "0"), "together are 0"),
        ("title = ", "is not TOML"),
    ],
)
def test_a_wrong_specification_names_file_and_member(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(LabError) as caught:
        read_specification(write(tmp_path / "lab.toml", text))
    assert str(tmp_path / "lab.toml") in str(caught.value)
    assert complaint in str(caught.value)


def test_hidden_cases_become_json(tmp_path: Path) -> None:
    path = write(tmp_path / "hidden.toml", '[[case]]\nname = "x"\nsizes = { n = 3 }\nfail_api_call = 2\n')
    text = hidden_cases_json(path)
    assert text is not None
    assert json.loads(text) == [{"name": "x", "sizes": {"n": 3}, "fail_api_call": 2}]
    assert hidden_cases_json(tmp_path / "absent.toml") is None


def test_hidden_cases_that_are_no_toml_are_the_authors_fault(tmp_path: Path) -> None:
    with pytest.raises(LabError, match=r"hidden\.toml: is not TOML"):
        hidden_cases_json(write(tmp_path / "hidden.toml", "case ="))
    with pytest.raises(LabError, match=r"expected \[\[case\]\] tables and nothing else, found cases"):
        hidden_cases_json(write(tmp_path / "hidden.toml", "[[cases]]\nn = 1\n"))
    with pytest.raises(LabError, match="holds a date"):
        hidden_cases_json(write(tmp_path / "hidden.toml", "[[case]]\nwhen = 2026-01-01\n"))


def test_a_lab_at_fault_takes_no_other_with_it(checkout: FakeCheckout) -> None:
    write(checkout.root / "labs" / TILING / "lab.toml", "title = 3")
    found = read_catalogue(checkout.root, checkout.build)
    assert list(found.labs) == ["08-bank-conflicts"]
    assert TILING in found.faults
    assert found.names == [TILING, "08-bank-conflicts"]


def test_a_lab_whose_judge_is_missing_is_not_built(checkout: FakeCheckout) -> None:
    (checkout.build / "labs" / TILING / f"judge-{TILING}").unlink()
    assert list(read_catalogue(checkout.root, checkout.build).unbuilt) == [TILING]


def test_labs_whose_compiler_lacks_something_are_not_built(checkout: FakeCheckout) -> None:
    (checkout.root / "include" / "cuda_runtime.h").unlink()
    (checkout.root / "include").rmdir()
    assert list(read_catalogue(checkout.root, checkout.build).unbuilt) == [TILING, "08-bank-conflicts"]


@pytest.mark.parametrize("word", ["07", "7", "07-shared-tiling", "shared-tiling"])
def test_a_lab_answers_to_number_and_name(catalogue: Catalogue, word: str) -> None:
    assert catalogue.resolve(word) == TILING


def test_an_unknown_lab_names_the_known_ones(catalogue: Catalogue) -> None:
    with pytest.raises(UsageError, match=r"there is no lab '99'.*07-shared-tiling, 08-bank-conflicts"):
        catalogue.resolve("99")
    with pytest.raises(UsageError, match=r"Did you mean 08-bank-conflicts\?"):
        catalogue.resolve("08-bank-conflict")


def test_the_checkout_is_found_from_any_folder_inside(checkout: FakeCheckout) -> None:
    assert find_root(checkout.root / "labs" / TILING) == checkout.root.resolve()
