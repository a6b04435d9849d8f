"""`simtlab new-course`: what it writes, that it grades, and what it refuses."""

import errno
import json
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from simtlab import __version__
from simtlab.cli import app
from simtlab.course.course import Leaderboard
from simtlab.course.names import course_of
from simtlab.errors import UsageError
from simtlab.labs.catalogue import default_build, find_root, read_catalogue
from simtlab.new_course.create import create_course, sample_class
from simtlab.new_course.pin import pinned_version, refuse_other_version
from simtlab.new_course.wheel_file import own_wheel_file

ROOT = Path(__file__).resolve().parents[2]
LABS = sorted(path.parent.name for path in (ROOT / "labs").glob("*/lab.cpp"))
runner = CliRunner()


def new_course(*words: str) -> tuple[int, str]:
    """Exit code and everything that was said."""
    done = runner.invoke(app, ["new-course", *words])
    said = done.output + (str(done.exception) if done.exception and not isinstance(done.exception, SystemExit) else "")
    return done.exit_code, " ".join(said.split())


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A course with two labs, one of which the sample class has."""
    code, _ = new_course(str(tmp_path / "gpu"), "--labs", "1,13-coarsening")
    assert code == 0
    return tmp_path / "gpu"


def files_in(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_a_course_has_its_labs_policy_class_and_pin(course: Path) -> None:
    names = files_in(course)
    assert {"course.toml", "README.md", "Makefile", ".gitignore", ".github/workflows/grade.yml"} <= names
    assert {"labs/01-vector-add/kernel.cu", "labs/01-vector-add/README.md", "labs/01-vector-add/lab.toml"} <= names
    assert "solutions/01-vector-add/hidden.toml" in names
    assert not [one for one in names if one.endswith(("lab.cpp", "labs/01-vector-add/Makefile"))]
    assert sorted(path.name for path in (course / "labs").iterdir()) == ["01-vector-add", "13-coarsening"]
    assert f"simtlab=={__version__}" in (course / "requirements.txt").read_text().splitlines()
    assert "sample-class/garcia-lucia/01-vector-add/kernel.cu" in names


def test_no_solution_but_the_sample_classs_is_in_it(course: Path) -> None:
    assert not [
        one for one in files_in(course) if "variants" in one or one.startswith("solutions/13-coarsening/kernel")
    ]
    assert files_in(course / "solutions") <= {f"{lab}/hidden.toml" for lab in LABS}


def test_a_lab_that_nobody_of_the_sample_class_did_has_its_stub_there(course: Path) -> None:
    handed_in = course / "sample-class" / "nguyen-minh" / "13-coarsening" / "kernel.cu"
    assert handed_in.read_bytes() == (ROOT / "labs" / "13-coarsening" / "kernel.cu").read_bytes()


def test_without_labs_named_every_lab_is_taken(tmp_path: Path) -> None:
    assert new_course(str(tmp_path / "all"))[0] == 0
    assert sorted(path.name for path in (tmp_path / "all" / "labs").iterdir()) == LABS


def test_what_is_written_can_be_read_by_those_who_read_it(course: Path) -> None:
    assert tomllib.loads((course / "course.toml").read_text())["late"]["percent_per_day"] == 10
    workflow = yaml.safe_load((course / ".github/workflows/grade.yml").read_text())
    steps = [step.get("run") for step in workflow["jobs"]["sample-class"]["steps"]]
    assert "make grade" in steps
    for name in ("course.toml", "README.md", "Makefile", "requirements.txt", ".github/workflows/grade.yml"):
        assert "@" not in (course / name).read_text().replace("actions/checkout@", "").replace(
            "actions/upload-artifact@", ""
        ).replace("@echo", "").replace("\t@", "")


def test_dates_in_the_template_are_right_when_the_sign_is_taken_away(course: Path) -> None:
    text = (course / "course.toml").read_text()
    dated = tomllib.loads(
        text.replace("\n# [labs", "\n[labs").replace("\n# due", "\ndue").replace("\n# weight", "\nweight")
    )
    assert sorted(dated["labs"]) == ["01-vector-add", "13-coarsening"]


def test_a_course_with_the_capstone_has_its_leaderboard_and_any_other_an_example(course: Path, tmp_path: Path) -> None:
    text = (course / "course.toml").read_text()
    assert "leaderboard" not in tomllib.loads(text)
    example = tomllib.loads(text.replace("\n# [leader", "\n[leader").replace("\n# pseudonyms", "\npseudonyms"))
    assert example["leaderboard"] == {"pseudonyms": {"login": "Heron"}}
    assert new_course(str(tmp_path / "fast"), "--labs", "07,17")[0] == 0
    assert course_of(read_catalogue(tmp_path / "fast", tmp_path), None).leaderboard == Leaderboard(
        labs=["17-capstone-gemm"]
    )


def test_the_course_is_what_commands_inside_of_it_mean(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(course / "sample-class")
    monkeypatch.delenv("SIMTLAB_BUILD", raising=False)
    assert find_root() == course
    assert default_build(course) == ROOT / "build" / "default"
    assert read_catalogue(course, tmp := course / "nothing").names == ["01-vector-add", "13-coarsening"]
    assert not tmp.exists()
    assert sample_class(course) == course / "sample-class"
    assert sample_class(ROOT) == ROOT / "solutions" / "sample-class"


def test_json_names_every_file(tmp_path: Path) -> None:
    done = runner.invoke(app, ["new-course", str(tmp_path / "c"), "--labs", "08", "--json"])
    document = json.loads(done.stdout)
    assert (document["format"], document["version"], document["labs"]) == (
        "simtlab-new-course",
        1,
        ["08-bank-conflicts"],
    )
    assert set(document["files"]) == files_in(tmp_path / "c")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("full", "is not empty: name a new folder"),
        ("file", "exists and is no folder"),
        ("link", "exists and is no folder"),
        ("there/is/none", "is no folder: make it first (mkdir -p)"),
        ("bell\a", "is no folder's name"),
        ("", ". is not empty"),
        ("x" * 250, "too long for a folder's name"),
    ],
)
def test_a_folder_that_cannot_be_is_refused_and_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, expected: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").write_text("mine")
    (tmp_path / "file").write_text("mine")
    (tmp_path / "link").symlink_to("elsewhere")
    before = sorted(map(str, tmp_path.rglob("*")))
    code, said = new_course(name, "--labs", "01")
    assert code != 0
    assert expected in said
    assert sorted(map(str, tmp_path.rglob("*"))) == before


def test_an_empty_folder_is_taken_also_by_the_name_of_a_dot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert new_course(".", "--labs", "01")[0] == 0
    assert (tmp_path / "README.md").read_text().startswith(f"# {tmp_path.name}\n")


def test_an_unknown_lab_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    code, said = new_course(str(tmp_path / "c"), "--labs", "01,tilling")
    assert code != 0
    assert "there is no lab 'tilling'. Did you mean 07-shared-tiling?" in said
    assert not (tmp_path / "c").exists()


def test_a_full_disk_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(source: Path, target: Path) -> None:
        raise OSError(28, "No space left on device", str(target))

    monkeypatch.setattr("shutil.copyfile", full)
    catalogue = read_catalogue(ROOT, ROOT / "build" / "default")
    with pytest.raises(UsageError, match=r"No space left on device.*on a disk with room"):
        create_course(tmp_path / "c", ["01-vector-add"], catalogue)
    assert not (tmp_path / "c").exists()


def test_a_read_only_place_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Path, **more: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system", str(self))

    catalogue = read_catalogue(ROOT, ROOT / "build" / "default")
    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(UsageError, match=r"Read-only file system .*Name a folder that you may write"):
        create_course(tmp_path / "c", ["01-vector-add"], catalogue)


def test_another_version_refuses_to_grade_the_course(course: Path) -> None:
    assert pinned_version(course) == __version__
    refuse_other_version(course)
    file = course / "requirements.txt"
    file.write_text(file.read_text().replace(f"=={__version__}", " == 9.9"))
    with pytest.raises(UsageError, match=r"simtlab 9\.9 grades this course.*make setup"):
        refuse_other_version(course)
    file.write_text("simtlab[notebook]==9.9 ; python_version > '3'\n")
    assert pinned_version(course) == "9.9"
    file.unlink()
    refuse_other_version(course)  # who wants no pin has none


class RecordOf:
    """A distribution with pip's record of where it came from."""

    def __init__(self, url: str) -> None:
        self._url = url

    def read_text(self, name: str) -> str | None:
        assert name == "direct_url.json"
        return json.dumps({"url": self._url}) if self._url else None


