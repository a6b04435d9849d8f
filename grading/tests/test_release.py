"""The students' copy holds what students need and nothing hidden, and its check finds a solution in any disguise."""

import ast
import functools
import html
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simtlab.errors import LabError, UsageError
from simtlab.labs.catalogue import find_root
from simtlab.release.check import LeakSearch, find_leaks
from simtlab.release.hidden_numbers import is_rare
from simtlab.release.release import release
from simtlab.release.repository import Author, GitObject, author_of, commit_everything, git_folder_of, objects_of
from simtlab.release.solutions import Solutions, read_solutions
from simtlab.release.students_copy import checkout_state, is_given
from simtlab.release.tokens import NAME, tokens_of

ROOT = find_root(Path(__file__))
AUTHOR = Author("The course", "course@example.org")
HANDOUT = PurePosixPath("labs/08-bank-conflicts/README.md")

pytestmark = pytest.mark.skipif(
    not (ROOT / "solutions").is_dir(), reason="a students' copy: there is no folder solutions"
)


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The release of this checkout, which passes its check."""
    out = tmp_path_factory.mktemp("release") / "students"
    assert release(ROOT, out, AUTHOR) == []
    return out


@pytest.fixture
def copy(released: Path, tmp_path: Path) -> Path:
    """One to spoil: a lab's handout alone, with a history like the release's."""
    target = tmp_path / "copy"
    shutil.copytree(released / HANDOUT.parent, target / HANDOUT.parent)
    commit_everything(target, AUTHOR)
    return target


def solutions() -> Solutions:
    return read_solutions(ROOT)


SOLUTIONS = solutions() if (ROOT / "solutions").is_dir() else Solutions({}, [], [], [], [])


@functools.cache
def search() -> LeakSearch:
    """Made where the first test asks for it: whoever only lists the tests needs none."""
    return LeakSearch(SOLUTIONS)


def regions() -> list[str]:
    """The text of every marked region that is long enough to be told from common code."""
    texts = []
    for model in SOLUTIONS.models:
        lines = model.text.splitlines()
        texts += ["\n".join(lines[begin : end - 1]) for begin, end in model.regions]
    return [text for text in texts if len(tokens_of(text)) >= 22]


def small_checkout(folder: Path) -> Path:
    """A checkout of one lab without git and harness: enough to release."""
    for name in ("labs/08-bank-conflicts", "solutions/08-bank-conflicts"):
        shutil.copytree(ROOT / name, folder / name)
    shutil.copy(ROOT / "solutions" / "stubs.py", folder / "solutions")
    (folder / "harness").mkdir()
    return folder


def simtlab(*words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "simtlab", "release", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)


def git(folder: Path, *words: str) -> str:
    who = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
    return subprocess.run(["git", *who, *words], cwd=folder, capture_output=True, text=True, check=True).stdout


# ---- What students get ----------------------------------------------------------------------------------------------


def test_students_get_labs_and_harness_and_nothing_of_the_instructors(released: Path) -> None:
    names = {path.relative_to(released).as_posix() for path in released.rglob("*") if ".git" not in path.parts}
    assert {"Makefile", "README.md", "docs/student.md", "harness/judge/main.cpp", str(HANDOUT)} <= names
    of_the_grader = {name.split("/")[2] for name in names if re.match("grading/simtlab/.", name)}
    assert of_the_grader == {"__init__.py", "audit", "errors.py", "home", "text.py", "verdict.py"}
    for forbidden in (
        "solutions",
        "pyproject.toml",
        "hidden.toml",
        "lab.toml",
        "variants",
        "tests",
        "bench/",
        "instructor",
    ):
        assert not [name for name in names if forbidden in PurePosixPath(name).parts or forbidden in name.split(".")[0]]


def test_students_get_the_labs_hints_and_allow_lists_without_its_points(released: Path) -> None:
    for lab in sorted(path.name for path in (ROOT / "labs").iterdir() if (path / "lab.toml").exists()):
        given = tomllib.loads((released / "labs" / lab / "hints.toml").read_text(encoding="utf-8"))
        said = tomllib.loads((ROOT / "labs" / lab / "lab.toml").read_text(encoding="utf-8"))
        assert given == {name: said[name] for name in ("allowed_headers", "allowed_symbols", "hints") if name in said}


def test_the_scripts_have_every_file_that_they_name(released: Path) -> None:
    scripts = [*(released / "harness/setup").iterdir(), *(released / ".vscode").iterdir(), released / "Makefile"]
    named = {name for path in scripts for name in re.findall(r"harness/setup/\w+\.\w+", path.read_text("utf-8"))}
    assert "harness/setup/debug_thread.py" in named
    assert [name for name in sorted(named) if not (released / name).is_file()] == []


def test_the_sources_have_every_header_that_they_include(released: Path) -> None:
    missing = []
    roots = [PurePosixPath("harness"), PurePosixPath("harness/emulator")]
    for source in sorted(path for path in (released / "harness").rglob("*") if path.suffix in (".cpp", ".h", ".def")):
        own = PurePosixPath(source.relative_to(released))
        for header in re.findall(r'^ *#include "([^"]+)"', source.read_text("utf-8", "replace"), flags=re.MULTILINE):
            found = [place / header for place in (own.parent, *roots) if (ROOT / place / header).is_file()]
            missing += [f"{own}: {header}" for place in found[:1] if not (released / place).is_file()]
    assert missing == []


def test_the_history_is_one_commit_by_the_author_and_nothing_else(released: Path) -> None:
    assert git(released, "log", "--all", "--format=%an <%ae> %cn <%ce>").splitlines() == [
        "The course <course@example.org> The course <course@example.org>"
    ]
    assert git(released, "status", "--porcelain") == ""
    assert git(released, "remote") == ""
    kinds = [one.kind for one in objects_of(released / ".git")]
    assert kinds.count("commit") == 1
    assert not (released / ".git" / "logs").exists()


def test_links_of_the_released_documents_lead_somewhere(released: Path) -> None:
    for document in released.rglob("*.md"):
        for link in re.findall(r"\]\(([^)#:]+)\)", document.read_text(encoding="utf-8")):
            assert (document.parent / link).exists(), f"{document.relative_to(released)}: {link}"


def imported_by(module: Path, root: Path) -> Iterator[Path]:
    """The files of simtlab's own modules that a module imports while it is loaded."""
    for node in ast.parse(module.read_text(encoding="utf-8")).body:
        named = [one.name for one in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            named = [node.module, *(f"{node.module}.{one.name}" for one in node.names)]
        for name in named:
            file = root.joinpath(*name.split("."))
            if name.split(".")[0] == "simtlab" and (ROOT / "grading" / file.with_suffix(".py")).is_file():
                yield file.with_suffix(".py")


def test_every_module_that_a_given_module_imports_is_given(released: Path) -> None:
    grading = released / "grading"
    modules = sorted(grading.rglob("*.py"))
    assert len(modules) > 15
    for module in modules:
        for imported in imported_by(module, Path()):
            assert (grading / imported).is_file(), f"{module.relative_to(grading)} imports {imported}"


def test_the_list_of_what_is_given_matches_whole_paths() -> None:
    assert is_given(PurePosixPath("labs/08-bank-conflicts/README.md"))
    assert is_given(PurePosixPath("harness/judge/main.cpp"))
    for path in ("labs/08-bank-conflicts/lab.toml", "x/Makefile", "harness/judge/tests/a.cpp", "solutions/stubs.py"):
        assert not is_given(PurePosixPath(path)), path


def test_what_students_do_not_have_says_what_it_needs(released: Path) -> None:
    for target in ("grade", "check", "bench", "setup"):
        asked = subprocess.run(["make", target], cwd=released, capture_output=True, text=True, check=False)
        assert asked.returncode == 2
        assert f'"make {target}" needs the grader and the tests, which are the instructors\'' in asked.stderr
    offered = subprocess.run(["make", "help"], cwd=released, capture_output=True, text=True, check=True).stdout
    assert re.findall(r"make ([a-z-]+)", offered) == [
        "help",
        "test",
        "predict",
        "profile",
        "phases",
        "run",
        "debug",
        "shell",
    ]
    for variable in ("SUBMISSIONS", "PICTURES", "ALLOW_WEAK", "ALL="):
        assert variable not in offered
    assert "BACKEND=emulator" in offered


@pytest.mark.parametrize("word", ["LAB=8", "LAB=008", "lab=08", "Lab=08", "LABS=bank-conflicts"])
def test_a_lab_goes_by_its_number_however_it_is_typed(released: Path, word: str) -> None:
    told = subprocess.run(["make", "-n", "test", word], cwd=released, capture_output=True, text=True, check=True).stdout
    asked = re.search(r"find_lab\.sh (\S+)\)", told)
    assert asked, told
    found = subprocess.run(
        ["harness/setup/find_lab.sh", asked[1]], cwd=released, capture_output=True, text=True, check=True
    )
    assert found.stdout == "08-bank-conflicts\n"


def test_a_lab_without_its_variable_is_told_before_all_labs_are_tested(released: Path) -> None:
    asked = subprocess.run(["make", "test", "08"], cwd=released, capture_output=True, text=True, check=False)
    assert asked.returncode == 2
    assert "say it as: make test LAB=08" in asked.stderr


def test_a_set_up_that_fails_is_told_without_cmakes_own_story(released: Path, tmp_path: Path) -> None:
    shutil.copytree(released, tmp_path / "copy")
    with (tmp_path / "copy" / "harness" / "CMakeLists.txt").open("a", encoding="utf-8") as build_file:
        build_file.write("foo(\n")
    words = ["harness/setup/configure.sh", "default", "emulator"]
    configured = subprocess.run(words, cwd=tmp_path / "copy", capture_output=True, text=True, check=False)
    assert configured.returncode == 1
    assert "CMake Error at harness/CMakeLists.txt" in configured.stderr
    assert "That is no fault of your kernel." in configured.stderr
    assert "compiler identification" not in configured.stderr


def test_a_check_does_not_search_what_was_built_in_the_copy(released: Path, tmp_path: Path) -> None:
    shutil.copytree(released, tmp_path / "copy")
    (tmp_path / "copy" / "build" / "default").mkdir(parents=True)
    (tmp_path / "copy" / "build" / "default" / "CMakeCache.txt").touch()
    with pytest.raises(UsageError, match=r"rm -rf .*/build"):
        find_leaks(tmp_path / "copy", search())


def test_the_released_copy_configures(released: Path, tmp_path: Path) -> None:
    shutil.copytree(released, tmp_path / "copy")
    words = ["harness/setup/configure.sh", "default", "emulator"]
    configured = subprocess.run(words, cwd=tmp_path / "copy", capture_output=True, text=True, check=False)
    assert configured.returncode == 0, configured.stderr
    listed = subprocess.run(
        ["ctest", "--test-dir", "build/default", "-N"],
        cwd=tmp_path / "copy",
        capture_output=True,
        text=True,
        check=True,
    )
    tests = set(re.findall(r"Test +#\d+: (\S+)", listed.stdout))
    labs = [path.parent.name for path in (ROOT / "labs").glob("*/lab.cpp")]
    assert tests >= {f"{lab}.{part}" for lab in labs for part in ("build", "allowed", "correct", "safe", "fast")}
    # Each file that a lab's build names is there; nothing is built here.
    folder = tmp_path / "copy"
    targets = [f"{kind}_{lab}" for lab in labs for kind in ("lab", "profile", "debug")]
    named = subprocess.run(
        ["ninja", "-C", "build/default", "-t", "inputs", *targets],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    ours = [path for path in map(Path, named.stdout.splitlines()) if path.is_relative_to(folder)]
    sources = [path for path in ours if not path.is_relative_to(folder / "build")]
    assert len(sources) > 100
    assert [str(path) for path in sources if not path.exists()] == []


@pytest.mark.long
def test_a_lab_is_built_and_tested_in_the_released_copy(released: Path, tmp_path: Path) -> None:
    shutil.copytree(released, tmp_path / "copy")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "SIMTLAB"))}
    if shutil.which("ccache"):
        environment |= {
            "CMAKE_CXX_COMPILER_LAUNCHER": "ccache",
            "CCACHE_NOHASHDIR": "1",
            "CCACHE_BASEDIR": str(tmp_path),
        }

    def make(*words: str) -> subprocess.CompletedProcess[str]:
        command = ["make", *words, "LAB=01", "BACKEND=emulator"]
        return subprocess.run(
            command, cwd=tmp_path / "copy", capture_output=True, text=True, check=False, env=environment, timeout=1500
        )

    untouched = make("test")
    assert "0 of 3 tests passed" in untouched.stdout, untouched.stdout + untouched.stderr
    assert "questions still open in predict.toml: 5; " in untouched.stdout
    lab = "01-vector-add/kernel.cu"
    shutil.copy(ROOT / "solutions" / lab, tmp_path / "copy" / "labs" / lab)
    assert "all 3 tests passed" in make("test").stdout
    assert "c[i] = a[i] + b[i];" in make("profile").stdout


