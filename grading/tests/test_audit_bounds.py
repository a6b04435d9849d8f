"""The audit is bounded: whatever a submission is, its audit ends within its limits, with a verdict for it alone, and a
limit accuses nobody."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from simtlab.audit.allowed import LabLists, allowed_with
from simtlab.audit.audit import Audit
from simtlab.audit.finding import AuditFinding, Rule
from simtlab.audit.limits import DEFAULT_BOUNDS, AuditBounds, AuditLimit
from simtlab.audit.process import CompiledSource, audit_in_process
from simtlab.compiler.compile import compile_submission
from simtlab.errors import GraderError
from simtlab.labs.build_description import BackendBuild
from simtlab.verdict import Verdict

FILE = "kernel.cu"
ACCUSING = {"cheat", "forbidden", "malicious", "attack", "illegal", "suspicious"}
needs_compiler = pytest.mark.skipif(not shutil.which("g++"), reason="no g++")


def audited(folder: Path, text: str, *, assembly: str = "", bounds: AuditBounds = DEFAULT_BOUNDS) -> list[AuditFinding]:
    """Findings of the process that audits `text` as the preprocessor's result, and an object of that assembly."""
    (folder / "kernel.ii").write_text(f'# 1 "{FILE}"\n{text}', encoding="utf-8")
    made = None
    if assembly:
        (folder / "kernel.s").write_text(assembly, encoding="utf-8")
        subprocess.run(["g++", "-c", "kernel.s", "-o", "kernel.o"], cwd=folder, check=True)
        made = folder / "kernel.o"
    audit = Audit({FILE: text[:1000]}, allowed_with(LabLists()))
    return audit_in_process(audit, [CompiledSource(FILE, folder / "kernel.ii", made)], folder, bounds=bounds)


def with_static_objects(count: int) -> str:
    """What a compiler makes of so many static objects with a destructor of their own."""
    registered = "".join(
        f"mov $a{i}, %esi\nmov $__dso_handle, %edx\nmov $_ZN1sD1Ev, %edi\ncall __cxa_atexit\n" for i in range(count)
    )
    objects = "".join(f".globl a{i}\n.type a{i}, @object\na{i}: .zero 4\n.size a{i}, 4\n" for i in range(count))
    return (
        ".text\n.globl _ZN1sD1Ev\n.type _ZN1sD1Ev, @function\n_ZN1sD1Ev: ret\n.size _ZN1sD1Ev, .-_ZN1sD1Ev\n"
        f".type _GLOBAL__sub_I_a, @function\n_GLOBAL__sub_I_a:\n{registered}ret\n"
        '.size _GLOBAL__sub_I_a, .-_GLOBAL__sub_I_a\n.section .init_array, "aw"\n.quad _GLOBAL__sub_I_a\n'
        f".bss\n{objects}"
    )


def with_symbols(count: int) -> str:
    return ".text\n" + "".join(f".globl f{i}\nf{i}:\n" for i in range(count))


