"""What `cmake --install` and CPack leave works from any folder, and builds what was written for nvcc."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
BUILD = Path(os.environ.get("SIMTLAB_BUILD") or ROOT / "build" / "default")
HERE = Path(__file__).parent
PROGRAMS = ROOT / "harness" / "emulator" / "tests" / "programs"
NVCC = shutil.which("nvcc", path=os.environ["PATH"] + ":/usr/local/cuda/bin")
SHORT = ("classes", "managed_objects", "symbols", "textures", "wrong_memory")
NEEDS_ARGUMENTS = {"course_image", "course_matrix", "frames", "local_pointers"}
COURSE = sorted(
    file.stem
    for file in PROGRAMS.glob("*.cu")
    if file.with_suffix(".txt").exists()
    and file.stem not in NEEDS_ARGUMENTS
    and '#include "' not in file.read_text(encoding="utf-8")
)

pytestmark = pytest.mark.skipif(not (BUILD / "bin" / "simtcc").exists(), reason=f"there is no simtcc in {BUILD}")


def run(*words: object, folder: Path | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs a program with both outputs in one text."""
    return subprocess.run(
        [str(word) for word in words],
        cwd=folder,
        env={**_surroundings(), **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


def _surroundings() -> dict[str, str]:
    """The environment without what would choose another compiler or say more."""
    left_out = {"CUDACXX", "CUDAFLAGS", "CUDAHOSTCXX", "CUDA_PATH", "GITHUB_ACTIONS", "MAKEFLAGS"}
    return {name: value for name, value in os.environ.items() if name not in left_out}


def works(*words: object, folder: Path | None = None, **environment: str) -> str:
    """The output of a program that must end well."""
    done = run(*words, folder=folder, **environment)
    assert done.returncode == 0, f"{words}: exit code {done.returncode}\n{done.stdout}"
    return done.stdout


@pytest.fixture(scope="module")
def prefix(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An installed tree that was moved after it had been installed, to a folder with a blank in its name."""
    folder = tmp_path_factory.mktemp("installed")
    works("cmake", "--install", BUILD, "--component", "simtcc", "--prefix", folder / "first")
    return (folder / "first").rename(folder / "moved tree")


def toolchain(prefix: Path) -> str:
    return f"-DCMAKE_TOOLCHAIN_FILE={prefix / 'lib/cmake/simtlab/simtlab-toolchain.cmake'}"


def test_no_installed_file_names_the_checkout(prefix: Path) -> None:
    """But for simtcc's own debug information, which a package strips."""
    for file in prefix.rglob("*"):
        if file.is_file() and file.name != "simtcc":
            assert str(ROOT).encode() not in file.read_bytes(), file


def test_a_program_is_built_through_a_link_to_simtcc(prefix: Path, tmp_path: Path) -> None:
    (tmp_path / "simtcc").symlink_to(prefix / "bin" / "simtcc")
    (tmp_path / "vec.cu").write_text(
        "__global__ void fill(int* a, int n) { if (threadIdx.x <= n) a[threadIdx.x] = 1; }\n"
        "int main() { int* a; cudaMalloc(&a, 28); fill<<<1, 32>>>(a, 7); cudaFree(a); }\n",
        encoding="utf-8",
    )
    works("./simtcc", "vec.cu", folder=tmp_path)
    found = run("./a.out", folder=tmp_path)
    assert found.returncode == 86
    assert "vec.cu:1: error: out-of-bounds of a in kernel fill" in found.stdout
    assert "cuda_runtime" not in found.stdout  # the program's lines, not those of headers that they call


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in SHORT else [pytest.mark.long]) for name in COURSE]
)
def test_the_emulators_own_programs_say_the_same(prefix: Path, tmp_path: Path, name: str) -> None:
    """Built by the installed simtcc, outside of the checkout."""
    shutil.copy(PROGRAMS / f"{name}.cu", tmp_path)
    works(prefix / "bin" / "simtcc", "--extended-lambda", f"{name}.cu", "-o", "program", folder=tmp_path)
    done = subprocess.run(["./program"], cwd=tmp_path, env=_surroundings(), capture_output=True, text=True, check=False)
    said = re.sub("[0-9.]+ ms", "T ms", done.stdout)
    said += f"-- on stderr\n{done.stderr}" if done.stderr else ""
    said += f"-- exit code {done.returncode}\n" if done.returncode else ""
    assert said == (PROGRAMS / f"{name}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("generator", ["Ninja", pytest.param("Unix Makefiles", marks=pytest.mark.long)])
def test_a_cuda_project_builds_unedited_and_a_finding_fails_its_test(
    prefix: Path, tmp_path: Path, generator: str
) -> None:
    """Eleven files, separate compilation, static libraries, CTest, CUDAToolkit: the toolchain file alone is chosen."""
    source, tree = tmp_path / "particles", tmp_path / "build"
    shutil.copytree(HERE / "particles", source)
    configured = works("cmake", "-S", source, "-B", tree, "-G", generator, toolchain(prefix))
    assert "The CUDA compiler identification is NVIDIA 12.0.0" in configured
    assert "CMake Warning" not in configured
    built = works("cmake", "--build", tree)
    assert built.count("without effect on the emulator: -Xptxas") == 3
    assert "100% tests passed, 0 tests failed out of 4" in works("ctest", folder=tree)

    header = source / "include" / "reduce.h"
    header.write_text(header.read_text(encoding="utf-8") + "// changed\n", encoding="utf-8")
    reduce = source / "physics" / "reduce.cu"
    text = reduce.read_text(encoding="utf-8")
    assert text.count("    __syncthreads();\n") == 1
    reduce.write_text(text.replace("    __syncthreads();\n", ""), encoding="utf-8")
    again = works("cmake", "--build", tree)
    assert "reduce.cu" in again
    assert "report.cpp" in again  # it includes the header
    assert "forces.cu" not in again
    failed = run("ctest", "-R", "^reduce$", "--output-on-failure", folder=tree)
    assert failed.returncode != 0
    assert "error: shared-race of partial in kernel" in failed.stdout


def test_a_project_with_the_options_of_real_ones(prefix: Path, tmp_path: Path) -> None:
    """Two architectures, -lineinfo, --expt-relaxed-constexpr, device symbols resolved in a library, C beside C++,
    checks by try_compile, an executable and a test without a .cu file."""
    works("cmake", "-S", HERE / "heat", "-B", tmp_path, "-G", "Ninja", toolchain(prefix))
    assert "without effect" not in works("cmake", "--build", tmp_path)
    assert "100% tests passed, 0 tests failed out of 4" in works("ctest", folder=tmp_path)


@pytest.mark.parametrize("kind", ["ON", pytest.param("OFF", marks=pytest.mark.long)])
def test_a_library_of_objects_is_tested_installed_and_found_by_another_project(
    prefix: Path, tmp_path: Path, kind: str
) -> None:
    """CMake links it as C++, as its kernels are objects of another target; shared, it joins its programs."""
    source, library, consumer = HERE / "vecstat", tmp_path / "library", tmp_path / "consumer"
    works("cmake", "-S", source, "-B", library, "-G", "Ninja", toolchain(prefix), f"-DVECSTAT_BUILD_SHARED={kind}")
    said = works("cmake", "--build", library)
    assert ("becomes a part of each program" in said) == (kind == "ON")
    assert "100% tests passed, 0 tests failed out of 2" in works("ctest", folder=library)
    works("cmake", "--install", library, "--prefix", tmp_path / "vecstat")
    found = f"-DCMAKE_PREFIX_PATH={tmp_path / 'vecstat'}"
    works("cmake", "-S", source / "consumer", "-B", consumer, "-G", "Ninja", toolchain(prefix), found)
    works("cmake", "--build", consumer)
    works(consumer / "consumer")


@pytest.mark.long
@pytest.mark.skipif(NVCC is None, reason="there is no nvcc here")
@pytest.mark.parametrize("project", ["particles", "heat", "vecstat"])
def test_nvcc_builds_the_same_project(tmp_path: Path, project: str) -> None:
    words = [f"-DCMAKE_CUDA_COMPILER={NVCC}", "-DCMAKE_CUDA_ARCHITECTURES=80"]
    works("cmake", "-S", HERE / project, "-B", tmp_path, "-G", "Ninja", *words)
    works("cmake", "--build", tmp_path)


@pytest.mark.long
@pytest.mark.skipif(NVCC is None, reason="there is no nvcc here")
def test_nvcc_builds_the_same_makefile(tmp_path: Path) -> None:
    folder = shutil.copytree(HERE / "device_link", tmp_path / "lab")
    works("make", "all", "with-library", "SMS=80", f"NVCC={NVCC}", folder=folder)


def test_find_package_chooses_the_emulator_and_shared_libraries_work(prefix: Path, tmp_path: Path) -> None:
    for name in ("gpu.cu", "gpu.h", "main.cpp"):
        shutil.copy(HERE / "makefile" / name, tmp_path)
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.25)\nproject(two LANGUAGES CXX)\nfind_package(simtlab 0.1 REQUIRED)\n"
        "enable_language(CUDA)\nadd_library(gpu SHARED gpu.cu)\nadd_executable(app main.cpp)\n"
        "target_link_libraries(app PRIVATE gpu)\n",
        encoding="utf-8",
    )
    works("cmake", "-B", "build", "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}", folder=tmp_path)
    assert "libgpu.so becomes a part of each program" in works("cmake", "--build", "build", folder=tmp_path)
    works("build/app", folder=tmp_path)


