"""`simtlab variant`: an author reads whole kernels, and writes whole kernels that are kept as differences."""

import json
from pathlib import Path

import pytest

from simtlab.errors import LabError
from simtlab.labs.catalogue import Catalogue
from simtlab.labs.variants import variants_of
from simtlab.release.solutions import read_solutions
from simtlab.verify.specimen import specimens_of
from tests.fake_checkout import FakeCheckout
from tests.test_cli_after_grading import simtlab
from tests.test_variants import PLAIN, SOLUTION

TILING = "07-shared-tiling"
EXPECT = "// expect: correct=fail safe=pass fast=not_measured\n"


@pytest.fixture
def folder(checkout: FakeCheckout, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a lab's solution in the checkout where the commands are given."""
    monkeypatch.chdir(checkout.root)
    monkeypatch.delenv("SIMTLAB_BUILD", raising=False)
    return checkout.root / "solutions" / TILING


def written(name: str, text: str) -> str:
    Path(f"{name}.cu").write_text(f"{EXPECT}// It is {name}.\n{text}", encoding="utf-8")
    return f"{name}.cu"


def test_an_author_writes_whole_kernels_and_reads_them_again(folder: Path) -> None:
    (folder / "kernel.cu").write_text(SOLUTION, encoding="utf-8")
    wrong = written("wrong", PLAIN.replace("+= 1", "+= 3"))
    status, said = simtlab("variant", "7", "--add", wrong)
    assert status == 0, said
    assert said.split() == f"wrong: as a difference from solution, 6 lines in solutions/{TILING}/variants.diff".split()
    assert simtlab("variant", "07", "wrong") == (0, Path(wrong).read_text(encoding="utf-8"))
    assert simtlab("variant", "07", "variants/wrong.cu")[1] == Path(wrong).read_text(encoding="utf-8")
    assert simtlab("variant", "07", "solution") == (0, PLAIN)
    other = written("other", "int main() { return 1; }\n")
    assert "other: whole, 3 lines" in simtlab("variant", "07", "--add", other)[1]
    listed = simtlab("variant", "07")[1]
    assert "other (whole): correct=fail safe=pass fast=not_measured\n  It is other.\n" in listed
    assert "wrong (of solution): correct=fail safe=pass fast=not_measured\n  It is wrong.\n" in listed
    assert "2 variants, 1 of them whole files" in listed
    document = json.loads(simtlab("variant", "07", "--json")[1])
    assert [(one["name"], one["base"], one["place"]) for one in document["variants"]] == [
        ("other", None, "variants/other.cu"),
        ("wrong", "solution", "variants.diff:4: wrong"),
    ]


def test_all_are_written_for_reading_and_an_edit_is_not_overwritten(folder: Path) -> None:
    (folder / "variants.diff").write_text(f"=== wrong of solution\n{EXPECT}@@\n-}}\n+}} // wrong\n", encoding="utf-8")
    status, said = simtlab("variant", "07", "--write", "read")
    assert (status, said) == (0, "read: 1 variant and solution.cu\n")
    assert {path.name for path in Path("read").iterdir()} == {"wrong.cu", "solution.cu"}
    assert Path("read/wrong.cu").read_text(encoding="utf-8") == variants_of(folder)[0].text
    assert simtlab("variant", "07", "--write", "read")[0] == 0
    edited = Path("read/wrong.cu").read_text(encoding="utf-8").replace("// wrong", "// edited")
    Path("read/wrong.cu").write_text(edited, encoding="utf-8")
    status, said = simtlab("variant", "07", "--write", "read")
    assert status == 2
    assert "read/wrong.cu is another kernel than the lab's: store it with --add" in said
    assert simtlab("variant", "07", "--add", "read/wrong.cu")[0] == 0
    assert simtlab("variant", "07", "wrong")[1] == edited
    Path("read/wrong.cu").write_text(edited.replace("// edited", "// again"), encoding="utf-8")
    assert simtlab("variant", "07", "--add", "read")[1].startswith("wrong: as a difference from solution")
    assert simtlab("variant", "07", "wrong")[1].endswith("} // again\n")
    Path("empty").mkdir()
    assert "empty holds no kernel" in simtlab("variant", "07", "--add", "empty")[1]
    assert simtlab("variant", "07", "--write", f"solutions/{TILING}/variants")[0] == 2


def test_an_anchor_stays_a_whole_file(checkout: FakeCheckout, folder: Path) -> None:
    (folder / "kernel.cu").write_text(SOLUTION, encoding="utf-8")
    (checkout.root / "labs" / TILING / "lab.cpp").write_text('anchor("slow", 0.5)', encoding="utf-8")
    slow = written("slow", PLAIN.replace("+= 1", "+= 3"))
    assert f"slow: whole, {len(PLAIN.splitlines()) + 2} lines" in simtlab("variant", "07", "--add", slow)[1]
    status, said = simtlab("variant", "07", "--add", slow, "--base", "solution")
    assert (status, "slow is an anchor in lab.cpp" in said) == (2, True)


def test_a_mistake_is_answered_with_what_was_meant(folder: Path) -> None:
    (folder / "variants.diff").write_text(
        f"=== a-wrong-one of solution\n{EXPECT}@@\n-}}\n+}} // wrong\n=== moved of solution\n{EXPECT}@@\n-gone\n",
        encoding="utf-8",
    )
    mute = Path("mute.cu")
    mute.write_text("int x;\n", encoding="utf-8")
    for words, said in (
        (["07", "wrong"], "07-shared-tiling has no variant 'wrong'; it has a-wrong-one"),
        (["07", "a-wrong-oen"], "it has a-wrong-one"),
        (["99"], "99"),
        (["07", "x", "--write", "y"], "choose one"),
        (["07", "x", "--base", "y"], "it goes with --add FILE.cu"),
        (["07", "moved"], "variants.diff:6: moved, hunk 1 (line 8): no longer fits solution"),
        (["07"], "no longer fits solution"),
        (["07", "--write", "read"], "no longer fits solution"),
        (["07", "--add", "mute.cu"], "mute.cu: the first line must declare how it ends"),
        (["07", "--add", "none.cu"], "none.cu: cannot be read"),
    ):
        found = simtlab("variant", *words)
        assert found[0] != 0, found
        assert said in found[1]
    assert Path("read/a-wrong-one.cu").is_file(), "what can be had is written"


def test_verify_fails_the_variant_whose_base_moved_and_no_other(catalogue: Catalogue) -> None:
    lab = catalogue.labs[TILING]
    differences = lab.solution_folder / "variants.diff"
    sound = f"=== sound of solution\n{EXPECT}@@\n-}}\n+}} // wrong\n"
    differences.write_text(f"=== moved of solution\n{EXPECT}@@\n-gone\n{sound}", encoding="utf-8")
    specimens = specimens_of(lab, None, all_mutants=False)
    assert [one.name for one in specimens.to_grade] == ["stub", "solution", "variants/sound.cu"]
    [broken] = specimens.broken
    assert broken.specimen == "variants/moved.cu"
    assert "moved, hunk 1 (line 3): no longer fits solution" in broken.problems[0]
    differences.write_text(f"=== moved\n{sound}", encoding="utf-8")
    [broken] = specimens_of(lab, None, all_mutants=False).broken
    assert broken.specimen == "variants.diff"
    assert "variants.diff:1: expected `=== NAME of BASE`, found '=== moved'" in broken.problems[0]


def test_a_copy_is_not_released_while_a_variant_cannot_be_had_and_is_verified_all_the_same(
    catalogue: Catalogue,
) -> None:
    differences = catalogue.labs[TILING].solution_folder / "variants.diff"
    sound = f"=== sound of solution\n{EXPECT}@@\n-}}\n+}} // wrong\n"
    for faulty, found in ((f"=== moved of solution\n{EXPECT}@@\n-gone\n", 2), ("=== moved\n", 0)):
        differences.write_text(f"{faulty}{sound}", encoding="utf-8")
        with pytest.raises(LabError, match=r"variants\.diff:1"):
            read_solutions(catalogue.root)
        assert len(read_solutions(catalogue.root, sound_only=True).variants) == found
