"""A lab's variants: whole kernels, and differences from a base that compose to whole kernels or say why not."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from simtlab.errors import LabError, UsageError
from simtlab.labs.catalogue import find_root
from simtlab.labs.difference import Base, compose, difference
from simtlab.labs.section import Section, lines_of, section_lines, sections_of, split_head
from simtlab.labs.variant_store import Choice, store_variants
from simtlab.labs.variants import read_variants, variant_of, variants_of

ROOT = find_root(Path(__file__))
EXPECT = "// expect: correct=fail fast=not_measured\n"
SOLUTION = """// The lab.
#include <cuda_runtime.h>

// A kernel.
__global__ void add(float* a, int n) {
  // Which element?
  //@@ begin solution
  const int i = threadIdx.x;
  if (i < n) {
    a[i] += 1;
  }
  __syncthreads();
  if (i < n) {
    a[i] += 2;
  }
  //@@ end solution
}
"""
PLAIN = """#include <cuda_runtime.h>

__global__ void add(float* a, int n) {
  const int i = threadIdx.x;
  if (i < n) {
    a[i] += 1;
  }
  __syncthreads();
  if (i < n) {
    a[i] += 2;
  }
}
"""
BARRIER = f"""=== missing-barrier of solution
{EXPECT}// Nobody waits.
@@
     a[i] += 1;
   }}
-  __syncthreads();
"""
NEARER = f"""=== adds-three of missing-barrier
{EXPECT}// And the wrong number.
@@
-    a[i] += 2;
+    a[i] += 3;
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A solution's folder without variants."""
    place = tmp_path / "07-adding"
    (place / "variants").mkdir(parents=True)
    (place / "kernel.cu").write_text(SOLUTION, encoding="utf-8")
    return place


def keep(folder: Path, differences: str, **whole: str) -> None:
    (folder / "variants.diff").write_text(differences, encoding="utf-8")
    for name, text in whole.items():
        (folder / "variants" / f"{name}.cu").write_text(text, encoding="utf-8")


def test_a_variant_is_its_base_with_the_hunks_done_under_a_comment_of_its_own(folder: Path) -> None:
    keep(folder, f"# A remark.\n\n{NEARER}\n{BARRIER}\n\n", limit=f"{EXPECT}// Fast.\nint x;")
    without = PLAIN.replace("  __syncthreads();\n", "")
    assert [(one.name, one.base, one.place, one.text, one.about) for one in variants_of(folder)] == [
        (
            "adds-three",
            "missing-barrier",
            "variants.diff:3: adds-three",
            f"{EXPECT}// And the wrong number.\n{without.replace('+= 2', '+= 3')}",
            "And the wrong number.",
        ),
        ("limit", None, "variants/limit.cu", f"{EXPECT}// Fast.\nint x;", "Fast."),
        (
            "missing-barrier",
            "solution",
            "variants.diff:10: missing-barrier",
            f"{EXPECT}// Nobody waits.\n{without}",
            "Nobody waits.",
        ),
    ]


def test_a_whole_file_may_be_a_base_and_windows_line_ends_make_no_difference(folder: Path) -> None:
    keep(folder, "", naive=f"{EXPECT}// Plain.\nint a;\nint b;\n")
    text = f"\ufeff=== other of naive\n{EXPECT}// Other.\n@@\n-int b;\n+int c;\n"
    (folder / "variants.diff").write_bytes(text.replace("\n", "\r\n").encode())
    assert variant_of(folder, "other").text == f"{EXPECT}// Other.\nint a;\nint c;\n"


def test_a_folder_without_variants_has_none(folder: Path) -> None:
    assert variants_of(folder) == []
    with pytest.raises(LabError, match="has no variant 'x': `simtlab variant 07` lists them"):
        variant_of(folder, "x")


