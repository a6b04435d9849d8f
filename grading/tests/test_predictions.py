"""The way of a predict.toml from a student's folder to the grade, with a real lab's questions where one is built."""

import os
import subprocess
from pathlib import Path

import pytest

from simtlab.intake.class_folder import read_class
from simtlab.intake.submission import Submission
from simtlab.labs.catalogue import Catalogue, default_build, find_root, read_catalogue
from simtlab.predict.run import judge_predictions, questions_for
from simtlab.verify.predictions import keys_too_alike
from tests.fake_checkout import FakeCheckout

LAB = "08-bank-conflicts"
ROOT = find_root(Path(__file__))
BUILD = default_build(ROOT)
PROGRAM = BUILD / "labs" / LAB / "predict"
needs_build = pytest.mark.skipif(
    not PROGRAM.exists(), reason=f"no lab is built in {BUILD}: cmake --build {BUILD} --target simtlab_judges"
)


@needs_build
def test_the_key_is_measured_and_answers_are_counted_without_saying_which_are_right() -> None:
    asked = questions_for(PROGRAM, "Ada")
    lines = [f"{one.name} = {one.answer:g}" for one in asked]
    right = judge_predictions(PROGRAM, "\n".join(['student = "ada"', *lines]).encode())
    assert right is not None
    assert (right.student, right.right, right.answered, right.total) == ("ada", 4, 4, 4)
    some = judge_predictions(PROGRAM, "\n".join(['student = "ada"', lines[0], f"{asked[1].name} = 77"]).encode())
    assert some is not None
    assert (some.right, some.answered, some.total) == (1, 2, 4)
    assert asked[1].name not in some.model_dump_json()


@needs_build
@pytest.mark.parametrize(
    ("answers", "complaint"),
    [
        (b"strided = many", "predict.toml:1: expected a number"),
        (b"strides = 4", "there is no question `strides`; the questions are strided column groups naive"),
        (b"\xff\xfe\x00", "expected `question = number`"),
    ],
)
def test_answers_that_cannot_be_read_earn_nothing_and_say_why(answers: bytes, complaint: str) -> None:
    found = judge_predictions(PROGRAM, answers)
    assert found is not None
    assert found.right == 0
    assert complaint in found.message


@needs_build
def test_questions_differ_between_students_and_stay_the_same_for_each() -> None:
    texts = {tuple(one.text for one in questions_for(PROGRAM, f"student {number}")) for number in range(6)}
    assert len(texts) > 3
    assert questions_for(PROGRAM, "Ada L.") == questions_for(PROGRAM, "ada-l")


def test_answers_that_can_be_copied_from_a_neighbour_are_too_alike() -> None:
    assert list(keys_too_alike([(1.0, 2.0), (1.0, 3.0), (1.0, 2.0), (4.0, 2.0)])) == []
    [complaint] = keys_too_alike([(1.0,), (2.0,), (2.0,), (1.0,), (2.0,)])
    assert complaint.startswith("predict.cu: 5 students have 2 different sets of answers among them")


def with_questions(checkout: FakeCheckout) -> Catalogue:
    """The catalogue with a lab that has questions; nobody asks them here."""
    catalogue = read_catalogue(checkout.root, checkout.build)
    lab = catalogue.labs[LAB]
    build = lab.build.model_copy(update={"predict": Path("/bin/true")})
    lab.__dict__["build"] = build
    return catalogue


def test_the_file_is_taken_where_it_is_there_and_its_faults_cost_nothing_else(tmp_path: Path) -> None:
    checkout = FakeCheckout(tmp_path)
    for student, content in (("ada", b"strided = 4\n"), ("bob", None), ("eve", b"\xff")):
        folder = checkout.submit(student, LAB).parent
        if content is not None:
            (folder / "predict.toml").write_bytes(content)
    kept: list[bytes] = []

    def keep(content: bytes) -> str:
        kept.append(content)
        return str(len(kept))

    intake = read_class(checkout.class_folder, with_questions(checkout), keep)
    taken = {one.student: set(one.files) for one in intake.submissions if isinstance(one, Submission)}
    assert taken == {"ada": {"kernel.cu", "predict.toml"}, "bob": {"kernel.cu"}, "eve": {"kernel.cu"}}
    assert any(problem.startswith(f"eve/{LAB}: left alone: predict.toml:1") for problem in intake.problems)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ('""', "questions still open in predict.toml: 1; right answers earn points: make predict LAB=08\n"),
        ("4", "questions in predict.toml: not counted; make predict LAB=08 says why\n"),
    ],
)
def test_make_test_says_how_the_questions_stand(tmp_path: Path, answer: str, said: str) -> None:
    folder = tmp_path / "labs" / LAB
    folder.mkdir(parents=True)
    (folder / "predict.cu").touch()
    (folder / "predict.toml").write_text(f'student = ""\nstrided = {answer}  # wavefronts\n', encoding="utf-8")
    ctest = tmp_path / "bin" / "ctest"
    ctest.parent.mkdir()
    ctest.write_text(f"#!/bin/sh\necho '1/1 Test #1: {LAB}.safe ...   Passed    0.10 sec'\n", encoding="utf-8")
    ctest.chmod(0o755)
    told = subprocess.run(
        ["bash", str(ROOT / "harness/setup/test_labs.sh"), "tree", LAB],
        cwd=tmp_path,
        env=os.environ | {"PATH": f"{ctest.parent}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert told.endswith(f"all 1 tests passed\n{said}")