@needs_compiler
@pytest.mark.parametrize("count", [4000, pytest.param(50_000, marks=pytest.mark.long)])
def test_static_objects_cost_what_they_are_and_not_their_square(tmp_path: Path, count: int) -> None:
    # 4,000 took 356 s once. The bound is processor time with a wide margin, so that no load on the machine matters.
    bounds = AuditBounds(cpu_seconds=max(15, count // 1000))
    findings = audited(tmp_path, "struct s { ~s(); };\n", assembly=with_static_objects(count), bounds=bounds)
    assert findings == []


@pytest.mark.parametrize("count", [600_000, pytest.param(10_000_000, marks=pytest.mark.long)])
def test_tokens_without_end_are_a_limit(tmp_path: Path, count: int) -> None:
    with pytest.raises(AuditLimit, match=r"more than 500,000 words and signs.*look for macros"):
        audited(tmp_path, ";" * count)


@needs_compiler
@pytest.mark.parametrize("count", [250_000, pytest.param(1_000_000, marks=pytest.mark.long)])
def test_symbols_without_end_are_a_limit(tmp_path: Path, count: int) -> None:
    with pytest.raises(AuditLimit, match="more than 200,000 functions and variables"):
        audited(tmp_path, "", assembly=with_symbols(count))


@needs_compiler
def test_sections_and_references_have_limits_too(tmp_path: Path) -> None:
    sections = "".join(f'.section .text.f{i}, "ax"\nret\n' for i in range(50))
    with pytest.raises(AuditLimit, match="more than 20 sections"):
        audited(tmp_path, "", assembly=sections, bounds=AuditBounds(sections=20))
    references = ".text\n" + "call f\n" * 50
    with pytest.raises(AuditLimit, match="more than 49 places"):
        audited(tmp_path, "", assembly=references, bounds=AuditBounds(references=49))
    assert [one.subject for one in audited(tmp_path, "", assembly=references)] == ["f"]


def test_what_the_counts_let_pass_ends_by_time_or_memory(tmp_path: Path) -> None:
    text = "int a;\n" * 150_000
    with pytest.raises(AuditLimit, match="takes more to check than it may"):
        audited(tmp_path, text, bounds=AuditBounds(cpu_seconds=1, tokens=10**9))
    with pytest.raises(AuditLimit, match="takes more to check than it may"):
        audited(tmp_path, text, bounds=AuditBounds(memory_mb=40, tokens=10**9))


def test_a_sentence_about_a_limit_accuses_nobody(tmp_path: Path) -> None:
    with pytest.raises(AuditLimit) as told:
        audited(tmp_path, ";" * 100, bounds=AuditBounds(tokens=10))
    assert not set(str(told.value).lower().split()) & ACCUSING


def test_an_audit_that_fails_is_our_fault(tmp_path: Path) -> None:
    audit = Audit({FILE: ""}, allowed_with(LabLists()))
    with pytest.raises(GraderError, match="FileNotFoundError"):
        audit_in_process(audit, [CompiledSource(FILE, tmp_path / "missing.ii", None)], tmp_path)


def test_a_name_as_long_as_a_file_makes_no_long_sentence(tmp_path: Path) -> None:
    [finding] = audited(tmp_path, "__builtin_frame_address" + "a" * 500_000)
    assert (finding.rule, finding.line) == (Rule.INTERNAL_NAME, 1)
    assert len(json.dumps(finding.message)) < 1000


@needs_compiler
@pytest.mark.parametrize(
    ("text", "verdict", "words"),
    [
        ("int f() { return 1; }\n", None, ""),
        ("#define A ;;;;;;;;\n#define B A A A A A A A A\n#define C B B B B B B B B\n" + "C\n" * 1200,
         Verdict.COMPILER_LIMIT, "more than 500,000 words"),
        ("int fork();\nint f() { return fork() }\n", Verdict.COMPILE_ERROR, "error"),
        ('asm("nop");\nint f() { return }\n', Verdict.FORBIDDEN, "assembly"),
        ('#include "../x.h"\n', Verdict.FORBIDDEN, "header"),
    ],
)  # fmt: skip
def test_a_limit_is_a_verdict_of_this_one_submission(
    tmp_path: Path, text: str, verdict: Verdict | None, words: str
) -> None:
    sources = tmp_path / "submission"
    sources.mkdir()
    (sources / FILE).write_text(text, encoding="utf-8")
    build = BackendBuild(compiler=[str(compiler(tmp_path))], link=[])
    audit = Audit({FILE: text}, allowed_with(LabLists()))
    made = compile_submission(build, [FILE], sources, tmp_path / "runner", audit=audit)
    assert made.verdict is verdict, made
    assert words in made.message
    if verdict is Verdict.COMPILER_LIMIT:
        assert made.findings == []


def compiler(folder: Path) -> Path:
    """g++, which takes nvcc's words and links what has no main."""
    path = folder / "compiler"
    path.write_text(
        '#!/bin/sh\nfor word; do shift; case "$word" in -Xcompiler|-U__CUDA_ARCH__) ;; *) set -- "$@" "$word";; esac;'
        ' done\ncase "$1" in *.o) exec g++ "$@" -shared;; *) exec g++ -x c++ -fPIC "$@";; esac\n',
        encoding="utf-8",
    )
    path.chmod(0o755)
    return path
