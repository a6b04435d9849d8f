"""Kernels at random, counted on the emulator and from their source: `random_trace.py SIMTCC KERNELS SEED`.

The generator knows which lanes come to each statement and what the statement's types are made of; so it says for every
line how many requests of how many lanes the line makes, without asking a compiler. Each access has a place in memory of
its own, so that no compiler may leave one out. Exit code 1 if a line counts otherwise; the kernel is printed then.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

LANES = 32
FULL = (1 << LANES) - 1
SLOTS = 96  # statements of one type in a kernel, at most
PASSES = 4  # of a loop, at most
N = (16, 5, 32, 0)  # what the kernels' arguments n0..n3 are


@dataclass(frozen=True)
class Type:
    """A type, the requests that one access of it is, and how to write values of it."""

    name: str
    pieces: int
    members: tuple[str, ...] = ()
    constant: str = ""

    def constants(self, rng: random.Random) -> str:
        """A value that is known when the kernel is compiled."""
        if not self.members:
            return f"({self.name}){rng.randint(0, 9)}"
        values = [str(rng.choice([0, 0, 1, 7])) for _ in self.members]
        forms = [f"{self.name}{{}}", f"{self.name}{{{self.braced(values)}}}"]
        if self.constant:
            forms.append(f"{self.constant}({', '.join(values)})")
        return rng.choice(forms)

    def variable(self, rng: random.Random) -> str:
        """A value that depends on the thread."""
        if not self.members:
            return f"({self.name})(t + n1)"
        values = [rng.choice([f"(T{i})(t + n{i % 4})", "1"]) for i in range(len(self.members))]
        values = [value.replace(f"(T{i})", f"(decltype({self.name}::{self.members[i].split('.')[0]}))")
                  if "." not in self.members[i] else value.replace(f"(T{i})", "(float)")
                  for i, value in enumerate(values)]  # fmt: skip
        return f"{self.name}{{{self.braced(values)}}}"

    def braced(self, values: list[str]) -> str:
        """The members' values, inner structures in braces of their own."""
        parts: list[str] = []
        inner = [value for member, value in zip(self.members, values, strict=True) if "." in member]
        if inner:
            parts.append("{" + ", ".join(inner) + "}")
        parts += [value for member, value in zip(self.members, values, strict=True) if "." not in member]
        return ", ".join(parts)

    @property
    def scalar(self) -> str:
        """A part that is one number, as it is written behind a value."""
        return f".{self.members[-1]}" if self.members else ""


TYPES = [
    Type("char", 1), Type("short", 1), Type("int", 1), Type("float", 1), Type("double", 1), Type("unsigned", 1),
    Type("uchar4", 1, ("x", "y", "z", "w"), "make_uchar4"), Type("short2", 1, ("x", "y"), "make_short2"),
    Type("int2", 1, ("x", "y"), "make_int2"), Type("float2", 1, ("x", "y"), "make_float2"),
    Type("float4", 1, ("x", "y", "z", "w"), "make_float4"), Type("int4", 1, ("x", "y", "z", "w"), "make_int4"),
    Type("double2", 1, ("x", "y"), "make_double2"), Type("float3", 3, ("x", "y", "z"), "make_float3"),
    Type("quad", 4, ("x", "y", "z", "w")), Type("longs", 2, ("a", "b")), Type("pair", 2, ("a", "b")),
    Type("vectors", 2, ("a.x", "a.y", "a.z", "a.w", "b", "c", "d", "e")), Type("cell", 1, ("a", "b")),
]  # fmt: skip
STRUCTURES = """struct quad { float x, y, z, w; };
struct longs { long a, b; };
struct pair { float a; int b; };
struct alignas(16) vectors { float4 a; float b, c, d, e; };
struct alignas(8) cell { int a, b; };
"""


