"""Every slip of the lectures that students are told of is held by a variant, a claim, a program or a remark."""

import re
from pathlib import Path

from simtlab.labs.catalogue import find_root
from simtlab.labs.variants import variant_of
from simtlab.verify.markdown import sections_of, tables_of

ROOT = find_root(Path(__file__))
PLACE = re.compile(r'`([\w/.-]+\.\w+)`(?:: "([^"]+)")?')
VARIANT = re.compile(r"variant `([a-z0-9-]+)` of lab (\d\d)")
CLAIM = re.compile(r"claim (\d+)")
CLAIMS = range(1, 25)


def claims() -> set[int]:
    """The claims of the lectures that are tests of the emulator."""
    folders = ("harness/emulator/tests", "solutions/emulator")
    sources = [path for folder in folders for path in (ROOT / folder).rglob("*.c*") if path.suffix in (".cu", ".cpp")]
    named = re.compile(r'TEST_CASE\("claim (\d+):')
    return {int(number) for path in sources for number in named.findall(path.read_text(encoding="utf-8"))}


def test_every_claim_of_the_lectures_is_a_test_of_the_emulator() -> None:
    assert claims() == set(CLAIMS)


def test_every_erratum_is_held_by_something_that_is_there() -> None:
    told = tables_of((ROOT / "docs" / "errata.md").read_text(encoding="utf-8"))
    held = tables_of(sections_of((ROOT / "solutions" / "README.md").read_text(encoding="utf-8"))["Errata"].text)
    assert [row[0] for row in held] == [row[0] for row in told]
    for slip, by in held:
        places, numbers = PLACE.findall(by), {int(number) for number in CLAIM.findall(by)}
        variants = VARIANT.findall(by)
        assert places or numbers or variants, slip
        assert numbers <= claims(), slip
        for place, words in places:
            text = (ROOT / place).read_text(encoding="utf-8")
            assert words in text, f"{place} says nothing of {words!r}"
        for name, lab in variants:
            [folder] = (ROOT / "solutions").glob(f"{lab}-*")
            expected = variant_of(folder, name).text.splitlines()[0]
            assert "correct=fail" in expected or "compile_error" in expected, name
