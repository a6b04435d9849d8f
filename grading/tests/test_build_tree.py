"""The real compiler, judges and labs: every specimen keeps its word, and the sample class ends as declared, whenever it
is graded and with however many workers.

Needs a build tree with the target `simtlab_judges`: `$SIMTLAB_BUILD`, else build/default of this checkout.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from simtlab.facts.model import facts_without_timing
from simtlab.labs.catalogue import default_build, find_root, read_catalogue
from simtlab.labs.variants import variants_of
from simtlab.release.check import LeakSearch
from simtlab.release.solutions import Solutions, read_solutions
from simtlab.store.results import ResultStore
from simtlab.text import printable
from simtlab.verify.handout import handout_checks
from simtlab.verify.predictions import prediction_checks
from tests.drawn import share_of, touched_labs
from tests.test_facts import VALIDATOR

ROOT = find_root(Path(__file__))
BUILD = default_build(ROOT)
SOLUTIONS = ROOT / "solutions"
CLASS = SOLUTIONS / "sample-class"
SEED = 20261122  # a store of its own would draw one of its own
LABS = sorted(path.parent.name for path in (ROOT / "labs").glob("*/lab.toml"))
UNBUILT = [lab for lab in LABS if not (BUILD / "labs" / lab / f"judge-{lab}").exists()]

pytestmark = [
    pytest.mark.build_tree,
    pytest.mark.skipif(not SOLUTIONS.is_dir(), reason="a students' copy: there is no folder solutions"),
    pytest.mark.skipif(
        len(UNBUILT) == len(LABS), reason=f"no lab is built in {BUILD}: cmake --build {BUILD} --target simtlab_judges"
    ),
]


def simtlab(*words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    dropped = {"SIMTLAB_RUNNER_PREFIX", "COLUMNS", "FORCE_COLOR", "NO_COLOR"}
    environment = {name: value for name, value in os.environ.items() if name not in dropped}
    command = [sys.executable, "-m", "simtlab", *words, "--build", str(BUILD)]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=3000, check=False, env=environment
    )


@pytest.fixture(scope="session")
def workplace_in_checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty folder; the labs are those of the checkout that the package is installed from."""
    return tmp_path_factory.mktemp("away")


@pytest.fixture(scope="session")
def checks(workplace_in_checkout: Path, request: pytest.FixtureRequest) -> dict[tuple[str, str], dict[str, Any]]:
    """Every check of `simtlab verify` of the labs that tests of this run ask for, by lab and specimen."""
    asking = [item for item in request.session.items if checks.__name__ in getattr(item, "fixturenames", ())]
    labs = sorted({str(item.callspec.params["lab"]) for item in asking if isinstance(item, pytest.Function)})
    verified = simtlab("verify", *labs, "--no-mutants", "--allow-weak", "--json", folder=workplace_in_checkout)
    assert verified.stdout, verified.stderr
    return {(check["lab"], check["specimen"]): check for check in json.loads(verified.stdout)["checks"]}


def specimens_of(lab: str) -> list[str]:
    variants = variants_of(SOLUTIONS / lab)  # those that a mutant makes, too, are run with all mutants
    return ["stub", "solution", *(one.file for one in variants if "\n// As a mutant: " not in one.text)]


VERIFIED = touched_labs() | share_of(LABS, len(LABS))


def mark_of(lab: str) -> list[pytest.MarkDecorator]:
    """A check verifies the labs that were touched and one of all."""
    return [] if lab in VERIFIED else [pytest.mark.long]


@pytest.mark.parametrize(
    ("lab", "specimen"),
    [pytest.param(lab, name, marks=mark_of(lab)) for lab in LABS for name in sorted(specimens_of(lab))],
)
def test_specimen_keeps_its_word(lab: str, specimen: str, checks: dict[tuple[str, str], dict[str, Any]]) -> None:
    assert checks[lab, specimen]["problems"] == []


@pytest.mark.parametrize("lab", [pytest.param(lab, marks=mark_of(lab)) for lab in LABS])
def test_handout_and_questions_are_in_order(lab: str, checks: dict[tuple[str, str], dict[str, Any]]) -> None:
    others = {name: check for (of, name), check in checks.items() if of == lab and name not in specimens_of(lab)}
    assert others
    assert {name: check["problems"] for name, check in others.items() if check["problems"]} == {}


@pytest.fixture(scope="session")
def solutions_and_leaks() -> tuple[Solutions, LeakSearch]:
    """What handouts are compared with."""
    solutions = read_solutions(ROOT)
    return solutions, LeakSearch(solutions)


@pytest.mark.parametrize("name", LABS)
def test_handout_and_questions_agree_with_the_specification(
    name: str, solutions_and_leaks: tuple[Solutions, LeakSearch]
) -> None:
    """Without what specimens break: of every lab in every check."""
    solutions, leaks = solutions_and_leaks
    lab = read_catalogue(ROOT, BUILD).labs[name]
    checks = handout_checks(lab, {}, leaks, solutions.stubs) + prediction_checks(lab)
    assert checks
    assert {check.specimen: check.problems for check in checks if check.problems} == {}


