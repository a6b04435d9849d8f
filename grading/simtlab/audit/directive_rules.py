"""The rules about a submission's directives, read in the files as they are, in every branch: which there may be, which
pragmas, and what a condition may ask.

A directive that answers which files a machine has could make another program of the same text, here or there, when the
audit looks or when it does not. Directives, pragmas and what conditions call are therefore lists of what is allowed.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import PurePosixPath

from simtlab.audit.finding import AuditFinding, Rule, place
from simtlab.audit.preprocessed import PlacedToken
from simtlab.audit.tokens import Kind, Token, tokens

_OPERATOR = re.compile(r"\b_Pragma\b")
_ASKING_PRAGMA = re.compile(r"\bdependency\b")
_NAME = re.compile(r"(?:#|%:) ?(\w*)")
_INCLUDE = re.compile(r'(?:#|%:) ?include\b ?(?:<([^>]*)>|"([^"]*)"|(.*))')
_DEFINE = re.compile(r"(?:#|%:) ?define ([^\W\d][\w$]*)(\([^)]*\))? ?(.*)", re.DOTALL)
_DIRECTIVES = {"", "define", "elif", "elifdef", "elifndef", "else", "endif", "error", "if", "ifdef", "ifndef",
               "include", "pragma", "undef", "warning"}  # fmt: skip
_ASKS_FOR_FILES = {"__has_include", "__has_include_next", "__has_embed"}
_ASKED_IN_CONDITIONS = {"defined", "__has_attribute", "__has_builtin", "__has_cpp_attribute", "__has_c_attribute",
                        "__has_extension", "__has_feature", "__GNUC_PREREQ", "__GLIBC_PREREQ", "and", "or", "not",
                        "if", "elif"}  # fmt: skip
_GCC_PRAGMAS = {"diagnostic", "error", "ivdep", "message", "novector", "poison", "unroll", "warning"}
_PRAGMAS = {"acc", "clang", "diag_default", "diag_error", "diag_remark", "diag_suppress", "diag_warning", "endregion",
            "hd_warning_disable", "inline", "inline_depth", "intel", "ivdep", "loop", "mark", "message", "nounroll",
            "nounroll_and_jam", "novector", "omp", "once", "pack", "pop_macro", "push_macro", "region", "simd", "STDC",
            "unroll", "unroll_and_jam", "vector", "warning"}  # fmt: skip
"""What compilers ignore, or obey without changing what the audit and the counters see; `nv_…` besides."""


@dataclass(frozen=True)
class _Macro:
    takes_arguments: bool
    body: list[Token]


def directive_findings(files: dict[str, str]) -> Iterator[AuditFinding]:
    """What the directives of all files do that a lab does without."""
    every = [
        PlacedToken(token.kind, token.text, file, token.line) for file, text in files.items() for token in tokens(text)
    ]
    yield from _operators(every)
    directives = [token for token in every if token.kind is Kind.DIRECTIVE]
    macros = _macros(directives)
    for one in directives:
        yield from _directive(one, files)
        name = directive_name(one.text)
        if name in {"if", "elif"}:
            yield from _condition(one, macros)
        elif name == "pragma":
            yield from pragma_findings(one)


def _operators(every: list[PlacedToken]) -> Iterator[AuditFinding]:
    """The operator `_Pragma` beside the name of the one pragma that asks for a file. The preprocessor obeys it without
    a trace, whatever macros put the two together."""
    if not any(_OPERATOR.search(token.text) for token in every if token.kind is not Kind.STRING):
        return
    for token in every:
        if _ASKING_PRAGMA.search(token.text):
            what = "may ask for a file by `_Pragma`: leave it out"
            yield tell(Rule.PRAGMA, "dependency", token, what)


def directive_name(text: str) -> str:
    """`include` of `#include <cmath>`."""
    found = _NAME.match(text)
    return found[1] if found else ""


def included_header(text: str) -> str:
    """What an `#include` names, or the words that it leaves to macros; empty for other directives."""
    found = _INCLUDE.match(text)
    return (found[1] or found[2] or (found[3] or "").strip()) if found else ""


def tell(rule: Rule, subject: str, at: PlacedToken, what: str) -> AuditFinding:
    """A finding at a token's place."""
    message = f"`{subject}` ({place(at.file, at.line)}) {what}"
    return AuditFinding(rule=rule, subject=subject, file=at.file, line=at.line, message=message)


