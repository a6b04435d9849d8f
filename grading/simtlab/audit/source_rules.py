"""The rules about what a submission writes: in its files as they are, and after the preprocessor."""

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from simtlab.audit.allowed import Allowed
from simtlab.audit.finding import AuditFinding, Rule, place
from simtlab.audit.preprocessed import PlacedToken, PreprocessedSource
from simtlab.audit.tokens import Kind, tokens

_LINE_DIRECTIVE = re.compile(r"(?:#|%:) ?(?:line\b|\d)")
_INCLUDE = re.compile(r'(?:#|%:) ?(include|include_next|import|embed)\b ?(?:<([^>]*)>|"([^"]*)")?')
_OF_THE_PROJECT = re.compile(r"simtlab|SIMTLAB|__simtlab")
_ASKS_FOR_FILES = {"__has_include", "__has_include_next", "__has_embed"}
_ASSEMBLY = {"asm", "__asm", "__asm__"}
_INTERNAL = re.compile(
    r"simtlab|SIMTLAB|__simtlab|__[tahm]san_|__ubsan_|__sanitizer_|__builtin___[tahm]san|__cyg_profile|__cxa_|__cuda[A-Z_]"
    r"|_Unwind_|__libc_|_dl_|__start_|__stop_|__sti__|_GLOBAL__|_DYNAMIC$|_GLOBAL_OFFSET_TABLE_|__executable_start"
    r"|__ehdr_start|__builtin_(?:frame_address|return_address|apply|extract_return_addr|frob_return_addr|eh_return|unwind_init"
    r"|setjmp|longjmp)"
)
_GCC_PRAGMAS = {"diagnostic", "ivdep", "unroll", "warning", "error", "message"}
_LINKING_PRAGMAS = {"weak", "redefine_extname", "extern_prefix", "init", "fini"}
_SYSTEM_FOLDERS = ("/usr/", "/opt/")


def written_findings(files: dict[str, str]) -> Iterator[AuditFinding]:
    """What the files say before any macro is replaced."""
    for file, text in files.items():
        for token in tokens(text):
            placed = PlacedToken(token.kind, token.text, file, token.line)
            if token.kind is Kind.DIRECTIVE:
                yield from _directive(placed, files)
            elif token.kind is Kind.WORD and _OF_THE_PROJECT.match(token.text):
                yield _internal_name(placed)


def preprocessed_findings(
    source: PreprocessedSource, allowed: Allowed, files: dict[str, str], header_folders: Sequence[str]
) -> Iterator[AuditFinding]:
    """What the submission's own lines come to when macros are replaced. Headers are those of the system and of
    `header_folders`."""
    yield from _headers(source, allowed, files, (*_SYSTEM_FOLDERS, *header_folders))
    yield from _attributes(source.tokens, allowed)
    for token in source.tokens:
        if token.kind is Kind.WORD and token.text in _ASSEMBLY:
            what = "is assembly, which can be neither counted nor checked: write it in CUDA C++"
            yield _tell(Rule.ASSEMBLY, token.text, token, what)
        elif token.kind is Kind.WORD and _INTERNAL.match(token.text):
            yield _internal_name(token)
    for pragma in source.pragmas:
        words = re.findall(r"\w+", pragma.text.removeprefix("#pragma"))
        if words[:1] == ["GCC"] and words[1:2] and words[1] not in _GCC_PRAGMAS:
            yield _pragma(pragma, f"#pragma GCC {words[1]}")
        elif words and words[0] in _LINKING_PRAGMAS:
            yield _pragma(pragma, f"#pragma {words[0]}")


def _tell(rule: Rule, subject: str, at: PlacedToken, what: str) -> AuditFinding:
    message = f"`{subject}` ({place(at.file, at.line)}) {what}"
    return AuditFinding(rule=rule, subject=subject, file=at.file, line=at.line, message=message)


