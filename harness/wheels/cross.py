"""What a wheel for arm64 is cross-compiled with: Debian's cross compiler, the foreign architecture's own packages, and
qemu, which runs simtcc while labs are built (harness/cmake/toolchains/arm64.cmake)."""

import shutil
from pathlib import Path

_PROGRAMS = {"g++-aarch64-linux-gnu": "aarch64-linux-gnu-g++", "qemu-user": "qemu-aarch64"}
_LIBRARIES = {
    "libdw-dev": "libdw.a",
    "libelf-dev": "libelf.a",
    "zlib1g-dev": "libz.a",
    "liblzma-dev": "liblzma.a",
    "libbz2-dev": "libbz2.a",
    "libseccomp-dev": "libseccomp.a",
    "libboost-context-dev": "libboost_context.a",
    "libfmt-dev": "libfmt.so",
}
_FOLDER = Path("/usr/lib/aarch64-linux-gnu")


def missing_cross_tools() -> list[str]:
    """The packages that are not installed, by the words that apt-get wants."""
    programs = [package for package, program in _PROGRAMS.items() if shutil.which(program) is None]
    return programs + [f"{package}:arm64" for package, file in _LIBRARIES.items() if not (_FOLDER / file).is_file()]
