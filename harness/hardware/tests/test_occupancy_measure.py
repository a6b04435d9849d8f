"""The table of what fits on a GPU's multiprocessor, which the test emulator.occupancy compares."""

from __future__ import annotations

import pytest

from hardware.occupancy_measure import COLUMNS, document

ROWS = ["12,4,1,0,32"] * 500


def test_the_file_says_where_its_rows_come_from() -> None:
    text = document("\n".join(["# NVIDIA H200, compute capability 9.0", COLUMNS, *ROWS]), "nvcc 13.0.88")
    assert text.startswith(
        "# Measured by `python -m hardware.occupancy_measure`: NVIDIA H200, compute capability 9.0, nvcc 13.0.88.\n"
    )
    assert text.endswith(ROWS[-1] + "\n")
    assert len(text.splitlines()) == len(ROWS) + 2


@pytest.mark.parametrize(
    ("said", "fault"),
    [
        ("", "first lines"),
        (f"NVIDIA H200\n{COLUMNS}", "first lines"),
        (f"# NVIDIA H200\n{COLUMNS}\n12,4,1,0,32", "1 rows"),
        ("\n".join(["# NVIDIA H200", COLUMNS, *ROWS, "12,4,1"]), "501 rows"),
    ],
)
def test_what_is_no_table_is_refused(said: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        document(said, "nvcc 13.0.88")
