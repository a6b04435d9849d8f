"""What hatchling asks while it builds the wheel: the compiled tree goes in, and the wheel is for this processor.

`make wheel` (harness/wheels) builds the tree and names it in SIMTLAB_WHEEL_TREE. An editable install, which is what a
checkout has, needs none: there the build tree serves.
"""

import os
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_INSIDE = "simtlab/installed"
_PROCESSORS = {62: "x86_64", 183: "aarch64"}
"""What pip calls a processor, by the machine of an ELF header."""


class WheelHook(BuildHookInterface):  # type: ignore[type-arg]
    """Adds the tree file by file; executables keep their mode."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called before the build; `version` is `standard` or `editable`."""
        if version == "editable":
            return
        tree = Path(os.environ.get("SIMTLAB_WHEEL_TREE", ""))
        if not (tree / "bin" / "simtcc").is_file():
            raise RuntimeError(
                f"SIMTLAB_WHEEL_TREE={tree}: expected the folder with bin/simtcc that the wheel carries. "
                "Run `make wheel` in the checkout, which builds it; for a checkout's own use: pip install -e grading"
            )
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-linux_{_processor(tree / 'bin' / 'simtcc')}"
        for path in sorted(one for one in tree.rglob("*") if one.is_file()):
            build_data["force_include"][str(path)] = f"{_INSIDE}/{path.relative_to(tree)}"


def _processor(program: Path) -> str:
    """What a program is compiled for, which is another processor than this machine's where it was cross-compiled."""
    with program.open("rb") as stream:
        machine = int.from_bytes(stream.read(20)[18:20], "little")
    if machine not in _PROCESSORS:
        raise RuntimeError(f"{program} is for processor {machine} of ELF's list; a wheel is for one of {_PROCESSORS}")
    return _PROCESSORS[machine]
