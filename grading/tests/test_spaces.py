"""A program that no CUDA compiler accepts is a compile error here, too, on a machine with g++ alone.

Needs the real simtcc: `$SIMTLAB_BUILD`, else build/default of this checkout.
"""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from simtlab.compiler.compile import Compilation, compile_submission
from simtlab.errors import GraderError, LabError
from simtlab.labs.build_description import BackendBuild, FrontEnd, read_build_description
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


def compiled(source: str, folder: Path, front_end: FrontEnd | None = None) -> Compilation:
    (folder / "kernel.cu").write_text(source, encoding="utf-8")
    build = BackendBuild(compiler=[str(BUILD / "bin" / "simtcc")], link=[], front_ends=[front_end] if front_end else [])
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


ARRAY_OF_VARIABLE_SIZE = "__global__ void k(int* p, int n) { int a[n]; a[0] = p[0]; p[0] = a[0]; }\n"


def front_ends() -> list[FrontEnd]:
    """Those that the build found, whether or not its labs ask them."""
    words = [
        line.split(" ", 1)
        for line in (BUILD / "emulator" / "simtcc.conf").read_text(encoding="utf-8").splitlines()
        if line.startswith(("front-end ", "front-end-name "))
    ]
    return [
        FrontEnd(name=name, program=Path(program))
        for (_, program), (_, name) in zip(words[::2], words[1::2], strict=True)
    ]


def test_what_only_a_front_end_refuses_is_a_compile_error_in_the_students_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert front_ends(), f"{BUILD} was configured without a CUDA front end: apt-get install clang, then make check"
    source = SOLUTION.read_text(encoding="utf-8")
    line = source.count("\n") + 1
    for found in front_ends():
        monkeypatch.setenv("SIMTLAB_FRONT_END", found.name.split()[0])
        folder = tmp_path / found.program.name
        folder.mkdir()
        compilation = compiled(source + ARRAY_OF_VARIABLE_SIZE, folder, found)
        assert compilation.verdict is Verdict.COMPILE_ERROR
        assert re.match(rf"kernel\.cu[:(]{line}\b", compilation.message)
        assert f"({found.name} refuses it)" in compilation.message


@pytest.mark.parametrize(
    "condition",
    ["defined(__clang__)", "__clang_major__ + 0 > 3", "defined(__llvm__)", "defined(__CUDA__)", "__GNUC__ + 0 < 9"],
)
def test_conditions_on_a_compilers_name_are_the_host_compilers_for_each_front_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, condition: str
) -> None:
    source = SOLUTION.read_text(encoding="utf-8")
    for found in front_ends():
        monkeypatch.setenv("SIMTLAB_FRONT_END", found.name.split()[0])
        for written, is_read in ((f"!({condition})", True), (condition, False)):
            folder = tmp_path / f"{found.program.name}-{is_read}"
            folder.mkdir()
            text = f"{source}#if {written}\n{ARRAY_OF_VARIABLE_SIZE}#endif\n"
            message = compiled(text, folder, found).message
            assert (f"({found.name} refuses it)" in message) is is_read, (found.name, written, message)


def macros_of(words: list[str], folder: Path) -> dict[str, str]:
    """Name, with its parameters, and replacement of all that a compiler defines for an empty source."""
    (folder / "empty.cu").write_text("", encoding="utf-8")
    text = subprocess.run([*words, "empty.cu"], cwd=folder, check=True, capture_output=True, text=True).stdout
    found = re.findall(r"^#define (\w+)(\([^)]*\))?(.*)$", text, re.MULTILINE)
    return {name: parameters + replacement for name, parameters, replacement in found}


def of_simtcc(folder: Path) -> dict[str, str]:
    """What simtcc's preprocessor defines, by a file that asks for nothing."""
    (folder / "empty.cu").write_text("", encoding="utf-8")
    words = [str(BUILD / "bin" / "simtcc"), "--keep", "kept", "-c", "empty.cu", "-o", "empty.o"]
    (folder / "kept").mkdir()
    subprocess.run(words, cwd=folder, check=True)
    text = (folder / "kept" / "empty.ii").read_text(encoding="utf-8")
    found = re.findall(r"^#define (\w+)(\([^)]*\))?(.*)$", text, re.MULTILINE)
    return {name: parameters + replacement for name, parameters, replacement in found}


KNOWN_TO_DIFFER = {
    "__STRICT_ANSI__": "nvcc knows no GNU dialects",
    "__CUDA_ARCH_LIST__": "simtcc emulates one GPU",
    "__CUDACC_VER_BUILD__": "it is the toolkit's",
    "CUDART_DEVICE": "a word of the toolkit's headers",
    "CUDART_VERSION": "the emulator's API has a version of its own",
}
"""Some macros that tell nvcc from simtcc, each with the reason. No macro of whatever name may."""