@dataclass
class Kernel:
    """The text of one kernel, and what each of its lines counts: (line, space, access) -> requests and lanes."""

    rng: random.Random
    name: str
    first_line: int
    lines: list[str] = field(default_factory=list)
    requests: Counter[tuple[int, str, str]] = field(default_factory=Counter)
    lanes: Counter[tuple[int, str, str]] = field(default_factory=Counter)
    slots: Counter[str] = field(default_factory=Counter)
    loops: int = 0

    def write(self) -> None:
        """The whole kernel."""
        parameters = ", ".join(f"{t.name}* g_{t.name}" for t in TYPES)
        self.lines.append(f"__global__ void {self.name}({parameters}, float* out, int n0, int n1, int n2, int n3) {{")
        self.lines.append("  const int t = threadIdx.x; double sum = 0;")
        self.lines += [f"  __shared__ {t.name} s_{t.name}[{PASSES * LANES * 4}];" for t in self.shared()]
        self.block(1, [FULL], self.rng.randint(3, 8), 0)
        self.lines.append("  out[t] = sum;")
        self.count("global", "write", [FULL], 1)
        self.lines.append("}")

    def one_of(self, *names: str) -> Type:
        chosen = self.rng.choice(names)
        return next(t for t in TYPES if t.name == chosen)

    def shared(self) -> list[Type]:
        return [t for t in TYPES if t.name in {"int", "float2", "float4", "quad", "short2"}]

    def count(self, space: str, access: str, masks: list[int], pieces: int) -> None:
        """The last line is reached by these lanes, pass by pass."""
        key = (self.first_line + len(self.lines) - 1, space, access)
        self.requests[key] += pieces * sum(1 for mask in masks if mask)
        self.lanes[key] += pieces * sum(mask.bit_count() for mask in masks)

    def place(self, kind: Type, loop: str, *, zero: bool = False) -> tuple[str, str]:
        """An element that no other statement has, and its space; `zero`: the kernel knows that it holds a zero."""
        spaces = ["g", "g"]
        if kind.name not in {
            "quad",
            "longs",
            "pair",
        }:  # docs/internals/trace.md: g++ knows more of an array's place than of its type
            spaces.append("d")
        if not zero and kind in self.shared() and self.slots[f"s_{kind.name}"] < 4:
            spaces += ["s", "s"]
        prefix = self.rng.choice(spaces)
        slot = self.slots[f"{prefix}_{kind.name}"]
        self.slots[f"{prefix}_{kind.name}"] += 1
        if prefix == "s":
            return f"s_{kind.name}[{slot * LANES * PASSES} + t{loop}]", "shared"
        index = self.rng.choice([f"t + {slot * LANES * PASSES}{loop}", f"{slot * LANES * PASSES}{loop} + (31 - t)"])
        return f"{prefix}_{kind.name}[{index}]", "global"

    def block(self, depth: int, masks: list[int], statements: int, inside: int) -> None:
        """Statements one after the other; `masks` has an entry for each pass in which they are reached."""
        loop = f" + {LANES} * i{inside}" if inside else ""
        for _ in range(statements):
            form = self.rng.random()
            if form < 0.3 or max(self.slots.values(), default=0) > SLOTS - 8:
                self.store(depth, masks, loop)
            elif form < 0.5:
                self.load(depth, masks, loop)
            elif form < 0.6:
                self.copy(depth, masks, loop)
            elif form < 0.85 and depth < 4:
                self.branch(depth, masks, inside)
            elif not inside and depth < 3:
                self.loop(depth, masks)

    def store(self, depth: int, masks: list[int], loop: str) -> None:
        kind = self.rng.choice(TYPES)
        where, space = self.place(kind, loop)
        value = self.rng.choice([kind.constants, kind.constants, kind.variable])(self.rng)
        self.lines.append(f"{'  ' * depth}{where} = {value};")
        self.count(space, "write", masks, kind.pieces)

    def load(self, depth: int, masks: list[int], loop: str) -> None:
        kind = self.rng.choice(TYPES)
        where, space = self.place(kind, loop)
        if kind.members and self.rng.random() < 0.5:
            total = " + ".join(f"v.{member}" for member in kind.members)
            self.lines.append(f"{'  ' * depth}{{ const {kind.name} v = {where}; sum += {total}; }}")
            self.count(space, "read", masks, kind.pieces)
        else:
            self.lines.append(f"{'  ' * depth}sum += {where}{kind.scalar};")
            self.count(space, "read", masks, 1)

    def copy(self, depth: int, masks: list[int], loop: str) -> None:
        kind = self.rng.choice(TYPES)
        (to, space), (source, other) = self.place(kind, loop), self.place(kind, loop)
        self.lines.append(f"{'  ' * depth}{to} = {source};")
        self.count(space, "write", masks, kind.pieces)
        self.count(other, "read", masks, kind.pieces)

    def condition(self) -> tuple[str, int]:
        """A condition, and the lanes for which it holds."""
        which = self.rng.randrange(4)
        first = N[which]
        text, holds = self.rng.choice(
            [
                (f"t < n{which}", [t < first for t in range(LANES)]),
                (f"t >= n{which}", [t >= first for t in range(LANES)]),
                ("(t & 1) == 0", [t % 2 == 0 for t in range(LANES)]),
                (f"n{which} > 8", [first > 8] * LANES),
            ]
        )
        return text, sum(1 << t for t, yes in enumerate(holds) if yes)

    def branch(self, depth: int, masks: list[int], inside: int) -> None:
        text, holds = self.condition()
        indent, loop = "  " * depth, f" + {LANES} * i{inside}" if inside else ""
        form = self.rng.random()
        if form < 0.2:  # what stands behind && is read by the lanes that get there; all arrays hold zeros
            kind = self.one_of("int", "float", "short")
            where, space = self.place(kind, loop, zero=True)
            self.lines.append(f"{indent}if ({text} && {where} == 0) {{")
            self.count(space, "read", [mask & holds for mask in masks], 1)
            self.store(depth + 1, [mask & holds for mask in masks], loop)  # without which nobody would ask
        elif form < 0.35:
            kind = self.one_of("int", "float", "double")
            (one, space), (other, other_space) = self.place(kind, loop), self.place(kind, loop)
            self.lines.append(f"{indent}sum += {text} ? {one} : {other};")
            self.count(space, "read", [mask & holds for mask in masks], 1)
            self.count(other_space, "read", [mask & ~holds for mask in masks], 1)
            return
        else:
            self.lines.append(f"{indent}if ({text}) {{")
        self.block(depth + 1, [mask & holds for mask in masks], self.rng.randint(1, 3), inside)
        if form >= 0.35 and self.rng.random() < 0.5:
            self.lines.append(f"{indent}}} else {{")
            self.block(depth + 1, [mask & ~holds for mask in masks], self.rng.randint(1, 3), inside)
        self.lines.append(f"{indent}}}")

    def loop(self, depth: int, masks: list[int]) -> None:
        """Constant and variable numbers of passes, lanes that leave early, and lanes that skip the rest of a pass."""
        self.loops += 1
        loop = self.loops
        indent, i = "  " * depth, f"i{self.loops}"
        form = self.rng.choice(["constant", "argument", "parted", "while", "endless", "break"])
        everyone = [FULL] * (3 if form == "break" else 2)
        if form == "constant":
            self.lines.append(f"{indent}for (int {i} = 0; {i} < 2; ++{i}) {{")
        elif form == "argument":
            self.lines.append(f"{indent}for (int {i} = 0; {i} < n0 / 8; ++{i}) {{")
        elif form == "parted":
            self.lines.append(f"{indent}for (int {i} = 0; {i} < 1 + (t & 1); ++{i}) {{")
            everyone = [FULL, sum(1 << t for t in range(1, LANES, 2))]
        elif form == "while":
            self.lines.append(f"{indent}int {i} = -1; while (++{i} < n0 / 8) {{")
        elif form == "endless":
            head = self.rng.choice(["while (true)", "for (;;)"])
            self.lines.append(f"{indent}int {i} = -1; {head} {{ if (++{i} == n0 / 8) break;")
        else:
            self.lines.append(f"{indent}for (int {i} = 0; {i} < 3; ++{i}) {{ if ({i} > t % 4) break;")
            everyone = [sum(1 << t for t in range(LANES) if t % 4 >= k) for k in range(3)]
        passes = [mask & one for one in everyone for mask in masks]
        self.block(depth + 1, passes, self.rng.randint(1, 3), loop)
        if self.rng.random() < 0.5:
            text, holds = self.condition()
            self.lines.append(f"{indent}  if ({text}) continue;")
            self.block(depth + 1, [mask & ~holds for mask in passes], self.rng.randint(1, 3), loop)
        self.lines.append(f"{indent}}}")


