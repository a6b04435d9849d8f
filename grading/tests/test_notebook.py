"""`%%simt`: options, the compiler's messages at the cell's lines, findings, counters, and the notebooks of the labs."""

import json
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import nbformat
import pytest
from IPython.core.error import UsageError as NotebookUsageError
from nbclient import NotebookClient

import simtlab
from simtlab.errors import UsageError
from simtlab.installed import simtcc_of_package
from simtlab.notebook import magic
from simtlab.notebook.html_view import result_html
from simtlab.notebook.messages import Message, messages_of
from simtlab.notebook.options import CellOptions, HelpAskedFor, help_text, parse_options
from simtlab.notebook.program import CellResult, run_cell
from simtlab.notebook.report import read_report
from simtlab.notebook.text_view import result_text

ROOT = Path(__file__).resolve().parents[2]
BOOKS = sorted((ROOT / "labs").glob("*/notebook.ipynb"))

RACE = """#include <cstdio>
__global__ void turn_round(int* numbers) {
  __shared__ int copy[64];
  copy[threadIdx.x] = numbers[threadIdx.x];
  numbers[threadIdx.x] = copy[63 - threadIdx.x];
}
int main() {
  int* numbers;
  cudaMalloc(&numbers, 64 * sizeof(int));
  cudaMemset(numbers, 0, 64 * sizeof(int));
  turn_round<<<1, 64>>>(numbers);
  cudaDeviceSynchronize();
  cudaFree(numbers);
  printf("done\\n");
}
"""


# ---- Options and messages --------------------------------------------------------------------------------------------


def test_options_are_what_the_line_says() -> None:
    assert parse_options("") == CellOptions()
    given = parse_options('--name tile --args "1024 \'two words\'" --options "-DTILE=16 -O3" --no-counters --strict')
    assert (given.name, given.file, given.args) == ("tile", "tile.cu", ("1024", "two words"))
    assert (given.compiler, given.counters, given.strict) == (("-DTILE=16", "-O3"), False, True)
    assert parse_options("--limit-seconds 0.5").seconds == 0.5
    assert parse_options("--lab 08").lab == "08"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("--nam x y", "unrecognized arguments: y"),
        ("--colour", "unrecognized arguments: --colour"),
        ("--name 2fast", "'2fast' is no name of a variable"),
        ("--name class", "'class' is no name of a variable"),
        ("--name a/b", "'a/b' is no name of a variable"),
        ("--limit-seconds soon", "expected seconds, a number above 0"),
        ("--limit-seconds 0", "expected seconds, a number above 0"),
        ("--limit-seconds nan", "expected seconds, a number above 0"),
        ('--args "one', "No closing quotation"),
        ("--args", "expected one argument"),
        ("--lab 08 --args 7", "leave --args, --options and --name out"),
    ],
)
def test_a_word_that_is_no_option_is_refused_by_name(line: str, expected: str) -> None:
    with pytest.raises(UsageError, match=re.escape(expected)):
        parse_options(line)


def test_help_names_every_option() -> None:
    with pytest.raises(HelpAskedFor):
        parse_options("--help")
    for option in ("--name", "--args", "--options", "--no-counters", "--limit-seconds", "--strict", "--lab"):
        assert option in help_text()


def test_messages_are_those_about_the_cell() -> None:
    said = """cell.cu: In function 'int main()':
cell.cu:3:5: error: expected ';' before 'int'
    3 |     int a
/tmp/x/cell.cu:7: warning: unused variable 'b' [-Wunused-variable]
/usr/include/stdio.h:3:1: error: not the reader's
"""
    assert messages_of(said, "cell.cu") == [
        Message(3, 5, "error", "expected ';' before 'int'"),
        Message(7, 0, "warning", "unused variable 'b' [-Wunused-variable]"),
    ]


# ---- Views -----------------------------------------------------------------------------------------------------------