@pytest.mark.parametrize("by_toolkit", [False, True])
def test_a_courses_makefile(prefix: Path, tmp_path: Path, by_toolkit: bool) -> None:
    """With simtcc in the place of nvcc, or with the installed tree in the place of the CUDA Toolkit."""
    folder = shutil.copytree(HERE / "makefile", tmp_path / "lab")
    (tmp_path / "cuda").symlink_to(prefix / "lib" / "simtlab" / "toolkit")  # a makefile knows no blanks
    words = ["CUDA_PATH=../cuda", "CXX=../cuda/bin/nvcc"] if by_toolkit else ["NVCC=simtcc", "CXX=simtcc"]
    said = works("make", "test", *words, folder=folder, PATH=f"{prefix / 'bin'}:{os.environ['PATH']}")
    assert said.endswith("passed\n")
    assert "without effect on the emulator: --ptxas-options (" in said
    assert "gpu.h" in (folder / "gpu.d").read_text(encoding="utf-8")


def test_a_makefile_that_links_device_code_by_itself(prefix: Path, tmp_path: Path) -> None:
    """-dc, -dlink and a link by the host's compiler; the same objects in a library of nvcc's."""
    folder = shutil.copytree(HERE / "device_link", tmp_path / "lab")
    said = works(
        "make", "test", "NVCC=simtcc", "CXX=simtcc", folder=folder, PATH=f"{prefix / 'bin'}:{os.environ['PATH']}"
    )
    assert said.endswith("5000 values, 5000 seen\n77 values, 77 seen\npassed\n")