FAULTS = {
    "a base that moved": (
        BARRIER.replace("a[i] += 1", "a[i] -= 1"),
        r"variants\.diff:1: missing-barrier, hunk 1 \(line 4\): no longer fits solution \(.*kernel\.cu\): expected "
        r"`a\[i\] -= 1;` and 2 lines more; the nearest is line 10, `a\[i\] \+= 1;` where the hunk has `a\[i\] -= 1;`",
    ),
    "a base that is another": (BARRIER.replace("a[i]", "q"), "expected `q"),
    "nothing like it": (f"=== x of solution\n{EXPECT}@@\n-zzzzzzzzzzzzzz\n", "nothing there is like it"),
    "a base that ends too soon": (
        f"=== x of solution\n{EXPECT}@@\n     a[i] += 2;\n   }}\n }}\n-int b;\n",
        "the nearest begins at line 14, and the base ends before `int b;`",
    ),
    "a text that stands twice": (
        f"=== x of solution\n{EXPECT}@@\n-  if (i < n) {{\n",
        r"its old lines stand 2 times in solution .*at lines 9, 13: add lines that stay until they stand once",
    ),
    "hunks out of order": (
        f"=== x of solution\n{EXPECT}@@\n-    a[i] += 2;\n@@\n-    a[i] += 1;\n",
        r"hunk 2 \(line 5\): its old lines stand in solution .* at line 10, in front of where the hunk before it ends",
    ),
    "a hunk that only adds": (f"=== x of solution\n{EXPECT}@@\n+int b;\n", "has no line of the base and so no place"),
    "an unknown base": (f"=== x of none\n{EXPECT}@@\n-int b;\n", "there is no base 'none': expected one of solution"),
    "a circle": (
        f"=== a of b\n{EXPECT}@@\n-x\n=== b of c\n{EXPECT}@@\n-x\n=== c of b\n{EXPECT}@@\n-x\n",
        "goes round in a circle, b of c of b: let one of them start from `solution` or a whole kernel",
    ),
    "its own base": (f"=== a of a\n{EXPECT}@@\n-x\n", "goes round in a circle, a of a"),
    "a base at fault": (
        f"=== a of b\n{EXPECT}@@\n-x\n=== b of solution\n{EXPECT}@@\n-zzzz\n",
        r"variants\.diff:1: a: mend its base b first: .*variants\.diff:5: b, hunk 1",
    ),
    "a name twice": (BARRIER + BARRIER, r"variants\.diff:8: missing-barrier: line 1 has a section of that name"),
    "a name of a file": (
        f"=== naive of solution\n{EXPECT}@@\n-x\n",
        r"is a section and the file .*naive\.cu: take",
    ),
    "no hunk": (f"=== x of solution\n{EXPECT}", "x: has no hunk and so the code of its base"),
    "no difference": (f"=== x of solution\n{EXPECT}@@\n a[i]\n", "a line that goes .* changes nothing"),
    "no expectation": ("=== x of solution\n// What it is.\n@@\n-x\n", "expected `// expect: .* found // What it is"),
    "no comment": ("=== x of solution\n@@\n-x\n", "expected `// expect: .*under its heading, found none"),
    "a name that is none": (f"=== X_y of solution\n{EXPECT}@@\n-x\n", "X_y: is no name of a variant"),
    "the solution's name": (f"=== solution of naive\n{EXPECT}@@\n-x\n", "solution: is no name of a variant"),
    "a line without a mark": (
        f"=== x of solution\n{EXPECT}@@\nint b;\n",
        r"variants\.diff:4: x: a line of a hunk begins",
    ),
    "a line of git": (f"=== x of solution\n{EXPECT}@@ -1,2 +1,3 @@\n-x\n", "a hunk begins with `@@` alone"),
    "words before a hunk": (
        f"=== x of solution\n{EXPECT}oops\n@@\n-x\n",
        "expected `@@` behind the comment, found 'oops'",
    ),
}


