"""The trees of `make check` share the C++ tests between them; none may fall in between."""

from __future__ import annotations

from check.outcome import Status
from check.steps import read_labels, run_nowhere

LISTING = """$ ctest --show-only=json-v1
{"kind": "ctestInfo", "tests": [
  {"name": "judge.facts", "properties": [{"name": "LABELS", "value": ["project"]}, {"name": "TIMEOUT", "value": 120}]},
  {"name": "judge.layers", "properties": [{"name": "LABELS", "value": ["project", "unsanitized"]}]},
  {"name": "bare"}]}"""


def test_labels_are_read_as_ctest_lists_them() -> None:
    assert read_labels(LISTING) == {
        "judge.facts": {"project"},
        "judge.layers": {"project", "unsanitized"},
        "bare": set(),
    }


def test_a_test_of_neither_tree_is_named_with_the_next_step() -> None:
    default = {"judge.facts": {"project"}, "judge.layers": {"project", "unsanitized"}, "gdb": {"project"}}
    outcome = run_nowhere(default, {"judge.facts": {"project"}})
    assert outcome.status is Status.FAILED
    assert outcome.text.startswith("gdb: ")
    assert "unsanitized" in outcome.text
    assert "judge" not in outcome.text


def test_tests_of_one_tree_or_of_both_all_run() -> None:
    default = {"judge.facts": {"project"}, "judge.layers": {"project", "unsanitized"}}
    assert run_nowhere(default, {"judge.facts": {"project"}, "judge.layers": {"project"}}).status is Status.PASSED
    assert run_nowhere(default, {"judge.facts": {"project"}}).status is Status.PASSED


def test_a_students_tests_and_those_of_a_full_check_may_be_in_one_tree_alone() -> None:
    default = {"judge.facts": {"project"}, "07.correct": {"lab"}, "emulator.random": {"project", "long"}}
    assert run_nowhere(default, {"judge.facts": {"project"}}).status is Status.PASSED


def test_a_test_that_no_check_asks_for_is_named() -> None:
    outcome = run_nowhere({"judge.facts": {"project"}, "random.long": {"long"}}, {"judge.facts": {"project"}})
    assert outcome.status is Status.FAILED
    assert outcome.text == "random.long: no check runs it; give it the label `project`"


def test_a_tree_that_lists_nothing_fails() -> None:
    assert run_nowhere({}, {"judge.facts": {"project"}}).status is Status.FAILED
    assert run_nowhere({"judge.facts": {"project"}}, {}).status is Status.FAILED