@pytest.mark.long
def test_all_variants_keep_their_word_and_all_mutants_are_killed_or_argued_equivalent(
    workplace_in_checkout: Path,
) -> None:
    verified = simtlab("verify", "--all-mutants", "--allow-weak", "--json", folder=workplace_in_checkout)
    assert verified.stdout, verified.stderr
    document = json.loads(verified.stdout)
    assert [(one["specimen"], one["problems"]) for one in document["checks"] if one["problems"]] == []
    for counts in document["mutants"].values():
        assert counts["run"] == counts["made"]


class Grading:
    """The sample class, or a part of it, graded into a store of its own."""

    def __init__(self, folder: Path, workers: int, submissions: Path = CLASS) -> None:
        self.store = ResultStore(folder / "results")
        self.report = folder / "report"
        words = [
            "--json",
            "--workers",
            str(workers),
            "--seed",
            str(SEED),
            "--store",
            str(folder / "results"),
            "--report",
            str(self.report),
        ]
        finished = simtlab("grade", "--allow-weak", str(submissions), *words, folder=folder)
        assert finished.returncode == 0, finished.stderr + finished.stdout[-2000:]
        self.document: dict[str, Any] = json.loads(finished.stdout)

    @property
    def verdicts(self) -> dict[tuple[str, str], str]:
        """The verdict of every student in every lab."""
        return {
            (one["student"], lab): graded["verdict"]
            for one in self.document["students"]
            for lab, graded in one["labs"].items()
        }


@pytest.fixture(scope="session")
def with_two_workers(tmp_path_factory: pytest.TempPathFactory) -> Grading:
    return Grading(tmp_path_factory.mktemp("two-workers"), 2)


def test_the_sample_class_gets_its_declared_verdicts(with_two_workers: Grading) -> None:
    declared = tomllib.loads((CLASS / "expected.toml").read_text(encoding="utf-8"))
    for labs in declared.values():
        labs.pop("predictions", None)
    expected = {(student, lab): verdict for student, labs in declared.items() for lab, verdict in labs.items()}
    found = with_two_workers.verdicts
    assert {key: found.get(key) for key in expected} == expected
    undeclared = {key: verdict for key, verdict in found.items() if key not in expected}
    assert set(undeclared.values()) <= {"not_submitted"}, "every submission is declared"


def test_the_sample_classs_predictions_are_counted_and_worth_their_points(with_two_workers: Grading) -> None:
    declared = tomllib.loads((CLASS / "expected.toml").read_text(encoding="utf-8"))
    said = {
        (student, lab): words
        for student, labs in declared.items()
        for lab, words in labs.get("predictions", {}).items()
    }
    assert {f"{student}/{lab}" for student, lab in said} == {
        f"{answers.parent.parent.name}/{answers.parent.name}" for answers in CLASS.rglob("predict.toml")
    }
    for one in with_two_workers.document["students"]:
        for lab, graded in one["labs"].items():
            part = graded["parts"].get("predict")
            if words := said.get((one["student"], lab)):
                assert part["reason"].startswith(words), part
                right, total = map(int, words.replace("none of the", "0 of").split(" of "))
                assert part["earned"] == pytest.approx(part["possible"] * right / total), part
            elif part:
                assert part["earned"] == 0, f"{one['student']} in {lab}: {part}"


def one_of_each_verdict() -> list[tuple[str, str]]:
    """The first submission of each verdict and of each of a sixth of the labs, as student and lab; of timeouts, whose
    kernels spin for all of their time, none."""
    declared = tomllib.loads((CLASS / "expected.toml").read_text(encoding="utf-8"))
    first: dict[str, tuple[str, str]] = {}
    of_lab: dict[str, tuple[str, str]] = {}
    for student, labs in declared.items():
        for lab, verdict in labs.items():
            if lab != "predictions" and verdict not in ("not_submitted", "timeout"):
                first.setdefault(verdict, (student, lab))
                of_lab.setdefault(lab, (student, lab))
    return sorted({*first.values(), *(of_lab[lab] for lab in share_of(of_lab, 6))})


def facts_of(grading: Grading) -> dict[str, dict[str, Any]]:
    """All facts in a store, but for times."""
    results = {key: grading.store.get(key) for key in grading.store.keys()}  # noqa: SIM118 - a method of the store
    return {key: facts_without_timing(one.facts) for key, one in results.items() if one and one.facts}


