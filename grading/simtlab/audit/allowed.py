"""What a submission of a lab may include and refer to: `allowed.toml`, and what the lab's own `lab.toml` adds."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simtlab.audit.mangled import is_builtin_type_info, readable, scope

if TYPE_CHECKING:
    from simtlab.labs.specification import LabSpecification

_FILE = Path(__file__).with_name("allowed.toml")
_EMULATOR_HOOK = "simtlab_"  # the translator writes them; that a student does not is seen in the source
_HARNESS = ("simtlab", "__simtlab", "__cuda", "__start_", "__stop_", "__tsan_", "__asan_", "__ubsan_", "__sanitizer_")


@dataclass(frozen=True)
class LabLists:
    """What one lab adds to the lists of all."""

    headers: frozenset[str] = frozenset()
    symbols: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Allowed:
    """The allow-lists of one lab."""

    headers: frozenset[str]
    functions: frozenset[str]
    in_initialisers: frozenset[str]
    standard_library: frozenset[str]
    standard_prefixes: tuple[str, ...]
    standard_inner: frozenset[str]
    builtins: frozenset[str]
    """What may follow `__builtin_`, besides functions."""
    attributes: frozenset[str]
    attribute_sections: frozenset[str]
    reasons: dict[str, str] = field(repr=False)

    def as_document(self) -> dict[str, Any]:
        """The lists as plain data, for the process that audits."""
        return {name: list(value) if isinstance(value, frozenset) else value for name, value in vars(self).items()}

    @staticmethod
    def of_document(lists: dict[str, Any]) -> "Allowed":
        """From the same."""
        tuples = {"standard_prefixes": tuple(lists["standard_prefixes"]), "reasons": lists["reasons"]}
        return Allowed(**{name: frozenset(value) for name, value in lists.items()} | tuples)

    def function(self, symbol: str) -> bool:
        """Whether the object may refer to the symbol."""
        name = readable(symbol)
        if symbol.startswith(_EMULATOR_HOOK) or symbol in self.functions or name in self.functions:
            return True
        if name in {"operator new[]", "operator delete[]"} or is_builtin_type_info(symbol):
            return True
        names = scope(symbol)
        if names[:1] == ("std",):
            return self._standard(names[1:])
        return names[:1] == ("__cxxabiv1",) or (names[:1] == ("__gnu_cxx",) and names[-1].startswith("__"))

    def _standard(self, names: tuple[str, ...]) -> bool:
        if not names:
            return True  # an operator of namespace std
        if names[0] in {"__cxx11", "chrono"} and len(names) > 1:
            return names[1] in self.standard_inner or names[1] in self.standard_library
        return names[0] in self.standard_library or names[0].startswith(self.standard_prefixes)

    def in_source(self, symbol: str) -> str:
        """The symbol as the source names it: a call of `time` goes to the emulator's `simtlab_time`."""
        name = symbol.removeprefix(_EMULATOR_HOOK)
        return name if name in self.functions else symbol

    def initialiser(self, symbol: str) -> bool:
        """Whether what runs before the tests may refer to the symbol: it may compute tables and set up containers."""
        symbol = self.in_source(symbol)
        harmless = symbol.startswith(_EMULATOR_HOOK) and symbol != "simtlab_launch"
        is_memory = readable(symbol).startswith(("operator new", "operator delete"))
        return (
            harmless
            or is_memory
            or symbol in self.in_initialisers
            or (scope(symbol)[:1] == ("std",) and self.function(symbol))
        )

    def builtin(self, name: str) -> bool:
        """Whether the submission's text may say `__builtin_…`."""
        rest = name.removeprefix("__builtin_")
        return rest in self.builtins or rest in self.functions

    def because(self, name: str) -> str:
        """Why it is not allowed, as the end of a sentence; empty where `allowed.toml` says nothing."""
        words = [name, *name.split("::"), *name.split("/")]
        return next((self.reasons[word] for word in words if word in self.reasons), "")


def allowed_for(specification: "LabSpecification") -> Allowed:
    """The lists for a lab."""
    return allowed_with(LabLists(frozenset(specification.allowed_headers), frozenset(specification.allowed_symbols)))


def allowed_with(of_lab: LabLists) -> Allowed:
    """The lists of all labs, and what one adds."""
    lists = _lists()
    functions = lists["functions"]
    arithmetic = [name + end for name in functions["arithmetic"] for end in ("", "f", "l")]
    arithmetic += [name + end for name in functions["complex"] for end in ("", "f", "l")]
    every = arithmetic + [name for kind, names in functions.items() if kind != "arithmetic" for name in names]
    standard = lists["standard_library"]
    return Allowed(
        headers=frozenset(name for kind in lists["headers"].values() for name in kind) | of_lab.headers,
        functions=frozenset(every) | of_lab.symbols,
        in_initialisers=frozenset([*arithmetic, *functions["memory"], *functions["compiler"], "_Znwm", "_Znam"]),
        standard_library=frozenset(standard["names"]),
        standard_prefixes=tuple(standard["prefixes"]),
        standard_inner=frozenset(standard["inner"]),
        builtins=frozenset(_builtins(lists["builtins"])),
        attributes=frozenset(lists["attributes"]["names"]),
        attribute_sections=frozenset(lists["attributes"]["sections"]),
        reasons={name: entry["words"] for entry in lists["because"] for name in entry["names"]},
    )


def _builtins(lists: dict[str, list[str]]) -> Iterator[str]:
    yield from lists["names"]
    yield from (name + end for name in lists["bits"] for end in ("", "l", "ll"))
    yield from (name + end for name in lists["numbers"] for end in ("", "f", "l"))
    for name in lists["overflow"]:
        yield from (f"{name}_overflow", f"{name}_overflow_p")
        yield from (f"{sign}{name}{width}_overflow" for sign in "su" for width in ("", "l", "ll"))


def is_taken(symbol: str) -> bool:
    """Whether a definition of this name would stand in for what compilers call by themselves in the same file: hooks,
    and what makes kernels known. Names of the system's libraries are everybody's: before it is linked, an object keeps
    all names but the entry's to itself (`compiler.compile`)."""
    return symbol.startswith(_HARNESS) or scope(symbol)[:1] == ("simtlab",)


def audit_version() -> str:
    """Changes whenever the audit could come to another result: part of the results' keys."""
    import hashlib

    sources = sorted(Path(__file__).parent.glob("*.py"))
    digest = hashlib.sha256()
    for source in [_FILE, *sources]:
        digest.update(source.read_bytes())
    return digest.hexdigest()


@cache
def _lists() -> dict[str, Any]:
    import tomllib  # here, and other imports in functions: a process that audits one submission does without them

    return tomllib.loads(_FILE.read_text(encoding="utf-8"))
