"""An object file as the audit sees it: names, where they are referred to, what runs before main, and source lines.

Positions are (section, offset) pairs: in an object file every section begins at 0. The line table is read only when
somebody asks for a line. Its sequences name their section through relocations alone, in the order of the sequences.
"""

import bisect
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

from elftools.elf.elffile import ELFFile
from elftools.elf.relocation import RelocationSection
from elftools.elf.sections import SymbolTableSection

Position = tuple[int, int]

_ABSOLUTE_64 = 1  # R_X86_64_64
_RELATIVE = {2, 4, 9, 41, 42}  # PC32, PLT32, GOTPCREL, GOTPCRELX, REX_GOTPCRELX: 4 bytes before the next instruction
_CALL_OR_JUMP = (0xE8, 0xE9)


@dataclass(frozen=True)
class Symbol:
    """A named symbol. `section` is None for one that is defined elsewhere."""

    name: str
    kind: str
    binding: str
    section: int | None
    value: int
    size: int


@dataclass(frozen=True)
class Reference:
    """A place that refers to a symbol, or through a section's symbol to a position in this object."""

    at: Position
    symbol: Symbol
    target: Position | None


@dataclass(frozen=True)
class Section:
    """A section of the object."""

    name: str
    kind: str
    writable: bool
    executable: bool


