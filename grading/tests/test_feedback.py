"""Students see of hidden cases what the course's policy says, and nothing else: whatever the facts hold."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simtlab.course.course import chosen_feedback, read_course
from simtlab.errors import UsageError
from simtlab.facts.model import Facts
from simtlab.feedback.policy import HiddenFeedback
from simtlab.feedback.students_view import for_student, students_hint
from simtlab.labs.catalogue import default_build, find_root
from simtlab.report.for_students import write_students_site
from simtlab.score.gradebook import Gradebook, GradedSubmission
from simtlab.score.points import grade_from_facts
from simtlab.text import slug
from tests.example_facts import facts_of, passed_facts, unsafe_facts, wrong_facts
from tests.fake_checkout import KERNEL, FakeCheckout
from tests.graded_class import TILING, GradedClass

ROOT = find_root(Path(__file__))
BUILD = default_build(ROOT)
POLICIES = list(HiddenFeedback)

# Values that stand nowhere else, so that finding one is a leak.
SIZES = {"j": 86413, "k": 7919, "l": 30677}
SECRETS = [*SIZES.values(), 54773, 918273, 645.8125, 271.0625]
WORDS = ["zanzibar", "quagga", "narwhal", "okapi", "pangolin", "axolotl"]


def spellings(value: float) -> set[str]:
    """How a page could write a number."""
    found = {str(value), f"{value:.4g}", f"{value:g}", f"{value:.3g}"}
    if float(value).is_integer():
        whole = int(value)
        grouped = f"{whole:,}"
        found |= {grouped.replace(",", mark) for mark in (",", "'", " ", "\u202f", "\u2009", ".")}
        found |= {hex(whole), hex(whole)[2:], str(whole)}
    return {one for one in found if len(one) > 3}


def hidden_part(verdict: str, salt: int = 0) -> dict[str, Any]:
    """A hidden case in which everything that can be telling tells something."""
    finding = unsafe_facts()["safe"]["findings"][0] | {
        "rule": "out-of-bounds",
        "message": f"narwhal: index {SECRETS[3] + salt} lies past the end",
        "variable": "okapi",
        "count": SECRETS[4] + salt,
    }
    mismatch = wrong_facts()["cases"][1]["mismatch"] | {"wrong": SECRETS[3] + salt, "total": SECRETS[4] + salt}
    mismatch["first"] = [{"index": [SIZES["j"]], "expected": SECRETS[5], "actual": SECRETS[6], "never_written": False}]
    return {
        "name": f"zanzibar {salt}",
        "hidden": True,
        "sizes": {name: value + salt for name, value in SIZES.items()},
        "verdict": verdict,
        "message": f"quagga: {SECRETS[3] + salt} elements are wrong",
        "printed": f"pangolin n={SIZES['j'] + salt} {SECRETS[5]}\n" if verdict != "pass" else "",
        "mismatch": mismatch if verdict == "wrong_answer" else None,
        "findings": [finding] if verdict == "unsafe" else [],
    }


def document(visible: str, hidden: list[dict[str, Any]]) -> dict[str, Any]:
    """Facts as the judge makes them, with one visible case and the given hidden ones."""
    made = passed_facts()
    first = made["cases"][0] | {"verdict": visible}
    if visible == "unsafe":
        first["findings"] = unsafe_facts()["safe"]["findings"]
    made["cases"] = [first, *hidden]
    order = ["pass", "unsafe", "wrong_answer", "output_limit", "memory_limit", "timeout", "crash"]
    worst = max(made["cases"], key=lambda case: order.index(case["verdict"]))
    right = sum(case["verdict"] in {"pass", "unsafe"} for case in made["cases"])
    findings = [finding for case in made["cases"] for finding in case["findings"]]
    made |= {
        "verdict": worst["verdict"],
        "message": "" if worst["verdict"] == "pass" else f"{worst['name']} ({worst['sizes']}): {worst['message']}",
        "seed": SECRETS[4],
        "skipped": [{"name": "axolotl", "reason": "cannot be run"}],
        "correct": {
            "status": "pass" if right == len(made["cases"]) else "fail",
            "passed": right,
            "total": len(made["cases"]),
        },
        "safe": {"status": "fail" if findings else "pass", "reason": "", "findings": findings},
    }
    if made["correct"]["status"] == "fail":
        made["fast"] |= {"status": "not_measured", "reason": "correct fails", "score": 0.0, "criteria": []}
        made["launches"] = []
    made["timing"]["cases"] += [{"name": case["name"], "milliseconds": SECRETS[5]} for case in hidden]
    return made


def submission_with(facts: Facts, graded_class: GradedClass) -> GradedSubmission:
    """Alice's submission with other facts."""
    book = graded_class.book
    alice = book.submissions["alice", TILING]
    assert alice.result is not None
    result = alice.result.model_copy(update={"facts": facts, "verdict": facts.verdict, "message": facts.message})
    grade = grade_from_facts(facts, book.specifications[TILING].points)
    return GradedSubmission("alice", TILING, grade, result)