# ---- What is refused ------------------------------------------------------------------------------------------------


def test_a_folder_that_holds_something_is_left_alone(tmp_path: Path) -> None:
    root = small_checkout(tmp_path / "checkout")
    out = tmp_path / "out"
    out.mkdir()
    (out / "mine.txt").write_text("kept", encoding="utf-8")
    with pytest.raises(UsageError, match="is not an empty folder"):
        release(root, out, AUTHOR)
    assert [path.name for path in out.iterdir()] == ["mine.txt"]


def test_an_empty_folder_is_filled(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    assert release(small_checkout(tmp_path / "checkout"), tmp_path / "out", AUTHOR) == []
    assert (tmp_path / "out" / HANDOUT).is_file()


def test_a_leak_stops_the_release_and_nothing_is_left(tmp_path: Path) -> None:
    root = small_checkout(tmp_path / "checkout")
    with (root / HANDOUT).open("a", encoding="utf-8") as handout:
        handout.write("\n" + regions()[-1])
    for words, code in [(("--author", "A <a@b>"), 1), (("--author", "nobody"), 2)]:
        done = simtlab("../out", *words, folder=root)
        assert done.returncode == code, done.stdout + done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["checkout"]
    found = simtlab("../out", "--author", "A <a@b>", folder=root).stdout
    assert re.search(
        r"^labs/08-bank-conflicts/README.md:\d+: \d+ tokens in a row equal solutions/08-bank-conflicts/kernel\.cu:\d+",
        found,
    )
    assert "next: take them out there" in found


def test_questions_may_share_short_runs_with_other_labs_and_not_with_their_own() -> None:
    loop = "for (int i = 0; i < rows; i += step) { if (y + i < rows) out[(y + i) * cols + x] = tile[i][threadIdx.x]; }"
    head = "__global__ void look(const float* in, float* out) { const int t = blockIdx.x * blockDim.x + threadIdx.x; }"
    assert search().leaks_in("labs/08-bank-conflicts/predict.cu", f"{head} {loop}") == []
    for lab in ("07-shared-tiling", "08-bank-conflicts"):
        assert search().leaks_in(f"labs/{lab}/predict.cu", regions()[0] + regions()[-1]), lab


def test_a_stub_that_somebody_filled_in_is_refused(tmp_path: Path) -> None:
    root = small_checkout(tmp_path / "checkout")
    (root / "labs/08-bank-conflicts/kernel.cu").write_text("// tried a submission\n", encoding="utf-8")
    with pytest.raises(LabError, match=r"labs/08-bank-conflicts/kernel\.cu is not the stub"):
        release(root, tmp_path / "out", AUTHOR)
    assert simtlab("../out", "--author", "A <a@b>", folder=root).returncode == 3


def committed_checkout(folder: Path) -> Path:
    """A small checkout with a history of one commit."""
    root = small_checkout(folder)
    git(root, "init", "--quiet")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "x")
    return root