class ObjectFile:
    """Reads `path` whole; raises `ELFError` or `ValueError` for what is no object file of this machine."""

    def __init__(self, path: Path) -> None:
        with path.open("rb") as stream:
            self._read(stream)
        self._path = path

    def _read(self, stream: BinaryIO) -> None:
        elf = ELFFile(stream)
        if elf["e_type"] != "ET_REL" or elf["e_machine"] != "EM_X86_64":
            raise ValueError(f"an object file of x86-64 was expected, found {elf['e_type']} of {elf['e_machine']}")
        raw = list(elf.iter_sections())
        self.sections = [
            Section(one.name, one["sh_type"], bool(one["sh_flags"] & 1), bool(one["sh_flags"] & 4)) for one in raw
        ]
        self._code = {index: one.data() for index, one in enumerate(raw) if self.sections[index].executable}
        tables = [one for one in raw if isinstance(one, SymbolTableSection)]
        self._all_symbols = [_symbol(one) for one in tables[0].iter_symbols()] if tables else []
        self.references: list[Reference] = []
        self._line_starts: list[tuple[int, Position]] = []
        self._line_table = b""
        for one in raw:
            if not isinstance(one, RelocationSection):
                continue
            target = int(one["sh_info"])
            name = self.sections[target].name
            if name == ".debug_line":
                self._line_starts = sorted(self._sequence_starts(one))
                self._line_table = self._relocated(raw[target].data(), one)
            elif not name.startswith(".debug"):
                self.references += [self._reference(target, entry) for entry in one.iter_relocations()]

    @property
    def symbols(self) -> list[Symbol]:
        """Every named symbol but those of files and sections."""
        return [one for one in self._all_symbols if one.name and one.kind not in {"STT_FILE", "STT_SECTION"}]

    @property
    def undefined(self) -> list[Symbol]:
        """What has to come from elsewhere."""
        return [one for one in self.symbols if one.section is None]

    @cached_property
    def functions(self) -> dict[Position, Symbol]:
        """Functions by where they begin."""
        found = [one for one in self.symbols if one.kind == "STT_FUNC" and one.section is not None]
        return {(one.section, one.value): one for one in found if one.section is not None}

    def references_to(self, name: str) -> list[Reference]:
        """The places that refer to a symbol by its name."""
        return self._references_by_name.get(name, [])

    def references_in(self, function: Symbol) -> list[Reference]:
        """What a function refers to by relocation."""
        end = function.value + max(function.size, 1)
        return [one for one in self.references if one.at[0] == function.section and function.value <= one.at[1] < end]

    def function_at(self, position: Position) -> Symbol | None:
        """The function that covers a position."""
        index = bisect.bisect_right(self._function_starts, position) - 1
        if index < 0:
            return None
        section, start = self._function_starts[index]
        symbol = self.functions[section, start]
        inside = section == position[0] and position[1] < start + max(symbol.size, 1)
        return symbol if inside else None

    def initialisers(self) -> list[tuple[str, Symbol | None]]:
        """What runs before main or after it: the section that says so, and the function where it is one of ours."""
        kinds = {"SHT_INIT_ARRAY", "SHT_FINI_ARRAY", "SHT_PREINIT_ARRAY"}
        found: list[tuple[str, Symbol | None]] = []
        for one in self.references:
            section = self.sections[one.at[0]]
            if section.kind in kinds or section.name.startswith((".ctors", ".dtors", ".init_array", ".fini_array")):
                found.append((section.name, self.function_at(one.target) if one.target else None))
        return found

    def near_calls(self, function: Symbol) -> list[Symbol]:
        """Functions of the same section that a function calls without a relocation. A call is told by its bytes: an
        operand that leads exactly to the begin of a function."""
        if function.section is None:
            return []
        code = self._code.get(function.section, b"")
        found: list[Symbol] = []
        for at in range(function.value, min(function.value + function.size, len(code)) - 4):
            if code[at] in _CALL_OR_JUMP:
                target = at + 5 + int.from_bytes(code[at + 1 : at + 5], "little", signed=True)
                callee = self.functions.get((function.section, target))
                if callee and callee != function:
                    found.append(callee)
        return found

    def line_of(self, position: Position, files: list[str]) -> tuple[str, int] | None:
        """File and line of a position, where the file is one of `files`."""
        section, offset = position
        rows = self._lines.get(section, [])
        index = bisect.bisect_right(rows, (offset, "\U0010ffff", 0)) - 1
        if index < 0 or rows[index][1] not in files:
            return None
        return rows[index][1], rows[index][2]

    @cached_property
    def _function_starts(self) -> list[Position]:
        return sorted(self.functions)

    @cached_property
    def _references_by_name(self) -> dict[str, list[Reference]]:
        found: dict[str, list[Reference]] = {}
        for one in self.references:
            found.setdefault(one.symbol.name, []).append(one)
        return found

    @cached_property
    def _lines(self) -> dict[int, list[tuple[int, str, int]]]:
        """By section: offset, file, line, in the order of the offsets."""
        rows: dict[int, list[tuple[int, str, int]]] = {}
        starts = iter([start for _, start in self._line_starts])
        with self._path.open("rb") as stream:
            elf = ELFFile(stream)
            if not elf.has_dwarf_info():
                return {}
            debug = elf.get_dwarf_info(relocate_dwarf_sections=False)  # elftools knows no thread-local relocations
            if debug.debug_line_sec is None:
                return {}
            debug.debug_line_sec = debug.debug_line_sec._replace(stream=BytesIO(self._line_table))
            for unit in debug.iter_CUs():
                program = debug.line_program_for_CU(unit)
                for row in _rows(program, starts) if program else ():
                    rows.setdefault(row[0], []).append(row[1:])
        for found in rows.values():
            found.sort(key=lambda row: row[0])
        return rows

    def _sequence_starts(self, table: RelocationSection) -> Iterator[tuple[int, Position]]:
        for entry in table.iter_relocations():
            symbol = self._all_symbols[entry["r_info_sym"]]
            if entry["r_info_type"] == _ABSOLUTE_64 and symbol.section is not None:
                yield entry["r_offset"], (symbol.section, symbol.value + entry["r_addend"])

    def _relocated(self, data: bytes, table: RelocationSection) -> bytes:
        result = bytearray(data)
        for entry in table.iter_relocations():
            width = 8 if entry["r_info_type"] == _ABSOLUTE_64 else 4
            value = self._all_symbols[entry["r_info_sym"]].value + entry["r_addend"]
            at = entry["r_offset"]
            if at + width <= len(result) and 0 <= value < 1 << 8 * width:
                result[at : at + width] = value.to_bytes(width, "little")
        return bytes(result)

    def _reference(self, section: int, entry: Any) -> Reference:
        symbol = self._all_symbols[entry["r_info_sym"]]
        target = None
        if symbol.section is not None:
            bias = 4 if entry["r_info_type"] in _RELATIVE else 0
            target = (symbol.section, symbol.value + entry["r_addend"] + bias)
        return Reference((section, entry["r_offset"]), symbol, target)


def _symbol(one: Any) -> Symbol:
    index = one["st_shndx"]
    section = index if isinstance(index, int) else (None if index == "SHN_UNDEF" else -1)
    return Symbol(
        one.name, one["st_info"]["type"], one["st_info"]["bind"], section, int(one["st_value"]), int(one["st_size"])
    )


def _rows(program: Any, starts: Iterator[Position]) -> Iterator[tuple[int, int, str, int]]:
    """Section, offset, file, line of each row of a line program."""
    names = [_text(one.name) for one in program["file_entry"]]
    first = 0 if program["version"] >= 5 else 1
    sequence: Position | None = None
    base = 0
    for entry in program.get_entries():
        state = entry.state
        if state is None:
            continue
        if sequence is None:
            sequence = next(starts, None)
            base = state.address
        if sequence is None:
            return
        if state.end_sequence:
            sequence = None
            continue
        index = state.file - first
        name = names[index] if 0 <= index < len(names) else ""
        yield sequence[0], sequence[1] + state.address - base, name, state.line


def _text(name: bytes | str) -> str:
    return name.decode("utf-8", "replace") if isinstance(name, bytes) else name
