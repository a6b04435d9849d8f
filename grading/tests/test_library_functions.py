"""Functions of the C library that a submission may call: what they access through a pointer is counted and checked."""

import re
import shutil
import subprocess
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from simtlab.audit.allowed import allowed_for
from simtlab.labs.specification import LabSpecification, PointsTable

ROOT = Path(__file__).parents[2]
TABLE = ROOT / "harness/emulator/trace/library_functions.def"
REACH = ROOT / "harness/emulator/trace/library_reach.toml"
HEADERS = [
    "math.h",
    "complex.h",
    "stdlib.h",
    "string.h",
    "strings.h",
    "stdio.h",
    "time.h",
    "ctype.h",
    "assert.h",
    "errno.h",
]
# The C++ runtime's own: exceptions, guards of local variables, casts by type information. Device code has none of them.
RUNTIME = re.compile(r"__cxa_|_Unwind_|__dynamic_cast|__gxx_|__pthread_|__cuda|__tls_|__stack_|__dso_|_GLOBAL_|__libc_")
# Sent to the emulator by rules of their own (translator/assembly_rewriter.cpp).
OTHERWISE = {"malloc", "free", "operator new", "operator delete", "__assert_fail"}
ALLOWED = allowed_for(LabSpecification(title="a lab", points=PointsTable(correct=1, safe=1, fast=1)))


def table() -> list[str]:
    return re.findall(r"^SIMTLAB_\w+\((\w+)\)", TABLE.read_text(encoding="utf-8"), re.MULTILINE)


def hooked() -> list[str]:
    return re.findall(r"^SIMTLAB_HOOKED\((\w+)\)", TABLE.read_text(encoding="utf-8"), re.MULTILINE)


def prototypes(folder: Path) -> dict[str, str]:
    """The parameters of everything that the C library's headers declare."""
    (folder / "all.c").write_text("".join(f"#include <{header}>\n" for header in HEADERS), encoding="utf-8")
    words = ["gcc", "-std=gnu17", "-D_GNU_SOURCE", "-fsyntax-only", "-aux-info", "all.txt", "all.c"]
    subprocess.run(words, cwd=folder, check=True, capture_output=True)
    text = (folder / "all.txt").read_text(encoding="utf-8")
    return dict(re.findall(r"extern [^(]*?(\w+) \((.*)\);", text))


def takes_pointer(parameters: str) -> bool:
    return "*" in parameters or "..." in parameters or "va_list" in parameters


@pytest.mark.skipif(not shutil.which("gcc"), reason="no gcc")
def test_every_allowed_function_that_takes_a_pointer_is_in_the_emulators_table(tmp_path: Path) -> None:
    declared = prototypes(tmp_path)
    assert [takes_pointer(declared[name]) for name in ("strlen", "printf", "sin")] == [True, True, False]
    unknown = []
    for name in sorted(ALLOWED.functions - set(table()) - OTHERWISE):
        if RUNTIME.match(name) or name.startswith("cuda"):
            continue
        if in_c(name) in declared and takes_pointer(declared[in_c(name)]):
            unknown.append(name)
    assert unknown == [], f"library_functions.def has to say what becomes of them in a kernel: {unknown}"


def in_c(name: str) -> str:
    """The function of the C library that stands behind a name of the compiler's or the library's own."""
    return re.sub(r"^__(\w+)_chk$", r"\1", re.sub(r"^__isoc\d+_", "", name))


@pytest.mark.skipif(not shutil.which("gcc"), reason="no gcc")
def test_what_every_allowed_function_reaches_for_host_code_is_known(tmp_path: Path) -> None:
    """Each function is hooked, takes no pointer, asks of its pointers itself (CUDA's), or has its row in the table."""
    declared = prototypes(tmp_path)
    scanning = {"__isoc99_sscanf", "__isoc23_sscanf"}  # host code's alone, and looked at where they store
    looked_at = {*hooked(), *scanning, "calloc", "aligned_alloc", "posix_memalign", "strdup"}
    asked = {
        name
        for name in ALLOWED.functions - looked_at
        if not name.startswith("cuda") and not (in_c(name) in declared and not takes_pointer(declared[in_c(name)]))
    }
    of_library = ALLOWED.standard_library | ALLOWED.standard_inner | set(ALLOWED.standard_prefixes)
    asked |= {f"std::{name}" for name in of_library}
    rows = [name for names in tomllib.loads(REACH.read_text(encoding="utf-8")).values() for name in names]
    assert [name for name, count in Counter(rows).items() if count > 1] == []
    assert sorted(asked - set(rows)) == [], "library_reach.toml has to say what they reach"
    assert sorted(set(rows) - asked) == [], "no submission may call these"


def test_the_table_names_each_function_once() -> None:
    names = table()
    assert len(names) == len(set(names))


def test_what_the_emulator_stands_in_for_is_allowed_before_the_tests_as_by_its_own_name() -> None:
    assert ALLOWED.initialiser("simtlab_memcpy")
    assert ALLOWED.initialiser("simtlab_tsan_read4")
    for name in ("printf", "time", "clock_gettime"):
        assert not ALLOWED.initialiser(name)
        assert not ALLOWED.initialiser(f"simtlab_{name}")
    assert ALLOWED.in_source("simtlab_time") == "time"
    assert ALLOWED.in_source("simtlab_launch") == "simtlab_launch"
