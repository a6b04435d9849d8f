"""Texts that a person should look at: what does not count, what weighs little, and what every page says of itself."""

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simtlab.labs.catalogue import find_root
from simtlab.release.tokens import code_of
from simtlab.similarity.fingerprints import RUN, WINDOW, fingerprints
from simtlab.similarity.likeness import Work, groups_of, pairs_of
from simtlab.similarity.page import NOT_A_PROOF
from tests.fake_checkout import KERNEL, FakeCheckout
from tests.planted_copies import disguised
from tests.test_cli_after_grading import simtlab

LAB = "07-shared-tiling"
OWN = """
__global__ void run(const float* a, float* b, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int step = gridDim.x * blockDim.x;
  float sum = 0.0f;
  for (int i = x; i < n; i += 3 * step) { sum += a[i] * 17.0f - a[(i + 5) % n]; }
  if (x < n) b[x] = sum > 4 ? sum / 21 : -sum * (x & 12);
  while (n-- > 100) { b[n] = b[n - 1] + a[x ^ 9] * 2 - sqrtf(sum) + n / 33; }
}
"""


def other(seed: int) -> str:
    draw = random.Random(seed)
    words = [draw.choice(["x + y", "z[x]", "f(x, 3)", "y * 7", "q % 5", "w >> 2", "p->u", "!r"]) for _ in range(60)]
    return "void run() {" + "".join(f" {a} = {b} {draw.choice('-+*/')} {draw.randint(2, 99)};" for a, b in
                                    zip("abcdefgh" * 7, words, strict=False)) + "}"  # fmt: skip


def class_of(*texts: str) -> list[Work]:
    return [*(Work(f"s{at}", text) for at, text in enumerate(texts)), *(Work(f"o{at}", other(at)) for at in range(12))]


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6))
def test_names_comments_spacing_order_and_numbers_do_not_hide_a_copy(seed: int) -> None:
    copy = disguised(OWN, {"run"}, seed)
    assert copy != OWN
    [pair, *_] = pairs_of(class_of(OWN, copy), [], {})
    assert {pair.one, pair.other} == {"s0", "s1"}
    assert pair.what == "look"


def test_two_texts_that_share_enough_tokens_share_a_fingerprint() -> None:
    body = OWN[OWN.index("for") : OWN.index("if")]
    assert len(code_of(body)) >= RUN + WINDOW - 1
    assert fingerprints(other(1) + body + other(2)).keys() & fingerprints(other(3) + body).keys()


def test_names_that_are_two_are_not_one() -> None:
    assert not fingerprints("a = a * a + a - a;").keys() & fingerprints("a = b * a + c - a;").keys()


def test_what_was_given_out_weighs_nothing_and_what_all_have_little() -> None:
    assert [
        pair for pair in pairs_of(class_of(OWN, OWN), [f"Type this:\n```\n{OWN}\n```"], {}) if "s0" in pair.one
    ] == []
    common = pairs_of([Work(f"s{at}", OWN) for at in range(9)], [], {})
    assert all(pair.share == 0 for pair in common)


def test_a_known_step_is_named_and_not_looked_at() -> None:
    [pair, *_] = [one for one in pairs_of(class_of(OWN, OWN), [], {"strided": OWN}) if one.one == "s0"]
    assert pair.what == "the same step: strided"
    assert groups_of([pair]) == []


def test_pairs_with_a_student_in_common_are_one_group() -> None:
    groups = groups_of(pairs_of(class_of(OWN, OWN, OWN), [], {}))
    assert [len(group) for group in groups] == [3]


def test_the_command_and_its_page_say_that_it_is_no_verdict(
    checkout: FakeCheckout, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(checkout.root)
    monkeypatch.setenv("SIMTLAB_ALLOW_WEAK", "1")
    monkeypatch.delenv("SIMTLAB_BUILD", raising=False)
    for student, text in {"ann": OWN, "bob": disguised(OWN, set(), 3), "zoe": other(1), "max": other(2)}.items():
        checkout.submit(student, LAB, f"{KERNEL}{text}\n// <b>{student}</b>\n")
    assert simtlab("grade", "class")[0] == 0
    code, text = simtlab("similarity", "07", "--page", "similar.html")
    assert code == 0, text
    assert "1 group to look at, of 4 kernels" in text
    assert "no proof and no verdict" in " ".join(text.split())
    page = (checkout.root / "similar.html").read_text(encoding="utf-8")
    assert NOT_A_PROOF in page
    assert "talk to each student alone" in page
    assert "<mark>" in page
    assert "<b>ann" not in page, "a student's text is text"
    found = json.loads(simtlab("similarity", "07", "--json")[1])
    assert [pair["students"] for pair in found["groups"][0]] == [["ann", "bob"]]


def test_an_unknown_lab_is_told() -> None:
    assert find_root()
    assert simtlab("similarity", "99")[0] == 2