def test_what_cannot_be_served_names_object_reason_and_next_step(prefix: Path, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text("int main() {}\n", encoding="utf-8")
    simtcc = prefix / "bin" / "simtcc"
    for words, wanted in {
        "--default-stream per-thread a.cu": "changes which work waits for which",
        "-Xcompiler -fshort-enums a.cu": "changes sizes or places of data in memory",
        "-dlink kernel.cubin": "Give simtcc the source that it was made of",
        "a.cu -lcufft": "is not part of the emulator",
    }.items():
        done = run(simtcc, *words.split(), folder=tmp_path)
        assert (done.returncode, wanted in done.stdout) == (2, True), done.stdout


def test_the_package_depends_on_what_programs_are_linked_with(tmp_path: Path) -> None:
    """Its contents work from where they are unpacked."""
    packer = [
        "cpack",
        "--config",
        BUILD / "CPackConfig.cmake",
        "-B",
        tmp_path,
        "-D",
        "CPACK_DEBIAN_COMPRESSION_TYPE=gzip",
    ]
    if shutil.which("dpkg-shlibdeps") is None:
        pytest.skip("no dpkg-shlibdeps here: not a Debian system")
    works(*packer)
    (package,) = tmp_path.glob("simtlab_*.deb")
    fields = works("dpkg-deb", "-f", package)
    depends = next(line for line in fields.splitlines() if line.startswith("Depends: "))
    for name in ("g++ (>= 4:12)", "libdw1t64 | libdw1", "libelf1t64 | libelf1", "libstdc++6 (>= "):
        assert name in depends
    assert "Section: devel" in fields
    works("dpkg-deb", "-x", package, tmp_path / "root")
    (tmp_path / "a.cu").write_text("int main() { return cudaDeviceSynchronize(); }\n", encoding="utf-8")
    works("root/usr/bin/simtcc", "--run", "a.cu", folder=tmp_path)
    assert (tmp_path / "root/usr/share/doc/simtlab/LICENSE").exists()
    assert (tmp_path / "root/usr/share/man/man1").is_dir()


COMPLETED = """. "$1/share/bash-completion/completions/simtcc"
COMP_WORDS=("$1/bin/simtcc" "${@:2}") COMP_CWORD=$(($# - 1))
_simtcc
printf '%s\\n' "${COMPREPLY[@]}"
"""


def test_bash_completes_options_and_values(prefix: Path) -> None:
    def completed(*words: str) -> list[str]:
        return works("bash", "-c", COMPLETED, "bash", prefix, *words).split()

    assert completed("--err") == ["--error-exitcode"]
    assert "-MMD" in completed("-M")
    assert "-ptx" not in completed("-pt")  # refused
    assert completed("--checks", "o") == ["on", "off"]
    assert "h200" in completed("--gpu", "")
    assert completed("--gpu", "rtx") == ["rtx4090", "rtx3090"]


@pytest.mark.parametrize("shell", [name for name in ("zsh", "fish") if shutil.which(name)] or ["bash"])
def test_completions_can_be_read_by_their_shells(prefix: Path, shell: str) -> None:
    files = {
        "bash": "share/bash-completion/completions/simtcc",
        "zsh": "share/zsh/vendor-completions/_simtcc",
        "fish": "share/fish/vendor_completions.d/simtcc.fish",
    }
    works(shell, "-n", prefix / files[shell])


def test_completions_know_the_gpus_of_the_help(prefix: Path) -> None:
    help_text = works(prefix / "bin" / "simtcc", "--help")
    for file in (HERE.parent / "completions").iterdir():
        found = re.search(r"simtlab h200 [a-z0-9 ]+", file.read_text(encoding="utf-8"))
        assert found is not None, file
        for name in found[0].split():
            assert re.search(rf"\b{name}\b", help_text), f"{file.name}: {name}"