@pytest.fixture
def installed_from(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Where pip got the package from."""
    place = {"url": ""}
    monkeypatch.setattr("simtlab.new_course.wheel_file.distribution", lambda _: RecordOf(place["url"]))
    return place


def test_the_file_that_pip_was_given_goes_into_the_course(tmp_path: Path, installed_from: dict[str, str]) -> None:
    wheel = tmp_path / "my wheels" / "simtlab-1.whl"
    wheel.parent.mkdir()
    wheel.write_bytes(b"the wheel")
    installed_from["url"] = wheel.as_uri()
    assert own_wheel_file() == wheel
    assert new_course(str(tmp_path / "c"), "--labs", "01")[0] == 0
    assert (tmp_path / "c" / "wheels" / "simtlab-1.whl").read_bytes() == b"the wheel"


@pytest.mark.parametrize("url", ["", "https://example.org/simtlab-1.whl", "file:///gone/simtlab-1.whl", "file:///work"])
def test_without_that_file_the_course_says_where_to_put_one(
    tmp_path: Path, installed_from: dict[str, str], url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("simtlab.cli.new_course.installed_tree", lambda: tmp_path)
    installed_from["url"] = url
    assert own_wheel_file() is None
    code, said = new_course(str(tmp_path / "c"), "--labs", "01")
    assert code == 0
    assert "or from a file in wheels/" in said
    assert files_in(tmp_path / "c" / "wheels") == {".gitkeep"}


def test_in_a_checkout_the_first_step_is_to_make_that_file(tmp_path: Path, installed_from: dict[str, str]) -> None:
    said = new_course(str(tmp_path / "c"), "--labs", "01")[1]
    steps = ["make wheel", "cp dist/simtlab-", f"{tmp_path / 'c'}/wheels/", f"cd {tmp_path / 'c'}", "make grade"]
    assert sorted(map(said.index, steps)) == [said.index(step) for step in steps]


def make(course: Path, *words: str, path: str = "/usr/bin:/bin") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["make", *words], cwd=course, capture_output=True, text=True, check=False, env={"PATH": path, "HOME": "/tmp"}
    )


def test_the_makefile_names_its_targets_and_the_next_step(course: Path) -> None:
    assert "make grade" in make(course, "help").stdout
    without = make(course, "grade")
    assert (without.returncode, without.stderr.splitlines()[0]) == (2, "simtlab is not installed here: make setup")
    old = course / "python3.9"
    old.write_text('#!/bin/sh\n[ "$1" = --version ] && echo Python 3.9.2 && exit\nexit 1\n')
    old.chmod(0o755)
    assert "Python 3.9.2; simtlab needs Python 3.11 or newer" in make(course, "setup", f"PYTHON={old}").stderr


@pytest.mark.parametrize(
    ("user", "sudo", "installs"),
    [(0, False, True), (1000, True, True), (1000, False, False)],
    ids=["root", "sudo", "nobody"],
)
def test_a_grading_gets_the_sandbox_that_is_missing_where_it_may(
    course: Path, tmp_path: Path, user: int, sudo: bool, installs: bool
) -> None:
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("bash", "sh", "env"):
        (programs / name).symlink_to(f"/usr/bin/{name}")
    (programs / "make").symlink_to("/usr/bin/make")
    scripts = {"simtlab": f'echo "called: $@"; [ ! -e {tmp_path}/bwrap ] || echo sandboxed', "id": f"echo {user}"}
    scripts["apt-get"] = f'echo "apt-get $@" >> {tmp_path}/apt; case "$@" in *bubblewrap*) : > {tmp_path}/bwrap;; esac'
    scripts["sudo"] = '[ "$1" = -n ] && shift; "$@"' if sudo else "exit 1"
    for name, text in scripts.items():
        (programs / name).write_text(f"#!/bin/sh\n{text}\n")
        (programs / name).chmod(0o755)

    done = make(course, "grade", path=str(programs))

    assert "called: grade sample-class" in done.stdout, done.stderr
    assert ("installing bubblewrap: the sandbox that submissions run in" in done.stdout) == installs
    assert ("sandboxed" in done.stdout) == installs == (tmp_path / "apt").exists()
    weak = make(course, "grade", "ALLOW_WEAK=1", path=str(programs))
    assert "installing" not in weak.stdout


def test_the_makefile_calls_the_simtlab_on_path_and_passes_on_what_is_asked(course: Path, tmp_path: Path) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "simtlab").write_text('#!/bin/sh\necho "$SIMTLAB_ALLOW_WEAK called: $*"\n')
    (tools / "simtlab").chmod(0o755)
    path = f"{tools}:/usr/bin:/bin"
    assert make(course, "grade", path=path).stdout == " called: grade sample-class\n"
    assert make(course, "grade", "SUBMISSIONS=my class.zip", "ALLOW_WEAK=1", path=path).stdout == (
        "1 called: grade my class.zip\n"
    )
    assert make(course, "test", "LAB=01", path=path).stdout == " called: test 01\n"
    assert make(course, "test", path=path).stderr.splitlines()[0] == "say which lab to test: make test LAB=01"
    own = course / ".venv" / "bin" / "simtlab"
    own.parent.mkdir(parents=True)
    own.write_text("#!/bin/sh\necho own\n")
    own.chmod(0o755)
    assert make(course, "doctor", path=path).stdout == "own\n"


def released(course: Path, out: Path, *words: str, monkeypatch: pytest.MonkeyPatch) -> tuple[int, str]:
    monkeypatch.chdir(course)
    done = runner.invoke(app, ["release", str(out), *words])
    said = done.output + (str(done.exception) if done.exception and not isinstance(done.exception, SystemExit) else "")
    return done.exit_code, " ".join(said.split())


def test_students_of_a_course_get_handouts_stubs_and_their_wheel(
    course: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (course / "wheels" / "simtlab_student-0.1.0-py3-none-any.whl").write_bytes(b"a wheel")
    (course / "labs" / "01-vector-add" / "notes.txt").write_text("for the instructor")
    code, said = released(course, tmp_path / "out", monkeypatch=monkeypatch)
    assert (code, "2 labs for students" in said) == (0, True), said
    names = files_in(tmp_path / "out")
    assert {"README.md", "Makefile", "labs/01-vector-add/kernel.cu", "labs/13-coarsening/README.md"} <= names
    assert "wheels/simtlab_student-0.1.0-py3-none-any.whl" in names
    assert not [one for one in names if one.endswith(("lab.toml", "hidden.toml", "notes.txt", "course.toml"))]
    for name in ("README.md", "Makefile"):
        assert "@" not in (tmp_path / "out" / name).read_text().replace("\t@", "")
    helped = subprocess.run(["make", "-C", tmp_path / "out"], capture_output=True, text=True, check=True)
    assert "make test" in helped.stdout


def test_a_course_whose_stub_was_solved_releases_nothing(
    course: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (course / "labs" / "13-coarsening" / "kernel.cu").open("a") as stub:
        stub.write("// solved\n")
    code, said = released(course, tmp_path / "out", monkeypatch=monkeypatch)
    assert code != 0
    assert "labs/13-coarsening/kernel.cu is not the stub" in said
    assert not (tmp_path / "out").exists()
    assert released(course, tmp_path / "out", "--labs", "01", monkeypatch=monkeypatch)[0] == 0