def second_lab(root: Path) -> PurePosixPath:
    """Puts a copy of the checkout's lab beside it, which git does not know, and returns its folder."""
    for place in ("labs", "solutions"):
        shutil.copytree(root / place / "08-bank-conflicts", root / place / "21-saxpy")
    return PurePosixPath("labs/21-saxpy")


def test_a_lab_that_git_does_not_have_is_refused_and_the_others_may_go_out(tmp_path: Path) -> None:
    root = committed_checkout(tmp_path / "checkout")
    lab = second_lab(root)
    done = simtlab("../out", "--author", "A <a@b>", folder=root)
    assert done.returncode == 2, done.stdout + done.stderr
    assert "labs/21-saxpy/lab.cpp is not committed: left out; git add it first" in " ".join(done.stderr.split())
    assert not (tmp_path / "out").exists()
    assert checkout_state(root, ["08-bank-conflicts"]).left_out == ()
    git(root, "add", str(lab / "lab.cpp"))
    assert lab / "README.md" in checkout_state(root).left_out
    (root / lab / "lab.cpp").unlink()
    with pytest.raises(UsageError, match=r"labs/21-saxpy/lab\.cpp is missing"):
        checkout_state(root)


def test_what_no_commit_has_goes_out_and_is_named(tmp_path: Path) -> None:
    root = committed_checkout(tmp_path / "checkout")
    with (root / HANDOUT).open("a", encoding="utf-8") as handout:
        handout.write("\nOne more line.\n")
    new = HANDOUT.parent / "figures" / "new.svg"
    (root / new).write_text("<svg/>", encoding="utf-8")
    (root / "notes.txt").write_text("no student gets this", encoding="utf-8")
    done = simtlab("../out", "--author", "A <a@b>", "--json", folder=root)
    assert done.returncode == 0, done.stdout + done.stderr
    told = json.loads(done.stdout)
    assert (told["left_out"], told["uncommitted"]) == ([str(new)], [str(HANDOUT)])
    said = " ".join(done.stderr.split())
    assert f"note: {new}: left out, for git does not have it; git add it first" in said
    assert f"note: 1 file has uncommitted changes, which go out as they are: {HANDOUT}" in said
    assert (tmp_path / "out" / HANDOUT).read_text("utf-8").endswith("One more line.\n")
    assert not (tmp_path / "out" / new).exists()


