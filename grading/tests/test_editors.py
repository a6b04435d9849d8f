"""clangd understands kernels by what `make test` leaves: no false error, hover and completion right."""

import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from simtlab.labs.catalogue import default_build, find_root
from simtlab.labs.variants import variants_of
from simtlab.release.repository import Author, commit_everything
from simtlab.release.solutions import read_solutions
from simtlab.release.students_copy import write_students_copy
from tests.drawn import share_of
from tests.language_server import LanguageServer

ROOT = find_root(Path(__file__))
BUILD = default_build(ROOT)
SIMTCC = BUILD / "bin" / "simtcc"
CLANGD = next((found for name in ("clangd", "clangd-14") if (found := shutil.which(name))), None)
COMMAND = [CLANGD or "", "--log=error", "--header-insertion=never", "-j=2", "--pch-storage=memory"]
TRIES = 100
"""Fifths of a second until a name that is not offered counts as missing."""
CLANG_REFUSES = {"objects-with-virtual-functions"}
"""Objects made at a place in device code: clang 14 takes <new> for the host's, and one of both sides ends clangd 14."""
AT_ONCE = 6
"""Files that are open at the same time, as their preambles take memory."""

pytestmark = [
    pytest.mark.build_tree,
    pytest.mark.skipif(not SIMTCC.exists(), reason=f"there is no simtcc in {BUILD}"),
    pytest.mark.skipif(CLANGD is None, reason="no clangd found"),
    pytest.mark.skipif(not (ROOT / "solutions").is_dir(), reason="a students' copy: there is no folder solutions"),
]

KERNEL = """#include <cuda_runtime.h>
constexpr int tile_width = 32;
__constant__ float weights[9];
__global__ void transpose_tile(const float* input, float* output, int rows, int cols) {
  __shared__ float tile[tile_width][tile_width + 1];
  extern __shared__ float more[];
  int c = blockIdx.x * tile_width + threadIdx.x;
  tile[threadIdx.y][threadIdx.x] = input[c] * weights[0] + more[0];
  __syncthreads();
  float v = __shfl_down_sync(0xffffffff, tile[0][0], 16);
  atomicAdd(&output[0], v + fmaxf(v, 1) + rsqrtf(v));
  @
}
void transpose(const float* input, float* output, int rows, int cols) {
  dim3 block(tile_width, 8), grid(1, 1);
  transpose_tile<<<grid, block>>>(input, output, rows, cols);
  float* copy = nullptr;
  cudaMalloc(&copy, 4);
}
"""


@pytest.fixture(scope="module", autouse=True)
def database() -> Path:
    """The compile database of this checkout, which the build leaves and `make test`, too."""
    path = ROOT / "compile_commands.json"
    assert path.is_file(), f"{path} is missing: cmake --build {BUILD} --target simtlab_editor_database makes it"
    return path


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LanguageServer]:
    """clangd in the checkout."""
    with LanguageServer(COMMAND, ROOT, tmp_path / "clangd.log") as started:
        yield started


@pytest.fixture
def variants() -> Iterator[dict[str, Path]]:
    """All variants by lab and name, written into a folder of this checkout as `simtlab variant --write` does."""
    (ROOT / "build").mkdir(exist_ok=True)  # beside the build trees, whose databases are not for kernels
    with tempfile.TemporaryDirectory(prefix="variants-", dir=ROOT / "build") as folder:
        files: dict[str, Path] = {}
        for solution in sorted(ROOT.glob("solutions/[0-9]*")):
            for one in variants_of(solution):
                path = files[f"{solution.name}/{one.name}"] = Path(folder) / solution.name / f"{one.name}.cu"
                path.parent.mkdir(exist_ok=True)
                path.write_text(one.text, encoding="utf-8")
        yield files


def complaints(server: LanguageServer, files: list[Path]) -> dict[Path, list[str]]:
    """What clangd shows in each file where it shows anything."""
    shown: dict[Path, list[str]] = {}
    for begin in range(0, len(files), AT_ONCE):
        for path, said in server.open_all(files[begin : begin + AT_ONCE]).items():
            if said:
                shown[path] = [f"{path}:{one['range']['start']['line'] + 1}: {one['message']}" for one in said]
            server.close(path)
    return shown


def is_refused(path: Path, tmp_path: Path) -> bool:
    words: list[str | Path] = [SIMTCC, "-c", path, "-o", tmp_path / "kernel.o"]
    return subprocess.run(words, check=False, capture_output=True).returncode == 1


def test_no_error_is_shown_in_a_stub_a_solution_or_the_questions(
    server: LanguageServer, variants: dict[str, Path]
) -> None:
    files = [
        *ROOT.glob("labs/*/kernel.cu"),
        *(ROOT / name for name in share_of((str(one) for one in ROOT.glob("solutions/[0-9]*/kernel.cu")), 4)),
        ROOT / "labs/07-shared-tiling/predict.cu",
        # Half precision, mathematics of the C library in device code, alignment of shared memory, printf.
        variants["07-shared-tiling/half-precision-tiles"],
        variants["11-atomics/maximum-by-tree"],
        *(ROOT / "solutions/controls" / name / "kernel.cu" for name in ("aligned-shared-memory", "prints-once")),
    ]
    assert len(files) > 16
    assert complaints(server, files) == {}


@pytest.mark.long
def test_no_error_is_shown_in_anything_that_compiles(
    server: LanguageServer, variants: dict[str, Path], tmp_path: Path
) -> None:
    files = [
        *ROOT.glob("labs/*/predict.cu"),
        *ROOT.glob("solutions/[0-9]*/kernel.cu"),
        *variants.values(),
        *(path for path in ROOT.glob("solutions/controls/*/kernel.cu") if path.parent.name not in CLANG_REFUSES),
    ]
    assert len(files) > 200
    shown = complaints(server, files)
    assert {path: said for path, said in shown.items() if not is_refused(path, tmp_path)} == {}


