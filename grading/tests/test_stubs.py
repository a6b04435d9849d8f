"""A lab's stub is its solution without the marked regions: `solutions/stubs.py` makes and checks it."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def stubs() -> ModuleType:
    specification = importlib.util.spec_from_file_location("stubs", ROOT / "solutions" / "stubs.py")
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def test_every_lab_has_the_stub_that_its_solution_gives(stubs: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    assert stubs.main([]) == 0, capsys.readouterr().out


def test_a_region_becomes_one_line_with_its_indentation(stubs: ModuleType) -> None:
    solution = "a\n  //@@ begin solution\n  secret\n  more\n  //@@ end solution\nb\n"
    assert stubs.stub_of(solution) == "a\n  //@@ your code here\nb\n"


@pytest.mark.parametrize(
    ("solution", "complaint"),
    [
        ("//@@ begin solution\n", "line 1: this region is never closed"),
        ("//@@ end solution\n", "line 1: no region is open"),
        ("//@@ begin solution\n//@@ begin solution\n", "line 2: the region begun in line 1 is still open"),
        ("int x;\n", "the stub would be the solution"),
    ],
)
def test_regions_that_do_not_pair_are_named_by_line(stubs: ModuleType, solution: str, complaint: str) -> None:
    with pytest.raises(stubs.MarkerError, match=complaint):
        stubs.stub_of(solution)