def program(kernels: int, seed: int) -> tuple[str, list[Kernel]]:
    """The text of the program, and its kernels in the order in which they run."""
    lines = [*STRUCTURES.splitlines()]
    elements = SLOTS * LANES * PASSES
    lines += [f"__device__ {t.name} d_{t.name}[{elements}];" for t in TYPES]
    written = []
    for number in range(kernels):
        draws = random.Random(f"{seed}/{number}")  # noqa: S311 -- a test\'s kernels, no secret
        kernel = Kernel(draws, f"kernel_{number}", len(lines) + 1)
        kernel.write()
        lines += kernel.lines
        written.append(kernel)
    lines.append("int main() {")
    lines += [f"  {t.name}* g_{t.name}; cudaMalloc(&g_{t.name}, {elements} * sizeof({t.name}));" for t in TYPES]
    lines.append(f"  float* out; cudaMalloc(&out, {LANES} * sizeof(float));")
    clear = " ".join(f"cudaMemset(g_{t.name}, 0, {elements} * sizeof({t.name}));" for t in TYPES)
    clear += "".join(
        f"{{ void* d; cudaGetSymbolAddress(&d, d_{t.name}); cudaMemset(d, 0, sizeof d_{t.name}); }}" for t in TYPES
    )
    arguments = ", ".join(f"g_{t.name}" for t in TYPES) + f", out, {N[0]}, {N[1]}, {N[2]}, {N[3]}"
    for kernel in written:
        lines.append(f"  {clear} {kernel.name}<<<1, {LANES}>>>({arguments});")
    return "\n".join([*lines, "  cudaDeviceReset();", "}", ""]), written