def test_only_the_labs_named_go_out_and_a_check_finds_any_other(tmp_path: Path) -> None:
    root = committed_checkout(tmp_path / "checkout")
    second_lab(root)
    git(root, "add", "--all")
    done = simtlab("../out", "--author", "A <a@b>", "--labs", "8", folder=root)
    assert done.returncode == 0, done.stdout + done.stderr
    assert [path.name for path in (tmp_path / "out" / "labs").iterdir()] == ["08-bank-conflicts"]
    assert simtlab("--check", "../out", "--labs", "bank-conflicts", folder=root).returncode == 0
    other = simtlab("--check", "../out", "--labs", "21", folder=root)
    assert other.returncode == 1
    assert "labs/08-bank-conflicts: is a lab that --labs does not name" in other.stdout
    assert simtlab("../out2", "--author", "A <a@b>", "--labs", "99", folder=root).returncode == 2


def test_a_link_is_refused(tmp_path: Path) -> None:
    root = small_checkout(tmp_path / "checkout")
    (root / "labs/08-bank-conflicts/figures/more.svg").symlink_to("/etc/passwd")
    with pytest.raises(UsageError, match=r"figures/more\.svg is a link"):
        release(root, tmp_path / "out", AUTHOR)


def test_the_authors_name_has_a_form() -> None:
    assert author_of("Ada L <ada@example.org>", ROOT) == Author("Ada L", "ada@example.org")
    for words in ("Ada", "<ada@example.org>", "Ada <>", "Ada <x"):
        with pytest.raises(UsageError, match="expected"):
            author_of(words, ROOT)


