"""Colours of a source: the text stays as it is, whatever it is, and the words are what Pygments says they are."""

import html
import re
from importlib.resources import files

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simtlab.report.highlight import highlighted
from simtlab.report.source import annotated_source, for_page, without_colours
from simtlab.text import printable

KERNEL = """#include "mine.h"
// A comment /* inside */ another
__global__ void add(const float* a, int n) {
\t__shared__ float tile[32];  /* two
lines */
  int i = blockIdx.x * 32 + threadIdx.x;
  if (i < n) printf("%d \\"<b>\\" // no comment", i);
  __syncthreads();
}
"""


def visible(line: str) -> str:
    return html.unescape(re.sub(r"<[^>]*>", "", line))


def classes(line: str) -> dict[str, str]:
    return {html.unescape(text): css for css, text in re.findall(r'<span class="(\w+)">([^<]*)</span>', line)}


def test_words_have_the_colour_of_what_they_are() -> None:
    lines = highlighted(KERNEL)
    assert [visible(line) for line in lines] == KERNEL.splitlines()
    assert classes(lines[0]) == {"#include": "hp", '"mine.h"': "hs"}
    assert classes(lines[1]) == {"// A comment /* inside */ another": "hc"}
    assert classes(lines[2]) == {"__global__": "hu", "void": "hk", "const": "hk", "float": "hk", "int": "hk"}
    assert classes(lines[3]) == {"__shared__": "hu", "float": "hk", "32": "hn", "/* two": "hc"}
    assert classes(lines[4]) == {"lines */": "hc"}
    assert classes(lines[5])["blockIdx"] == "hu"
    assert set(classes(lines[6]).values()) == {"hk", "hs"}
    assert "<b>" not in lines[6]
    assert classes(lines[7]) == {"__syncthreads": "hu"}


@given(st.text() | st.text(alphabet="ab/*\"'\\\n\r#<>&({[0123.eE \t\v\f\x1c\x85\u2028\ufeff"))
@settings(max_examples=150, deadline=None)
def test_every_text_keeps_its_lines_and_cannot_become_a_tag(text: str) -> None:
    lines = highlighted(text)
    assert [visible(line) for line in lines] == [printable(line, keep_lines=True) for line in text.splitlines()]
    assert all(re.fullmatch(r'(?:[^<>]|<span class="h\w">[^<>]*</span>)*', line) for line in lines)


def test_a_long_text_has_no_colours() -> None:
    assert "<span" not in "".join(highlighted("int a;\n" * 20_000))


def test_a_line_that_is_cut_has_none_either_and_a_page_may_go_without() -> None:
    lines = for_page(annotated_source("kernel.cu", f"int a;  // {'x' * 400}\nint b;\n", None))
    assert lines[0].coloured is None
    assert lines[0].text.endswith("…")
    assert "hk" in str(lines[1].coloured)
    assert {line.coloured for line in without_colours(lines)} == {None}


def numbers(colour: str) -> tuple[float, ...]:
    return tuple(int(colour[at : at + 2], 16) for at in (1, 3, 5))


def luminance(colour: tuple[float, ...]) -> float:
    """By WCAG 2.2."""
    parts = [one / 255 for one in colour]
    linear = [one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in parts]
    return sum(share * one for share, one in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_each_colour_stands_out_on_every_ground_that_a_line_can_have(theme: int) -> None:
    style = (files("simtlab.report") / "templates" / "style.css").read_text(encoding="utf-8")
    named = {name: numbers(re.findall(rf"--{name}: (#\w{{6}})", style)[theme]) for name in ("ground", "raised")}
    heat = [int(one) for one in re.findall(r"--heat: (\d+), (\d+), (\d+)", style)[theme]]
    shades = [float(one) for one in re.findall(r"rgba\(var\(--heat\), (\.\d+)\)", style)]
    assert max(shades) > 0.4
    grounds = [*named.values()]
    for name, most in (("ground", max(shades)), ("raised", 0.22)):
        grounds.append(tuple(a * (1 - most) + b * most for a, b in zip(named[name], heat, strict=True)))
    for name in ("comment", "text", "keyword", "cuda", "digits"):
        ink = luminance(numbers(re.findall(rf"--{name}: (#\w{{6}})", style)[theme]))
        for ground in grounds:
            low, high = sorted((ink, luminance(ground)))
            assert (high + 0.05) / (low + 0.05) >= 4.5, f"{name} on {ground}"
