"""One submission from the store to its result; whatever goes wrong on our side becomes `internal_error`."""

import dataclasses
from pathlib import Path

import pytest

from simtlab.audit.finding import Rule
from simtlab.class_run.conditions import Conditions
from simtlab.class_run.worker import grade_submission
from simtlab.compiler.compile import CompilerBounds
from simtlab.intake.submission import Submission
from simtlab.judge.run import CaseLimits
from simtlab.labs.catalogue import Catalogue
from simtlab.store.key import key_parts, specification_hash
from simtlab.store.result import Result
from simtlab.store.results import ResultStore
from simtlab.verdict import Verdict
from tests.fake_checkout import KERNEL, FakeCheckout

TILING = "07-shared-tiling"
CONDITIONS = Conditions(compiler_bounds=CompilerBounds(seconds=20), judge_seconds=20)


@pytest.fixture
def grade(catalogue: Catalogue, store: ResultStore) -> "Grader":
    return Grader(catalogue, store)


class Grader:
    """Grades a text as alice's submission."""

    def __init__(self, catalogue: Catalogue, store: ResultStore) -> None:
        self.catalogue, self.store = catalogue, store

    def __call__(self, wishes: str, conditions: Conditions = CONDITIONS, student: str = "alice") -> Result:
        lab = self.catalogue.labs[TILING]
        digest = self.store.keep_file(f"{KERNEL}{wishes}\n".encode())
        submission = Submission(student, TILING, {"kernel.cu": digest})
        parts = key_parts(
            submission,
            specification_hash(lab, "emulator"),
            backend="emulator",
            gpu="",
            seed=1,
            limits=conditions.limits,
            runner_prefix=[],
        )
        return grade_submission(submission, lab, parts, conditions, self.store)


@pytest.mark.parametrize("verdict", [Verdict.PASS, Verdict.UNSAFE, Verdict.WRONG_ANSWER, Verdict.UNSOLVED])
def test_the_judges_verdict_is_the_results(grade: Grader, verdict: Verdict) -> None:
    result = grade(f"// fake judge: {verdict.value}")
    assert result.verdict is verdict
    assert result.facts is not None
    assert result.facts.lab == TILING


def test_hidden_cases_reach_the_judge(grade: Grader) -> None:
    assert grade("").message == " hidden: secret sizes, b, c"


def test_a_compile_error_is_a_result_without_facts(grade: Grader) -> None:
    result = grade("// fake compiler: error")
    assert (result.verdict, result.facts) == (Verdict.COMPILE_ERROR, None)
    assert result.compiler is not None
    assert "expected ';'" in result.compiler.stderr


def test_where_the_labs_own_stub_does_not_compile_no_students_file_is_blamed(
    grade: Grader, catalogue: Catalogue
) -> None:
    stub = catalogue.labs[TILING].folder / "kernel.cu"
    stub.write_text(stub.read_text() + "// fake compiler: error\n")
    result = grade("// fake compiler: error")
    assert result.verdict is Verdict.INTERNAL_ERROR
    assert "the stub of 07-shared-tiling does not compile on this machine either" in result.message
    assert "simtlab doctor" in result.message


def test_what_the_audit_tells_ends_the_grading_before_anything_runs(grade: Grader, checkout: FakeCheckout) -> None:
    result = grade('void f() { asm("nop"); }')
    assert (result.verdict, result.facts) == (Verdict.FORBIDDEN, None)
    assert result.message.startswith("assembly: `asm` (kernel.cu:4) is assembly")
    assert [(one.rule, one.file, one.line) for one in result.audit] == [(Rule.ASSEMBLY, "kernel.cu", 4)]
    assert Result.model_validate_json(result.model_dump_json()) == result
    assert checkout.judge_calls() == []