def pages_of(folder: Path) -> str:
    """Every byte that a student gets, names of files included."""
    return "\n".join(
        f"{path.relative_to(folder)}\n{path.read_text(encoding='utf-8')}"
        for path in folder.rglob("*")
        if path.is_file()
    )


ENDS = st.sampled_from(["pass", "unsafe", "wrong_answer", "timeout", "crash", "memory_limit", "output_limit"])


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(visible=ENDS, ends=st.lists(ENDS, min_size=1, max_size=4), others=st.lists(ENDS, min_size=1, max_size=4))
def test_under_nothing_the_student_sees_what_visible_cases_say_alone(
    graded_class: GradedClass, visible: str, ends: list[str], others: list[str]
) -> None:
    specification = graded_class.book.specifications[TILING]
    seen = []
    for hidden in (ends, others):
        facts = facts_of(document(visible, [hidden_part(end, salt) for salt, end in enumerate(hidden)]))
        whole = submission_with(facts, graded_class)
        view = for_student(whole, specification, HiddenFeedback.NOTHING)
        seen.append((view, students_hint(whole, view, specification, HiddenFeedback.NOTHING)))
    assert seen[0] == seen[1]


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(visible=ENDS, ends=st.lists(ENDS, min_size=1, max_size=4), policy=st.sampled_from(POLICIES[1:]))
def test_of_a_hidden_case_the_verdict_alone_is_looked_at(
    graded_class: GradedClass, visible: str, ends: list[str], policy: HiddenFeedback
) -> None:
    specification = graded_class.book.specifications[TILING]
    seen = []
    for salt in (0, 100):
        facts = facts_of(document(visible, [hidden_part(end, salt + number) for number, end in enumerate(ends)]))
        whole = submission_with(facts, graded_class)
        view = for_student(whole, specification, policy)
        seen.append((view, students_hint(whole, view, specification, policy)))
        assert view.grade is not None
        assert whole.grade is not None
        assert view.grade.points == whole.grade.points
        assert view.grade.verdict is whole.grade.verdict
    assert seen[0] == seen[1]


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("visible", ["pass", "unsafe", "wrong_answer"])
def test_no_planted_value_reaches_a_students_page(
    graded_class: GradedClass, tmp_path: Path, visible: str, policy: HiddenFeedback
) -> None:
    ends = ["wrong_answer", "unsafe", "crash", "timeout", "pass"]
    for end in [*ends, None]:
        hidden = [hidden_part(one, salt) for salt, one in enumerate(ends)] if end is None else [hidden_part(end)]
        whole = submission_with(facts_of(document(visible, hidden)), graded_class)
        book = graded_class.book
        changed = Gradebook(book.run, book.specifications, book.submissions | {("alice", TILING): whole})
        write_students_site(changed, graded_class.store, tmp_path / "students", policy)
        text = pages_of(tmp_path / "students" / "alice")
        for secret in SECRETS:
            for spelt in spellings(secret):
                assert spelt not in text, f"{spelt} under {policy.value}"
        for word in WORDS:
            assert word not in text, f"{word} under {policy.value}"


def test_the_instructors_page_stays_complete(graded_class: GradedClass, site: Path) -> None:
    text = (site / "submissions" / f"bob.{TILING}.html").read_text(encoding="utf-8")
    assert "ragged edges" in text
    assert "65 of 2" in text


