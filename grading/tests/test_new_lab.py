"""`simtlab new-lab` and docs/lab-example.md: the lab that the page makes builds and verifies.

Needs a build tree with the target `simtlab_judges`: the new lab's programs are built by the commands of another lab's,
with its name in their place.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from simtlab.errors import UsageError
from simtlab.labs.catalogue import default_build, find_root
from simtlab.new_lab.create import create_lab

ROOT = find_root(Path(__file__))
BUILD = default_build(ROOT)
LIKE, NAME = "01-vector-add", "99-double-up"
IS_BUILT = (BUILD / "labs" / LIKE / f"judge-{LIKE}").exists() and (BUILD / "labs" / LIKE / "predict").exists()
needs_build = pytest.mark.skipif(
    not IS_BUILT, reason=f"no lab is built in {BUILD}: cmake --build {BUILD} --target simtlab_judges"
)

PAGE = (ROOT / "docs" / "lab-example.md").read_text(encoding="utf-8")
VARIANT = re.compile(r"^\| ([a-z-]+) \| `(correct=[^`]*)` \| `([^`]*)` \| `([^`]*)` \|$", re.MULTILINE)
"""A row of the page's table: name, what is expected, statement and number of blocks."""


def block_of(language: str) -> str:
    """The page's first block in this language."""
    found = re.search(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert found, language
    return found[1]


def empty_checkout(root: Path) -> Path:
    """A checkout without labs, whose harness is the real one."""
    (root / "labs").mkdir(parents=True)
    (root / "solutions").mkdir()
    (root / "harness").symlink_to(ROOT / "harness")
    shutil.copy(ROOT / "solutions" / "stubs.py", root / "solutions")
    return root


def simtlab(root: Path, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"SIMTLAB_BUILD": str(root / "build")} | variables
    command = [sys.executable, "-m", "simtlab", *words]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=900, check=False, env=environment)


def fill_in(root: Path) -> None:
    """What the guide asks of an author, in the fewest words."""
    for path in [*(root / "labs").rglob("*"), *(root / "solutions" / NAME).rglob("*")]:
        if path.is_file():
            text = path.read_text(encoding="utf-8")
            path.write_text(re.sub(r"FILL IN(: )?", "About doubling: ", text), encoding="utf-8")
    variants = VARIANT.findall(PAGE)
    assert len(variants) == 7
    for name, expected, statement, blocks in variants:
        variant = root / "solutions" / NAME / "variants" / f"{name}.cu"
        kernel = block_of("cuda").replace("STATEMENT", statement).replace("BLOCKS", blocks)
        variant.write_text(f"// expect: {expected}\n{kernel}", encoding="utf-8")
    (root / "solutions" / NAME / "ladder.toml").write_text(block_of("toml"), encoding="utf-8")


def build_like_another(root: Path) -> None:
    """Builds judge, runner objects and questions of the new lab by the commands that made another lab's."""
    targets = [f"judge-{LIKE}", f"runner-lab-{LIKE}-emulator", f"predict_{LIKE}"]
    listed = subprocess.run(
        ["ninja", "-C", str(BUILD), "-t", "commands", *targets], capture_output=True, text=True, check=True
    )

    def renamed(text: str) -> str:
        text = text.replace(f"{ROOT}/labs/{LIKE}", f"{root}/labs/{NAME}").replace(f"{BUILD}/", f"{root}/build/")
        return re.sub(rf"(?<![\w/])(harness/CMakeFiles|labs)(/\S*{LIKE})", rf"{root}/build/\1\2", text).replace(
            LIKE, NAME
        )

    def of_this_build(text: str) -> str:
        """Only what is the new lab's own lies in its build folder."""
        return re.sub(
            rf"{re.escape(str(root))}/build/(\S*)",
            lambda path: path[0] if NAME in path[0] else f"{BUILD}/{path[1]}",
            text,
        )

    for command in listed.stdout.splitlines():
        if LIKE in command:
            words = of_this_build(renamed(command))
            for output in re.findall(r"-o (\S+)", words):
                (BUILD / output).parent.mkdir(parents=True, exist_ok=True)
            subprocess.run(["bash", "-c", words], cwd=BUILD, check=True, capture_output=True)
    description = (BUILD / "labs" / LIKE / "lab.json").read_text(encoding="utf-8")
    path = root / "build" / "labs" / NAME / "lab.json"
    path.write_text(of_this_build(renamed(description)), encoding="utf-8")
    launcher = root / "build" / "sandbox"
    if not launcher.exists():
        launcher.symlink_to(BUILD / "sandbox")


