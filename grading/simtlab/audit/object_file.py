"""An object file as the audit sees it: names, where they are referred to, what runs before main, and source lines.

Positions are (section, offset) pairs: in an object file every section begins at 0. The line table is read only when
somebody asks for a line. Its sequences name their section through relocations alone, in the order of the sequences.
"""

import bisect
import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

from simtlab.audit.elf_sections import ElfSections, Section, name_at
from simtlab.audit.limits import DEFAULT_BOUNDS, AuditBounds

Position = tuple[int, int]

_ABSOLUTE_64 = 1  # R_X86_64_64
_RELATIVE = {2, 4, 9, 41, 42}  # PC32, PLT32, GOTPCREL, GOTPCRELX, REX_GOTPCRELX: 4 bytes before the next instruction
_CALL_OR_JUMP = re.compile(rb"[\xe8\xe9]")
_SYMBOL = struct.Struct("<IBBHQQ")
_RELOCATION = struct.Struct("<QQq")
_TOO_MANY_SECTIONS = "compiled it has more than {} sections of code and data"
_TOO_MANY_SYMBOLS = "compiled it has more than {} functions and variables"
_TOO_MANY_REFERENCES = "compiled it refers to functions and variables at more than {} places"
_LOOK_FOR = "macros, templates or tables that make very many of them"
_KINDS = {0: "STT_NOTYPE", 1: "STT_OBJECT", 2: "STT_FUNC", 3: "STT_SECTION", 4: "STT_FILE", 5: "STT_COMMON",
          6: "STT_TLS", 10: "STT_LOOS"}  # fmt: skip
_BINDINGS = {0: "STB_LOCAL", 1: "STB_GLOBAL", 2: "STB_WEAK"}
_UNDEFINED, _RESERVED = 0, 0xFF00


@dataclass(frozen=True, slots=True)
class Symbol:
    """A named symbol. `section` is None for one that is defined elsewhere."""

    name: str
    kind: str
    binding: str
    section: int | None
    value: int
    size: int


class Reference(NamedTuple):
    """A place that refers to a symbol, or through a section's symbol to a position in this object."""

    at: Position
    symbol: Symbol
    target: Position | None


class ObjectFile:
    """Reads `path` but for its debug information; raises `ValueError` or `struct.error` for what is no object file of
    this machine, and `AuditLimit` for one that is too large."""

    def __init__(self, path: Path, bounds: AuditBounds = DEFAULT_BOUNDS) -> None:
        self._bounds = bounds
        self._path = path
        self._elf = ElfSections(path)
        self._bounds.check(_TOO_MANY_SECTIONS, self._elf.count, self._bounds.sections, _LOOK_FOR)
        self.sections = self._elf.read()
        self._code = {index: self._elf.content(one) for index, one in enumerate(self.sections) if one.executable}
        tables = [one for one in self.sections if one.has_symbols]
        self._all_symbols = self._symbols(tables[0]) if tables else []
        self.references: list[Reference] = []
        """In the order of their sections and places."""
        self._read_references = 0
        self._line_relocations: list[tuple[int, int, int, int]] = []
        for one in self.sections:
            if not one.has_relocations:
                continue
            target = self.sections[one.info]
            if target.name == ".debug_line" and target.size <= self._bounds.line_table_bytes:
                self._line_relocations = self._relocations(one)
            elif not target.name.startswith(".debug"):
                self.references += [self._reference(one.info, entry) for entry in self._relocations(one)]
        self.references.sort(key=lambda one: one.at)

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
        if function.section is None:
            return []
        return self.references_between(function.section, function.value, function.value + max(function.size, 1))

    def references_between(self, section: int, begin: int, end: int) -> list[Reference]:
        """What the bytes [begin, end) of a section refer to by relocation."""
        first = bisect.bisect_left(self._reference_places, (section, begin))
        return self.references[first : bisect.bisect_left(self._reference_places, (section, end), first)]

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
        end = min(function.value + function.size, len(code))
        for begin in _CALL_OR_JUMP.finditer(code, function.value, end):
            at = begin.start()
            if at + 5 <= end:
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
    def _reference_places(self) -> list[Position]:
        return [one.at for one in self.references]

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
        if not self._line_relocations:
            return rows
        from elftools.elf.elffile import ELFFile

        starts = iter([start for _, start in sorted(self._sequence_starts(self._line_relocations))])
        with self._path.open("rb") as stream:
            elf = ELFFile(stream)
            table = elf.get_section_by_name(".debug_line")
            if table is None or not elf.has_dwarf_info():
                return {}
            debug = elf.get_dwarf_info(relocate_dwarf_sections=False)  # elftools knows no thread-local relocations
            if debug.debug_line_sec is None:
                return {}
            relocated = self._relocated(table.data(), self._line_relocations)
            debug.debug_line_sec = debug.debug_line_sec._replace(stream=BytesIO(relocated))
            for unit in debug.iter_CUs():
                program = debug.line_program_for_CU(unit)
                for row in _rows(program, starts) if program else ():
                    rows.setdefault(row[0], []).append(row[1:])
        for found in rows.values():
            found.sort(key=lambda row: row[0])
        return rows

    def _symbols(self, table: Section) -> list[Symbol]:
        """The symbol table by its bytes: elftools reads 20,000 symbols a second, this a million."""
        self._bounds.check(_TOO_MANY_SYMBOLS, table.size // _SYMBOL.size, self._bounds.symbols, _LOOK_FOR)
        names = self._elf.content(self.sections[table.link])
        return [
            Symbol(
                name_at(names, name),
                _KINDS.get(info & 15, "STT_LOOS"),
                _BINDINGS.get(info >> 4, "STB_LOOS"),
                None if section == _UNDEFINED else section if section < _RESERVED else -1,
                value,
                size,
            )
            for name, info, _other, section, value, size in _SYMBOL.iter_unpack(self._elf.content(table))
        ]

    def _relocations(self, table: Section) -> list[tuple[int, int, int, int]]:
        """Offset, type, symbol and addend of each entry."""
        self._read_references += table.size // _RELOCATION.size
        self._bounds.check(_TOO_MANY_REFERENCES, self._read_references, self._bounds.references, _LOOK_FOR)
        return [
            (offset, info & 0xFFFFFFFF, info >> 32, addend)
            for offset, info, addend in _RELOCATION.iter_unpack(self._elf.content(table))
        ]

    def _sequence_starts(self, entries: list[tuple[int, int, int, int]]) -> Iterator[tuple[int, Position]]:
        for offset, kind, index, addend in entries:
            symbol = self._all_symbols[index]
            if kind == _ABSOLUTE_64 and symbol.section is not None:
                yield offset, (symbol.section, symbol.value + addend)

    def _relocated(self, data: bytes, entries: list[tuple[int, int, int, int]]) -> bytes:
        result = bytearray(data)
        for at, kind, index, addend in entries:
            width = 8 if kind == _ABSOLUTE_64 else 4
            value = self._all_symbols[index].value + addend
            if at + width <= len(result) and 0 <= value < 1 << 8 * width:
                result[at : at + width] = value.to_bytes(width, "little")
        return bytes(result)

    def _reference(self, section: int, entry: tuple[int, int, int, int]) -> Reference:
        offset, kind, index, addend = entry
        symbol = self._all_symbols[index]
        target = None
        if symbol.section is not None:
            target = (symbol.section, symbol.value + addend + (4 if kind in _RELATIVE else 0))
        return Reference((section, offset), symbol, target)


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
