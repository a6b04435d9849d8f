"""The compiler's end becomes the right verdict: the program's fault, a bound, or ours."""

import dataclasses
from pathlib import Path

import pytest

from simtlab.audit.audit import audit_of
from simtlab.compiler.compile import Compilation, CompilerBounds, compile_submission
from simtlab.errors import GraderError
from simtlab.labs.catalogue import Catalogue
from simtlab.sandbox.sandbox import Sandbox
from simtlab.verdict import Verdict

BOUNDS = CompilerBounds(seconds=20, memory_mb=512)


def compiled(catalogue: Catalogue, folder: Path, wish: str, bounds: CompilerBounds = BOUNDS) -> Compilation:
    (folder / "kernel.cu").write_text(f"// fake compiler: {wish}\n", encoding="utf-8")
    build = catalogue.labs["07-shared-tiling"].build.backends["emulator"]
    return compile_submission(build, ["kernel.cu"], folder, folder / "runner", bounds=bounds)


def test_a_sound_program_becomes_a_runner(catalogue: Catalogue, tmp_path: Path) -> None:
    assert compiled(catalogue, tmp_path, "well").verdict is None
    assert (tmp_path / "runner").is_file()


def test_a_wrong_program_is_told_its_first_error_at_its_own_line(catalogue: Catalogue, tmp_path: Path) -> None:
    compilation = compiled(catalogue, tmp_path, "error")
    assert compilation.verdict is Verdict.COMPILE_ERROR
    assert compilation.message == "kernel.cu:3:5: error: expected ';' before 'int'"


@pytest.mark.parametrize(
    ("wish", "message"),
    [
        ("as nvcc", 'kernel.cu(16): error: expected a ";"'),
        ("as ptxas", "ptxas error   : Entry function 'k' uses too much shared data (0x10000 bytes, 0xc000 max)"),
    ],
)
def test_tools_of_nvcc_refuse_a_program_by_codes_of_their_own(
    catalogue: Catalogue, tmp_path: Path, wish: str, message: str
) -> None:
    compilation = compiled(catalogue, tmp_path, wish)
    assert (compilation.verdict, compilation.message) == (Verdict.COMPILE_ERROR, message)


def test_what_the_translator_does_not_allow_is_forbidden(catalogue: Catalogue, tmp_path: Path) -> None:
    compilation = compiled(catalogue, tmp_path, "refused")
    assert compilation.verdict is Verdict.FORBIDDEN
    assert compilation.message == "kernel.cu:4:1: error: not allowed: assembly (`asm`). Write it in C++."


def test_a_compiler_that_never_ends_reaches_its_bound(catalogue: Catalogue, tmp_path: Path) -> None:
    compilation = compiled(catalogue, tmp_path, "sleep", dataclasses.replace(BOUNDS, seconds=0.5))
    assert compilation.verdict is Verdict.COMPILER_LIMIT
    assert "ran longer than 0.5 s" in compilation.message


def test_endless_messages_reach_their_bound(catalogue: Catalogue, tmp_path: Path) -> None:
    compilation = compiled(catalogue, tmp_path, "chatter")
    assert compilation.verdict is Verdict.COMPILER_LIMIT
    assert len(compilation.stderr) < 20_000


def test_memory_without_end_reaches_its_bound(catalogue: Catalogue, tmp_path: Path) -> None:
    compilation = compiled(catalogue, tmp_path, "memory", dataclasses.replace(BOUNDS, memory_mb=200))
    assert compilation.verdict is Verdict.COMPILER_LIMIT
    assert "200 MB of memory" in compilation.message


@pytest.mark.parametrize(
    ("wish", "complaint"),
    [("internal", "exit code 3"), ("usage", "exit code 2"), ("nothing", "wrote no runner")],
)
def test_everything_else_is_our_fault(catalogue: Catalogue, tmp_path: Path, wish: str, complaint: str) -> None:
    with pytest.raises(GraderError, match=complaint):
        compiled(catalogue, tmp_path, wish)


def test_the_sandbox_stands_before_the_compiler(catalogue: Catalogue, tmp_path: Path) -> None:
    (tmp_path / "kernel.cu").write_text("", encoding="utf-8")
    build = catalogue.labs["07-shared-tiling"].build.backends["emulator"]
    sandbox = Sandbox(Path("/no/such/sandbox"))
    with pytest.raises(GraderError, match="/no/such/sandbox"):
        compile_submission(build, ["kernel.cu"], tmp_path, tmp_path / "runner", sandbox=sandbox)


def audited(catalogue: Catalogue, folder: Path, wish: str, expanded_text: str) -> Compilation:
    text = f"// fake compiler: {wish}\nint main() {{ asm(); }}\n"
    (folder / "kernel.cu").write_text(text, encoding="utf-8")
    lab = catalogue.labs["07-shared-tiling"]
    build = lab.build.backends["emulator"].model_copy(update={"expanded_text": expanded_text})
    audit = dataclasses.replace(audit_of({"kernel.cu": text}, lab.specification, []), objects=False)
    return compile_submission(build, ["kernel.cu"], folder, folder / "runner", audit=audit, bounds=BOUNDS)


@pytest.mark.parametrize("option", ["--expanded-text=", ""])
def test_the_text_that_the_compiler_keeps_is_audited_as_a_preprocessors_would_be(
    catalogue: Catalogue, tmp_path: Path, option: str
) -> None:
    compilation = audited(catalogue, tmp_path, "well", option)
    assert compilation.verdict is Verdict.FORBIDDEN
    assert [(one.subject, one.file, one.line) for one in compilation.findings] == [("asm", "kernel.cu", 2)]


def test_what_the_compiler_refuses_is_audited_by_the_text_that_it_kept(catalogue: Catalogue, tmp_path: Path) -> None:
    compilation = audited(catalogue, tmp_path, "error behind the text", "--expanded-text=")
    assert [one.subject for one in compilation.findings] == ["asm"]
    assert "no such name" in compilation.stderr
