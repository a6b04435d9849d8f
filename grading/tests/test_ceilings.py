"""What a GPU allows at most: the lectures' arithmetic, data sheets, and the emulator's models of the same GPUs."""

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from simtlab.ceilings.peaks import DATA_SHEETS, Peaks, peaks_of
from simtlab.ceilings.roofline import Work, ceiling, kernels, product_of_tiles
from simtlab.cli import app
from simtlab.errors import UsageError
from simtlab.labs.catalogue import find_root

MODELS = find_root(Path(__file__)) / "harness" / "emulator" / "core" / "gpu_model.cpp"


@pytest.mark.parametrize(
    ("gigabytes_per_second", "gigaflops"),
    [(86.4, 21.6), (200, 50)],
)
def test_the_naive_product_is_capped_as_claim_13_says(gigabytes_per_second: float, gigaflops: float) -> None:
    naive = Work("naive", product_of_tiles(1, 1))
    assert naive.intensity == 0.25
    reached = ceiling(naive, Peaks("", 1500, gigabytes_per_second))
    assert reached.gigaflops == pytest.approx(gigaflops)
    assert reached.bound_by_memory
    assert reached.fraction == pytest.approx(gigaflops / 1500)


def test_a_tile_multiplies_the_intensity_by_its_width() -> None:
    assert [product_of_tiles(width, width) for width in (16, 32)] == [16 * 0.25, 32 * 0.25]
    assert product_of_tiles(32, 4 * 32) == 12.8, "one tile of M for four of N"
    intensities = [one.intensity for one in kernels()]
    assert intensities == sorted(intensities)


def test_beyond_the_ridge_point_arithmetic_is_the_limit() -> None:
    peaks = Peaks("", 1000, 100)
    assert peaks.ridge == 10
    below, beyond = (ceiling(Work("", intensity), peaks) for intensity in (9.9, 10.1))
    assert below.bound_by_memory
    assert below.gigaflops == pytest.approx(990)
    assert (beyond.bound_by_memory, beyond.gigaflops, beyond.fraction) == (False, 1000, 1)


@pytest.mark.parametrize(
    ("gpu", "teraflops", "gigabytes_per_second"),
    [
        ("h100", 67, 3350),
        ("a100", 19.5, 1555),
        ("v100", 15.7, 900),
        ("t4", 8.1, 320),
        ("l4", 30.3, 300),
        ("rtx4090", 82.6, 1008),
        ("8800gtx", 0.3456, 86.4),
    ],
)
def test_peaks_are_those_of_the_data_sheets(gpu: str, teraflops: float, gigabytes_per_second: float) -> None:
    peaks = peaks_of(gpu)
    assert peaks.gigaflops / 1000 == pytest.approx(teraflops, rel=0.01)
    assert peaks.gigabytes_per_second == pytest.approx(gigabytes_per_second, rel=0.01)


def test_the_emulators_models_say_the_same_of_every_gpu_that_both_know() -> None:
    """Multiprocessors, clocks and bus of core/gpu_model.cpp."""
    model = re.compile(r'\{"(\w+)",\s*"([^"]+)",\s*\d+,\s*\d+,\s*(\d+),(.*?)\}', re.DOTALL)
    told = {}
    for key, name, multiprocessors, rest in model.findall(MODELS.read_text(encoding="utf-8")):
        clock, memory_clock, bus = (word.strip().replace("'", "") for word in rest.split(",")[-4:-1])
        told[key] = (name, int(multiprocessors), int(clock) / 1000, int(memory_clock) / 1000, int(bus))
    shared = sorted(told.keys() & DATA_SHEETS.keys())
    assert len(shared) >= 8
    for key in shared:
        sheet = DATA_SHEETS[key]
        ours = (sheet.name, sheet.multiprocessors, sheet.clock_megahertz, sheet.memory_megahertz, sheet.bus_bits)
        assert ours == told[key], key


def test_what_is_given_replaces_the_data_sheet_and_what_lacks_is_named() -> None:
    assert peaks_of("A100", gigaflops=10).gigaflops == 10
    assert peaks_of("a100", gigabytes_per_second=1).gigaflops == peaks_of("a100").gigaflops
    with pytest.raises(UsageError, match=r"no GPU is called 'abacus'; known are h100, .*--gigaflops"):
        peaks_of("abacus")
    with pytest.raises(UsageError, match="give both of its figures"):
        peaks_of("", gigaflops=10)


def test_the_command_prints_the_lectures_figure_and_ones_own_kernel() -> None:
    words = ["ceilings", "8800gtx", "--intensity", "2"]
    table = CliRunner().invoke(app, words)
    assert table.exit_code == 0
    assert re.search(r"product, naive +0\.25 +21\.6 +6\.25 % +memory", table.output)
    assert re.search(r"your kernel +2 +172\.8 +50 % +memory", table.output)
    assert all(len(line) <= 80 for line in table.output.splitlines())
    document = json.loads(CliRunner().invoke(app, [*words, "--json"]).output)
    assert document["ridge"] == pytest.approx(4)
    [own] = [one for one in document["kernels"] if one["name"] == "your kernel"]
    assert own["gigaflops"] == pytest.approx(172.8)
    assert CliRunner().invoke(app, ["ceilings", "8800gtx", "--bandwidth", "0"]).exit_code == 2