class Balance(HTMLParser):
    """Raises where tags are not closed in order; collects the text."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag != "script"
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def text_of(html: str) -> str:
    reader = Balance()
    reader.feed(html)
    assert not reader.open
    return " ".join(reader.text.split())


def test_the_html_of_a_compile_error_has_the_line_and_a_mark_below_its_column() -> None:
    source = "\nint main() {\n  return <script>alert(1)</script>;\n}\n"
    said = "cell.cu:3:10: error: expected <b>primary</b>-expression\n"
    html = result_html(CellResult("cell.cu", source, said, messages_of(said, "cell.cu")))
    assert "cell.cu:3 expected <b>primary</b>-expression" in text_of(html)
    assert "   3    return &lt;script&gt;alert(1)&lt;/script&gt;;\n               ^" in html
    assert text_of(html).endswith("cell.cu does not compile")


def test_without_a_message_about_the_cell_everything_that_was_said_is_shown() -> None:
    result = CellResult("cell.cu", "\n", "simtcc: cl&ck is wrong\n")
    assert "simtcc: cl&ck is wrong" in text_of(result_html(result))
    assert result_text(result) == "simtcc: cl&ck is wrong\ncell.cu does not compile"


def test_a_program_that_leaves_no_report_is_told_so(tmp_path: Path) -> None:
    assert read_report(tmp_path / "none.json") is None
    (tmp_path / "torn.json").write_text('{"format":')
    assert read_report(tmp_path / "torn.json") is None
    result = CellResult("cell.cu", "\n", exit_code=-9, seconds=1)
    assert result_text(result) == "cell.cu: ended by signal 9; it left no report; 1.00 s"
    assert not result.right


# ---- Programs, with the real simtcc ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def simtcc() -> Path:
    return simtcc_of_package()


def run(simtcc: Path, cell: str, line: str = "") -> tuple[CellResult, list[tuple[str, str]]]:
    """The result, and what was handed on while the program ran."""
    heard: list[tuple[str, str]] = []
    return run_cell(cell, parse_options(line), lambda stream, text: heard.append((stream, text)), simtcc), heard


@pytest.mark.build_tree
def test_a_finding_names_both_lines_as_the_notebook_counts_them(simtcc: Path) -> None:
    result, heard = run(simtcc, RACE, "--name race")
    assert (result.exit_code, result.stdout, result.stderr) == (86, "done\n", "")
    assert heard == [("stdout", "done\n")]
    assert result.report is not None
    race = result.report.findings[0]
    # `%%simt` stands in line 1, so what is line 4 of the text above is line 5 of the cell.
    assert (race.rule, race.severity, sorted(place.line for place in race.places)) == ("shared-race", "error", [5, 6])
    text = result_text(result)
    assert "race.cu:6: error: shared-race of copy in kernel turn_round (64 times)" in text
    assert "race.cu:5: thread (32,0,0) of block (0,0,0) writes copy[32]" in text
    page = text_of(result_html(result))
    assert "error race.cu:6 shared-race of copy in kernel turn_round (64 times)" in page
    assert "6 numbers[threadIdx.x] = copy[63 - threadIdx.x];" in page


@pytest.mark.build_tree
def test_counters_stand_beside_their_lines_and_can_be_left_out(simtcc: Path) -> None:
    result, _ = run(simtcc, RACE)
    assert result.report is not None
    found = {(one.line, one.space, one.access, one.requests, one.lanes_per_request) for one in result.report.lines}
    assert found == {
        (5, "global", "read", 2, 32.0),
        (5, "shared", "write", 2, 32.0),
        (6, "shared", "read", 2, 32.0),
        (6, "global", "write", 2, 32.0),
    }
    rows = [" ".join(line.split()) for line in result_text(result).splitlines() if "global write numbers" in line]
    assert rows == ["6 numbers[threadIdx.x] = copy[63 - threadIdx.x]; global write numbers 2 32.0 4.00 sectors 4.00"]
    assert "turn_round<<<(1,1,1), (64,1,1)>>>: 1 launch" in text_of(result_html(result))
    without, _ = run(simtcc, RACE, "--no-counters")
    assert without.report is not None
    assert (without.report.lines, len(without.report.findings)) == ([], 1)
    assert "<table" not in result_html(without)


@pytest.mark.build_tree
def test_words_of_constant_memory_are_counted_and_marked_where_they_are_many(simtcc: Path) -> None:
    cell = """__constant__ int table[32];
