"""What is written from counters.def says what it says, and a line that is no counter is named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from check.command import ROOT
from check.counter_documents import (
    DEFINITION,
    DOCUMENTS,
    DefinitionError,
    forged_text,
    model_text,
    out_of_date,
    read_definition,
    schema_text,
    table_text,
)

TEXT = (ROOT / DEFINITION).read_text(encoding="utf-8")
ONE = 'SIMTLAB_REQUEST_COUNTER(replays, "replays", maximum, shared, model, "issues of the request that takes most")'


def test_every_document_is_up_to_date() -> None:
    """Else `python -m check.counter_documents --write` renews it."""
    assert out_of_date() == []


def test_no_line_of_the_definition_is_overlooked() -> None:
    lines = [line for line in TEXT.splitlines() if line.startswith("SIMTLAB_") and "_COUNTER(" in line]
    assert len(read_definition(TEXT)) == len(lines) > 20


@pytest.mark.parametrize(
    "line",
    [
        'SIMTLAB_REQUEST_COUNTER(replays, "replays", sum, shared, exact)',
        'SIMTLAB_REQUEST_COUNTER(replays, "replays", mean, shared, exact, "what it is")',
        'SIMTLAB_REQUEST_COUNTER(replays, "replays", sum, texture, exact, "what it is")',
        'SIMTLAB_WARP_COUNTER(replays, "replays", sum, none, exact, "what it is")',
    ],
)
def test_a_line_that_is_no_counter_is_named_with_what_to_write(line: str) -> None:
    with pytest.raises(DefinitionError, match=r"counters\.def:2: .* Write SIMTLAB_REQUEST_COUNTER\(name"):
        read_definition("// comment\n" + line + "\n")


def test_a_counter_has_one_line() -> None:
    with pytest.raises(DefinitionError, match=r"counters\.def:2: replays is defined twice"):
        read_definition(f"{ONE}\n{ONE}\n")


def test_one_more_line_reaches_every_document(tmp_path: Path) -> None:
    """The counter is spelled once: all documents follow from its line."""
    for name in [DEFINITION, *DOCUMENTS]:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text((ROOT / name).read_text(encoding="utf-8"), encoding="utf-8")
    definition = tmp_path / DEFINITION
    definition.write_text(
        TEXT.replace("SIMTLAB_LAUNCH_COUNTER(steps", f"{ONE}\nSIMTLAB_LAUNCH_COUNTER(steps"), encoding="utf-8"
    )
    assert out_of_date(tmp_path) == list(DOCUMENTS)
    assert out_of_date(tmp_path, write=True) == list(DOCUMENTS)
    assert out_of_date(tmp_path) == []
    for name in DOCUMENTS:
        assert "replays" in (tmp_path / name).read_text(encoding="utf-8"), name
    model = (tmp_path / "grading/simtlab/facts/counters.py").read_text(encoding="utf-8")
    assert '"replays": max(self.replays, other.replays)' in model
    schema = json.loads((tmp_path / "harness/judge/facts.schema.json").read_text(encoding="utf-8"))
    assert "replays" in schema["$defs"]["request_counters"]["required"]


@pytest.mark.parametrize("writer", [schema_text, table_text])
def test_a_document_without_a_place_for_the_counters_is_refused(writer: type) -> None:
    with pytest.raises(DefinitionError, match="it needs one"):
        writer(read_definition(TEXT), "nothing\n")


def test_a_document_that_is_written_twice_is_the_same() -> None:
    counters = read_definition(TEXT)
    for name, writer in DOCUMENTS.items():
        text = (ROOT / name).read_text(encoding="utf-8")
        assert writer(counters, writer(counters, text)) == writer(counters, text), name
    assert model_text(counters, "") == model_text(counters, "anything")
    assert forged_text(counters, "no counters\n") == "no counters\n"


@pytest.mark.parametrize("name", [name for name in DOCUMENTS if name.endswith("schema.json")])
def test_a_schema_says_of_each_counter_what_the_page_says(name: str) -> None:
    words = {
        row.split("|")[1].strip(" `"): row.split("|")[-3].strip()
        for row in (ROOT / "docs/counters.md").read_text(encoding="utf-8").splitlines()
        if row.startswith("| `") and row.split("|")[-3].strip() in {"exact", "model"}
    }
    told = {
        counter: one["fidelity"]
        for record in json.loads((ROOT / name).read_text(encoding="utf-8"))["$defs"].values()
        for counter, one in record.get("properties", {}).items()
        if "fidelity" in one
    }
    assert len(told) == len(read_definition(TEXT))
    assert told == words
