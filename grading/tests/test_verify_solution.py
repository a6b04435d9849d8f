"""What `simtlab verify` says of a lab whose own solution does not hold up, and while it works."""

import copy

import pytest

from simtlab.class_run.progress import SparseProgress
from simtlab.facts.model import Facts
from simtlab.labs.catalogue import Catalogue, Lab
from simtlab.labs.description import LabDescription, ToleranceParts, describe
from simtlab.store.result import Result
from simtlab.verdict import Verdict
from simtlab.verify.solution import NEXT, solution_faults
from tests.example_facts import facts_of, passed_facts, wrong_facts
from tests.graded_book import result_of


def ended(facts: Facts | None, verdict: Verdict, message: str = "") -> Result:
    """A result of the solution, of which only these parts are looked at."""
    made = result_of("solution", "07-shared-tiling", passed_facts())
    return made.model_copy(update={"verdict": verdict, "message": message, "facts": facts})


def described_with(lab: Lab, case: str, allowed: ToleranceParts) -> LabDescription:
    described = describe(lab)
    one = described.cases[0].model_copy(update={"name": case, "tolerance": allowed})
    return described.model_copy(update={"cases": [one]})


def wrong_case(**changes: object) -> Facts:
    document = copy.deepcopy(wrong_facts())
    document["cases"][1] |= {"hidden": False} | changes
    return facts_of(document)


@pytest.fixture
def lab(catalogue: Catalogue) -> Lab:
    return catalogue.labs["07-shared-tiling"]


def test_a_solution_that_passes_has_no_fault(lab: Lab) -> None:
    passed = ended(facts_of(passed_facts()), Verdict.PASS)
    assert solution_faults(lab.name, describe(lab), passed) == []


def test_the_tolerance_is_named_beside_the_error(lab: Lab) -> None:
    mismatch = wrong_facts()["cases"][1]["mismatch"] | {
        "never_written": 0,
        "first": [{"index": [0], "expected": 1.0, "actual": 1.0000001, "never_written": False}],
    }
    facts = wrong_case(mismatch=mismatch)
    case = facts.cases[1].name
    allowed = ToleranceParts(absolute=1e-9, relative=0, ulps=0, condition=0)
    problem, next_step = solution_faults(
        lab.name, described_with(lab, case, allowed), ended(facts, Verdict.WRONG_ANSWER)
    )
    assert f'lab.cpp, case "{case}"' in problem
    assert "c is wrong in 65 of 2145 elements; lab.cpp allows 1e-09, and the solution is off by 1e-07" in problem
    assert next_step == NEXT


def test_values_that_no_number_tells_are_said_in_the_cases_words(lab: Lab) -> None:
    facts = wrong_case()
    case = facts.cases[1].name
    allowed = ToleranceParts(absolute=0, relative=0, ulps=0, condition=0)
    found = solution_faults(lab.name, described_with(lab, case, allowed), ended(facts, Verdict.WRONG_ANSWER))
    assert "65 of 2145 elements of c are wrong" in found[0]


def test_a_case_without_elements_is_lab_cpps(lab: Lab) -> None:
    facts = wrong_case(name="empty", sizes={"n": 0}, mismatch=None, message="CUDA reported cudaErrorInvalid…")
    found = solution_faults(lab.name, describe(lab), ended(facts, Verdict.WRONG_ANSWER))
    assert 'lab.cpp, case "empty" (n = 0)' in found[0]
    assert "take the case out of lab.cpp, or let the solution return before it launches" in found[0]


def test_a_specification_that_contradicts_itself_is_told_once(lab: Lab) -> None:
    said = 'lab.cpp of 07-shared-tiling contradicts itself: two cases are called "a".'
    found = solution_faults(lab.name, describe(lab), ended(None, Verdict.INTERNAL_ERROR, said))
    assert found == [f"labs/07-shared-tiling/lab.cpp: {said}", NEXT]


class Finished:
    """Ten of thirteen results come in at once."""

    def __init__(self, **pace: float) -> None:
        self.lines: list[str] = []
        self.progress = SparseProgress(13, self.lines.append, **pace)  # type: ignore[arg-type]

    def finish(self, count: int) -> None:
        for _ in range(count):
            self.progress.finished(None, None)  # type: ignore[arg-type]


def test_a_log_gets_a_line_every_ten_results_and_at_the_end() -> None:
    log = Finished()
    log.progress.tick()
    log.finish(9)
    assert log.lines == []
    log.finish(4)
    assert log.lines == ["10 of 13 graded, 0 s", "13 of 13 graded, 0 s"]


def test_a_log_gets_a_line_where_results_take_long() -> None:
    log = Finished(seconds=0)
    log.progress.tick()
    assert log.lines == ["0 of 13 graded, 0 s"]