# ---- Solutions in disguise ------------------------------------------------------------------------------------------

_WORDS = re.compile(r"//[^\n]*|\d[\w.]*|\w+|<<<|>>>|[-+*/%&|<>=!]=|&&|\|\||\+\+|--|->|::|\S")
_NEW_NAMES = st.lists(st.from_regex(r"[a-z][a-z_]{3,9}[0-9]", fullmatch=True), min_size=120, max_size=120, unique=True)


def disguised(code: str, names: list[str], gaps: list[str], *, hexadecimal: bool) -> str:
    """The code with every name replaced that can be, other spacing and comments, and numbers spelt otherwise."""
    renamed: dict[str, str] = {}
    parts: list[str] = []
    for position, word in enumerate(_WORDS.findall(code)):
        if word.startswith("//"):
            continue
        kinds = tokens_of(word)
        if [token.kind for token in kinds] == [NAME] and not (parts and parts[-1] == "."):
            word = renamed.setdefault(word, names[len(renamed)])
        elif word.isdecimal() and hexadecimal:
            word = hex(int(word))
        parts += [word, "" if word == "." else gaps[position % len(gaps)]]
        if parts[-1] == "":
            parts.pop()
    return "".join(parts)


def _coloured(piece: str) -> str:
    return f"<b class='k'>{piece}</b>" if piece.isidentifier() else html.escape(piece)


