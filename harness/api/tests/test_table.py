"""The table of the toolkit's functions: as the headers are, on both sides."""

import csv
from pathlib import Path

import pytest

from api.table import (
    CLASSES,
    DATA,
    LIBRARY_PAGE,
    PAGE,
    ROOT,
    Row,
    declared,
    folded,
    library_page_of,
    page_of,
    rows_of,
    wrapped,
)

VERSION = "13.0"
"""Of the toolkit whose names the table has."""


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    with DATA.open() as file:
        return [Row(r["part"], r["name"], r["standing"], r["why"]) for r in csv.DictReader(file)]


def test_the_page_is_made_of_the_table(rows: list[Row]) -> None:
    assert PAGE.read_text() == page_of(rows)
    assert LIBRARY_PAGE.read_text() == library_page_of(rows)


def test_a_header_is_there_or_says_what_to_do(rows: list[Row]) -> None:
    headers = {r.name: r for r in rows if r.part in ("Thrust", "CUB", "Tensor cores")}
    assert headers["thrust/sort.h"].standing == headers["cub/cub.cuh"].standing == "supported"
    assert headers["mma.h"].standing == "partly"
    assert headers["cub/device/device_transform.cuh"].standing == "refused"
    assert [r.name for r in headers.values() if r.standing == "absent"] == []


def test_the_emulators_headers_declare_what_the_table_says(rows: list[Row]) -> None:
    names = [r.name for r in rows]
    there = {r.name for r in rows if r.standing in ("supported", "partly")}
    assert len(set(names)) == len(names)
    assert declared(names) == there


def test_each_name_has_a_standing_and_a_reason_where_one_is_due(rows: list[Row]) -> None:
    assert {r.standing for r in rows} <= set(CLASSES)
    assert [r.name for r in rows if (r.why != "") != (r.standing in ("partly", "refused"))] == []


def test_no_call_of_the_runtime_is_absent_without_a_word(rows: list[Row]) -> None:
    assert [r.name for r in rows if r.part == "Runtime API" and r.standing == "absent"] == []


def toolkit() -> Path | None:
    for include in (Path("/usr/local/cuda/include"), Path("/usr/local/cuda-13.0/include")):
        header = include / "cuda_runtime_api.h"
        if header.exists() and "#define CUDART_VERSION  13000" in header.read_text(errors="replace"):
            return include
    return None


def test_the_table_has_the_names_of_the_toolkit(rows: list[Row]) -> None:
    include = toolkit()
    simtcc = ROOT / "build/default/bin/simtcc"
    if include is None:
        pytest.skip(f"no headers of CUDA {VERSION}: the table's names are compared where they are")
    if not simtcc.exists():
        pytest.skip("simtcc is not built: it says why names are refused")
    assert rows_of(include, simtcc) == rows


def test_lines_of_the_page_fit() -> None:
    names = [f"name_of_a_function_{i}" for i in range(100)]
    lines = wrapped(names).splitlines() + folded("word " * 100)
    assert max(map(len, lines)) <= 120
    assert " ".join(wrapped(names).splitlines()) == ", ".join(f"`{n}`" for n in names)