def same_again(again: Grading, before: Grading) -> None:
    """Every result of `again` is in `before`, and the same."""
    facts, facts_before = facts_of(again), facts_of(before)
    for key, found in facts.items():
        assert found == facts_before.get(key), f"{found['submission']} in {found['lab']}"
    graded = {one["student"]: one["labs"] for one in before.document["students"]}
    for one in again.document["students"]:
        for lab, end in one["labs"].items():
            if end["verdict"] != "not_submitted":
                assert end == graded[one["student"]][lab], f"{one['student']} in {lab}"


def test_grading_some_again_with_another_number_of_workers_finds_the_same(
    with_two_workers: Grading, tmp_path: Path
) -> None:
    chosen = one_of_each_verdict()
    graded = {*with_two_workers.verdicts.values()} - {"not_submitted", "timeout"}
    assert {with_two_workers.verdicts[one] for one in chosen} == graded
    for student, lab in chosen:
        shutil.copytree(CLASS / student / lab, tmp_path / "class" / student / lab)
    again = Grading(tmp_path, 1, tmp_path / "class")
    assert len([end for end in again.verdicts.values() if end != "not_submitted"]) == len(chosen)
    assert len(facts_of(again)) > len(chosen) / 2
    same_again(again, with_two_workers)


@pytest.mark.long
def test_grading_again_and_with_another_number_of_workers_finds_the_same(
    with_two_workers: Grading, tmp_path: Path
) -> None:
    with_one_worker = Grading(tmp_path, 1)
    facts = facts_of(with_one_worker)
    assert len(facts) > 20
    assert facts.keys() == facts_of(with_two_workers).keys()
    same_again(with_one_worker, with_two_workers)
    assert with_one_worker.document["students"] == with_two_workers.document["students"]


def test_no_page_of_the_report_names_the_seed(with_two_workers: Grading) -> None:
    pages = list(with_two_workers.report.rglob("*.html"))
    assert len(pages) > 20
    assert [page.name for page in pages if str(SEED) in page.read_text(encoding="utf-8")] == []


def test_the_judges_facts_follow_the_schema(with_two_workers: Grading) -> None:
    for key in with_two_workers.store.keys():  # noqa: SIM118 - a method of the store
        result = with_two_workers.store.get(key)
        if result and result.facts:
            VALIDATOR.validate(json.loads(result.facts.model_dump_json()))


def test_no_hidden_case_is_missing_from_the_facts(with_two_workers: Grading) -> None:
    for key in with_two_workers.store.keys():  # noqa: SIM118 - a method of the store
        result = with_two_workers.store.get(key)
        if result and result.facts:
            hidden = tomllib.loads((SOLUTIONS / result.parts.lab / "hidden.toml").read_text(encoding="utf-8"))["case"]
            assert {case.name for case in result.facts.cases if case.hidden} == {case["name"] for case in hidden}


def test_the_report_of_the_sample_class_shows_every_submission(with_two_workers: Grading) -> None:
    index = (with_two_workers.report / "index.html").read_text(encoding="utf-8")
    pages = list((with_two_workers.report / "submissions").glob("*.html"))
    assert len(pages) == len(with_two_workers.verdicts)
    for student, _ in with_two_workers.verdicts:
        assert printable(student) in index
    assert max(page.stat().st_size for page in pages) < 150_000


def test_compile_errors_name_the_students_own_line(with_two_workers: Grading) -> None:
    errors = [
        graded["message"]
        for one in with_two_workers.document["students"]
        for graded in one["labs"].values()
        if graded["verdict"] == "compile_error"
    ]
    assert errors
    for message in errors:
        assert re.match(r"kernel\.cu:\d+", message), message


FORK_BOMB = """#include <unistd.h>
namespace { const int bomb = [] { for (;;) fork(); return 0; }(); }
"""


def test_a_hostile_submission_in_the_middle_of_a_class_changes_no_other_result(
    with_two_workers: Grading, tmp_path: Path
) -> None:
    lab, students = "01-vector-add", ("garcia-lucia", "okafor-amara")
    for student in students:
        shutil.copytree(CLASS / student / lab, tmp_path / "class" / student / lab)
    hostile = tmp_path / "class" / "hostile-middle" / lab
    hostile.mkdir(parents=True)
    stub = (ROOT / "labs" / lab / "kernel.cu").read_text(encoding="utf-8")
    (hostile / "kernel.cu").write_text(FORK_BOMB + stub, encoding="utf-8")
    folder = tmp_path / "graded"
    folder.mkdir()
    words = ["--json", "--workers", "2", "--store", str(folder / "results"), "--report", str(folder / "report")]
    finished = simtlab(
        "grade", "--allow-weak", str(tmp_path / "class"), *words, "--limit-seconds", "1.5", folder=folder
    )
    graded = {one["student"]: one["labs"][lab] for one in json.loads(finished.stdout)["students"]}
    assert graded["hostile-middle"]["verdict"] not in ("pass", "internal_error")
    before = {one["student"]: one["labs"][lab] for one in with_two_workers.document["students"]}
    for student in students:
        assert {**graded[student], "key": ""} == {**before[student], "key": ""}