WRAPPERS: dict[str, Callable[[str], str]] = {
    "as it is": lambda code: code,
    "a fenced block": lambda code: f"Look:\n\n```cuda\n{code}\n```\n",
    "a quotation": lambda code: "".join(f"> {line}\n" for line in code.splitlines()),
    "a diff": lambda code: "".join(f"+{line}\n" for line in code.splitlines()),
    "numbered lines": lambda code: "".join(f"{n:3}  {line}\n" for n, line in enumerate(code.splitlines(), 1)),
    "commented out": lambda code: "".join(f"  // {line}\n" for line in code.splitlines()),
    "a web page": lambda code: "<pre>" + "".join(map(_coloured, re.split(r"(\w+)", code))) + "</pre>",
    "a JSON string": lambda code: json.dumps({"text": code, "more": 1}),
    "a notebook": lambda code: json.dumps({"source": code.splitlines(keepends=True)}, indent=1),
}


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    region=st.sampled_from(regions() or [""]),
    names=_NEW_NAMES,
    gaps=st.lists(st.sampled_from([" ", "\n", "  \n\t", " /* why */ ", " // so\n"]), min_size=1, max_size=7),
    wrapper=st.sampled_from(sorted(WRAPPERS)),
    hexadecimal=st.booleans(),
)
def test_a_solution_is_found_under_other_names_spacing_and_wrapping(
    region: str, names: list[str], gaps: list[str], wrapper: str, hexadecimal: bool
) -> None:
    text = WRAPPERS[wrapper](disguised(region, names, gaps, hexadecimal=hexadecimal))
    leaks = search().leaks_in("handout.md", f"# A handout\n\n{text}\n\nMore words.\n")
    assert leaks, text
    assert "kernel.cu:" in leaks[0].what or "/variants" in leaks[0].what


@pytest.mark.parametrize("start", ["std", "cuda", "stdev_", "cudas_", "dim", "float"])
def test_a_new_name_may_begin_like_one_of_cuda(start: str) -> None:
    names = [f"{start}{first}{second}9" for first, second in itertools.product("abcdefghijk", repeat=2)]
    for region in regions():
        text = disguised(region, names, [" "], hexadecimal=False)
        assert search().leaks_in("handout.md", text), text


@pytest.mark.parametrize("variant", SOLUTIONS.variants, ids=lambda one: one.file)
def test_a_variant_is_found(variant: object) -> None:
    text = variant.text  # type: ignore[attr-defined]
    if "fast=" in text.splitlines()[0] and len(tokens_of(text)) > 120:
        assert search().leaks_in("handout.md", text)


def test_differences_are_found_as_they_are_written() -> None:
    written = [one for one in SOLUTIONS.variants if one.file.endswith("variants.diff")]
    assert {one.file.split("/")[1] for one in written} == {PurePosixPath(one.file).parts[1] for one in SOLUTIONS.models}
    for one in written:
        assert search().leaks_in("notes.md", one.text)


