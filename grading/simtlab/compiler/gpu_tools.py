"""NVIDIA's nvcc and nvdisasm, by which `--engine sass` runs kernels: which of this machine's simtcc takes."""

import re
import subprocess
from functools import lru_cache
from pathlib import Path

from simtlab.errors import UsageError

_NAMED = re.compile(r" with (/.+) and (/.+)$", re.MULTILINE)


@lru_cache
def gpu_tools(compiler: tuple[str, ...]) -> tuple[Path, ...]:
    """The paths, as `compiler… --version` names them: simtcc with `--engine=sass`. Raises `UsageError` with its
    sentence where one is missing."""
    asked = subprocess.run([*compiler, "--version"], capture_output=True, text=True, check=False)
    if asked.returncode:
        raise UsageError(asked.stderr.strip().removeprefix("simtcc: "))
    found = _NAMED.search(asked.stdout)
    return tuple(Path(path) for path in found.groups()) if found else ()