def lab_of_the_guide(folder: Path) -> Path:
    """A checkout with the lab that the page makes, built."""
    root = empty_checkout(folder / "course")
    begun = simtlab(root, "new-lab", NAME, "--title", "Twice as much")
    assert begun.returncode == 0, begun.stderr
    assert f"labs/{NAME}/kernel.cu" in begun.stdout
    assert "//@@ your code here" in (root / "labs" / NAME / "kernel.cu").read_text(encoding="utf-8")
    fill_in(root)
    assert subprocess.run([sys.executable, root / "solutions" / "stubs.py", "--write"], check=False).returncode == 0
    build_like_another(root)
    return root


@needs_build
def test_a_lab_made_by_the_guide_verifies_once_it_is_filled_in(tmp_path: Path) -> None:
    root = lab_of_the_guide(tmp_path)
    verified = simtlab(root, "verify", "99", "--json", "--allow-weak")
    assert verified.stdout, verified.stderr
    document = json.loads(verified.stdout)
    assert [(one["specimen"], one["problems"]) for one in document["checks"] if one["problems"]] == []
    assert document["mutants"][NAME]["killed"] >= 8


@pytest.mark.long
@needs_build
def test_a_draft_lacks_proofs_and_says_so(tmp_path: Path) -> None:
    """The same lab with one variant less than a lab needs: `lab check` fails, and as a draft it does not."""
    root = lab_of_the_guide(tmp_path)
    (root / "solutions" / NAME / "variants" / "ones.cu").unlink()
    (root / "build" / "CMakeCache.txt").touch()
    tools = root / "tools"
    tools.mkdir()
    (tools / "cmake").write_text('#!/bin/sh\necho "$@" >> "$(dirname "$0")/asked"\n', encoding="utf-8")
    (tools / "cmake").chmod(0o755)
    path = f"{tools}{os.pathsep}{os.environ['PATH']}"
    (root / "labs" / NAME / "kernel.cu").unlink()
    refused = simtlab(root, "lab", "check", "99", "--allow-weak", PATH=path)
    assert refused.returncode == 1, refused.stderr
    assert "7 variants; a lab needs 8" in refused.stdout
    assert (tools / "asked").read_text(encoding="utf-8") == f"--build {root}/build --target simtlab_judges\n"
    assert (root / "labs" / NAME / "kernel.cu").is_file()
    toml = root / "labs" / NAME / "lab.toml"
    toml.write_text("draft = true\n" + toml.read_text(encoding="utf-8"), encoding="utf-8")
    passed = simtlab(root, "lab", "check", "99", "--allow-weak", PATH=path)
    assert passed.returncode == 0, passed.stdout + passed.stderr
    assert f"{NAME}, a draft" in passed.stdout
    assert "none failed, 1 not proven (of a draft)" in passed.stdout
    kept = (root / "solutions" / NAME / "unproven.toml").read_text(encoding="utf-8")
    assert "variants: 7 variants; a lab needs 8" in kept
    assert "a draft" in simtlab(root, "list").stdout


def test_a_name_that_is_none_or_is_taken_is_refused(tmp_path: Path) -> None:
    root = empty_checkout(tmp_path)
    create_lab(root, NAME, "")
    with pytest.raises(UsageError, match="there is a lab 99 already, 99-double-up"):
        create_lab(root, "99-other", "")
    for name in ("double-up", "9-double", "99_double", "99-Double", "99-"):
        with pytest.raises(UsageError, match="two digits and lower-case words"):
            create_lab(root, name, "")
