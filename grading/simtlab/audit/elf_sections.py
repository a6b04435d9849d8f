"""The sections of an object file by their headers alone: what the audit of every submission reads, for which loading
pyelftools would take longer than all of the audit's own work."""

import struct
from pathlib import Path
from typing import NamedTuple

_FILE_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SECTION_HEADER = struct.Struct("<IIQQQQIIQQ")
_64_BIT_LITTLE_ENDIAN = b"\x7fELF\x02\x01"
_RELOCATABLE, _X86_64 = 1, 62
_SYMBOL_TABLE, _NO_BITS = 2, 8
_RELOCATIONS = (4, 9)  # with addends, and without, which x86-64 has not
_WRITABLE, _EXECUTABLE = 1, 4
_NAMES_ELSEWHERE = 0xFFFF
_KINDS = {14: "SHT_INIT_ARRAY", 15: "SHT_FINI_ARRAY", 16: "SHT_PREINIT_ARRAY"}


class Section(NamedTuple):
    """A section of an object."""

    name: str
    number_of_kind: int
    flags: int
    offset: int
    size: int
    link: int
    info: int

    @property
    def kind(self) -> str:
        """The kind by its name, where the audit asks for it."""
        return _KINDS.get(self.number_of_kind, "")

    @property
    def writable(self) -> bool:
        """Whether the program may write to it."""
        return bool(self.flags & _WRITABLE)

    @property
    def executable(self) -> bool:
        """Whether it is code."""
        return bool(self.flags & _EXECUTABLE)

    @property
    def has_symbols(self) -> bool:
        """Whether it is a table of symbols."""
        return self.number_of_kind == _SYMBOL_TABLE

    @property
    def has_relocations(self) -> bool:
        """Whether it is a table of relocations."""
        return self.number_of_kind in _RELOCATIONS


class ElfSections:
    """Reads headers when made, and contents when asked for them. Raises `ValueError` or `struct.error` for what is no
    object file of x86-64."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._headers = _FILE_HEADER.unpack(self._bytes(0, _FILE_HEADER.size))
        ident, kind, machine = self._headers[:3]
        if not ident.startswith(_64_BIT_LITTLE_ENDIAN) or (kind, machine) != (_RELOCATABLE, _X86_64):
            raise ValueError(f"an object file of x86-64 was expected, found type {kind} of machine {machine}")
        self.count = self._headers[12] or (self._section(0)[5] if self._headers[6] else 0)
        """How many there are; none of them has been read."""

    def read(self) -> list[Section]:
        """All of them, in the order of the file."""
        if not self.count:
            return []
        table = self._bytes(self._headers[6], self.count * _SECTION_HEADER.size)
        raw = [
            (name, kind, flags, offset, size, link, info)
            for name, kind, flags, _address, offset, size, link, info, *_ in _SECTION_HEADER.iter_unpack(table)
        ]
        if len(raw) != self.count:
            raise ValueError("its table of sections ends too early")
        names_at = raw[0][5] if self._headers[13] == _NAMES_ELSEWHERE else self._headers[13]
        names = self._bytes(raw[names_at][3], raw[names_at][4])
        return [Section(name_at(names, name), *rest) for name, *rest in raw]

    def content(self, section: Section) -> bytes:
        """What the file has of a section."""
        return b"" if section.number_of_kind == _NO_BITS else self._bytes(section.offset, section.size)

    def _section(self, index: int) -> tuple[int, ...]:
        at = self._headers[6] + index * _SECTION_HEADER.size
        return _SECTION_HEADER.unpack(self._bytes(at, _SECTION_HEADER.size))

    def _bytes(self, offset: int, size: int) -> bytes:
        with self._path.open("rb") as stream:
            stream.seek(offset)
            return stream.read(size)


def name_at(names: bytes, offset: int) -> str:
    """A name of a table of strings."""
    return names[offset : names.index(b"\0", offset)].decode("utf-8", "replace")
