"""Whose numbers a predict.toml was answered with: the name in it beside those that the class knows its students by.

A name is compared as people write it: letters and digits alone, accents and case aside, words in any turn, an address
by its login. Where it could be the student's, it is; only then a person looks.

The program that draws the numbers takes letters as they are (`harness/predict/drawing.cpp`). So a mark that nobody
sees, a wide letter, a word twice or one too many draws other numbers under one's own name, a neighbour's for example: a
person looks there, too.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from simtlab.predict.model import ANSWERS_FILE, Predictions
from simtlab.text import printable

_WRITTEN_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe", "æ": "ae", "œ": "oe"})
_WITHOUT_MARK = str.maketrans({"ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"})


@dataclass(frozen=True)
class OtherName:
    """The name in a predict.toml is not the student's."""

    name: str
    """As it was typed; empty where none was."""
    student: str
    """Whose of the class it is; empty where it is nobody's."""
    own: bool = False
    """It is the student's, in letters that nobody writes it in, which draw other numbers."""

    @property
    def mark(self) -> str:
        """The few letters beside the points in the class's table."""
        return "other name" if self.name else "no name"

    @property
    def sentence(self) -> str:
        """What the grader reads."""
        if not self.name:
            return f"{ANSWERS_FILE} has no name: its numbers are the same for all who left it out"
        if self.own:
            return (
                f"{ANSWERS_FILE} has the student's name as {self.name!a}: marks, letters or words that the class's "
                "list does not have draw other numbers, perhaps somebody else's"
            )
        if self.student:
            return f"{ANSWERS_FILE} has the name {self.name}, which is {printable(self.student)} of this class"
        return f"{ANSWERS_FILE} has the name {self.name}, by which the class knows nobody"


def other_name(
    predictions: Predictions | None, own: Sequence[str], everybody: Mapping[str, Sequence[str]]
) -> OtherName | None:
    """What is odd about the name that the answers give; None where it is the student's, or nothing was answered. `own`
    are the names of the student and of those who hand in together, `everybody` those of each student of the class."""
    if predictions is None or not predictions.answered:
        return None
    name = predictions.student.strip()
    if not name:
        return OtherName("", "")
    if any(same_name(name, one) for one in own):
        return None if any(_is_written_as(name, one) for one in own) else OtherName(name, "", own=True)
    named = [student for student, names in everybody.items() if any(same_name(name, one) for one in names)]
    return OtherName(name, named[0] if len(named) == 1 else "")


def same_name(one: str, other: str) -> bool:
    """Whether both may be one person's name."""
    if spellings(one) & spellings(other):
        return True
    few, many = sorted((set(_words(one)), set(_words(other))), key=len)
    return len(few) >= 2 and few <= many  # without a middle name


def _is_written_as(typed: str, known: str) -> bool:
    """Whether the typed name has no sign and no word beyond those in which a person would write the known one."""
    letters = unicodedata.normalize("NFC", typed)
    unusual = {c for c in letters if unicodedata.normalize("NFKC", c) != c or unicodedata.category(c)[0] in "MC"}
    if unusual - set(unicodedata.normalize("NFC", known)):
        return False
    return bool(spellings(typed) & spellings(known)) or not Counter(_words(typed)) - Counter(_words(known))


def spellings(name: str) -> frozenset[str]:
    """The ways in which a name may be written: in letters and digits alone, from each of its words on."""
    forms = [name, *([name.partition("@")[0]] if "@" in name else [])]
    return frozenset(
        "".join(words[at:] + words[:at])
        for form in forms
        for words in (_words(form), _words(_plain(form).translate(_WRITTEN_OUT)))
        for at in range(len(words))
    )


def _plain(name: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def _words(name: str) -> list[str]:
    bare = unicodedata.normalize("NFKD", _plain(name).translate(_WITHOUT_MARK))
    return re.findall(r"[^\W_]+", "".join(c for c in bare if not unicodedata.combining(c)))