def test_the_policies_differ_in_what_they_show(graded_class: GradedClass, tmp_path: Path) -> None:
    texts = {}
    for policy in POLICIES:
        assert write_students_site(graded_class.book, graded_class.store, tmp_path / "out", policy) == 6
        texts[policy] = (tmp_path / "out" / "bob" / f"{TILING}.html").read_text(encoding="utf-8")
    nothing, verdict, hint = texts.values()
    assert "hidden case 1" not in nothing
    assert "points" not in re.sub(r"<footer>.*?</footer>|<style>.*?</style>", "", nothing, flags=re.DOTALL)
    assert "hidden case 1" in verdict
    assert "A hidden case ended with: wrong answer." in verdict
    assert "25</span> of 100 points" in verdict
    assert "Which sizes fail?" not in verdict
    assert "Which sizes fail?" in hint
    assert "ragged edges" not in nothing + verdict + hint


def test_each_student_gets_a_folder_with_their_own_pages_alone(graded_class: GradedClass, tmp_path: Path) -> None:
    out = tmp_path / "students"
    write_students_site(graded_class.book, graded_class.store, out, HiddenFeedback.VERDICT)
    students = graded_class.book.run.students
    assert {path.name for path in out.iterdir() if path.is_dir()} == {slug(student) for student in students}
    for student in ("alice", "bob", "carol"):
        text = pages_of(out / student)
        assert not [other for other in students if other not in {student, "erin"} and other in text]
        for link in re.findall(r'href="([^"#:]+)"', text):
            assert (out / student / link).is_file(), link


def test_a_grade_that_waits_tells_nothing_of_the_reason(graded_class: GradedClass, tmp_path: Path) -> None:
    write_students_site(graded_class.book, graded_class.store, tmp_path / "out", HiddenFeedback.VERDICT_AND_HINT)
    text = pages_of(tmp_path / "out" / "erin")
    assert "the judge has lost its inputs" not in text
    assert "The grade waits because of a fault of ours" in text


def test_an_earlier_report_is_replaced_as_a_whole_and_nothing_else_is(
    graded_class: GradedClass, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    write_students_site(graded_class.book, graded_class.store, out, HiddenFeedback.VERDICT_AND_HINT)
    (out / "bob" / "old.html").write_text("old", encoding="utf-8")
    write_students_site(graded_class.book, graded_class.store, out, HiddenFeedback.NOTHING)
    assert not (out / "bob" / "old.html").exists()
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "thesis.txt").write_text("kept", encoding="utf-8")
    with pytest.raises(UsageError, match="holds something else"):
        write_students_site(graded_class.book, graded_class.store, mine, HiddenFeedback.NOTHING)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine", "out"]


# ---- course.toml ----------------------------------------------------------------------------------------------------


def test_the_policy_is_the_courses_unless_the_command_says_otherwise(tmp_path: Path) -> None:
    assert read_course(tmp_path).feedback.hidden is HiddenFeedback.VERDICT
    (tmp_path / "course.toml").write_text('[feedback]\nhidden = "verdict and hint"\n', encoding="utf-8")
    assert chosen_feedback(None, read_course(tmp_path)) is HiddenFeedback.VERDICT_AND_HINT
    assert chosen_feedback("nothing", read_course(tmp_path)) is HiddenFeedback.NOTHING
    with pytest.raises(UsageError, match="expected one of 'nothing', 'verdict', 'verdict and hint'"):
        chosen_feedback("all", read_course(tmp_path))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('[feedback]\nhidden = "everything"\n', r"course\.toml: feedback\.hidden: .*found 'everything'"),
        ("[feedback]\nhidden = true\n", r"course\.toml: feedback\.hidden: "),
        ("[feedback]\nvisible = 1\n", r"course\.toml: feedback\.visible: nothing of this name belongs here"),
        ("feedback\n", r"course\.toml: is not TOML"),
    ],
)
def test_a_wrong_course_file_is_named_with_the_member(tmp_path: Path, text: str, complaint: str) -> None:
    (tmp_path / "course.toml").write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=complaint):
        read_course(tmp_path)


def test_the_command_writes_the_students_pages(checkout: FakeCheckout) -> None:
    checkout.submit("bob", TILING, KERNEL + "// fake judge: wrong_answer\n")
    (checkout.root / "course.toml").write_text('[feedback]\nhidden = "nothing"\n', encoding="utf-8")

    def simtlab(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "simtlab", *words]
        return subprocess.run(command, cwd=checkout.root, capture_output=True, text=True, check=False, timeout=120)

    simtlab("grade", "class", "--allow-weak")
    assert "of hidden cases: nothing" in simtlab("report", "--for-students", "out").stdout
    assert "hidden case 1" not in pages_of(checkout.root / "out")
    assert "1 student" in simtlab("report", "--for-students", "out", "--feedback-hidden", "verdict").stdout
    assert "hidden case 1" in pages_of(checkout.root / "out")
    assert (checkout.root / "results" / "seed").read_text(encoding="ascii").strip() not in pages_of(
        checkout.root / "out"
    )
    assert simtlab("report", "--feedback-hidden", "verdict").returncode == 2