def test_a_test_may_switch_the_audit_off_and_its_results_have_keys_of_their_own(grade: Grader) -> None:
    text = 'void f() { asm("nop"); }'
    result = grade(text, dataclasses.replace(CONDITIONS, without=("audit",)))
    assert (result.verdict, result.audit) == (Verdict.PASS, [])
    lab = grade.catalogue.labs[TILING]
    assert specification_hash(lab, "emulator") != specification_hash(lab, "emulator", ("audit",))


def test_a_judge_that_was_killed_is_started_again(grade: Grader) -> None:
    assert grade("// fake judge: killed 2").verdict is Verdict.PASS


@pytest.mark.parametrize(
    ("wish", "sentence"),
    [
        ("// fake judge: exit 7", "ended with exit code 7: the judge has lost its inputs"),
        ("// fake judge: garbage", "do not follow the schema"),
        ("// fake compiler: internal", "exit code 3"),
        ("// fake compiler: nothing", "wrote no runner"),
        ("// fake compiler: full disk", "compiled cannot be written: No space left on device. Make room there"),
        ("// fake compiler: full quota", "compiled cannot be written: Disk quota exceeded. Make room there"),
        ("// fake judge: killed 3", "was killed as often as it was tried, most likely for memory: grade fewer at"),
    ],
)
def test_our_own_failures_are_internal_errors_with_their_reason(grade: Grader, wish: str, sentence: str) -> None:
    result = grade(wish)
    assert result.verdict is Verdict.INTERNAL_ERROR
    assert sentence in result.message


def test_a_judge_that_never_ends_is_our_fault(grade: Grader) -> None:
    result = grade("// fake judge: sleep 60", dataclasses.replace(CONDITIONS, judge_seconds=0.5))
    assert result.verdict is Verdict.INTERNAL_ERROR
    assert "ran past its time (0.5 s)" in result.message


def test_a_lost_file_is_our_fault(grade: Grader) -> None:
    for path in (grade.store.folder / "files").glob("*/*"):
        path.unlink()
    submission = Submission("alice", TILING, {"kernel.cu": "0" * 64})
    lab = grade.catalogue.labs[TILING]
    parts = key_parts(
        submission,
        specification_hash(lab, "emulator"),
        backend="emulator",
        gpu="",
        seed=1,
        limits=CaseLimits(),
        runner_prefix=[],
    )
    result = grade_submission(submission, lab, parts, CONDITIONS, grade.store)
    assert result.verdict is Verdict.INTERNAL_ERROR
    assert "has lost the submitted file" in result.message


def test_a_bug_of_ours_is_an_internal_error_too(grade: Grader, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("deep inside")

    monkeypatch.setattr("simtlab.class_run.worker.judge_submission", broken)
    result = grade("")
    assert result.verdict is Verdict.INTERNAL_ERROR
    assert "ZeroDivisionError: deep inside" in result.message


def test_limits_and_seed_are_passed_to_the_judge(grade: Grader, checkout: FakeCheckout) -> None:
    conditions = dataclasses.replace(CONDITIONS, limits=CaseLimits(2.5, 300), seed=907, runner_prefix=("nice", "-n5"))
    result = grade("", conditions)
    assert result.facts is not None
    assert result.facts.seed == 907
    [call] = checkout.judge_calls()
    for option, value in (
        ("--limit-seconds", "2.5"),
        ("--limit-memory-mb", "300"),
        ("--runner-prefix", '["nice", "-n5"]'),
        ("--workers", "1"),
    ):
        assert call[call.index(option) + 1] == value
    assert not any("907" in word for word in call)  # any process may read a command line


def test_a_hostile_name_never_reaches_a_command_line(grade: Grader, checkout: FakeCheckout) -> None:
    result = grade("", student="--facts\n/etc/passwd\x1b[2J")
    assert result.verdict is Verdict.PASS
    [call] = checkout.judge_calls()
    assert call[call.index("--submission") + 1].startswith("facts-etc-passwd-2J--")


def test_nothing_is_left_behind(grade: Grader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(place))
    grade("")
    grade("// fake compiler: error")
    assert list(place.iterdir()) == []
