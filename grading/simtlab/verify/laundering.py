"""Programs that do a variant's work on copies, or hide it among accesses nobody needs: what no criterion may reward.

A laundered program is the variant, its entry under another name, and a wrapper with the entry's own name, made from the
declaration in lab.cpp. So every lab has them, a new one too. They are made for the emulator's benchmark alone; its
sizes are those that `judge --describe` tells.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from simtlab.errors import LabError

MOST_GAINED = 2.0
"""Points of a lab's 100 that a laundered program may earn beyond the variant."""
MOST_LOST = 5.0
"""Points of a lab's 100 that the model solution may lose by working on copies: memory of one's own is honest."""

_ENTRY = re.compile(r"\.entry\s*=\s*(\w+)")
_INNER = "entry_of_the_variant"
_ADDABLE = ("float", "int", "unsigned int")


class Way(StrEnum):
    """How a program is laundered."""

    COPIES = "copies"
    """cudaMemcpy brings every argument to memory of the program's own, and the results back."""
    KERNELS = "kernels"
    """The same by kernels that only move."""
    DEVICE_ARRAYS = "device arrays"
    """The same into `__device__` arrays."""
    TRANSPOSED = "transposed"
    """The same by two kernels, the first of which leaves a permuted copy."""
    TOKENS = "tokens"
    """No copies; kernels with full requests read each argument several times, store to each result what it holds, add
    zeros atomically, shuffle, vote, and use shared memory without conflicts. One block works, the others idle."""
    ALL = "copies and tokens"
    """Copies by cudaMemcpy, and all tokens."""
    HALVES = "halves"
    """As KERNELS, but every move is split into two kernels, which take every second element."""
    ATOMICS = "atomics"
    """As KERNELS, but what moves is added to variables of the program's own, and stored from there."""
    THROUGH_SHARED = "through shared memory"
    """As KERNELS, but what moves passes through shared memory, without conflicts."""
    HOST_COPIES = "host copies"
    """Of a host entry: it works on host memory of the program's own, copied from and to the arguments."""
    ROUND_TRIP = "round trip"
    """Of a host entry: the same, and the copies come by way of device memory."""


OF_HOST_ENTRIES = (Way.HOST_COPIES, Way.ROUND_TRIP)


@dataclass(frozen=True)
class Parameter:
    """A parameter of an entry."""

    type: str
    name: str

    @property
    def is_array(self) -> bool:
        """Whether it is a pointer."""
        return self.type.endswith("*")

    @property
    def is_input(self) -> bool:
        """Whether it is a pointer to what the entry only reads."""
        return self.is_array and self.type.startswith("const ")

    @property
    def element(self) -> str:
        """The type that the pointer points to."""
        return self.type.removesuffix("*").removeprefix("const ").strip()


@dataclass(frozen=True)
class Entry:
    """A lab's entry as lab.cpp declares it."""

    returns: str
    name: str
    parameters: list[Parameter]
    is_host: bool = False
    """Its arrays are host memory."""

    @property
    def ways(self) -> list[Way]:
        """Those that its program can be laundered in."""
        return [way for way in Way if (way in OF_HOST_ENTRIES) == self.is_host]

    @property
    def arrays(self) -> list[Parameter]:
        """The parameters that are pointers."""
        return [one for one in self.parameters if one.is_array]


def entry_of(lab_cpp: str, where: str) -> Entry:
    """The entry that a lab.cpp names and declares. Raises `LabError` where it cannot be found."""
    named = _ENTRY.search(lab_cpp)
    declared = named and re.search(rf"^(\w+) {named[1]}\(([^)]*)\);", lab_cpp, re.MULTILINE)
    if not named or not declared:
        raise LabError(f"{where}: expected `.entry = NAME` and a declaration `TYPE NAME(…);` at the start of a line")
    parameters = []
    for text in declared[2].split(","):
        kind, star, name = re.sub(r"\s+", " ", text.strip()).rpartition("* ")
        if not star:
            kind, _, name = text.strip().rpartition(" ")
        parameters.append(Parameter(f"{kind.strip()}{'*' if star else ''}", name.strip()))
    return Entry(declared[1], named[1], parameters, "host_lab_spec" in lab_cpp)


