"""What a handout has to say, and the sentences about what it does not."""

import os
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from simtlab.labs.catalogue import find_root, read_catalogue
from simtlab.labs.description import describe
from simtlab.release.check import LeakSearch
from simtlab.release.solutions import read_solutions
from simtlab.verify.cases import missing_cases
from simtlab.verify.handout import handout_checks
from simtlab.verify.markdown import links_of, missing_target, numbers_in, sections_of, states, tables_of
from tests.fake_checkout import FIGURE, FakeCheckout

LAB = "07-shared-tiling"


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("n = 1, 19, 256 and 1009", [1, 19, 256, 1009]),
        ("for n = 100,000, the same", [100000]),
        ("31 × 47 × 61", [31, 47, 61]),
        ("from 0.80 of it, 15 %", [0.8, 0.15]),
        ("1/16 or 2⁻²⁴ or 2²⁴", [1 / 16, 2.0**-24, 2.0**24]),
        ("1e-5", [1e-5]),
    ],
)
def test_numbers_are_read_as_people_write_them(text: str, numbers: list[float]) -> None:
    assert numbers_in(text) == pytest.approx(numbers, rel=1e-12)


def test_numbers_have_to_stand_in_a_row() -> None:
    assert states("33 × 65, radius 2", 33, 65, 2)
    assert not states("33 × 65 and 2", 33, 2)
    assert not states("165", 65)


def test_sections_tables_and_links_are_found() -> None:
    text = "# Lab\n\n## One\n| a | b |\n|---|---|\n| 1 | `x` |\n```\n## no\n```\n## Two\n![f](a.svg) [l](#one)\n"
    sections = sections_of(text)
    assert list(sections)[1:] == ["One", "Two"]
    assert sections["Two"].line == 10
    assert tables_of(sections["One"].text) == [["1", "`x`"]]
    assert [(link.target, link.is_figure, link.line) for link in links_of(text)] == [
        ("a.svg", True, 11),
        ("#one", False, 11),
    ]


def test_a_link_leads_to_a_file_a_heading_or_out(tmp_path: Path) -> None:
    document = tmp_path / "README.md"
    document.write_text('# A\n## What "fast" means\n', encoding="utf-8")
    assert missing_target(document, "#what-fast-means") == ""
    assert missing_target(document, "https://example.org/x#y") == ""
    assert missing_target(document, "figures/none.svg") == "there is no figures/none.svg"
    assert missing_target(document, "README.md#nowhere") == "README.md has no heading 'nowhere'"


def problems(checkout: FakeCheckout, rules: dict[str, str] | None = None) -> list[str]:
    """Everything that is wrong with the fake lab's handout."""
    solutions = read_solutions(checkout.root)
    lab = read_catalogue(checkout.root, checkout.build).labs[LAB]
    checks = handout_checks(lab, rules or {}, LeakSearch(solutions), solutions.stubs)
    return [problem for check in checks for problem in check.problems]


def test_a_whole_handout_has_no_problems(tmp_path: Path) -> None:
    assert problems(FakeCheckout(tmp_path)) == []


@pytest.mark.parametrize(
    ("was", "becomes", "complaint"),
    [
        (
            "and 1009",
            "and 1008",
            "README.md:9 (How it is checked): the sizes of the case 'a prime' are missing: `1009`",
        ),
        ("exact", "right", "the tolerance is exact (case 'a prime'), and the word `exact` is missing"),
        ("n = 4096", "n = 4095", "the benchmark's sizes on the emulator are missing, numbers in a row: `4096`"),
        ("| 0.125 |", "| 0.25 |", "the table has no row `| sector efficiency of `a` | 1 | 0.125 | 1 | why |`"),
        ("of `a`", "of `b`", "belongs to no criterion of lab.cpp"),
        ("from 60 of", "from 50 of", "`passes from 60 of 100 points` is missing"),
        ("## Your task", "## The task", "there is no section `## Your task`"),
        ("make test", "make", "README.md:6 (Your task): says nothing of `make test LAB=07`"),
        ("make profile", "make", "(Reading the profile): says nothing of `make profile LAB=07`"),
        ("Hint 3:", "Hint:", "`<details><summary>Hint 3: …</summary>` is missing"),
        ("figures/idea.svg", "figures/ideas.svg", "leads nowhere: there is no figures/ideas.svg"),
        ("![A figure]", "![]", "say for those who cannot see it what the figure shows"),
        ("# Lab 07", "# Lab 08", "the first line is `# Lab 07: title`"),
        ("## The idea", "FILL IN\n## The idea", "README.md:4: is still to be filled in"),
    ],
)
def test_what_is_missing_is_named_with_its_place(tmp_path: Path, was: str, becomes: str, complaint: str) -> None:
    checkout = FakeCheckout(tmp_path)
    handout = checkout.root / "labs" / LAB / "README.md"
    text = handout.read_text(encoding="utf-8")
    assert was in text
    handout.write_text(text.replace(was, becomes), encoding="utf-8")
    assert any(complaint in problem for problem in problems(checkout)), problems(checkout)


