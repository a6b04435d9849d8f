"""Finds the sizes, seeds and names of hidden cases in a text, however the numbers are spelt.

Most sizes are numbers that stand everywhere (1, 32, 1024), so a number counts by what stands around it:

- the sizes of a case side by side, in the case's order or each beside its name, with nothing but signs and size words
  between: `131 × 13`;
- a size beside its name or the word for what it counts: `n = 77`, `77 elements`, unless a public case has it too, or it
  is at most 12 or a power of two;
- a *rare* number (three digits or more, no power of two or neighbour of one, not round): anywhere in prose or in a
  lab; in the harness's own code and in drawings only beside a size's name;
- the name of a case.
"""

import html
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from simtlab.release.solutions import HiddenCase

_BY = re.compile(r"(?<=\d)(?<!\b0)[xX×*](?=\d)")
_NUMBER = re.compile(
    r"""(?<![\w.])(?:
        (?P<radix>0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO][0-7]+)
      | (?P<groups>\d{1,3}(?:[,.'_ ]\d{3})+(?!\d))
      | (?P<plain>\d+(?:\.\d+)?(?:[eE]\+?\d+)?)
    )(?=[a-zA-Z]{0,3}\b|\W|$|_)""",
    re.VERBOSE,
)
_SIZE_WORDS = "by and times rows row cols col columns column elements element size sizes n width height matrix".split()
_COUNTED = r"(?:elements?|rows?|cols?|columns?|floats?|values?|numbers?)"
_BESIDE = r"[^\w\n]{0,6}"
_LONGEST_GAP = 32
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()


@dataclass(frozen=True)
class FoundNumber:
    """A place where a text tells something of a hidden case."""

    case: HiddenCase
    line: int
    text: str
    what: str


@dataclass(frozen=True)
class _Spelt:
    """A number of the text and where it stands."""

    value: int
    start: int
    end: int


class HiddenNumbers:
    """Knows the hidden cases; `shown` are texts that are allowed to stand where they stand."""

    def __init__(self, cases: list[HiddenCase], shown: list[str]) -> None:
        self._cases = cases
        self._shown = [_plain(text) for text in shown]

    def found_in(self, text: str, *, code: bool) -> list[FoundNumber]:
        """All of them, at most one a case and line. `code`: a rare number alone does not count."""
        plain = _plain(text)
        for shown in self._shown:
            plain = plain.replace(shown, re.sub(r"[^\n]", " ", shown))
        numbers = list(_numbers_of(plain))
        places: dict[int, list[_Spelt]] = {}
        for number in numbers:
            places.setdefault(number.value, []).append(number)
        found: dict[tuple[str, str, int], FoundNumber] = {}
        lower = plain.lower()
        for case in self._cases:
            for start, end, what in self._places(case, plain, lower, numbers, places, code=code):
                line = plain.count("\n", 0, start) + 1
                place = FoundNumber(case, line, " ".join(plain[start:end].split()), what)
                found.setdefault((case.lab, case.name, line), place)
        return list(found.values())

    def _places(
        self,
        case: HiddenCase,
        text: str,
        lower: str,
        numbers: list[_Spelt],
        places: dict[int, list[_Spelt]],
        *,
        code: bool,
    ) -> Iterator[tuple[int, int, str]]:
        sizes = list(case.sizes.values())
        if len(sizes) > 1 and places.keys() >= set(sizes) and not (code and not any(map(is_rare, sizes))):
            yield from _combinations(case.sizes, text, numbers)
        for name, value in case.sizes.items():
            if not _is_common(value) and (name, value) not in case.public_sizes:
                for one in places.get(value, []):
                    if _stands_beside(name, text, one, code=code):
                        yield one.start, one.end, f"the size {name}"
        seed = {} if case.seed is None else {"seed": case.seed}
        for name, value in [*case.sizes.items(), *seed.items()]:
            if not is_rare(value):
                continue
            if not code:
                yield from ((one.start, one.end, f"the size {name}") for one in places.get(value, []))
            words = _in_words(value)
            yield from ((start, end, f"the size {name}") for start, end in _runs_of(words, _SPACES, text, lower))
        words = re.findall(r"\w+", case.name)
        if len(words) > 1:
            yield from ((start, end, "the name") for start, end in _runs_of(words, r"\W+", text, lower))


def is_rare(value: int) -> bool:
    """Whether a number is unlikely to stand in a text for another reason."""
    near_power = any(near > 0 and near & (near - 1) == 0 for near in (value - 1, value, value + 1))
    return value >= 100 and not near_power and value % 50 != 0


