"""The wheels hold all that grading needs and nothing that students must not see; what pip unpacks makes a course and
grades.

The files come from build/default, which every check builds; the long test builds them as `make wheel` does.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from simtlab.labs.build_description import read_build_description
from simtlab.labs.catalogue import default_build, read_catalogue
from simtlab.release.check import LeakSearch, find_leaks
from simtlab.release.solutions import read_solutions

from wheels.cross import missing_cross_tools
from wheels.pack import pack_students, pack_wheel
from wheels.tree import make_tree

ROOT = Path(__file__).resolve().parents[3]
LABS = sorted(path.parent.name for path in (ROOT / "labs").glob("*/lab.cpp"))
CLASS = ROOT / "solutions" / "sample-class"


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the wheel carries."""
    made = tmp_path_factory.mktemp("tree") / "tree"
    make_tree(ROOT, default_build(ROOT), made)
    return made


@pytest.fixture(scope="module")
def wheel(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The instructors' wheel."""
    return pack_wheel(ROOT / "grading", tree, tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="module")
def students(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The students' wheel."""
    return pack_students(wheel, tmp_path_factory.mktemp("students"))


@pytest.fixture(scope="module")
def site(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel as pip unpacks it; what it depends on is that of this interpreter."""
    return unpacked(wheel, tmp_path_factory.mktemp("instructor") / "site")


@pytest.fixture(scope="module")
def students_site(students: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same of the students' wheel."""
    return unpacked(students, tmp_path_factory.mktemp("student") / "site")


def unpacked(wheel: Path, folder: Path, *more: str) -> Path:
    pip: list[str | Path] = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--no-index",
        *more,
        "--target",
        folder,
        wheel,
    ]
    subprocess.run(pip, check=True)
    return folder


def simtlab(site: Path, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """The command of the unpacked wheel, in a folder outside of the checkout."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SIMTLAB_")}
    return subprocess.run(
        [sys.executable, "-m", "simtlab", *words],
        cwd=folder,
        env=environment | {"PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )


def files_of(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


SOURCE_ELSEWHERE = re.compile(rb"(?<![^\0\n \"'=])/(?!usr/src/simtlab/)[^\0\n \"']+/harness/[a-z]+/[a-z_./]+")
"""A file of ours in some folder of some machine: a compiler cache can bring what was built in another one."""


def folders_of_builds(file: Path) -> set[bytes]:
    """What of a machine's folders stands in a file: this checkout's, and our files in any."""
    content = file.read_bytes()
    return set(SOURCE_ELSEWHERE.findall(content)) | ({bytes(ROOT)} if bytes(ROOT) in content else set())


def test_everything_that_a_build_description_names_is_in_the_tree(tree: Path) -> None:
    for name in LABS:
        built = read_build_description(tree / "lib" / "simtlab" / "grader" / "labs" / name / "lab.json").built_part()
        assert built is not None, name
        assert built.shown_backends == "emulator"
        for word in built.backends["emulator"].close:
            _, _, path = word.partition("=")
            assert not path or Path(path).is_file()
    catalogue = read_catalogue(tree / "share" / "simtlab", tree / "lib" / "simtlab" / "grader")
    assert sorted(catalogue.labs) == LABS
    assert all(lab.hidden for lab in catalogue.labs.values())


def test_the_tree_holds_no_solution_and_no_folder_of_this_machine(tree: Path) -> None:
    names = [str(path.relative_to(tree)) for path in tree.rglob("*") if path.is_file()]
    assert not [name for name in names if "variants" in name or name.endswith("lab.cpp")]
    assert {name for name in names if name.startswith("share/simtlab/solutions/") and "sample-class" not in name} == {
        f"share/simtlab/solutions/{lab}/hidden.toml" for lab in LABS
    }
    assert [(name, path) for name in names for path in folders_of_builds(tree / name)] == []
    assert (tree / "share/doc/simtlab/licences/libdw-dev.txt").stat().st_size > 0


def test_the_wheel_is_one_for_this_processor_with_programs_that_can_be_run(wheel: Path, site: Path) -> None:
    assert wheel.name.startswith("simtlab-")
    assert wheel.name.endswith(f"_{os.uname().machine}.whl")
    assert os.access(site / "simtlab" / "installed" / "bin" / "simtcc", os.X_OK)
    with zipfile.ZipFile(wheel) as archive:
        info = next(name for name in archive.namelist() if name.endswith(".dist-info/entry_points.txt"))
        assert "simtcc = simtlab.installed:run_simtcc" in archive.read(info).decode()


def test_a_course_made_by_the_wheel_grades_with_the_verdicts_of_the_checkout(
    site: Path, wheel: Path, tmp_path: Path
) -> None:
    made = simtlab(site, tmp_path, "new-course", "gpu", "--labs", "01")
    assert made.returncode == 0, made.stderr
    course = tmp_path / "gpu"
    assert (course / "wheels" / wheel.name).is_file()
    for student in (course / "sample-class").iterdir():
        if student.name not in {"okafor-amara", "silva-joao"}:
            shutil.rmtree(student)
    graded = simtlab(site, course, "grade", "--json")
    assert graded.returncode == 0, graded.stderr
    assert verdicts(graded.stdout) == {"okafor-amara": "pass", "silva-joao": "leak"}
    tested = simtlab(site, course, "test", "01", "--folder", str(CLASS / "okafor-amara" / "01-vector-add"))
    assert (tested.returncode, tested.stdout.count("  pass  ")) == (0, 3), tested.stdout + tested.stderr
    stub = simtlab(site, course, "test", "01")
    assert (stub.returncode, "FAIL  correct" in stub.stdout) == (1, True)


def verdicts(document: str) -> dict[str, str]:
    return {one["student"]: one["labs"]["01-vector-add"]["verdict"] for one in json.loads(document)["students"]}


def test_another_version_than_the_courses_is_refused(site: Path, tmp_path: Path) -> None:
    simtlab(site, tmp_path, "new-course", "gpu", "--labs", "01")
    pin = tmp_path / "gpu" / "requirements.txt"
    pin.write_text(pin.read_text().replace("==", "==9"))
    refused = simtlab(site, tmp_path / "gpu", "grade")
    assert refused.returncode == 2
    assert "requirements.txt says that simtlab 9" in refused.stderr


def test_a_machine_without_a_compiler_is_told_the_line_to_type(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    simtlab(site, tmp_path, "new-course", "gpu", "--labs", "01")
    monkeypatch.setenv("PATH", str(tmp_path))
    refused = simtlab(site, tmp_path / "gpu", "grade")
    assert refused.returncode == 2
    assert "g++; found: not found. Next: install g++ 12 or newer: sudo apt-get install -y g++" in refused.stderr


def test_the_students_wheel_has_nothing_hidden(students: Path, students_site: Path, wheel: Path) -> None:
    assert students.name == wheel.name.replace("simtlab-", "simtlab_student-", 1)
    names = {name for name in files_of(students) if name.startswith("simtlab/installed/")}
    for word in ("solutions", "hidden.toml", "lab.toml", "sample-class", "predict/", "/predict\n"):
        assert not [name for name in names if word in f"{name}\n"]
    assert not find_leaks(students_site / "simtlab" / "installed" / "share", LeakSearch(read_solutions(ROOT)))
    for name in LABS:
        given = (students_site / "simtlab/installed/share/simtlab/labs" / name / "given.toml").read_text()
        assert "hints" not in given


def test_a_student_tests_a_lab_with_the_students_wheel(students_site: Path, tmp_path: Path) -> None:
    tested = simtlab(students_site, tmp_path, "test", "01", "--folder", str(CLASS / "okafor-amara" / "01-vector-add"))
    assert (tested.returncode, tested.stdout.count("  pass  ")) == (0, 3), tested.stdout + tested.stderr
    assert simtlab(students_site, tmp_path, "--version").stdout.startswith("simtlab ")


@pytest.mark.parametrize(("machine", "name"), [(62, "x86_64"), (183, "aarch64"), (40, None)])
def test_a_wheel_is_for_the_processor_of_its_programs(tmp_path: Path, machine: int, name: str | None) -> None:
    """Whatever machine packs it."""
    program = tmp_path / "bin" / "simtcc"
    program.parent.mkdir()
    program.write_bytes(b"\x7fELF".ljust(18, b"\0") + machine.to_bytes(2, "little"))
    code = (
        "import wheel_hook, sys\n"
        "class Hook(wheel_hook.WheelHook):\n"
        "    def __init__(self): pass\n"
        "data = {'force_include': {}}\n"
        "Hook().initialize('standard', data)\n"
        "print(data['tag'])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT / "grading",
        env=os.environ | {"SIMTLAB_WHEEL_TREE": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    if name:
        assert done.stdout == f"py3-none-linux_{name}\n", done.stderr
    else:
        assert f"{program} is for processor 40 of ELF's list; a wheel is for one of" in done.stderr


def test_without_cross_tools_their_packages_are_named(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "wheels", "--arm64", "--out", tmp_path],
        cwd=ROOT,
        env=os.environ | {"PATH": str(tmp_path), "PYTHONPATH": str(ROOT / "harness")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "no cross tools for arm64 here; missing: g++-aarch64-linux-gnu qemu-user" in done.stderr
    assert "sudo dpkg --add-architecture arm64 && sudo apt-get update && sudo apt-get install -y g++-" in done.stderr


def make_wheel(*words: str | Path) -> None:
    environment = os.environ | {"PYTHONPATH": str(ROOT / "harness")}
    subprocess.run([sys.executable, "-m", "wheels", *words], cwd=ROOT, env=environment, check=True)


class OnArm64:
    """The students' wheel for arm64, installed; its programs run under qemu in `folder`. simtcc finds the cross
    compiler by the name that a compiler has on an arm64 machine."""

    def __init__(self, wheel: Path, folder: Path) -> None:
        platform = wheel.stem.rsplit("-", 1)[1]
        site = unpacked(wheel, folder / "site", "--only-binary=:all:", "--platform", platform)
        self.folder = folder
        self.installed = site / "simtlab" / "installed"
        (folder / "bin").mkdir()
        (folder / "bin" / "g++").symlink_to(shutil.which("aarch64-linux-gnu-g++") or "")

    def run(self, *words: str | Path) -> subprocess.CompletedProcess[str]:
        path = os.environ | {"PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}"}
        return subprocess.run(
            ["qemu-aarch64", *words], cwd=self.folder, env=path, capture_output=True, text=True, check=False
        )

    def compile(self, *words: str | Path) -> None:
        done = self.run(self.installed / "bin" / "simtcc", *words)
        assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def arm64(tmp_path_factory: pytest.TempPathFactory) -> OnArm64:
    if missing := missing_cross_tools():
        pytest.skip(f"cross tools not found: {' '.join(missing)}")
    folder = tmp_path_factory.mktemp("arm64")
    make_wheel("--arm64", "--out", folder)
    (wheel,) = folder.glob("*.whl")
    assert re.fullmatch(r"simtlab_student-[0-9.]+-py3-none-manylinux_2_\d+_aarch64\.whl", wheel.name)
    return OnArm64(wheel, folder)


@pytest.mark.long
def test_a_program_is_compiled_and_run_on_arm64(arm64: OnArm64) -> None:
    (arm64.folder / "race.cu").write_text(
        "__global__ void k(int* a) { *a = threadIdx.x; }\n"
        "int main() { int* a; cudaMalloc(&a, 4); k<<<1, 64>>>(a); cudaFree(a); }\n",
        encoding="utf-8",
    )
    arm64.compile("race.cu", "-o", "race")
    ran = arm64.run("race")
    assert ran.returncode == 86, ran.stderr
    assert "race.cu:1: error: global-race" in ran.stderr


@pytest.mark.long
@pytest.mark.parametrize(
    ("folder", "code", "said"), [("solutions", 0, "all 12 cases are right"), ("labs", 1, "unsolved")]
)
def test_a_lab_is_judged_on_arm64(arm64: OnArm64, folder: str, code: int, said: str) -> None:
    """Compiled and linked as lab.json says, and judged with a runner that qemu runs."""
    name = "01-vector-add"
    grader = arm64.installed / "lib/simtlab/grader"
    place = grader / "labs" / name
    description = json.loads((place / "lab.json").read_text(encoding="utf-8").replace("@PREFIX@", str(arm64.installed)))
    shutil.copyfile(ROOT / folder / name / "kernel.cu", arm64.folder / "kernel.cu")
    arm64.compile("-c", "kernel.cu", "-o", "kernel.o")
    arm64.compile("kernel.o", *description["backends"]["emulator"]["link"], "-o", "program")
    runner = arm64.folder / "runner"
    runner.write_text(f'#!/bin/sh\nexec qemu-aarch64 {arm64.folder}/program "$@"\n', encoding="utf-8")
    runner.chmod(0o755)
    words = ["--backend", "emulator", "--source", str(arm64.folder / "kernel.cu"), "--test-case=correct"]
    judged = arm64.run(description["judge"], "--runner", runner, *words)
    assert judged.returncode == code, judged.stderr
    assert said in judged.stdout


@pytest.mark.long
def test_make_wheel_makes_a_manylinux_wheel_that_installs_and_grades(tmp_path: Path) -> None:
    make_wheel("--out", tmp_path)
    wheel = next(tmp_path.glob("simtlab-*.whl"))
    assert "-manylinux_2_" in wheel.name
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    subprocess.run([tmp_path / "venv/bin/pip", "install", "--quiet", wheel], check=True)
    environment = {"PATH": f"{tmp_path}/venv/bin:/usr/bin:/bin", "HOME": str(tmp_path)}
    subprocess.run(["simtlab", "new-course", "c", "--labs", "01"], cwd=tmp_path, env=environment, check=True)
    graded = subprocess.run(
        ["make", "grade"], cwd=tmp_path / "c", env=environment, capture_output=True, text=True, check=False
    )
    assert graded.returncode == 0, graded.stderr
    assert "okafor-amara" in graded.stdout