def test_the_stub_is_no_leak() -> None:
    for text in SOLUTIONS.stubs.values():
        assert search().leaks_in("kernel.cu", text) == []


def test_text_that_is_listed_with_a_reason_may_be_shown(tmp_path: Path) -> None:
    root = small_checkout(tmp_path / "checkout")
    line = "__shared__ float tile[tile_width][tile_width + 1];"
    assert LeakSearch(read_solutions(root)).leaks_in("x.md", line)
    shown = root / "solutions" / "shown.toml"
    shown.write_text(f"[[shown]]\ntext = '{line}'\nreason = 'the lecture shows it'\n", encoding="utf-8")
    assert LeakSearch(read_solutions(root)).leaks_in("x.md", line) == []
    shown.write_text(f"[[shown]]\ntext = '{line}'\nreason = ''\n", encoding="utf-8")
    with pytest.raises(LabError, match=r"shown\.toml: shown\.0\.reason"):
        read_solutions(root)


# ---- Hidden sizes ---------------------------------------------------------------------------------------------------


def spellings(value: int) -> list[str]:
    plain = [str(value), hex(value), bin(value), f"{value}.0", f"{value}u", str(value).translate(FULL_WIDTH)]
    return plain + [f"{value:,}".replace(",", mark) for mark in (",", "'", " ", "\u202f", ".", "_") if value > 999]


FULL_WIDTH = str.maketrans("0123456789", "０１２３４５６７８９")


@pytest.mark.parametrize("case", SOLUTIONS.hidden, ids=lambda case: f"{case.lab}-{case.name}")
def test_a_hidden_case_is_found_however_it_is_written(case: object) -> None:
    sizes: dict[str, int] = case.sizes  # type: ignore[attr-defined]
    name: str = case.name  # type: ignore[attr-defined]
    texts = [f"The case is called {name.upper()}.", "{" + ", ".join(f'{{"{n}", {v}}}' for n, v in sizes.items()) + "}"]
    texts.append(", ".join(f"{size} = {value}" for size, value in sizes.items()))
    if len(sizes) > 1:
        texts.append(", ".join(f"{size} = {value}" for size, value in reversed(sizes.items())))
        joints = [" × ", " by ", ", ", "</td><td>"]
        if 0 not in sizes.values():
            joints.append("x")  # a 0 in front of it would begin a hexadecimal number
        texts += [joint.join(map(str, sizes.values())) for joint in joints]
        texts.append(json.dumps(sizes, indent=1))
    for size, value in sizes.items():
        if is_rare(value):
            texts += [f"Try {spelt} too." for spelt in spellings(value)]
        if value > 12 and value & (value - 1) and (size, value) not in case.public_sizes:  # type: ignore[attr-defined]
            texts += [f"What about {size} = {spelt}?" for spelt in spellings(value)]
    for text in texts:
        leaks = search().leaks_in("labs/x/README.md", f"Some words.\n{text}\n")
        assert [leak for leak in leaks if not leak.place.endswith(":1")], text


def test_numbers_in_words_are_found() -> None:
    assert search().leaks_in("x.md", "a matrix of one hundred and thirty-one rows")
    assert search().leaks_in("x.md", "forty thousand and thirteen elements")
    assert not search().leaks_in("x.md", "one hundred and twenty-eight rows")


def test_common_numbers_are_no_leak() -> None:
    text = "A tile of 32 × 32, 33 words a row, 16 by 16 threads; n = 1024, k = 7; rows = 33, cols = 65; 1023 is odd."
    assert search().leaks_in("x.md", text) == []


# ---- The check of a copy --------------------------------------------------------------------------------------------


def spoil(copy: Path, text: str) -> None:
    with (copy / HANDOUT).open("a", encoding="utf-8") as handout:
        handout.write(f"\n{text}\n")


