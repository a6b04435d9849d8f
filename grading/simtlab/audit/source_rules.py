"""The rules about what a submission writes: in its files as they are, and after the preprocessor."""

import re
from collections.abc import Iterator, Sequence

from simtlab.audit.allowed import Allowed
from simtlab.audit.directive_rules import directive_findings, included_header, pragma_findings, tell, tell_header
from simtlab.audit.finding import AuditFinding, Rule
from simtlab.audit.preprocessed import PlacedToken, PreprocessedSource
from simtlab.audit.tokens import Kind, tokens

_OF_THE_PROJECT = re.compile(r"simtlab|SIMTLAB|__simtlab")
_ASSEMBLY = {"asm", "__asm", "__asm__"}
_INTERNAL = re.compile(
    r"simtlab|SIMTLAB|__simtlab|__[tahm]san_|__ubsan_|__sanitizer_|__builtin___[tahm]san|__cyg_profile|__cxa_|__cuda[A-Z_]"
    r"|_Unwind_|__libc_|_dl_|__start_|__stop_|__sti__|_GLOBAL__|_DYNAMIC$|_GLOBAL_OFFSET_TABLE_|__executable_start"
    r"|__ehdr_start|__builtin_(?:frame_address|return_address|apply|extract_return_addr|frob_return_addr|eh_return|unwind_init"
    r"|setjmp|longjmp)"
)
_BUILTIN = "__builtin_"
_SYSTEM_FOLDERS = ("/usr/", "/opt/")


def written_findings(files: dict[str, str]) -> Iterator[AuditFinding]:
    """What the files say before any macro is replaced."""
    yield from directive_findings(files)
    for file, text in files.items():
        for token in tokens(text):
            placed = PlacedToken(token.kind, token.text, file, token.line)
            words = tokens(token.text.lstrip("#%:")) if token.kind is Kind.DIRECTIVE else [token]
            for word in words:
                if word.kind is Kind.WORD and _OF_THE_PROJECT.match(word.text):
                    yield _internal_name(placed, word.text)


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
            yield tell(Rule.ASSEMBLY, token.text, token, what)
        elif token.kind is Kind.WORD and _INTERNAL.match(token.text):
            yield _internal_name(token)
        elif token.kind is Kind.WORD and token.text.startswith(_BUILTIN) and not allowed.builtin(token.text):
            what = "is one of the compiler's own functions that no check sees into: write it in CUDA C++"
            yield tell(Rule.BUILTIN, token.text, token, what)
    for pragma in source.pragmas:
        yield from pragma_findings(pragma)
    for silent in source.obeyed_pragmas:
        what = "is obeyed by the preprocessor alone, which could ask it for files: write it as a line `#pragma …`"
        yield tell(Rule.PRAGMA, "_Pragma", silent, what)


def _headers(
    source: PreprocessedSource, allowed: Allowed, files: dict[str, str], folders: tuple[str, ...]
) -> Iterator[AuditFinding]:
    spelled = {file: _included(text) for file, text in files.items()} if source.inclusions else {}
    for inclusion in source.inclusions:
        path = inclusion.header
        name = spelled.get(inclusion.file, {}).get(inclusion.line, "")
        if path.startswith(folders) and name in allowed.headers:
            continue
        at = PlacedToken(Kind.DIRECTIVE, name, inclusion.file, inclusion.line)
        yield tell_header(name or path, at, allowed.because(name) or "what the lab needs is in the others")


def _included(text: str) -> dict[int, str]:
    """What each line's `#include` names, by every line that the directive takes: the name that is written has to be on
    the list, for a path that ends like one on the list may be another header."""
    found: dict[int, str] = {}
    for token in tokens(text):
        if token.kind is Kind.DIRECTIVE and (header := included_header(token.text)):
            for line in range(token.line, token.line + text.count("\n", token.begin, token.end) + 1):
                found[line] = header
    return found


def _internal_name(at: PlacedToken, name: str = "") -> AuditFinding:
    what = "belongs to the compiler's or the tests' own parts, which may change at any time: use CUDA's and C++'s names"
    return tell(Rule.INTERNAL_NAME, name or at.text, at, what)


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
            yield tell(Rule.ATTRIBUTE, token.text, token, what)


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