def differences(kernel: Kernel, accesses: list[dict[str, object]]) -> list[str]:
    """Lines that count something else than their source says."""
    requests: Counter[tuple[int, str, str]] = Counter()
    lanes: Counter[tuple[int, str, str]] = Counter()
    for access in accesses:
        key = (int(str(access["line"])), str(access["space"]), str(access["access"]))
        requests[key] += int(str(access["requests"]))
        lanes[key] += int(str(access["lanes"]))
    told = []
    for key in sorted({*requests, *kernel.requests}):
        line, space, kind = key
        expected, found = (kernel.requests[key], kernel.lanes[key]), (requests[key], lanes[key])
        if expected != found:
            text = kernel.lines[line - kernel.first_line].strip()
            told.append(
                f"{kernel.name}, line {line}, {space} {kind}: counted {found}, by the source {expected}: {text}"
            )
    return told


def main(simtcc: str, kernels: int, seed: int) -> int:
    """Builds, runs and compares."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        text, written = program(kernels, seed)
        (folder / "program.cu").write_text(text, encoding="utf-8")
        subprocess.run([simtcc, "-w", "program.cu", "-o", "program"], cwd=folder, check=True)
        environment = {**os.environ, "SIMTLAB_REPORT": "report.json", "SIMTLAB_CHECKS": "off"}
        subprocess.run([folder / "program"], cwd=folder, check=True, env=environment)
        launches = json.loads((folder / "report.json").read_text(encoding="utf-8"))["launches"]
        told, accesses = [], 0
        for kernel, launch in zip(written, launches, strict=True):
            accesses += sum(kernel.requests.values())
            wrong = differences(kernel, launch["accesses"])
            told += wrong
            if wrong and os.environ.get("SIMTLAB_SHOW"):
                print("\n".join(kernel.lines))
        print("\n".join(told))
        print(f"{kernels} kernels, seed {seed}, {accesses} requests by the source, {len(told)} lines count otherwise")
        return 1 if told or accesses == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
