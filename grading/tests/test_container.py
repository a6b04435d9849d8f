"""In the image of .devcontainer/Dockerfile both commands of the README work at once, with everything compiled.

Where Docker or podman works, it builds and runs the image. Elsewhere the Dockerfile's own steps are followed in a fresh
Debian 12 that mmdebstrap makes. The whole takes a quarter of an hour and more, and is `long`; it prints which way it
took.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from simtlab.labs.catalogue import find_root
from tests.dockerfile import Image, read_stages

ROOT = find_root(Path(__file__))
DOCKERFILE = ROOT / ".devcontainer" / "Dockerfile"
Run = Callable[[str], "subprocess.CompletedProcess[str]"]
_OF_THE_NETWORK = ("http_proxy", "https_proxy", "no_proxy", "PIP_INDEX_URL", "PIP_DEFAULT_TIMEOUT")

pytestmark = pytest.mark.skipif(not DOCKERFILE.exists(), reason="a students' copy: there is no .devcontainer")


def engine() -> str | None:
    """A container engine that works here."""
    for name in ("docker", "podman"):
        if shutil.which(name) and subprocess.run([name, "info"], capture_output=True, check=False).returncode == 0:
            return name
    return None


def by_engine(name: str) -> Run:
    subprocess.run([name, "build", "-f", DOCKERFILE, "-t", "simtlab-test", ROOT], check=True)
    options = json.loads(
        re.sub(r"^//.*$", "", (DOCKERFILE.parent / "devcontainer.json").read_text(), flags=re.MULTILINE)
    )
    start = [name, "run", "--rm", *options["runArgs"], "simtlab-test", "sh", "-c"]
    return lambda command: subprocess.run(
        [*start, command], text=True, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )


def fresh_debian(base: str, root: Path) -> None:
    assert base == "debian:12", f"a Debian 12 is made here, and the Dockerfile begins with {base}"
    subprocess.run(["mmdebstrap", "--quiet", "--variant=minbase", "bookworm", root], check=True)
    for name in ("resolv.conf", "hosts"):
        shutil.copy(f"/etc/{name}", root / "etc" / name)
    if certificates := os.environ.get("PIP_CERT"):
        shutil.copy(certificates, root / "etc" / "certificates-of-this-machine.crt")


def by_hand(place: Path) -> Run:
    machine = {name: os.environ[name] for name in _OF_THE_NETWORK if name in os.environ}
    if "PIP_CERT" in os.environ:
        machine["PIP_CERT"] = "/etc/certificates-of-this-machine.crt"
    image = Image(ROOT, place, machine)
    stage = image.build(read_stages(DOCKERFILE.read_text(encoding="utf-8")), fresh_debian)
    return lambda command: image.run(stage, command)


@pytest.mark.long
def test_both_commands_of_the_readme_work_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = engine()
    if name is None and (shutil.which("mmdebstrap") is None or os.getuid() != 0):
        pytest.skip("no container engine works here, and mmdebstrap with root is not there")
    with capsys.disabled():
        sys.stdout.write(
            f"\nthe image is made by {name or 'following its steps in a fresh root: no engine works here'}\n"
        )
    run = by_engine(name) if name else by_hand(tmp_path)
    tested = run("make test LAB=08")
    assert tested.returncode == 2, tested.stdout
    assert "unsolved" in tested.stdout
    assert "building" not in tested.stdout
    assert "installing" not in tested.stdout
    graded = run("make grade && ls report/index.html")
    assert graded.returncode == 0, graded.stdout[-4000:]
    assert "points possible" in graded.stdout
    assert "building" not in graded.stdout
    assert "installing" not in graded.stdout
    assert run("simtcc --version && simtlab --help").returncode == 0


def test_the_dockerfile_is_one_that_can_be_followed_without_an_engine() -> None:
    stages = read_stages(DOCKERFILE.read_text(encoding="utf-8"))
    assert [(one.base, one.name) for one in stages[:2]] == [("debian:12", "packages"), ("packages", "built")]
    assert stages[-1].steps[-1] == ("CMD", '["bash"]')
    with pytest.raises(ValueError, match="HEALTHCHECK"):
        read_stages("FROM debian:12\nHEALTHCHECK NONE\n")


def test_the_container_of_editors_is_the_same_image_at_the_same_place() -> None:
    text = (DOCKERFILE.parent / "devcontainer.json").read_text(encoding="utf-8")
    said = json.loads(re.sub(r"^//.*$", "", text, flags=re.MULTILINE))
    assert (DOCKERFILE.parent / said["build"]["context"]).resolve() == ROOT
    assert ("WORKDIR", said["workspaceFolder"]) in read_stages(DOCKERFILE.read_text(encoding="utf-8"))[0].steps
    for mount in said["mounts"]:
        assert f"target={said['workspaceFolder']}/" in mount