def place(text: str, word: str) -> tuple[int, int]:
    before = text[: text.index(word)]
    return before.count("\n"), len(before) - (before.rfind("\n") + 1)


HOVERS = {
    "threadIdx": ["const uint3 threadIdx"],
    "blockIdx": ["const uint3 blockIdx"],
    "tile[threadIdx": ["float[32][33]"],
    "more[0]": ["float[]"],
    "weights[0]": ["float[9]"],
    "__shared__": ["macro __shared__"],
    "__syncthreads": ["function __syncthreads", "void"],
    "__shfl_down_sync": ["float __shfl_down_sync(unsigned int mask, float value, unsigned int delta"],
    "atomicAdd": ["float atomicAdd(float* address, float value)"],
    "fmaxf": ["float fmaxf("],
    "transpose_tile<<<": ["void transpose_tile(const float* input, float* output, int rows, int cols)"],
    "cudaMalloc": ["cudaError_t"],
    "dim3": ["struct dim3"],
}


def test_hover_says_what_a_name_is(server: LanguageServer) -> None:
    text = KERNEL.replace("@", "")
    path = ROOT / "labs/08-bank-conflicts/kernel.cu"
    assert server.open(path, text) == []
    said = {word: server.at("hover", path, *place(text, word)) for word in HOVERS}
    wrong = {word: said[word] for word, parts in HOVERS.items() if not all(part in str(said[word]) for part in parts)}
    assert wrong == {}


COMPLETIONS = {
    "threadIdx.": {"x", "y", "z"},
    "__sync": {"__syncthreads"},
    "__shfl": {"__shfl_down_sync"},
    "atomicA": {"atomicAdd"},
    "blockI": {"blockIdx"},
    "cudaMemcp": {"cudaMemcpy"},
    "__shar": {"__shared__"},
    "tile_": {"tile_width"},
}


def test_completion_offers_cuda_and_the_files_own(server: LanguageServer) -> None:
    path = ROOT / "labs/08-bank-conflicts/kernel.cu"
    server.open(path, KERNEL.replace("@", ""))  # whose headers clangd indexes meanwhile
    missing: dict[str, set[str]] = {}
    for begun, wanted in COMPLETIONS.items():
        text = KERNEL.replace("@", begun)
        server.change(path, text)
        line, column = place(KERNEL, "@")
        for _ in range(TRIES):
            answer = server.at("completion", path, line, column + len(begun))
            offered = {str(item.get("filterText") or item["label"]).strip(" •") for item in answer["items"]}
            if wanted <= offered:
                break
            time.sleep(0.2)  # the headers' names come once they are indexed
        if not wanted <= offered:
            missing[begun] = offered
    assert missing == {}


MISTAKES = {
    "an undeclared name": ("output[0] = inptu[0];", "undeclared identifier 'inptu'"),
    "a kernel without its chevrons": ("}\nvoid other() {\n  transpose_tile(nullptr, nullptr, 1, 1);", "not configured"),
    "a host function in a kernel": (
        "transpose(input, output, rows, cols);",
        "No matching function for call to 'transpose'",
    ),
    "a device function on the host": (
        "}\nvoid other() {\n  __syncwarp();",
        "No matching function for call to '__syncwarp'",
    ),
    "a result of a kernel": ("}\n__global__ int other() {\n  return 1;", "must have void return type"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_real_mistake_is_shown_at_its_line(server: LanguageServer, mistake: str) -> None:
    written, said = MISTAKES[mistake]
    declared = "void transpose(const float* input, float* output, int rows, int cols);\n"
    text = KERNEL.replace("constexpr", declared + "constexpr", 1).replace("@", written)
    shown = server.open(ROOT / "labs/08-bank-conflicts/kernel.cu", text)
    first, last = place(text, written)[0], place(text, written)[0] + written.count("\n")
    assert any(said in one["message"] and first <= one["range"]["start"]["line"] <= last for one in shown), shown


def test_a_labs_folder_alone_and_a_new_file_in_it_are_understood(tmp_path: Path) -> None:
    lab = ROOT / "labs/08-bank-conflicts"
    with LanguageServer(COMMAND, lab, tmp_path / "clangd.log") as server:
        assert server.open(lab / "kernel.cu") == []
        assert server.open(lab / "not-saved-yet.cu", KERNEL.replace("@", "")) == []


def test_a_students_copy_is_understood_and_git_has_nothing_to_add(tmp_path: Path) -> None:
    copy = tmp_path / "students"
    copy.mkdir()
    write_students_copy(ROOT, copy, read_solutions(ROOT))
    commit_everything(copy, Author("The course", "course@example.org"))
    kernels = sorted(copy.glob("labs/*/kernel.cu"))
    subprocess.run([SIMTCC, "--compile-commands", "compile_commands.json", *kernels], cwd=copy, check=True)
    with LanguageServer(COMMAND, copy, tmp_path / "clangd.log") as server:
        assert complaints(server, kernels[:3]) == {}
        path = copy / "labs/08-bank-conflicts/kernel.cu"
        assert server.open(path, KERNEL.replace("@", "")) == []
        assert "const uint3" in hover(server, path, "threadIdx")
    status = subprocess.run(["git", "status", "--porcelain"], cwd=copy, check=True, capture_output=True, text=True)
    assert status.stdout == ""
    assert (copy / ".vscode/tasks.json").is_file()


def hover(server: LanguageServer, path: Path, word: str) -> str:
    answer: Any = server.at("hover", path, *place(KERNEL, word))
    return str(answer)
