"""The rules about what a submission's object file refers to, defines, and runs before anybody calls it."""

import re
from collections.abc import Callable, Iterator

from simtlab.audit.allowed import Allowed, is_taken
from simtlab.audit.finding import AuditFinding, Rule, place
from simtlab.audit.mangled import readable, scope
from simtlab.audit.object_file import ObjectFile, Position, Symbol

_SECTIONS = re.compile(
    r"|\.(?:text|data|bss|tbss|tdata|rodata|init_array|gcc_except_table|lrodata|ldata|lbss)(?:\..*)?"
    r"|\.(?:eh_frame|comment|group|symtab|symtab_shndx|strtab|shstrtab|note\.GNU-stack|note\.gnu\.property)"
    r"|\.rela?(?:\..*|simtlab_.*|__nv_.*)|\.debug_.*"
    r"|simtlab_(?:device|constant|functions|host_functions|own_host_functions|launch_bounds|machine_code|managed|symbols)"
    r"|\.nv_fatbin|\.nvFatBinSegment|__nv_(?:managed_data__|module_id|relfatbin)|\.relanv.*"
)
_COMPILERS_OWN = re.compile(r"_ZL\d+__sti____cudaRegisterAll|_ZL\d+__cudaUnregisterBinaryUtil")
_INITIALISER = re.compile(r"_GLOBAL__sub_I_|_sub_I_|_Z\d+__static_initialization_and_destruction_0")
_DESTRUCTOR = re.compile(r"D[0-2]Ev$")

Locate = Callable[[list[Position], list[str]], tuple[str, int]]
"""File and line of the first position that has one, else of the first of the words in the source."""


def object_findings(program: ObjectFile, allowed: Allowed, locate: Locate) -> Iterator[AuditFinding]:
    """Everything in the object that the lab does without."""
    yield from _functions(program, allowed, locate)
    yield from _definitions(program, locate)
    yield from _initialisers(program, allowed, locate)
    yield from _sections(program, locate)


def _functions(program: ObjectFile, allowed: Allowed, locate: Locate) -> Iterator[AuditFinding]:
    for symbol in program.undefined:
        references = program.references_to(symbol.name)
        if references and all(_is_compilers(program, one.at) for one in references):
            continue
        if allowed.function(symbol.name) or (symbol.binding == "STB_WEAK" and not references):
            continue
        name = readable(symbol.name)
        file, line = locate([one.at for one in references], _words(symbol.name))
        reason = allowed.because(name)
        yield AuditFinding(
            rule=Rule.FUNCTION,
            subject=name,
            file=file,
            line=line,
            message=f"`{name}` ({place(file, line)}) is not among the functions this lab may use"
            + (f": {reason}" if reason else ""),
        )


def _is_compilers(program: ObjectFile, at: Position) -> bool:
    function = program.function_at(at)
    return function is not None and _COMPILERS_OWN.match(function.name) is not None


def _definitions(program: ObjectFile, locate: Locate) -> Iterator[AuditFinding]:
    for symbol in program.symbols:
        if symbol.section is None or symbol.binding == "STB_LOCAL":
            continue
        if symbol.kind in {"STT_LOOS", "STT_GNU_IFUNC"} or symbol.section < 0:
            yield _definition(symbol, "decides only when the program is linked or started what it stands for", locate)
        elif (symbol.binding != "STB_WEAK" or not scope(symbol.name)) and is_taken(symbol.name):
            yield _definition(symbol, "is a name of the compiler or of the tests: choose another", locate)


def _definition(symbol: Symbol, what: str, locate: Locate) -> AuditFinding:
    name = readable(symbol.name)
    positions = [(symbol.section, symbol.value)] if symbol.section is not None and symbol.section >= 0 else []
    file, line = locate(positions, _words(symbol.name))
    return AuditFinding(
        rule=Rule.DEFINITION,
        subject=name,
        file=file,
        line=line,
        message=f"`{name}`, defined here ({place(file, line)}), {what}",
    )


def _initialisers(program: ObjectFile, allowed: Allowed, locate: Locate) -> Iterator[AuditFinding]:
    for section, function in program.initialisers():
        if function is not None and section.startswith(".init_array") and _COMPILERS_OWN.match(function.name):
            continue
        if function is None or not section.startswith(".init_array") or not _INITIALISER.match(function.name):
            name = readable(function.name) if function else f"something in {section}"
            positions = [(function.section, function.value)] if function and function.section is not None else []
            file, line = locate(positions, _words(function.name) if function else [])
            yield _runs_early(name, file, line)
            continue
        for callee, at in _reached(program, function):
            if _INITIALISER.match(callee.name) or allowed.initialiser(callee.name):
                continue
            file, line = locate([at], _words(callee.name))
            yield _runs_early(readable(allowed.in_source(callee.name)), file, line)


def _reached(program: ObjectFile, function: Symbol) -> Iterator[tuple[Symbol, Position]]:
    """What an initialiser refers to outside of the object, by itself or through functions of the submission's own: a
    constructor may do what the initialiser may. Destructors are not followed, for nobody calls them."""
    waiting, seen = [function], set[str]()
    while waiting:
        one = waiting.pop()
        if one.name in seen:
            continue
        seen.add(one.name)
        own = program.near_calls(one)
        for reference in program.references_in(one):
            if reference.target is None:
                yield reference.symbol, reference.at
            elif callee := program.function_at(reference.target):
                own.append(callee)
        waiting += [
            callee for callee in own if scope(callee.name)[:1] != ("std",) and not _DESTRUCTOR.search(callee.name)
        ]


def _runs_early(name: str, file: str, line: int) -> AuditFinding:
    return AuditFinding(
        rule=Rule.INITIALISER,
        subject=name,
        file=file,
        line=line,
        message=f"`{name}` ({place(file, line)}) runs before the tests call the entry: let the entry do it, or "
        "initialise with constants",
    )


def _sections(program: ObjectFile, locate: Locate) -> Iterator[AuditFinding]:
    for section in program.sections:
        if _SECTIONS.fullmatch(section.name) and not (section.writable and section.executable):
            continue
        if section.kind in {"SHT_FINI_ARRAY", "SHT_PREINIT_ARRAY"} or section.name.startswith((".ctors", ".dtors")):
            continue  # told as initialisers
        if section.name.startswith(".rela"):
            continue
        file, line = locate([], [])
        yield AuditFinding(
            rule=Rule.SECTION,
            subject=section.name,
            file=file,
            line=line,
            message=f"the object file has a section `{section.name}`, which plain CUDA C++ does not make: "
            "leave out what places code or data by hand",
        )


def _words(symbol: str) -> list[str]:
    """What of a symbol may stand in the source, the most telling word first."""
    names = [name for name in scope(symbol) if name != "std"]
    special = {
        "operator new": "new",
        "operator new[]": "new",
        "operator delete": "delete",
        "operator delete[]": "delete",
    }
    return [special.get(readable(symbol), symbol), *reversed(names)]
