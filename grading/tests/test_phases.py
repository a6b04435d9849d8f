"""`make phases`: how a kernel's tile becomes two wide, and what is said where it cannot."""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
KERNEL = (
    "// a tile\n{}\n__shared__ float a[tile_width][16];\nfor (int tile_width_16 = 0; y < tile_width; y += 4) {{}}\n"
)


def narrowed(folder: Path, text: str) -> subprocess.CompletedProcess[str]:
    kernel = folder / "kernel.cu"
    kernel.write_text(text, encoding="utf-8")
    words: list[str | Path] = [ROOT / "harness/setup/narrow_tile.sh", kernel, "2", folder / "copy" / "kernel.cu"]
    return subprocess.run(words, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("line", "becomes"),
    [
        ("constexpr int tile_width = 16;", "constexpr int tile_width = 2;"),
        (
            "  static constexpr unsigned int tile_width{32};  // w",
            "  static constexpr unsigned int tile_width{2};  // w",
        ),
        ("const int TILE_WIDTH=8, rows = 8;", "const int TILE_WIDTH=2, rows = 8;"),
        ("#define TILE_WIDTH 16", "#define TILE_WIDTH 2"),
    ],
)
def test_the_number_that_defines_the_tiles_width_is_all_that_changes(tmp_path: Path, line: str, becomes: str) -> None:
    assert narrowed(tmp_path, KERNEL.format(line)).returncode == 0
    assert (tmp_path / "copy" / "kernel.cu").read_text(encoding="utf-8") == KERNEL.format(becomes)


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        ("constexpr int width = 16;", "no line defines"),
        ("// constexpr int tile_width = 16;", "no line defines"),
        ("constexpr int tile_width = block_rows;", "no line defines"),
        ("constexpr int tile_width = 16;\nconstexpr int tile_width = 8;", "2 lines define"),
    ],
)
def test_without_one_such_line_it_is_said_what_to_write(tmp_path: Path, lines: str, found: str) -> None:
    done = narrowed(tmp_path, KERNEL.format(lines))
    assert done.returncode == 1
    assert f"kernel.cu: {found} tile_width as a number" in done.stderr
    assert "\n  constexpr int tile_width = 16;\n" in done.stderr
    assert not (tmp_path / "copy").exists()


def test_a_lab_without_a_toy_names_those_that_have_one() -> None:
    words: list[str | Path] = [ROOT / "harness/setup/phases_lab.sh", "build/default", "08-bank-conflicts"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "08-bank-conflicts has no toy whose phases could be printed; labs that have one: 07\n"
