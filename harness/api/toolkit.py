"""The names of functions that the headers of a CUDA Toolkit declare, by the header they stand in."""

import re
from pathlib import Path

HEADERS = {
    "Runtime API": ["cuda_runtime_api.h", "cuda_runtime.h", "cuda_profiler_api.h"],
    "Device functions": [
        "crt/device_functions.h",
        "crt/device_double_functions.h",
        "crt/math_functions.h",
        "crt/sm_70_rt.h",
        "crt/sm_80_rt.h",
        "sm_20_intrinsics.h",
        "sm_30_intrinsics.h",
        "sm_32_intrinsics.h",
        "sm_35_intrinsics.h",
        "sm_61_intrinsics.h",
        "vector_functions.h",
        "channel_descriptor.h",
    ],
    "Atomic functions": [
        "device_atomic_functions.h",
        "sm_20_atomic_functions.h",
        "sm_32_atomic_functions.h",
        "sm_60_atomic_functions.h",
        "sm_90_rt.h",
        "crt/sm_90_rt.h",
    ],
    "Textures and surfaces": ["texture_indirect_functions.h", "surface_indirect_functions.h"],
    "Half precision": ["cuda_fp16.h"],
    "bfloat16": ["cuda_bf16.h"],
    "8-bit floats": ["cuda_fp8.h"],
}
"""The parts of the table, each with the headers that a program includes for it, by hand or not."""

LIBRARY_HEADERS = {
    "Thrust": ["cccl/thrust/*.h", "cccl/thrust/iterator/*.h", "cccl/thrust/random/*.h"],
    "CUB": ["cccl/cub/cub.cuh", "cccl/cub/block/*.cuh", "cccl/cub/device/*.cuh", "cccl/cub/warp/*.cuh"],
    "Tensor cores": ["mma.h"],
}
"""The libraries of headers, whose names are those of the headers: what programs include by hand."""

COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.M)
DECLARES = re.compile(r"_DECL__|CUDARTAPI|__device__|__device_builtin__|__inline_host_device__")
NAME = re.compile(r"\b([A-Za-z_]\w*)\s*\(")
OWN_NAMES = re.compile(
    r"_[A-Za-z]|__(internal|libcpp|cuda|nv_internal|nv_memcpy|nv_aligned|nv_associate|cmath|pow_helper|isnan|prof)|.*_impl$"
    r"|__pm[0-3]$|__fmaf_ieee|__(signbit|isinf|isfinite)[dfl]?$|(int|uint|ll|ull|float)2double$|double2(int|uint|ll|ull)$"
    r"|d(add|sub|mul|div)$|ballot$"
)
"""Names that the headers keep for themselves, and for compilers."""
NO_FUNCTION = {
    "__attribute__",
    "__declspec",
    "__align__",
    "__launch_bounds__",
    "__dv",
    "__cudaRequire",
    "decltype",
    "defined",
    "sizeof",
    "noexcept",
    "throw",
    "operator",
    "asm",
}


def functions_of(text: str) -> set[str]:
    """Of a header: the names before the parameters of what it declares for kernels, or of the runtime API."""
    text = DIRECTIVE.sub("", COMMENT.sub("", text))
    names = set()
    for statement in re.split(r"[;{}]", text):
        if not DECLARES.search(statement) or "typedef" in statement:
            continue
        name = next((n for n in NAME.findall(statement) if n not in NO_FUNCTION and not is_macro(n)), None)
        if name and not OWN_NAMES.match(name):
            names.add(name)
    return names


def is_macro(name: str) -> bool:
    """Whether the name is spelled as the headers spell macros."""
    return name.isupper() or name.endswith("_DECL__")


def is_header(name: str) -> bool:
    """Whether a name of the table is a header's, and not a function's."""
    return "." in name


def names_of(include: Path) -> dict[str, set[str]]:
    """By the parts of the table: what the toolkit whose headers lie in `include` declares."""
    parts: dict[str, set[str]] = {}
    known: set[str] = set()
    for part, headers in HEADERS.items():
        found: set[str] = set()
        for header in headers:
            path = include / header
            if path.exists():
                found |= functions_of(path.read_text(errors="replace"))
        parts[part] = found - known
        known |= found
    for part, patterns in LIBRARY_HEADERS.items():
        headers_there = [path for pattern in patterns for path in include.glob(pattern)]
        parts[part] = {str(path.relative_to(include)).removeprefix("cccl/") for path in headers_there}
    return parts