@pytest.mark.parametrize(
    ("was", "becomes", "complaint"),
    [
        ("<title>An idea</title>", "<title/>", "figures/idea.svg: has no <title>"),
        ('<rect width="9" height="9"', '<rect width="8" height="9"', "figures/idea.svg: has no background of its own"),
        ('fill="#ffffff"', 'fill="none"', "figures/idea.svg: has no background of its own"),
    ],
)
def test_a_figure_can_be_heard_and_read_on_a_dark_page(tmp_path: Path, was: str, becomes: str, complaint: str) -> None:
    checkout = FakeCheckout(tmp_path)
    figure = checkout.root / "labs" / LAB / "figures" / "idea.svg"
    figure.write_text(FIGURE.replace(was, becomes), encoding="utf-8")
    assert [problem[: len(complaint)] for problem in problems(checkout)] == [complaint]


@pytest.mark.parametrize(
    ("left_out", "complaint"),
    [
        (1, "lab.cpp: no case of one element"),
        (19, "lab.cpp: no case of less than a warp"),
        (1009, "lab.cpp: no case of a prime size"),
    ],
)
def test_cases_at_which_wrong_kernels_go_wrong_are_asked_for(tmp_path: Path, left_out: int, complaint: str) -> None:
    checkout = FakeCheckout(tmp_path)
    lab = read_catalogue(checkout.root, checkout.build).labs[LAB]
    cases = [case for case in describe(lab).cases if case.sizes[0].value != left_out]
    assert [problem[: len(complaint)] for problem in missing_cases(lab, cases)] == [complaint]


def test_cases_that_students_do_not_see_and_sizes_that_differ_are_asked_for(tmp_path: Path) -> None:
    checkout = FakeCheckout(tmp_path)
    lab = replace(read_catalogue(checkout.root, checkout.build).labs[LAB], hidden=None)
    twice = [case.model_copy(update={"sizes": case.sizes * 2}) for case in describe(lab).cases]
    assert list(missing_cases(lab, twice)) == [
        "lab.cpp: in every case all sizes are equal: what takes one for the other would pass",
        "hidden.toml: 0 cases; a lab has 3 or more that students do not see",
    ]


@pytest.mark.parametrize(
    ("name", "step"),
    [
        ("sector_eficiency", 'write "sector_efficiency"'),
        ("wrong_answers", 'write "wrong_answer"'),
        ("x_y", "write one of"),
    ],
)
def test_a_hint_for_a_metric_that_does_not_exist_is_named_with_its_line(tmp_path: Path, name: str, step: str) -> None:
    checkout = FakeCheckout(tmp_path)
    file = checkout.root / "labs" / LAB / "lab.toml"
    text = file.read_text(encoding="utf-8") + f'[[hints]]\nwhen = "{name}"\ntext = "Which?"\n'
    file.write_text(text, encoding="utf-8")
    (problem,) = problems(checkout)
    line = text.splitlines().index(f'when = "{name}"') + 1
    assert problem.startswith(f'lab.toml:{line}: when = "{name}" is no verdict and no metric of this lab\'s criteria: ')
    assert step in problem


def test_a_criterion_of_a_metric_that_does_not_exist_is_refused_where_it_stands(tmp_path: Path) -> None:
    lab = tmp_path / "lab.cpp"
    lab.write_text('#include "spec/metric.h"\nauto m = simtlab::metric::sector_eficiency("a");\n', encoding="utf-8")
    words: list[str | Path] = ["g++", "-std=c++20", "-fsyntax-only", "-I", find_root(Path(__file__)) / "harness", lab]
    said = subprocess.run(words, check=False, capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"})
    assert f"{lab}:2:" in said.stderr
    assert "did you mean 'sector_efficiency'?" in said.stderr


def test_hints_stub_and_leaks_are_looked_at(tmp_path: Path) -> None:
    checkout = FakeCheckout(tmp_path)
    found = problems(checkout, {"out-of-bounds": "variants/careless.cu"})
    assert found == [
        'lab.toml: there is no [[hints]] with when = "out-of-bounds": variants/careless.cu breaks this rule'
    ]
    stub = checkout.root / "labs" / LAB / "kernel.cu"
    solution = checkout.root / "solutions" / LAB / "kernel.cu"
    stub.write_text(solution.read_text(encoding="utf-8"), encoding="utf-8")
    found = problems(checkout)
    assert any("is not the solution without its marked regions" in problem for problem in found)
    assert any(f"tokens in a row equal solutions/{LAB}/kernel.cu" in problem for problem in found)