def laundered(kernel: str, entry: Entry, elements: Mapping[str, int], way: Way) -> str:
    """The program that does in `way` what `kernel` does, for arrays of that many elements."""
    arrays = entry.arrays
    copies = way is not Way.TOKENS
    body: list[str] = []
    for one in arrays:
        count = elements[one.name]
        if copies:
            body += _own_memory(one, count, way)
            if one.is_input:
                body += _move(f"own_{one.name}", one.name, one, count, way)
    own = {one.name: f"own_{one.name}" if copies else one.name for one in arrays}
    call = f"{_INNER}({', '.join(own.get(one.name, one.name) for one in entry.parameters)});"
    body.append(call if entry.returns == "void" else f"const auto returned = {call}")
    for one in arrays:
        if copies and not one.is_input:
            body += _move(one.name, f"own_{one.name}", one, elements[one.name], way)
    if way in (Way.TOKENS, Way.ALL):
        body += [line for one in arrays for line in _tokens(one, elements[one.name])]
    if copies and way is not Way.DEVICE_ARRAYS:
        free = "std::free" if way in OF_HOST_ENTRIES else "cudaFree"
        body += [f"{free}(own_{one.name});" for one in arrays]
    if entry.returns != "void":
        body.append("return returned;")
    statics = [
        f"__device__ {one.element} laundering_{one.name}[{max(1, elements[one.name])}];"
        for one in arrays
        if way is Way.DEVICE_ARRAYS
    ]
    parameters = ", ".join(f"{one.type} {one.name}" for one in entry.parameters)
    return "\n".join(
        [
            "#include <cuda_runtime.h>",
            "#include <cstdlib>",
            "#include <cstring>",
            "#include <type_traits>",
            f"#define {entry.name} {_INNER}",
            kernel,
            f"#undef {entry.name}",
            _KERNELS,
            *statics,
            f"{entry.returns} {entry.name}({parameters}) {{",
            *(f"  {line}" for line in body),
            "}",
            "",
        ]
    )


def _own_memory(one: Parameter, count: int, way: Way) -> list[str]:
    if way is Way.DEVICE_ARRAYS:
        return [
            f"{one.element}* own_{one.name};",
            f"cudaGetSymbolAddress(reinterpret_cast<void**>(&own_{one.name}), laundering_{one.name});",
        ]
    if way in OF_HOST_ENTRIES:
        bytes_of_it = f"{max(1, count)} * sizeof({one.element})"
        return [f"auto* own_{one.name} = static_cast<{one.element}*>(std::malloc({bytes_of_it}));"]
    return [
        f"{one.element}* own_{one.name};",
        f"cudaMalloc(&own_{one.name}, {max(1, count)} * sizeof({one.element}));",
    ]


def _move(to: str, source: str, one: Parameter, count: int, way: Way) -> list[str]:
    if count == 0:
        return []
    if way in (Way.COPIES, Way.ALL):
        return [f"cudaMemcpy({to}, {source}, {count} * sizeof({one.element}), cudaMemcpyDeviceToDevice);"]
    if way is Way.HOST_COPIES:
        return [f"std::memcpy({to}, {source}, {count} * sizeof({one.element}));"]
    if way is Way.ROUND_TRIP:
        return _round_trip(to, source, one, count)
    if way is Way.HALVES:
        return [_launch("laundering_move_half", to, source, one, count, half) for half in ("0", "1")]
    if way is Way.ATOMICS and one.element in _ADDABLE:
        return _added(to, source, one, count)
    if way is Way.THROUGH_SHARED:
        return [_launch("laundering_move_through_shared", to, source, one, count)]
    if way is not Way.TRANSPOSED:
        return [_launch("laundering_move", to, source, one, count)]
    blocks = (count + 255) // 256
    return [
        "{",
        f"  {one.element}* turned;",
        f"  cudaMalloc(&turned, {count + 32} * sizeof({one.element}));",
        f"  laundering_turn<<<{blocks}, 256>>>(turned, {source}, {count});",
        f"  laundering_return<<<{blocks}, 256>>>({to}, turned, {count});",
        "  cudaFree(turned);",
        "}",
    ]


def _launch(kernel: str, to: str, source: str, one: Parameter, count: int, *more: str) -> str:
    """Of a kernel that moves, a thread for each element. Structures move word by word: a thread for each structure has
    neighbouring lanes touch every eighth word or so, which is a layout's cost and no plain copy's."""
    words = f"laundering_words<{one.element}>"
    arguments = [f"laundering_as_words({to})", f"laundering_as_words({source})", f"{count} * {words}", *more]
    return f"{kernel}<<<({count} * {words} + 255) / 256, 256>>>({', '.join(arguments)});"


