"""A program that no CUDA compiler accepts is a compile error here, too, on a machine with g++ alone.

Needs the real simtcc: `$SIMTLAB_BUILD`, else build/default of this checkout.
"""

import re
from pathlib import Path

import pytest

from simtlab.compiler.compile import Compilation, compile_submission
from simtlab.labs.build_description import BackendBuild
from simtlab.labs.catalogue import default_build, find_root
from simtlab.verdict import Verdict

ROOT = find_root(Path(__file__))
BUILD = default_build(ROOT)
LAB = "07-shared-tiling"
SOLUTION = ROOT / "solutions" / LAB / "kernel.cu"

pytestmark = [
    pytest.mark.build_tree,
    pytest.mark.skipif(not SOLUTION.is_file(), reason="a students' copy: there is no folder solutions"),
    pytest.mark.skipif(not (BUILD / "bin" / "simtcc").exists(), reason=f"there is no simtcc in {BUILD}"),
]


def compiled(source: str, folder: Path) -> Compilation:
    (folder / "kernel.cu").write_text(source, encoding="utf-8")
    build = BackendBuild(compiler=[str(BUILD / "bin" / "simtcc")], link=[])
    return compile_submission(build, ["kernel.cu"], folder, folder / "runner")


def test_a_kernel_without_global_is_a_compile_error(tmp_path: Path) -> None:
    source = SOLUTION.read_text(encoding="utf-8")
    without, replaced = re.subn(r"__global__ ", "", source, count=1)
    assert replaced
    compilation = compiled(without, tmp_path)
    assert compilation.verdict is Verdict.COMPILE_ERROR
    assert re.match(
        r"kernel\.cu:\d+:\d+: error: '\w+' is launched .* Write `__global__` before `void ", compilation.message
    )


def test_a_helper_without_device_is_a_compile_error(tmp_path: Path) -> None:
    source = SOLUTION.read_text(encoding="utf-8")
    helper = "static float product(float a, float b) { return a * b; }\n"
    used = source.replace("tile_a[ty][p] * tile_b[p][tx]", "product(tile_a[ty][p], tile_b[p][tx])")
    assert used != source
    first = source.index("\n", source.index("#include")) + 1
    compilation = compiled(used[:first] + helper + used[first:], tmp_path)
    assert compilation.verdict is Verdict.COMPILE_ERROR
    assert (
        "calls 'product', which is a host function. Write `__device__` before `static float product("
        in compilation.message
    )
