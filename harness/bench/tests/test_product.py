"""What a benchmark says where its peer is not installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.__main__ import SkippedBenchmarkError, run_program
from bench.product import build_opencl


def test_a_missing_peer_is_skipped_with_its_package(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        build_opencl(tmp_path, {"a-package": "a-program-that-nobody-has", "another": tmp_path / "missing"})
    assert ended.value.code == 77
    said = capsys.readouterr().out
    assert said.startswith("SKIP: not installed: ")
    assert "a-package another (apt-get install" in said


def test_a_skip_reaches_the_table_with_its_reason() -> None:
    with pytest.raises(SkippedBenchmarkError, match="no peer"):
        run_program(["sh", "-c", "echo SKIP: no peer; exit 77"], 1)