@pytest.mark.parametrize("what", FAULTS)
def test_a_section_that_cannot_be_had_says_where_and_why(folder: Path, what: str) -> None:
    differences, words = FAULTS[what]
    keep(folder, differences, naive=f"{EXPECT}// Plain.\nint a;\n")
    found = read_variants(folder)
    assert any(re.search(words, str(fault)) for fault in found.faults.values()), found.faults
    assert [one.name for one in found.found] == ["naive"] * ("naive" not in found.faults)
    with pytest.raises(LabError):
        variants_of(folder)


@pytest.mark.parametrize(
    "text", ["zeros of solution\n", "=== zeros\n", "==== zeros of solution\n", "=== a of b of c\n"]
)
def test_what_belongs_to_no_section_is_refused_with_its_line(folder: Path, text: str) -> None:
    keep(folder, f"# A remark.\n{text}")
    with pytest.raises(LabError, match=r"variants\.diff:2: expected `=== NAME of BASE`"):
        read_variants(folder)


def test_a_fault_takes_only_those_with_it_that_start_from_it(folder: Path) -> None:
    keep(folder, BARRIER.replace("+= 1", "+= 9") + NEARER + BARRIER.replace("missing-barrier", "sound"), limit="x")
    (folder / "variants" / "bytes.cu").write_bytes(b"// \xff\n")
    found = read_variants(folder)
    assert [one.name for one in found.found] == ["limit", "sound"]
    assert list(found.faults) == ["adds-three", "bytes", "missing-barrier"]
    assert str(found.faults["bytes"]).endswith("bytes.cu: is not UTF-8: byte 3 is 0xff")


def is_code(lines: list[str]) -> bool:
    return any(line.strip() for line in lines) and not lines[0].startswith("//")


LINES = st.lists(
    st.sampled_from(["", " ", "}", "  }", "a;", "+a;", "-a;", "@@", "=== a of b", "# x", "//", "é\f"]), max_size=14
)


@settings(max_examples=100, deadline=None)
@given(base=LINES.filter(bool), lines=LINES)
def test_composing_a_difference_gives_the_lines_back(base: list[str], lines: list[str]) -> None:
    hunks = difference(base, lines)
    assert compose(Base("base", base, list(range(1, len(base) + 1))), hunks, "x") == lines
    assert bool(hunks) == (base != lines)
    if hunks and not (lines and lines[0].startswith("//")):
        section = Section("x", "solution", 1, [EXPECT.strip()], hunks)
        [read] = sections_of("".join(f"{line}\n" for line in section_lines(section)), "f")
        assert read.fault is None
        assert [hunk.lines for hunk in read.hunks] == [hunk.lines for hunk in hunks]


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts=st.lists(LINES.filter(is_code), min_size=1, max_size=4))
def test_what_is_stored_is_read_again_whatever_was_stored_before(tmp_path: Path, texts: list[list[str]]) -> None:
    folder = tmp_path / "07-adding"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / "kernel.cu").write_text(SOLUTION, encoding="utf-8")
    wanted: dict[str, str] = {}
    for number, lines in enumerate(texts):
        name = f"v{number % 3}"
        text = EXPECT + "".join(f"{line}\n" for line in lines)
        (tmp_path / f"{name}.cu").write_text(text, encoding="utf-8")
        try:
            store_variants(folder, [tmp_path / f"{name}.cu"], Choice(None, lambda one: one.base is None))
        except UsageError as fault:
            assume("would no longer fit" not in str(fault))
            raise
        wanted[name] = text
        if number < 3:
            assert {one.name: one.text for one in variants_of(folder)} == wanted
    assert variant_of(folder, name).text == text


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    text=st.lists(
        st.sampled_from(
            ["=== a of b", "=== b of solution", "=== a of a", EXPECT.strip(), "@@", "-  }", "+x", "   }", "", "#"]
        )
        | st.text(max_size=12)
    ).map("\n".join)
)
def test_any_text_is_read_or_refused(tmp_path: Path, text: str) -> None:
    folder = tmp_path / "07-adding"
    folder.mkdir(exist_ok=True)
    (folder / "kernel.cu").write_text(SOLUTION, encoding="utf-8")
    (folder / "variants.diff").write_bytes(text.encode("utf-8", "surrogatepass"))
    try:
        found = read_variants(folder)
    except LabError as fault:
        assert str(fault).startswith(str(folder))  # noqa: PT017
        return
    assert all(one.text.startswith(EXPECT) for one in found.found)


