"""Each C++ test of the tree carries a label that a check asks for."""

from __future__ import annotations

from check.outcome import Status
from check.steps import read_labels, run_nowhere

LISTING = """$ ctest --show-only=json-v1
{"kind": "ctestInfo", "tests": [
  {"name": "judge.facts", "properties": [{"name": "LABELS", "value": ["project"]}, {"name": "TIMEOUT", "value": 120}]},
  {"name": "judge.layers", "properties": [{"name": "LABELS", "value": ["project", "untrusted"]}]},
  {"name": "bare"}]}"""


def test_labels_are_read_as_ctest_lists_them() -> None:
    assert read_labels(LISTING) == {
        "judge.facts": {"project"},
        "judge.layers": {"project", "untrusted"},
        "bare": set(),
    }


def test_the_projects_tests_and_a_students_all_run() -> None:
    labels = {"judge.facts": {"project"}, "07.correct": {"lab"}, "emulator.random": {"project", "long"}}
    assert run_nowhere(labels).status is Status.PASSED


def test_a_test_that_no_check_asks_for_is_named_with_the_next_step() -> None:
    outcome = run_nowhere({"judge.facts": {"project"}, "random.long": {"long"}})
    assert outcome.status is Status.FAILED
    assert outcome.text == "random.long: no check runs it; give it the label `project`"


def test_a_tree_that_lists_nothing_fails() -> None:
    assert run_nowhere({}).status is Status.FAILED