def _round_trip(to: str, source: str, one: Parameter, count: int) -> list[str]:
    return [
        "{",
        f"  {one.element}* there;",
        f"  cudaMalloc(&there, {count} * sizeof({one.element}));",
        f"  cudaMemcpy(there, {source}, {count} * sizeof({one.element}), cudaMemcpyHostToDevice);",
        f"  cudaMemcpy({to}, there, {count} * sizeof({one.element}), cudaMemcpyDeviceToHost);",
        "  cudaFree(there);",
        "}",
    ]


def _added(to: str, source: str, one: Parameter, count: int) -> list[str]:
    blocks = (count + 255) // 256
    return [
        "{",
        f"  {one.element}* added;",
        f"  cudaMalloc(&added, {count} * sizeof({one.element}));",
        f"  cudaMemset(added, 0, {count} * sizeof({one.element}));",
        f"  laundering_add_to<<<{blocks}, 256>>>(added, {source}, {count});",
        f"  laundering_move<<<{blocks}, 256>>>({to}, added, {count});",
        "  cudaFree(added);",
        "}",
    ]


def _tokens(one: Parameter, count: int) -> list[str]:
    if count == 0:
        return []
    lines = [
        "{",
        f"  {one.element}* sink;",
        f"  cudaMalloc(&sink, {count} * sizeof({one.element}));",
        f"  for (int i = 0; i < 4; ++i) laundering_look<<<64, 256>>>({one.name}, sink, {count});",
    ]
    if not one.is_input:
        lines.append(f"  laundering_look<<<64, 256>>>({one.name}, {one.name}, {count});")
        if one.element in _ADDABLE:
            lines.append(f"  laundering_add<<<64, 256>>>({one.name}, {count});")
    return [*lines, "  cudaFree(sink);", "}"]


_KERNELS = """
template <class T>
constexpr int laundering_words = std::is_class_v<T> ? sizeof(T) / sizeof(int) : 1;

template <class T>
auto laundering_as_words(T* at) {
  using word = std::conditional_t<std::is_const_v<T>, const int, int>;
  if constexpr (std::is_class_v<T>) {
    static_assert(sizeof(T) % sizeof(word) == 0, "a structure of words");
    return reinterpret_cast<word*>(at);
  } else {
    return at;
  }
}

template <class T>
__global__ void laundering_move(T* to, const T* from, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] = from[i];
}

template <class T>
__global__ void laundering_move_half(T* to, const T* from, int count, int half) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count && i % 2 == half) to[i] = from[i];
}

template <class T>
__global__ void laundering_move_through_shared(T* to, const T* from, int count) {
  __shared__ T tile[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) tile[threadIdx.x] = from[i];
  __syncthreads();
  if (i < count) to[i] = tile[threadIdx.x];
}

template <class T>
__global__ void laundering_add_to(T* at, const T* from, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) atomicAdd(&at[i], from[i]);
}

template <class T>
__global__ void laundering_turn(T* to, const T* from, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, rows = (count + 31) / 32;
  if (i < count) to[i % rows * 32 + i / rows] = from[i];
}

template <class T>
__global__ void laundering_return(T* to, const T* from, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, rows = (count + 31) / 32;
  if (i < count) to[i] = from[i % rows * 32 + i / rows];
}

__constant__ int laundering_word[4];

template <class T>
__global__ void laundering_look(const T* at, T* sink, int count) {
  __shared__ T tile[256];
  if (blockIdx.x > 0) return;
  for (int i = threadIdx.x; i < count; i += 256) {
    tile[threadIdx.x] = at[i];
    __syncwarp();
    sink[i] = tile[threadIdx.x];
    if (laundering_word[0] != 0 || __ballot_sync(__activemask(), laundering_word[1]) != 0) sink[i] = T();
    if (__shfl_sync(__activemask(), laundering_word[2], 0) != 0) sink[i] = T();
  }
}

template <class T>
__global__ void laundering_add(T* at, int count) {
  if (blockIdx.x > 0) return;
  for (int i = threadIdx.x; i < count; i += 256) atomicAdd(&at[i], T());
}
"""
