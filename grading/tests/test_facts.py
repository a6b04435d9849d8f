"""The models read what the schema allows, refuse what it refuses, and lose nothing."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from simtlab.errors import GraderError
from simtlab.facts.model import Facts, facts_without_timing
from simtlab.facts.read import LARGEST_FACTS_BYTES, read_facts
from simtlab.labs.catalogue import find_root
from tests.example_facts import facts_of, passed_facts, timed_facts, unsafe_facts, wrong_facts

SCHEMA: dict[str, Any] = json.loads(
    (find_root(Path(__file__)) / "harness" / "judge" / "facts.schema.json").read_text(encoding="utf-8")
)
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
EXAMPLES: list[Callable[[], dict[str, Any]]] = [passed_facts, unsafe_facts, wrong_facts, timed_facts]


def accepted_by_schema(document: object) -> bool:
    return bool(VALIDATOR.is_valid(document))


def accepted_by_models(document: object) -> bool:
    try:
        Facts.model_validate_json(json.dumps(document))
    except ValidationError:
        return False
    return True


def paths_of(document: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """The path of every member and element of a document."""
    items: list[tuple[str | int, Any]] = []
    if isinstance(document, dict):
        items = list(document.items())
    elif isinstance(document, list):
        items = list(enumerate(document))
    return [*([path] if path else []), *(found for key, value in items for found in paths_of(value, (*path, key)))]


def parent_of(document: Any, path: tuple[str | int, ...]) -> Any:
    for step in path[:-1]:
        document = document[step]
    return document


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_examples_follow_the_schema(example: Callable[[], dict[str, Any]]) -> None:
    VALIDATOR.validate(example())


@pytest.mark.parametrize("example", EXAMPLES)
def test_nothing_is_lost_between_document_and_models(example: Callable[[], dict[str, Any]]) -> None:
    document = example()
    assert json.loads(Facts.model_validate_json(json.dumps(document)).model_dump_json()) == document


def test_whole_numbers_beyond_doubles_keep_every_digit() -> None:
    facts = facts_of(wrong_facts())
    mismatch = facts.cases[1].mismatch
    assert mismatch is not None
    assert mismatch.first[1].actual == 9007199254740993


@pytest.mark.parametrize("example", EXAMPLES)
def test_schema_and_models_name_the_same_members(example: Callable[[], dict[str, Any]]) -> None:
    """Taking out any one member, or adding one beside it, is refused by both or by neither."""
    for path in paths_of(example()):
        without = example()
        parent = parent_of(without, path)
        if isinstance(parent, dict):
            del parent[path[-1]]
            assert accepted_by_schema(without) == accepted_by_models(without), f"without {path}"
            extended = example()
            parent_of(extended, path)["surprise"] = 1
            assert accepted_by_schema(extended) == accepted_by_models(extended), f"a surprise beside {path}"


STRANGE_VALUES: list[Any] = [
    None,
    True,
    -1,
    0,
    1,
    0.5,
    101,
    "",
    "pass",
    "text",
    [],
    {},
    [1, 2, 3],
    [-1, 0, 0],
    {"a": 1},
]


@given(st.data())
@settings(max_examples=400, deadline=None)
def test_schema_and_models_refuse_the_same_values(data: st.DataObject) -> None:
    document = data.draw(st.sampled_from(EXAMPLES))()
    path = data.draw(st.sampled_from(paths_of(document)))
    value = data.draw(st.sampled_from(STRANGE_VALUES))
    changed = copy.deepcopy(document)
    parent_of(changed, path)[path[-1]] = value
    assert accepted_by_schema(changed) == accepted_by_models(changed), f"{path} = {value!r}"


def test_two_runs_are_compared_without_timing_alone() -> None:
    one = facts_of(passed_facts())
    other = facts_of(passed_facts(timing={"cases": [], "samples": [1.0], "copy_gigabytes_per_second": 9.0}))
    assert facts_without_timing(one) == facts_without_timing(other)
    different = facts_of(passed_facts(seed=2))
    assert facts_without_timing(one) != facts_without_timing(different)


def write(path: Path, document: object) -> Path:
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def test_facts_are_read_for_the_submission_they_are_about(tmp_path: Path) -> None:
    path = write(tmp_path / "facts.json", passed_facts())
    assert read_facts(path, lab="07-shared-tiling", submission="alice").correct.passed == 2
    with pytest.raises(GraderError, match="was asked about bob"):
        read_facts(path, lab="07-shared-tiling", submission="bob")


def test_missing_facts_are_our_fault(tmp_path: Path) -> None:
    with pytest.raises(GraderError, match="wrote no facts"):
        read_facts(tmp_path / "facts.json", lab="07-shared-tiling", submission="alice")


def test_a_wrong_member_is_named(tmp_path: Path) -> None:
    document = passed_facts()
    document["correct"]["passed"] = -2
    with pytest.raises(GraderError, match=r"correct\.passed: .* found -2"):
        read_facts(write(tmp_path / "facts.json", document), lab="07-shared-tiling", submission="alice")


def test_facts_of_absurd_size_are_not_read(tmp_path: Path) -> None:
    path = tmp_path / "facts.json"
    with path.open("wb") as stream:
        stream.truncate(LARGEST_FACTS_BYTES + 1)
    with pytest.raises(GraderError, match="are read"):
        read_facts(path, lab="07-shared-tiling", submission="alice")


def test_where_the_warps_of_an_endless_kernel_stood_is_left_out_as_timing_is() -> None:
    def standing(message: str, rule: str) -> dict[str, Any]:
        facts = facts_of(unsafe_facts())
        finding = facts.safe.findings[0].model_copy(update={"message": message, "rule": rule})
        safe = facts.safe.model_copy(update={"findings": [finding]})
        return facts_without_timing(facts.model_copy(update={"safe": safe}))

    assert standing("8 warps in line 11", "interrupted") == standing("7 warps in line 12", "interrupted")
    assert standing("8 warps in line 11", "global-race") != standing("7 warps in line 12", "global-race")
