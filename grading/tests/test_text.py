"""Names and messages from outside are harmless on a terminal, in a file name and on a command line."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from simtlab.text import decoded_name, points_text, printable, shortened, slug

HOSTILE = [
    "\x1b[31mred",
    "a\nb",
    "../../etc/passwd",
    "<script>alert(1)</script>",
    "=1+1",
    "-rf",
    ".hidden",
    "\u202eevil",
    "",
]


@given(st.text() | st.sampled_from(HOSTILE))
def test_printable_text_holds_no_character_that_acts(text: str) -> None:
    assert all(unicodedata.category(c) not in {"Cc", "Cf", "Cs"} for c in printable(text))


@given(st.text(st.characters(blacklist_categories=["C", "Zl", "Zp"])))
def test_printable_leaves_harmless_text_alone(text: str) -> None:
    assert printable(text) == text


def test_terminal_escapes_become_visible() -> None:
    assert printable("\x1b[31mred\nnext") == "\\x1b[31mred\\nnext"
    assert printable("one\ntwo\x07", keep_lines=True) == "one\ntwo\\x07"


@given(st.text() | st.sampled_from(HOSTILE))
def test_a_slug_is_a_plain_file_name(name: str) -> None:
    made = slug(name)
    assert made
    assert made[0].isalnum()
    assert len(made) <= 64
    assert all(c.isascii() and (c.isalnum() or c in "._-") for c in made)
    assert ".." not in made


@given(st.text(), st.text())
def test_different_names_have_different_slugs(one: str, other: str) -> None:
    assert (slug(one) == slug(other)) == (one == other)


@given(st.text())
def test_no_name_can_take_the_slug_of_another(name: str) -> None:
    assert slug(slug(name)) != slug(name) or slug(name) == name


def test_bytes_that_are_no_text_are_written_out() -> None:
    assert decoded_name(b"caf\xe9".decode("utf-8", "surrogateescape")) == "caf\\xe9"


def test_points_have_no_needless_digits() -> None:
    assert [points_text(value) for value in (0, 7.5, 33.33, 100.0)] == ["0", "7.5", "33.33", "100"]


def test_shortened_text_says_so() -> None:
    assert shortened("abcdef", 4) == "abc…"
    assert shortened("abcd", 4) == "abcd"