def write(folder: Path, name: str, body: str) -> Path:
    path = folder.parent / f"{name}.cu"
    path.write_text(f"{EXPECT}// It is {name}.\n{body}", encoding="utf-8")
    return path


def store(folder: Path, file: Path, base: str | None = None, *whole: str) -> str | None:
    return store_variants(folder, [file], Choice(base, lambda one: one.name.startswith("right"), whole))[0].base


def test_a_kernel_is_stored_as_what_it_differs_in_from_the_nearest_right_base(folder: Path) -> None:
    keep(folder, "", right=write(folder, "right", PLAIN.replace("+= 1", "+= 5").replace("+= 2", "+= 6")).read_text())
    nearly = PLAIN.replace("+= 1", "+= 5").replace("+= 2", "+= 7")
    assert store(folder, write(folder, "wrong", nearly)) == "right"
    assert store(folder, write(folder, "wronger", nearly.replace("+= 5", "+= 8"))) == "solution"
    assert store(folder, write(folder, "wronger", nearly.replace("+= 5", "+= 8")), "wrong") == "wrong"
    assert store(folder, write(folder, "wronger", nearly.replace("+= 5", "+= 9"))) == "wrong", "it keeps its base"
    assert (folder / "variants.diff").read_text().partition("\n\n")[2] == (
        f"=== wrong of right\n{EXPECT}// It is wrong.\n@@\n-    a[i] += 6;\n+    a[i] += 7;\n\n"
        f"=== wronger of wrong\n{EXPECT}// It is wronger.\n@@\n-    a[i] += 5;\n+    a[i] += 9;\n"
    )


def test_a_kernel_like_no_other_stays_whole_and_a_file_of_the_folder_becomes_a_section(folder: Path) -> None:
    other = write(folder, "other", "int main() {\n  return 0;\n}\n")
    assert store(folder, other) is None
    assert (folder / "variants" / "other.cu").read_bytes() == other.read_bytes()
    whole = folder / "variants" / "three.cu"
    write(folder, "three", PLAIN.replace("+= 2", "+= 3")).rename(whole)
    text = whole.read_text()
    assert store(folder, whole) == "solution"
    assert not whole.exists()
    assert variant_of(folder, "three").text == text
    assert store(folder, write(folder, "three", "int main() {}\n")) is None
    assert "=== three" not in (folder / "variants.diff").read_text()
    assert [one.place for one in variants_of(folder)] == ["variants/other.cu", "variants/three.cu"]


def test_a_base_and_what_starts_from_it_change_together(folder: Path) -> None:
    other = f"{EXPECT}// Whole.\nint main() {{}}\n"
    keep(folder, f"{NEARER}\n{BARRIER}", other=other)
    whole = {one.name: one.text for one in variants_of(folder)}
    renamed = {name: re.sub(r"\bi\b", "at", text) for name, text in whole.items()}
    (folder / "kernel.cu").write_text(re.sub(r"\bi\b", "at", SOLUTION), encoding="utf-8")
    assert read_variants(folder).faults.keys() == {"adds-three", "missing-barrier"}
    files = []
    for name, text in renamed.items():
        files.append(folder.parent / f"{name}.cu")
        files[-1].write_text(text, encoding="utf-8")
    stored = store_variants(folder, files, Choice(None, lambda one: True))  # noqa: ARG005
    assert [(one.name, one.base) for one in stored] == [
        ("adds-three", "missing-barrier"),
        ("missing-barrier", "solution"),
        ("other", None),
    ]
    assert {one.name: one.text for one in variants_of(folder)} == renamed
    before = (folder / "variants.diff").read_bytes()
    store_variants(folder, files, Choice(None, lambda one: True))  # noqa: ARG005
    assert (folder / "variants.diff").read_bytes() == before