__global__ void k(int* out) { out[threadIdx.x] = table[threadIdx.x]; }
int main() { int* out; cudaMalloc(&out, 128); k<<<1, 32>>>(out); return cudaFree(out); }
"""
    result, _ = run(simtcc, cell)
    assert result.report is not None
    read = next(one for one in result.report.lines if one.space == "constant")
    assert (read.unit, read.cost_per_request, read.least_per_request) == ("words", 32, 1)
    assert '<td style="color:#c62828;font-weight:bold">32.00 words</td>' in result_html(result)


@pytest.mark.build_tree
def test_a_compile_error_is_at_the_line_of_the_cell(simtcc: Path) -> None:
    result, heard = run(simtcc, "int main() {\n  return a;\n}\n")
    assert not result.compiled
    assert not heard
    assert [(one.line, one.kind) for one in result.messages] == [(3, "error")]
    assert result_text(result).splitlines()[-1] == "cell.cu does not compile"


@pytest.mark.build_tree
def test_arguments_options_and_the_folder_of_the_notebook_reach_the_program(
    simtcc: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.h").write_text("#define NAME MORE\n")
    (tmp_path / "data.txt").write_text("17")
    cell = """#include "mine.h"
#include <cstdio>
int main(int count, char** words) {
  int number = 0;
  std::FILE* data = std::fopen("data.txt", "r");
  if (data == nullptr || std::fscanf(data, "%d", &number) != 1) return 3;
  std::printf("%d %s %d %d\\n", count, words[2], NAME, number);
  std::fprintf(stderr, "and this\\n");
}
"""
    result, heard = run(simtcc, cell, "--args \"a 'b c'\" --options -DMORE=5")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "3 b c 5 17\n", "and this\n")
    assert sorted(heard) == [("stderr", "and this\n"), ("stdout", "3 b c 5 17\n")]
    assert result.right


@pytest.mark.build_tree
@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("while (true) {}", "it was ended after 0.3 s; --limit-seconds allows more"),
        ("close(1); close(2); while (true) {}", "it was ended after 0.3 s; --limit-seconds allows more"),
        ('while (true) std::printf("again and again\\n");', "it printed more than 1 MB"),
    ],
)
def test_a_program_without_end_is_ended(simtcc: Path, body: str, expected: str) -> None:
    seconds = "0.3" if "ended after" in expected else "60"
    result, _ = run(
        simtcc, f"#include <cstdio>\n#include <unistd.h>\nint main() {{ {body} }}\n", f"--limit-seconds {seconds}"
    )
    assert expected in result_text(result)
    assert not result.right


# ---- The magic -------------------------------------------------------------------------------------------------------


class Shell:
    """As much of IPython as the magic uses."""

    def __init__(self) -> None:
        self.user_ns: dict[str, Any] = {}
        self.magics: dict[str, Callable[..., None]] = {}
        self.next_input = ""

    def register_magic_function(self, function: Callable[..., None], kind: str, name: str) -> None:
        self.magics[f"{kind} {name}"] = function

    def set_next_input(self, text: str) -> None:
        self.next_input = text


@pytest.fixture
def shell() -> Shell:
    made = Shell()
    simtlab.load_ipython_extension(made)  # type: ignore[arg-type]
    return made


def test_the_extension_registers_both_magics(shell: Shell) -> None:
    assert sorted(shell.magics) == ["cell simt", "line simt_lab"]
    assert "--limit-seconds" in (shell.magics["cell simt"].__doc__ or "")


def test_a_slip_in_the_line_is_one_sentence_without_a_traceback(shell: Shell) -> None:
    with pytest.raises(NotebookUsageError, match="unrecognized arguments: --colour"):
        shell.magics["cell simt"]("--colour", "")
    with pytest.raises(NotebookUsageError, match="there is no lab 'tilling'"):
        shell.magics["line simt_lab"]("tilling")


def test_help_is_printed(shell: Shell, capsys: pytest.CaptureFixture[str]) -> None:
    shell.magics["cell simt"]("--help", "")
    assert "end the program after S (60) seconds" in capsys.readouterr().out


def test_without_simtcc_the_next_step_is_named(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> Path:
        raise UsageError("simtcc is not built here: install simtlab's wheel")

    monkeypatch.setattr(magic, "simtcc_of_package", none)
    with pytest.raises(NotebookUsageError, match="install simtlab's wheel"):
        shell.magics["cell simt"]("", "int main() {}")


def test_a_labs_stub_becomes_the_next_cell(shell: Shell) -> None:
    shell.magics["line simt_lab"]("8")
    stub = (ROOT / "labs" / "08-bank-conflicts" / "kernel.cu").read_text(encoding="utf-8")
    assert shell.next_input == f"%%simt --lab 08\n{stub}"


# ---- Notebooks -------------------------------------------------------------------------------------------------------


def executed(cells: list[str]) -> list[list[Any]]:
    """The outputs of each cell, by a real kernel."""
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in cells])  # type: ignore[no-untyped-call]
    NotebookClient(book, timeout=300, kernel_name="python3", allow_errors=True).execute()
    return [cell["outputs"] for cell in book["cells"]]


def shown(outputs: list[Any], kind: str = "text/plain") -> str:
    return "\n".join(one["data"][kind] for one in outputs if one["output_type"] == "display_data")


@pytest.mark.build_tree
def test_a_notebook_shows_output_findings_and_counters_and_goes_on_with_the_result() -> None:
    _, ran, python, wrong, strict, after = executed(
        [
            "%load_ext simtlab",
            f"%%simt --name race\n{RACE}",
            "print(race.exit_code, race.report.findings[0].rule)",
            "%%simt\nint main() { return x; }",
            "%%simt --strict\nint main() { return 4; }",
            "print('still here')",
        ]
    )
    assert [one["text"] for one in ran if one["output_type"] == "stream"] == ["done\n"]
    assert "race.cu:6: error: shared-race of copy" in shown(ran)
    assert "\x1b" not in shown(ran)
    assert "<table>" in shown(ran, "text/html")
    assert python[0]["text"] == "86 shared-race\n"
    assert "cell.cu:2:21: error: 'x' was not declared" in shown(wrong).replace("‘", "'").replace("’", "'")
    assert [one["ename"] for one in strict if one["output_type"] == "error"] == ["CellFailed"]
    assert "exit code 4" in shown(strict)
    assert after[0]["text"] == "still here\n"


@pytest.mark.build_tree
def test_a_cell_that_is_a_labs_kernel_is_judged_by_its_tests(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    monkeypatch.setattr(magic, "_display", lambda text, _: seen.append(text))
    stub = (ROOT / "labs" / "08-bank-conflicts" / "kernel.cu").read_text(encoding="utf-8")
    shell.magics["cell simt"]("--lab 08", stub)
    assert "FAIL  correct" in seen[0]
    shell.magics["cell simt"]("--lab 08", stub.replace("int tile_width", "int tile width"))
    assert "FAIL  build" in seen[1]
    assert "kernel.cu:9:" in seen[1]  # line 8 of the file, below the line of `%%simt`


def test_every_lab_has_a_notebook_without_results() -> None:
    assert [book.parent.name for book in BOOKS] == sorted(
        path.parent.name for path in (ROOT / "labs").glob("*/lab.cpp")
    )
    for book in BOOKS:
        nbformat.validate(nbformat.read(book, as_version=4))  # type: ignore[no-untyped-call]
        cells = json.loads(book.read_text(encoding="utf-8"))["cells"]
        assert all(not cell["outputs"] and cell["execution_count"] is None for cell in cells if "outputs" in cell)
        assert "".join(cells[-1]["source"]) == f"%simt_lab {book.parent.name[:2]}"


@pytest.mark.build_tree
@pytest.mark.long
@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.parent.name)
def test_a_labs_notebook_runs_from_top_to_bottom(book: Path) -> None:
    notebook = nbformat.read(book, as_version=4)  # type: ignore[no-untyped-call]
    NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    texts = [shown(cell["outputs"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert any("per request" in text for text in texts)
    assert not any("does not compile" in text for text in texts)
