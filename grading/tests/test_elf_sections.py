"""Sections of an object file, read by the headers alone: what pyelftools reads, and an error for what is none."""

import struct
import subprocess
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile

from simtlab.audit.elf_sections import ElfSections

_ASSEMBLY = """
.text
.globl f
f: ret
.section .init_array, "aw"
.quad f
.section .own, "awx"
.zero 5
.bss
.zero 100
"""


@pytest.fixture
def object_file(tmp_path: Path) -> Path:
    (tmp_path / "a.s").write_text(_ASSEMBLY, encoding="ascii")
    subprocess.run(["as", "a.s", "-o", "a.o"], cwd=tmp_path, check=True)
    return tmp_path / "a.o"


def test_names_flags_and_contents_are_those_that_pyelftools_reads(object_file: Path) -> None:
    elf = ElfSections(object_file)
    sections = elf.read()
    with object_file.open("rb") as stream:
        read = list(ELFFile(stream).iter_sections())
        assert [(one.name, one.flags, one.size, one.link, one.info) for one in sections] == [
            (one.name, one["sh_flags"], one["sh_size"], one["sh_link"], one["sh_info"]) for one in read
        ]
        by_name = {one.name: one for one in sections}
        assert {name: elf.content(one) for name, one in by_name.items() if name != ".bss"} == {
            one.name: one.data() for one in read if one.name != ".bss"
        }
    assert elf.count == len(sections)
    assert by_name[".init_array"].kind == "SHT_INIT_ARRAY"
    assert (by_name[".own"].writable, by_name[".own"].executable) == (True, True)
    assert (by_name[".text"].writable, by_name[".text"].executable) == (False, True)
    assert [one.name for one in sections if one.has_symbols] == [".symtab"]
    assert [one.name for one in sections if one.has_relocations] == [".rela.init_array"]
    assert elf.content(by_name[".bss"]) == b""


def test_what_is_no_object_file_of_this_machine_is_an_error(object_file: Path, tmp_path: Path) -> None:
    whole = object_file.read_bytes()
    other = tmp_path / "other.o"
    for content in (b"", b"\x7fELF", b"#!/bin/sh\n" * 20, whole[:18] + b"\xb7" + whole[19:]):
        other.write_bytes(content)
        with pytest.raises((ValueError, struct.error)):
            ElfSections(other)
    for length in range(64, len(whole), 7):  # torn: never a table that is only a part
        other.write_bytes(whole[:length])
        with pytest.raises((ValueError, struct.error, IndexError)):
            ElfSections(other).read()
