"""Cheats that live in kernels get no further with `--engine sass`, where nvcc's code of them is executed and nothing of
theirs runs natively. The audit is off: what it stops never gets so far. A check tries some, drawn as drawn.py says."""

from pathlib import Path

import pytest

from simtlab.labs.build_description import SASS
from simtlab.verdict import Verdict
from tests.cheat import Cheat
from tests.drawn import drawn
from tests.test_build_tree import pytestmark  # noqa: F401 - needs what that needs
from tests.test_cheats import CHEATS, OF_THE_BUILD, Workshop
from tests.test_two_engines import missing_tools

ONE_IN = 20
OF_KERNELS = {13, 16, 34, 37, 38, 41, 44, 46}
"""Rows of the catalogue whose cheats are what a kernel does; the other rows' are the host's, or the compiler's."""
FURTHER: dict[str, str] = {}
"""Cheats that get further as nvcc compiled them than as g++ did, and why that is no harm."""

TRIED = [one for one in CHEATS if one.row in OF_KERNELS and one.without_audit and not one.layers & OF_THE_BUILD]


def problem_of(cheat: Cheat, verdict: Verdict, score: float) -> str:
    """How the cheat gets further than it declares; empty where it does not."""
    if verdict is Verdict.INTERNAL_ERROR or (verdict is Verdict.PASS) != (cheat.without_audit is Verdict.PASS):
        return f"expected {cheat.without_audit}, found {verdict}"
    if cheat.earns and score > cheat.earns[1]:
        return f"expected at most {cheat.earns[1]} points, found {score}"
    return ""


@pytest.mark.parametrize("cheat", drawn([(one.name, one) for one in TRIED], ONE_IN))
def test_a_kernel_gets_no_further_as_nvcc_compiled_it(cheat: Cheat, tmp_path: Path) -> None:
    workshop = Workshop(tmp_path, SASS)
    if missing := missing_tools(workshop.compiler_of(cheat)):
        pytest.skip(missing)
    verdict, message, score = workshop.unaudited(cheat)
    problem = problem_of(cheat, verdict, score)
    assert bool(problem) == (cheat.name in FURTHER), f"{problem}: {message}"


def test_cheats_that_get_further_are_tried() -> None:
    assert FURTHER.keys() <= {one.name for one in TRIED}