# ---- The real judge -------------------------------------------------------------------------------------------------

LAB = "08-bank-conflicts"
TELLTALE = """#include <cstdio>
#include <cuda_runtime.h>
__global__ void copy(const float* input, float* output, int rows, int cols) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) printf("rows %d cols %d product %d input %f\\n", rows, cols, rows * cols, input[0]);
  if (i < rows * cols) output[i % rows * 0 + i] = input[i];
}
void transpose(const float* input, float* output, int rows, int cols) {
  printf("host rows=%d cols=%d\\n", rows, cols);
  copy<<<(rows * cols + 255) / 256, 256>>>(input, output, rows, cols);
}
"""
RARE = {"rows": 6011, "cols": 7}


@pytest.fixture(scope="module")
def talkative(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A grading by the real judge of a submission that prints its sizes and inputs, in a checkout with rare hidden
    sizes."""
    root = tmp_path_factory.mktemp("talkative")
    shutil.copytree(ROOT / "labs" / LAB, root / "labs" / LAB)
    (root / "harness").mkdir()
    (root / "solutions" / LAB).mkdir(parents=True)
    hidden = f'[[case]]\nname = "okapi narwhal"\nsizes = {{ rows = {RARE["rows"]}, cols = {RARE["cols"]} }}\n'
    (root / "solutions" / LAB / "hidden.toml").write_text(hidden, encoding="utf-8")
    path = root / "class" / "alice" / LAB / "kernel.cu"
    path.parent.mkdir(parents=True)
    path.write_text(TELLTALE, encoding="utf-8")
    words = ["grade", "class", "--allow-weak", "--build", str(BUILD), "--json", "--workers", "1"]
    graded = subprocess.run(
        [sys.executable, "-m", "simtlab", *words], cwd=root, capture_output=True, text=True, check=False, timeout=600,
        env={name: value for name, value in os.environ.items() if name != "SIMTLAB_RUNNER_PREFIX"},
    )  # fmt: skip
    assert graded.returncode == 0, graded.stderr
    assert json.loads(graded.stdout)["students"][0]["labs"][LAB]["verdict"] == "wrong_answer"
    return root


@pytest.mark.build_tree
@pytest.mark.skipif(
    not (BUILD / "labs" / LAB / f"judge-{LAB}").exists(),
    reason=f"no lab is built in {BUILD}: cmake --build {BUILD} --target simtlab_judges",
)
@pytest.mark.parametrize("policy", POLICIES)
def test_what_a_submission_prints_in_a_hidden_case_stays_hidden(talkative: Path, policy: HiddenFeedback) -> None:
    words = ["report", "--for-students", "out", "--feedback-hidden", policy.value, "--build", str(BUILD)]
    subprocess.run([sys.executable, "-m", "simtlab", *words], cwd=talkative, check=True, timeout=120)
    text = pages_of(talkative / "out")
    [result] = [path.read_text(encoding="utf-8") for path in (talkative / "results" / "results").glob("??/*.json")]
    facts = Facts.model_validate(json.loads(result)["facts"], strict=False)
    [hidden] = [case for case in facts.cases if case.hidden]
    assert str(RARE["rows"]) in hidden.printed, "the submission did print it"
    assert hidden.mismatch is not None
    secrets: list[float | str] = [RARE["rows"], RARE["rows"] * RARE["cols"], "okapi", "narwhal", hidden.mismatch.wrong]
    secrets += [value for element in hidden.mismatch.first for value in (element.expected, element.actual)]
    secrets += re.findall(r"-?\d+\.\d{4,}", hidden.printed)
    assert len(secrets) > 8
    for secret in secrets:
        for spelt in spellings(secret) if not isinstance(secret, str) else {secret}:
            assert not re.search(rf"(?<![\d.\w]){re.escape(spelt)}(?![\d\w])", text), f"{spelt} under {policy.value}"
    assert "host rows=33 cols=65" in text, "what it printed in a visible case is shown"