def tell_header(name: str, at: PlacedToken, because: str) -> AuditFinding:
    """A header that the lab does without."""
    return tell(Rule.HEADER, name, at, f"is not among the headers that this lab includes: {because}")


def _directive(directive: PlacedToken, files: dict[str, str]) -> Iterator[AuditFinding]:
    name = directive_name(directive.text)
    if name == "line" or name[:1].isdigit():
        what = "changes the line numbers that messages and counters name: leave the lines as they are"
        yield tell(Rule.DIRECTIVE, "#line", directive, what)
    elif name not in _DIRECTIVES:
        yield tell(Rule.DIRECTIVE, f"#{name}", directive, "is not needed in a lab: use `#include` and `#define`")
    header = included_header(directive.text)
    if header not in files and (header.startswith("/") or ".." in PurePosixPath(header).parts):
        yield tell_header(header, directive, "a submission consists of its own files and the compiler's headers")
    elif name == "include" and "<" not in directive.text and '"' not in directive.text:
        yield tell_header(header, directive, "a macro does not say which it is: name the header itself")
    for token in tokens(directive.text.lstrip("#%:")):
        if token.kind is Kind.WORD and token.text in _ASKS_FOR_FILES:
            what = "asks which files there are: include the header that you need, or leave it out"
            yield tell(Rule.DIRECTIVE, token.text, directive, what)


def pragma_findings(at: PlacedToken) -> Iterator[AuditFinding]:
    """A pragma that is not on the list."""
    words = re.findall(r"\w+", at.text)[1:]
    if not words or words[0] in _PRAGMAS or words[0].startswith("nv_"):
        return
    if words[0] == "GCC" and words[1:2] and words[1] in _GCC_PRAGMAS:
        return
    subject = "#pragma " + " ".join(words[: 2 if words[0] == "GCC" else 1])
    what = "may change how the file is compiled or linked, which is the same for everybody: leave it out"
    yield tell(Rule.PRAGMA, subject, at, what)


def _macros(directives: list[PlacedToken]) -> dict[str, list[_Macro]]:
    """Every definition of each of the submission's macros."""
    macros: dict[str, list[_Macro]] = {}
    for one in directives:
        if found := _DEFINE.match(one.text):
            macros.setdefault(found[1], []).append(_Macro(found[2] is not None, list(tokens(found[3]))))
    return macros


def _condition(at: PlacedToken, macros: dict[str, list[_Macro]]) -> Iterator[AuditFinding]:
    """A condition calls what the submission defined, or what is known to ask for no file. What puts words together, or
    hands a system's macro on to be called, could ask anything."""
    waiting = [list(tokens(at.text.lstrip("#%: ")))]
    seen: set[str] = set()
    while waiting:
        text = waiting.pop()
        inside = 0  # parentheses that a macro of the submission's own opened
        for token, following in zip_longest(text, text[1:]):
            called = following is not None and following.text == "("
            inside += (token.text == "(" and inside > 0) - (token.text == ")" and inside > 0)
            if (token.text, following and following.text) in _OPAQUE:
                yield tell(Rule.DIRECTIVE, token.text, at, _COULD_ASK)
            if token.kind is not Kind.WORD:
                continue
            own = macros.get(token.text, [])
            inside += called and bool(own) and not inside
            if called and any(not macro.takes_arguments for macro in own):
                yield tell(Rule.DIRECTIVE, token.text, at, _COULD_ASK)
            if not own and token.text not in _ASKED_IN_CONDITIONS:
                handed_on = inside > 0 and token.text.startswith("_") and not _VERSIONS.match(token.text)
                if called or handed_on:
                    yield tell(Rule.DIRECTIVE, token.text, at, _COULD_ASK)
            if token.text not in seen:
                seen.add(token.text)
                waiting += [macro.body for macro in own]


_OPAQUE = {("#", "#"), ("%:", "%:"), (")", "(")}
_VERSIONS = re.compile(r"__(?:cplusplus|CUDA|NVCC|GNUC|GCC|clang)")
_COULD_ASK = "could ask anything in a condition: compare numbers and `defined` macros only"