def kernels_that_ask(names: list[str]) -> list[str]:
    """Two kernels whose arrays have a constant size for a compiler with one of the macros, else a variable one."""
    kernel = "__global__ void {}(int* p, int n) {{ int a[{}]; a[0] = p[0]; p[0] = a[0]; }}"
    conditions = " || ".join(f"defined({name})" for name in names)
    texts = " || ".join(f'sizeof(TEXT_OF({name})) != sizeof("{name}")' for name in names)
    size = f"size_of_{names[0]}"
    return [
        f"#if {conditions}",
        f"#define {size} 8",
        "#else",
        f"#define {size} n",
        "#endif",
        kernel.format(f"asks_{names[0]}", size),
        kernel.format(f"writes_{names[0]}", f"({texts} ? 8 : n)"),
    ]


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="there is no nvcc")
def test_no_macro_that_nvcc_defines_otherwise_shows_it_another_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nvcc = next((one for one in front_ends() if one.name.startswith("nvcc")), None)
    if nvcc is None:
        pytest.skip("the build found no nvcc")
    monkeypatch.setenv("SIMTLAB_FRONT_END", "nvcc")
    theirs = macros_of([str(nvcc.program), "-E", "-Xcompiler", "-dM", "-std=c++17", "-arch=sm_90"], tmp_path)
    ours = of_simtcc(tmp_path)
    differ = sorted(name for name, value in theirs.items() if ours.get(name) != value and "(" not in value[:1])
    assert set(differ) >= KNOWN_TO_DIFFER.keys(), "these are alike now: take them off the list"
    only_theirs = [name for name in differ if name not in ours and not name.startswith("__constant__")]
    assert len(only_theirs) > 100
    lines = ["#define TEXT(x) #x", "#define TEXT_OF(x) TEXT(x)"]
    groups = [only_theirs[begin : begin + 8] for begin in range(0, len(only_theirs), 8)]  # nvcc stops after 100 errors
    for group in groups:
        lines += kernels_that_ask(group)
    (tmp_path / "asks.cu").write_text("\n".join(lines) + "\n", encoding="utf-8")
    words = [str(BUILD / "bin" / "simtcc"), f"--front-end={nvcc.program}", "-c", "asks.cu", "-o", "asks.o"]
    said = subprocess.run(words, cwd=tmp_path, check=False, capture_output=True, text=True).stderr
    refused = {int(line) for line in re.findall(r"asks\.cu:(\d+)", said)}
    wanted = [number for number, line in enumerate(lines, 1) if line.startswith("__global__")]
    assert len(wanted) == 2 * len(groups)
    assert [lines[number - 1] for number in wanted if number not in refused] == [], said[:2000]


def test_text_that_a_macro_makes_of_a_qualifier_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = SOLUTION.read_text(encoding="utf-8")
    texts = "#define TEXT(x) #x\n#define TEXT_OF(x) TEXT(x)\nconst char* text = TEXT_OF(__global__);\n"
    for found in front_ends():
        monkeypatch.setenv("SIMTLAB_FRONT_END", found.name.split()[0])
        folder = tmp_path / found.program.name
        folder.mkdir()
        message = compiled(source + texts, folder, found).message
        assert "not allowed: a macro that makes text of a CUDA qualifier" in message


def test_a_computed_jump_is_a_compile_error_whatever_hides_it(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("computed", "plain")]
    for folder in folders:
        folder.mkdir()
    jump = "int f(int i) {\n  static void* to[] = {&&a, &&b};\n  GO *to[i];\na: return 0;\nb: return 1;\n}\n"
    message = compiled("#define GO goto\n" + jump, folders[0]).message
    assert re.match(r"kernel\.cu:4:\d+: error: `goto \*`, a jump to a label by its address", message)
    plain = 'const char* text = " goto _2;";\nint f() { goto end; end: return text[0]; }\n'
    assert "goto" not in compiled(plain, folders[1]).message


def test_the_grader_asks_nvcc_where_the_toolkit_is_unless_told_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    clang, nvcc = (FrontEnd(name=name, program=Path("/bin") / name) for name in ("clang++", "nvcc"))
    build = BackendBuild(compiler=["simtcc"], link=[], front_ends=[nvcc, clang])
    monkeypatch.delenv("SIMTLAB_FRONT_END", raising=False)
    assert build.front_end == nvcc
    assert BackendBuild(compiler=["simtcc"], link=[], front_ends=[clang]).front_end == clang
    assert BackendBuild(compiler=["simtcc"], link=[]).front_end is None
    monkeypatch.setenv("SIMTLAB_FRONT_END", "clang++")
    assert build.front_end == clang
    monkeypatch.setenv("SIMTLAB_FRONT_END", "hipcc")
    with pytest.raises(LabError, match=r"SIMTLAB_FRONT_END=hipcc names none of .*: nvcc and clang\+\+"):
        _ = build.front_end


def test_the_build_names_nvcc_before_clang() -> None:
    description = read_build_description(BUILD / "labs" / LAB / "lab.json")
    found = [one.name.split()[0] for one in description.backends["emulator"].front_ends]
    assert found == sorted(found, reverse=True)
    assert set(found) == {one.name.split()[0] for one in front_ends()}


def test_a_front_end_that_was_not_found_is_named_beside_those_that_were(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SIMTLAB_FRONT_END", "nvcc")
    missing = FrontEnd(name="nvcc 99", program=Path("/nowhere/nvcc"))
    with pytest.raises(
        GraderError, match="--front-end=/nowhere/nvcc is none of the CUDA front ends that the build found"
    ):
        compiled(SOLUTION.read_text(encoding="utf-8"), tmp_path, missing)
