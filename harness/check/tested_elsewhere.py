"""Modules of harness/ and their tests: of the same name, or including it, or named with a reason in a list."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

_INCLUDED = re.compile(r'^\s*#include "([^"]+)\.h"', re.MULTILINE)
_MEMBERS = {"modules", "tests", "why"}


class CoverListError(Exception):
    """The list itself is wrong."""


@dataclass(frozen=True)
class Covered:
    """Modules that the named tests cover."""

    modules: list[str]
    """Paths below harness/ without ending; * stands for characters of one name."""
    tests: list[str]
    """Files below the project's root."""
    why: str

    def pattern_of(self, module: str) -> str | None:
        """The pattern that names the module; None where none does."""
        place = PurePosixPath(module)
        for pattern in self.modules:
            named = PurePosixPath(pattern)
            if named.parent == place.parent and fnmatchcase(place.name, named.name):
                return pattern
        return None


def read_cover_list(path: Path) -> list[Covered]:
    """The entries of the list, in its order."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as problem:
        raise CoverListError(f"{path}: {problem}") from problem
    for number, entry in enumerate(content.get("covered", []), start=1):
        if set(entry) != _MEMBERS or not all(entry.values()):
            raise CoverListError(f"{path}: entry {number} must have exactly modules, tests and why, none of them empty")
    return [Covered(**entry) for entry in content.get("covered", [])]


def modules_among(sources: Iterable[str]) -> set[str]:
    """The modules of the product, as paths below harness/ without ending."""
    product = (PurePosixPath(source) for source in sources if source.startswith("harness/"))
    return {
        str(path.relative_to("harness").with_suffix(""))
        for path in product
        if path.suffix in {".cpp", ".h"} and not {"tests", "include", "bench"} & set(path.parts)
    }


def named_by_tests(modules: Iterable[str], tests: dict[str, str]) -> set[str]:
    """The modules that have a test of their name, or that a test includes. `tests`: each file's text by its path."""
    names = {PurePosixPath(path).stem.removesuffix("_test").removeprefix("test_") for path in tests}
    included = {name for text in tests.values() for name in _INCLUDED.findall(text)}
    return {
        module
        for module in modules
        if PurePosixPath(module).name in names or any(module == one or module.endswith(f"/{one}") for one in included)
    }


def complaints(untested: Iterable[str], listed: Iterable[Covered], root: Path) -> list[str]:
    """What is wrong: modules that stand nowhere, patterns that nothing needs, tests that do not exist."""
    needed: set[tuple[int, str]] = set()
    found: list[str] = []
    entries = list(listed)
    for module in sorted(untested):
        at = [(number, pattern) for number, one in enumerate(entries) if (pattern := one.pattern_of(module))]
        needed.update(at)
        if not at:
            found.append(
                f"harness/{module}: no test includes it or has its name. Write {PurePosixPath(module).name}_test, "
                "or name in harness/check/tested-elsewhere.toml the tests that cover it, and why there"
            )
    for number, one in enumerate(entries):
        found += [
            f"tested-elsewhere.toml: no module needs {pattern!r} any more; take it out"
            for pattern in one.modules
            if (number, pattern) not in needed
        ]
        found += [f"tested-elsewhere.toml: {test} does not exist" for test in one.tests if not (root / test).is_file()]
    return found
