"""A submission may give its variables and functions any name that the C library and mathematics have, too, as far as
the headers leave it: it compiles, is accused of nothing, and neither its runner nor a library calls what it defines.

Needs a build tree, as test_build_tree.py does.
"""

import dataclasses
import re
import subprocess
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from simtlab.audit.audit import audit_of
from simtlab.compiler.compile import Compilation, compile_submission
from simtlab.judge.run import CaseLimits, judge_submission
from simtlab.labs.catalogue import Lab, read_catalogue
from simtlab.verdict import Verdict
from tests.test_build_tree import BUILD, ROOT, SOLUTIONS, pytestmark  # noqa: F401 - needs what that needs

LAB = "08-bank-conflicts"
OFTEN_MET = "error times wait index link random read write access gamma y0 j0 warn err sync select round".split()


def libraries_names() -> list[str]:
    """What the C library and mathematics export, in the version that this process runs with."""
    maps = Path("/proc/self/maps").read_text(encoding="utf-8")
    names: set[str] = set()
    for path in sorted(set(re.findall(r"/\S+/lib[cm]\.so\.6", maps))):
        with Path(path).open("rb") as stream:
            table = ELFFile(stream).get_section_by_name(".dynsym")
            assert isinstance(table, SymbolTableSection)
            names |= {one.name for one in table.iter_symbols() if one["st_shndx"] != "SHN_UNDEF"}
    return sorted(name for name in names if re.fullmatch(r"[a-z]\w*", name))


def definition(number: int, name: str) -> str:
    """One line that defines `name`, a different kind of thing from number to number."""
    kinds = [
        f"int {name} = 1;",
        f"__device__ float {name};",
        f'extern "C" int {name}(int a) {{ return a; }}',
        f"inline long {name} = 2;",
        f"__constant__ int {name}[2];",
    ]
    return kinds[number % len(kinds)]


def lab() -> Lab:
    return dataclasses.replace(read_catalogue(ROOT, BUILD).labs[LAB], hidden=None)


def built(of: Lab, text: str, place: Path) -> Compilation:
    sources = place / "submission"
    sources.mkdir(parents=True, exist_ok=True)
    (sources / "kernel.cu").write_text(text, encoding="utf-8")
    build = of.build.backends["emulator"]
    headers = [str(path) for path in build.depends if path.is_dir()]
    audit = audit_of({"kernel.cu": text}, of.specification, headers)
    return compile_submission(build, ["kernel.cu"], sources, place / "runner", audit=audit)


def with_own_names(solution: str, names: list[str], of: Lab, place: Path) -> tuple[str, int]:
    """The solution behind a line for each name that no header has already, and how many there are."""
    place.mkdir()
    lines = [definition(number, name) for number, name in enumerate(names)]
    compiler = of.build.backends["emulator"].compiler
    for _ in range(3):
        (place / "kernel.cu").write_text("\n".join(lines) + "\n" + solution, encoding="utf-8")
        words = [*compiler, "-fmax-errors=0", "-c", "kernel.cu", "-o", "kernel.o"]
        tried = subprocess.run(words, cwd=place, capture_output=True, text=True, check=False)
        if tried.returncode == 0:
            break
        for number in re.findall(r"^kernel\.cu:(\d+):\d+: error", tried.stderr, re.MULTILINE):
            if int(number) <= len(lines):
                lines[int(number) - 1] = ""
    return "\n".join(lines) + "\n" + solution, sum(line != "" for line in lines)


@pytest.mark.parametrize("kind", range(5))
def test_names_that_people_choose_are_theirs(kind: int, tmp_path: Path) -> None:
    solution = (SOLUTIONS / LAB / "kernel.cu").read_text(encoding="utf-8")
    names = OFTEN_MET[kind:] + OFTEN_MET[:kind]  # every name is every kind of thing once
    text, count = with_own_names(solution, names, lab(), tmp_path / "tried")
    assert count >= 8  # the other names are functions of headers that the solution has, for nvcc, too
    judged(text, tmp_path)


def test_every_name_of_the_libraries_may_be_ones_own(tmp_path: Path) -> None:
    solution = (SOLUTIONS / LAB / "kernel.cu").read_text(encoding="utf-8")
    text, count = with_own_names(solution, libraries_names(), lab(), tmp_path / "tried")
    assert count > 500
    judged(text, tmp_path)


def judged(text: str, place: Path) -> None:
    of = lab()
    compiled = built(of, text, place)
    assert compiled.findings == []
    assert compiled.verdict is None, compiled.message
    (place / "judgement").mkdir()
    facts = judge_submission(
        of,
        place / "runner",
        place / "judgement",
        submission="own-names",
        source=place / "submission" / "kernel.cu",
        backend="emulator",
        seed=11,
        limits=CaseLimits(),
        wall_seconds=300,
    )
    assert facts.verdict is Verdict.PASS, facts.message


def test_a_main_that_was_left_behind_is_a_compile_error_with_advice(tmp_path: Path) -> None:
    solution = (SOLUTIONS / LAB / "kernel.cu").read_text(encoding="utf-8")
    compiled = built(lab(), solution + "\nint main() { return 0; }\n", tmp_path)
    assert compiled.verdict is Verdict.COMPILE_ERROR
    assert "main" in compiled.message
    assert "hint" in compiled.stderr
