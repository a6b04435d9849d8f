"""Just enough of the Itanium C++ ABI's names to tell which namespace and class a symbol belongs to."""

import re

_LENGTH = re.compile(r"\d{1,5}")
_SPECIAL = re.compile(r"_Z(?:T[VTISHW]|TC|G[VR])?")
_STANDARD = {
    "St": ("std",),
    "Sa": ("std", "allocator"),
    "Ss": ("std", "basic_string"),
    "Sb": ("std", "basic_string"),
    "Si": ("std", "basic_istream"),
    "So": ("std", "basic_ostream"),
    "Sd": ("std", "basic_iostream"),
}
_BUILTIN_TYPE_INFO = re.compile(r"_ZT[IS][PKVRO]*[a-z]")
_OPERATORS = {
    "_Znwm": "operator new",
    "_Znam": "operator new[]",
    "_ZdlPv": "operator delete",
    "_ZdaPv": "operator delete[]",
}


def scope(symbol: str) -> tuple[str, ...]:
    """The names a mangled symbol begins with, up to its first template argument: `("std", "thread", "join")`.
    Empty for names that are not mangled and for those of built-in types."""
    begin = _SPECIAL.match(symbol)
    if not begin:
        return ()
    at = begin.end()
    while symbol.startswith("Z", at):  # of something local to a function: the function's own scope
        at += 1
    names: list[str] = []
    nested = symbol.startswith("N", at)
    if nested:
        at += 1
        while at < len(symbol) and symbol[at] in "rVKRO":
            at += 1
    while at < len(symbol):
        standard = _STANDARD.get(symbol[at : at + 2])
        if standard and not names:
            names += standard
            at += 2
            continue
        if symbol[at] == "L":
            at += 1
        number = _LENGTH.match(symbol, at)
        if not number:
            break
        end = number.end() + int(number[0])
        names.append(symbol[number.end() : end])
        at = end
        if not nested and names[-1:] != ["std"] and len(names) > (names[0] == "std"):
            break
    return tuple(name for name in names if name)


def is_builtin_type_info(symbol: str) -> bool:
    """Whether it is the type information of a type like `const char*`, which `throw "text"` refers to."""
    return _BUILTIN_TYPE_INFO.fullmatch(symbol) is not None


def readable(symbol: str) -> str:
    """The symbol as a person wrote it, without its parameters."""
    for mangled, name in _OPERATORS.items():
        if symbol.startswith(mangled):
            return name
    if symbol.startswith("_GLOBAL__"):
        return "an initialiser"
    return "::".join(scope(symbol)) or symbol