def _directive(directive: PlacedToken, files: dict[str, str]) -> Iterator[AuditFinding]:
    if _LINE_DIRECTIVE.match(directive.text):
        what = "changes the line numbers that messages and counters name: leave the lines as they are"
        yield _tell(Rule.DIRECTIVE, "#line", directive, what)
    include = _INCLUDE.match(directive.text)
    header = (include[2] or include[3] or "") if include else ""
    if include and include[1] != "include":
        yield _tell(Rule.DIRECTIVE, f"#{include[1]}", directive, "is not needed in a lab: use `#include`")
    elif header not in files and (header.startswith("/") or ".." in PurePosixPath(header).parts):
        yield _header(header, directive, "a submission consists of its own files and the compiler's headers")
    for word in (token.text for token in tokens(directive.text.lstrip("#%:")) if token.kind is Kind.WORD):
        if word in _ASKS_FOR_FILES:
            what = "asks which files there are: include the header that you need, or leave it out"
            yield _tell(Rule.DIRECTIVE, word, directive, what)
        elif _OF_THE_PROJECT.match(word):
            yield _internal_name(directive, word)


def _headers(
    source: PreprocessedSource, allowed: Allowed, files: dict[str, str], folders: tuple[str, ...]
) -> Iterator[AuditFinding]:
    for inclusion in source.inclusions:
        path = inclusion.header
        if path.startswith(folders) and any(path.endswith("/" + header) for header in allowed.headers):
            continue
        name = _spelled(files.get(inclusion.file, ""), inclusion.line) or path
        at = PlacedToken(Kind.DIRECTIVE, name, inclusion.file, inclusion.line)
        yield _header(name, at, allowed.because(name) or "what the lab needs is in the others")


def _spelled(text: str, line: int) -> str:
    """The header as the line of the file writes it."""
    lines = text.split("\n")
    found = _INCLUDE.search(lines[line - 1].strip()) if 1 <= line <= len(lines) else None
    return (found[2] or found[3] or "") if found else ""


def _header(name: str, at: PlacedToken, because: str) -> AuditFinding:
    return _tell(Rule.HEADER, name, at, f"is not among the headers that this lab includes: {because}")


def _internal_name(at: PlacedToken, name: str = "") -> AuditFinding:
    what = "belongs to the compiler's or the tests' own parts, which may change at any time: use CUDA's and C++'s names"
    return _tell(Rule.INTERNAL_NAME, name or at.text, at, what)


def _pragma(at: PlacedToken, name: str) -> AuditFinding:
    what = "changes how the file is compiled or linked, which is the same for everybody: leave it out"
    return _tell(Rule.PRAGMA, name, at, what)


def _attributes(words: list[PlacedToken], allowed: Allowed) -> Iterator[AuditFinding]:
    """Attributes in their spellings: `__attribute__((name(…), …))`, `[[space::name(…), …]]`, `__declspec(name)`."""
    at = 0
    while at < len(words):
        if words[at].text in {"__attribute__", "__attribute"} and _texts(words, at + 1, 2) == ["(", "("]:
            at, names = _attribute_list(words, at + 3, ")")
        elif _texts(words, at, 2) == ["[", "["]:
            at, names = _attribute_list(words, at + 2, "]")
        elif words[at].text == "__declspec":
            at, names = _attribute_list(words, at + 2, ")")
        else:
            at += 1
            continue
        for token, argument in names:
            name = token.text.strip("_")
            if name in allowed.attributes or (name == "section" and argument.strip('"') in allowed.attribute_sections):
                continue
            what = "is an attribute that changes how the program is put together or checked: a lab does without it"
            yield _tell(Rule.ATTRIBUTE, token.text, token, what)


def _texts(words: list[PlacedToken], at: int, count: int) -> list[str]:
    return [one.text for one in words[at : at + count]]


def _attribute_list(words: list[PlacedToken], at: int, close: str) -> tuple[int, list[tuple[PlacedToken, str]]]:
    """The names of a list of attributes with the first argument of each, and where the list ends."""
    found: list[tuple[PlacedToken, str]] = []
    depth = 0
    expects_name = True
    while at < len(words):
        token = words[at]
        if depth == 0 and token.text == close:
            break
        if token.text in {"(", "[", "{"}:
            depth += 1
        elif token.text in {")", "]", "}"}:
            depth -= 1
        elif depth == 0 and token.text == ",":
            expects_name = True
        elif depth == 0 and token.kind is Kind.WORD and token.text == "using":
            at += 2  # `[[using gnu: …]]`
        elif depth == 0 and token.kind is Kind.WORD and expects_name:
            if _texts(words, at + 1, 2) == [":", ":"]:
                at += 3
                continue
            argument = words[at + 2].text if _texts(words, at + 1, 1) == ["("] and at + 2 < len(words) else ""
            found.append((token, argument))
            expects_name = False
        at += 1
    return at, found