def test_a_section_written_by_hand_stays_as_it_is_while_its_kernel_is_the_same(folder: Path) -> None:
    keep(folder, BARRIER.replace("@@\n", "@@\n   if (i < n) {\n", 1))
    before = (folder / "variants.diff").read_bytes()
    file = folder.parent / "missing-barrier.cu"
    file.write_text(variant_of(folder, "missing-barrier").text, encoding="utf-8")
    assert store(folder, file) == "solution"
    assert (folder / "variants.diff").read_bytes() == before


def test_an_anchor_stays_whole(folder: Path) -> None:
    file = write(folder, "three", PLAIN.replace("+= 2", "+= 3"))
    assert store(folder, file, None, "three") is None
    with pytest.raises(UsageError, match="three is an anchor"):
        store(folder, file, "solution", "three")


def test_a_base_keeps_those_that_start_from_it(folder: Path) -> None:
    keep(folder, f"{BARRIER}\n{NEARER}")
    before = (folder / "variants.diff").read_text()
    with pytest.raises(
        UsageError, match=r"nothing is written, for adds-three starts from one of them and would no longer fit: .*"
    ):
        store(folder, write(folder, "missing-barrier", PLAIN.replace("+= 2", "+= 4")))
    assert (folder / "variants.diff").read_text() == before
    with pytest.raises(UsageError, match="'adds-three' is no base for missing-barrier: expected one of solution"):
        store(folder, write(folder, "missing-barrier", PLAIN), "adds-three")
    with pytest.raises(UsageError, match="same has the code of solution"):
        store(folder, write(folder, "same", PLAIN), "solution")


@pytest.mark.parametrize(
    ("name", "text"),
    [("Big", f"{EXPECT}int x;\n"), ("solution", f"{EXPECT}int x;\n"), ("x", "int x;\n"), ("x", EXPECT)],
)
def test_what_is_no_variant_is_not_stored(folder: Path, name: str, text: str) -> None:
    file = folder.parent / f"{name}.cu"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match="expected"):
        store(folder, file)


LABS = sorted(ROOT.glob("solutions/[0-9][0-9]-*"))
needs_solutions = pytest.mark.skipif(not LABS, reason="a students' copy: there is no folder solutions")


@needs_solutions
@pytest.mark.parametrize("folder", LABS, ids=lambda one: str(one.name))
def test_a_variant_of_this_lab_is_a_difference_where_that_is_shorter(folder: Path) -> None:
    sections = {one.name: one for one in sections_of((folder / "variants.diff").read_text(encoding="utf-8"), "")}
    for variant in variants_of(folder):
        if variant.base is not None:
            _, body = split_head(lines_of(variant.text))
            hunks = sections[variant.name].hunks
            assert sum(len(hunk.lines) + 1 for hunk in hunks) <= len(body), variant.name


@needs_solutions
@pytest.mark.parametrize("folder", LABS, ids=lambda one: str(one.name))
def test_a_difference_composes_to_the_layout_of_clang_format(folder: Path, tmp_path: Path) -> None:
    tool = next((found for name in ("clang-format-14", "clang-format") if (found := shutil.which(name))), None)
    if tool is None or "version 14." not in subprocess.run([tool, "--version"], capture_output=True, text=True).stdout:
        pytest.skip("clang-format 14 not found: install it, other versions format differently")
    files = []
    shutil.copy(ROOT / ".clang-format", tmp_path)
    for variant in variants_of(folder):
        if variant.base is not None:
            files.append(tmp_path / f"{variant.name}.cu")
            files[-1].write_text(variant.text, encoding="utf-8")
    done = subprocess.run([tool, "--dry-run", "-Werror", *files], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:2000]