@pytest.mark.parametrize("text", [regions()[-1] if regions() else "", "Also try 131 × 13."])
def test_the_check_finds_a_leak_in_the_files_and_ever_after_in_the_history(copy: Path, text: str) -> None:
    assert find_leaks(copy, search()) == []
    before = (copy / HANDOUT).read_text(encoding="utf-8")
    spoil(copy, text)
    assert find_leaks(copy, search())[0].place.startswith(str(HANDOUT))
    git(copy, "commit", "-qam", "more")
    (copy / HANDOUT).write_text(before, encoding="utf-8")
    git(copy, "commit", "-qam", "less")
    assert {leak.place[:10] for leak in find_leaks(copy, search())} == {"git object"}
    git(copy, "gc", "-q", "--prune=now")
    assert {leak.place[:10] for leak in find_leaks(copy, search())} == {"git object"}
    done = simtlab("--check", str(copy), folder=ROOT)
    assert done.returncode == 1
    assert "git object" in done.stdout


def test_a_long_check_says_how_far_it_is(copy: Path) -> None:
    told: list[tuple[str, int, int]] = []
    assert find_leaks(copy, search(), lambda what, done, of: told.append((what, done, of))) == []
    assert [done for _, done, _ in told] == list(range(len(told)))
    assert {of for _, _, of in told} == {len(told)}


def test_the_check_reads_commit_messages(copy: Path) -> None:
    git(copy, "commit", "-q", "--allow-empty", "-m", "hidden: rows = 131, cols = 13")
    assert [leak.place for leak in find_leaks(copy, search()) if "(commit)" in leak.place]


def test_the_check_knows_the_instructors_files_and_filled_stubs(copy: Path) -> None:
    stub = copy / "labs/08-bank-conflicts/kernel.cu"
    stub.write_text(stub.read_text(encoding="utf-8") + "\n// mine\n", encoding="utf-8")
    (copy / "labs/08-bank-conflicts/lab.toml").write_text("", encoding="utf-8")
    assert [leak.what for leak in find_leaks(copy, search())] == ["is not the lab's stub", "is the instructors'"]


def test_bytes_of_gits_index_are_no_numbers(copy: Path) -> None:
    case = next(one for one in SOLUTIONS.hidden if any(map(is_rare, one.sizes.values())))
    size = next(filter(is_rare, case.sizes.values()))
    (copy / "labs" / "notes.md").write_text(f"it is {size} here\n", encoding="utf-8")
    assert find_leaks(copy, search())
    (copy / "labs" / "notes.md").unlink()
    index = copy / ".git" / "index"
    index.write_bytes(index.read_bytes() + f" it is {size} here ".encode())
    assert find_leaks(copy, search()) == []


def test_a_clone_of_the_release_has_no_object_that_holds_anything_hidden(released: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--no-local", str(released), "clone")
    git_folder = git_folder_of(tmp_path / "clone")
    assert git_folder is not None
    objects: list[GitObject] = list(objects_of(git_folder))
    texts = [" ".join(one.content.decode("utf-8", "replace").split()) for one in objects]
    text = "\n".join(texts)
    for model in SOLUTIONS.models:
        lines = model.text.splitlines()
        for begin, end in model.regions:
            body = " ".join(" ".join(lines[begin : end - 1]).split())
            assert len(body) < 20 or body not in text, f"{model.file}:{begin}"
    for case in SOLUTIONS.hidden:
        assert case.name not in text
        together = r"\W{1,12}".join(rf"(?:[a-z]+\W{{1,4}})?\b{value}\b" for value in case.sizes.values())
        words = [str(value) for value in case.sizes.values()]
        candidates = [one for one in texts if all(word in one for word in words)]
        assert len(words) == 1 or not any(re.search(together, one) for one in candidates), together
        for value in (value for value in case.sizes.values() if is_rare(value) and value > 999):
            assert not re.search(rf"\b{value}\b", text), value


def test_a_folder_that_is_no_copy_is_a_usage_error(tmp_path: Path) -> None:
    assert simtlab("--check", str(tmp_path / "nowhere"), folder=ROOT).returncode == 2
    (tmp_path / "labs").mkdir()
    (tmp_path / "harness").mkdir()
    done = simtlab("out", "--author", "A <a@b>", folder=tmp_path)
    assert (done.returncode, "has no folder solutions" in done.stderr) == (2, True)