def _is_common(value: int) -> bool:
    """Whether a number stands beside a size's name so often that it says nothing alone."""
    return value <= 12 or value & (value - 1) == 0


def _plain(text: str) -> str:
    """The text with one kind of space, one kind of digit and bars for tags; every newline stays where it is."""
    if "<" in text or "&" in text:
        text = html.unescape(_TAG.sub(lambda tag: "|" + "\n" * tag[0].count("\n"), text))
    return _BY.sub(" × ", unicodedata.normalize("NFKC", text))


def _numbers_of(text: str) -> Iterator[_Spelt]:
    """Every whole number; one written in groups of three counts as a whole and by its groups."""
    for match in _NUMBER.finditer(text):
        start, end = match.span()
        if match["radix"]:
            yield _Spelt(int(match["radix"], 0), start, end)
        elif match["groups"]:
            digits = re.sub(r"\D", "", match["groups"])
            if len(digits) < 16:
                yield _Spelt(int(digits), start, end)
            for group in re.finditer(r"\d+", match["groups"]):
                yield _Spelt(int(group[0]), start + group.start(), start + group.end())
        elif len(match["plain"]) < 16:
            value = float(match["plain"])
            if value.is_integer() and value < 2**53:
                yield _Spelt(int(value), start, end)


def _combinations(sizes: dict[str, int], text: str, numbers: list[_Spelt]) -> Iterator[tuple[int, int, str]]:
    """Runs of neighbouring numbers that are the sizes: in their order, or in any where each stands beside its name."""
    allowed = {*_SIZE_WORDS, *sizes, "x"}
    in_order, sorted_sizes = list(sizes.values()), sorted(sizes.values())
    for position in range(len(numbers) - len(sizes) + 1):
        run = numbers[position : position + len(sizes)]
        values = [one.value for one in run]
        if values != in_order and not (sorted(values) == sorted_sizes and _each_is_named(sizes, text, run)):
            continue
        gaps = [text[one.end : other.start] for one, other in pairwise(run)]
        if all(len(" ".join(gap.split())) <= _LONGEST_GAP and _is_joint(gap, allowed) for gap in gaps):
            yield run[0].start, run[-1].end, "the sizes"


def _each_is_named(sizes: dict[str, int], text: str, run: list[_Spelt]) -> bool:
    return all(
        any(value == one.value and _stands_beside(name, text, one, code=True) for name, value in sizes.items())
        for one in run
    )


def _is_joint(gap: str, allowed: set[str]) -> bool:
    return bool(gap.strip(" \t")) and all(word.lower() in allowed for word in re.findall(r"[^\W\d]+", gap))


def _stands_beside(name: str, text: str, number: _Spelt, *, code: bool) -> bool:
    """Whether the size's name stands right before the number, or what it counts right after."""
    before, after = text[max(number.start - 40, 0) : number.start], text[number.end : number.end + 16]
    if re.search(rf"(?<![\w.]){re.escape(name)}\"?[`*_]*\s*(?:[=:,≔]|is|of)?{_BESIDE}$", before):
        return True
    return not code and bool(re.match(rf"[-\s]*(?:{re.escape(name)}\b|{_COUNTED}\b)", after))


_SPACES = r"[\s-]+(?:and\s+)?"


def _runs_of(words: list[str], between: str, text: str, lower: str) -> Iterator[tuple[int, int]]:
    """Where the words stand one after the other, in large letters or small. `lower` is the text in small letters: where
    one of the words is missing, as nearly everywhere, the slow search need not begin."""
    if all(word.lower() in lower for word in words):
        pattern = between.join(map(re.escape, words))
        yield from (match.span() for match in re.finditer(rf"\b{pattern}\b", text, re.IGNORECASE))


def _in_words(value: int) -> list[str]:
    """The number in English words but for each `and`: `one hundred thirty one`."""
    parts: list[str] = []
    for factor, word in ((1_000_000, "million"), (1000, "thousand"), (1, "")):
        group = value // factor % 1000
        if not group:
            continue
        if group >= 100:
            parts += [_ONES[group // 100], "hundred"]
        if group % 100 >= 20:
            parts.append(_TENS[group % 100 // 10 - 2])
            parts += [_ONES[group % 10]] if group % 10 else []
        elif group % 100:
            parts.append(_ONES[group % 100])
        parts += [word] if word else []
    return parts
