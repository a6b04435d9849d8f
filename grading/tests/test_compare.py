"""Two measurements, two runs, a run and an earlier term: what is compared, what is refused, what a script is told."""

import json
import random
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from simtlab.cli import app
from simtlab.compare.comparison import compare
from simtlab.compare.measurement import Measurement, measurement_of
from simtlab.compare.sides import pairs, read_side
from simtlab.compare.statistics import Difference
from simtlab.errors import UsageError
from simtlab.store.class_run import ClassRun, RunEntry, write_run
from simtlab.store.key import KeyParts
from simtlab.store.result import Result
from simtlab.store.results import ResultStore
from simtlab.verdict import Verdict
from tests.example_facts import facts_of, passed_facts, wrong_facts
from tests.example_launches import argument, launch, shared

LAB = "07-shared-tiling"
H200 = {"name": "NVIDIA H200", "driver": "13.0", "runtime": "13.0", "compute_capability": "9.0"}
GPU = {**H200, "multiprocessors": 132, "memory_bytes": 150_000_000_000}


def result(
    store: ResultStore,
    student: str = "alice",
    *,
    source: str = "source",
    times: list[float] | None = None,
    copy: float | None = 4000.0,
    gpu: dict[str, Any] | None = GPU,
    seed: int = 1,
    **facts: Any,
) -> Result:
    """A stored result; without `times` it is the emulator's."""
    document = passed_facts(**facts | {"submission": student})
    if times:
        document["backend"] = "cuda"
        document["environment"] |= {"gpu": gpu, "emulator": None}
        document["timing"] |= {"samples": times, "copy_gigabytes_per_second": copy}
    parts = KeyParts(
        student=student,
        lab=LAB,
        files={"kernel.cu": store.keep_file(source.encode())},
        specification="s",
        backend=document["backend"],
        gpu=gpu["name"] if gpu and times else "",
        seed=seed,
        limits=[],
        runner_prefix=[],
        sandbox=[],
        grader_version="1",
        attempt=1,
    )
    found = Result(
        key=parts.key,
        parts=parts,
        verdict=Verdict(document["verdict"]),
        message="",
        compiler=None,
        facts=facts_of(document),
        graded_at=datetime(2026, 1, 1, tzinfo=UTC),
        seconds=1.0,
    )
    store.add(found)
    return found


def run_of(store: ResultStore, *results: Result, names: dict[str, list[str]] | None = None) -> Path:
    """A class run of these results; `names` are what else the students are called."""
    return write_run(
        store,
        ClassRun(
            class_name="the class",
            started_at=datetime.now(UTC),
            backend=results[0].parts.backend,
            backend_reason="",
            seed=1,
            students=[one.parts.student for one in results],
            labs=[LAB],
            entries=[RunEntry(student=one.parts.student, lab=LAB, key=one.key) for one in results],
            problems=[],
            names=names or {},
        ),
    )


def measured(store: ResultStore, **changes: Any) -> Measurement:
    found = measurement_of(result(store, **changes))
    assert found is not None
    return found


def times(centre: float, seed: int = 0, count: int = 15) -> list[float]:
    draw = random.Random(seed)
    return [centre * (1 + draw.gauss(0, 0.003)) for _ in range(count)]


def test_a_change_of_three_percent_is_told_in_both_directions(store: ResultStore) -> None:
    a, b = measured(store, times=times(0.2)), measured(store, source="better", times=times(0.2 / 1.03, 1))
    assert compare(a, b).difference is Difference.FASTER
    assert compare(b, a).difference is Difference.SLOWER
    assert compare(a, measured(store, source="other", times=times(0.2, 2))).difference is Difference.SAME


def test_the_same_file_is_never_faster_or_slower(store: ResultStore) -> None:
    a, b = measured(store, times=times(0.2)), measured(store, times=times(0.1, 1), seed=2)
    found = compare(a, b)
    assert found.difference is Difference.UNDECIDED
    assert "the files are the same, so the machine differed" in found.reason


def test_different_machines_are_refused_or_compared_by_their_own_copy(store: ResultStore) -> None:
    a = measured(store, times=times(0.2), copy=4000.0)
    laptop = {**GPU, "name": "RTX 4060"}
    b = measured(store, source="b", times=times(3.2, 1), copy=250.0, gpu=laptop)
    refused = compare(a, b)
    assert (refused.difference, refused.interval) == (Difference.UNDECIDED, None)
    assert "different machines (NVIDIA H200, driver 13.0 and RTX 4060, driver 13.0)" in refused.reason
    by_ratio = compare(a, b, by_ratio=True)
    assert by_ratio.difference is Difference.SAME
    assert "divided by each machine's own copy" in by_ratio.reason
    without = measured(store, source="c", times=times(3.2, 1), copy=None, gpu=laptop)
    assert "without a copy beside it" in compare(a, without, by_ratio=True).reason


def test_other_sizes_and_few_samples_are_undecided(store: ResultStore) -> None:
    a = measured(store, times=times(0.2))
    other = passed_facts()["fast"] | {"sizes": {"j": 1}}
    assert "other sizes: j 128, k 128, l 128 and j 1" in compare(a, measured(store, times=[0.1] * 9, fast=other)).reason
    few = compare(a, measured(store, source="few", times=[0.1]))
    assert few.difference is Difference.UNDECIDED
    assert "too few for an interval" in few.reason


def test_where_nothing_was_timed_the_labs_criteria_decide(store: ResultStore) -> None:
    a = measured(store)
    launches, fast = passed_facts()["launches"], passed_facts()["fast"]
    launches[0]["accesses"][0]["sectors"] = 400
    fast["score"] = 100.0
    fast["criteria"][0] |= {"value": 1.0, "fraction": 1.0}
    b = measured(store, source="b", launches=launches, fast=fast)
    better, worse = compare(a, b), compare(b, a)
    assert better.difference is Difference.BETTER
    assert better.reason == (
        "the emulator counts and measures no time; by the lab's criteria A has 75 of 100 and B 100; most of it by "
        "sector efficiency a (+30)"
    )
    assert worse.difference is Difference.WORSE
    assert worse.reason.endswith("A has 100 of 100 and B 75; most of it by sector efficiency a (−30)")
    assert [(one.name, one.a, one.b) for one in better.changed_counters] == [("sectors", 800, 400)]
    assert better.explanation.startswith(
        "A reads `a` with 8 sectors a request at line 4; B with 4 at line 4: 2.0 × the"
    )
    assert compare(a, a).difference is Difference.SAME


def test_one_side_without_times_is_never_undecided(store: ResultStore) -> None:
    timed, counted = measured(store, times=times(0.2)), measured(store, source="b")
    found = compare(timed, counted)
    assert found.difference is Difference.SAME
    assert found.reason == "B has no time samples; by the lab's criteria both have 75 of 100"


@pytest.mark.parametrize(("verdict", "words"), [("compile_error", "did not compile"), ("timeout", "ended as timeout")])
def test_what_was_not_measured_is_worse_and_says_why(store: ResultStore, verdict: str, words: str) -> None:
    whole = result(store)
    broken = measurement_of(whole.model_copy(update={"facts": None, "verdict": Verdict(verdict)}))
    found = compare(measurement_of(whole), broken)
    assert found.difference is Difference.WORSE
    assert f"B {words}, so none of its criteria was measured" in found.reason
    assert found.explanation == (
        f"Nothing was counted of B: counters are taken where every answer is right, and B {words}."
    )
    both = compare(broken, broken)
    assert both.difference is Difference.SAME
    assert f"A {words} and B {words}" in both.explanation


def test_of_two_wrong_answers_the_one_with_more_right_cases_is_better(store: ResultStore) -> None:
    correct = wrong_facts()["correct"]
    some = measured(store, source="some", **wrong_facts())
    none = measured(store, source="none", **wrong_facts(correct=correct | {"passed": 0}))
    found = compare(none, some)
    assert found.difference is Difference.BETTER
    assert "both ended as wrong answer; A has 0 of 2 cases right, B 1" in found.reason


def test_repeats_of_the_same_file_are_process_runs(store: ResultStore) -> None:
    results = [result(store, times=times(0.2, seed), seed=seed) for seed in range(6)]
    result(store, source="another", times=times(0.1))
    run_of(store, results[0])
    [one] = read_side(str(store.folder), store.folder).measurements.values()
    assert len(one.runs) == 6


def cli(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["compare", *words])
    return done.exit_code, done.output


@pytest.mark.parametrize(("factor", "word", "code"), [(0.9, "FASTER", 10), (1.1, "SLOWER", 11), (1.0, "SAME", 0)])
def test_a_term_is_compared_with_the_file_of_an_earlier_one(
    tmp_path: Path, factor: float, word: str, code: int
) -> None:
    before, after = ResultStore(tmp_path / "before"), ResultStore(tmp_path / "after")
    run_of(before, result(before, times=times(0.2)), result(before, "bob", times=times(0.3)))
    run_of(after, result(after, source="new", times=times(0.2 * factor, 1)))
    kept, page = tmp_path / "term.json", tmp_path / "compare.html"
    assert cli("--save", str(kept), str(before.folder))[0] == 0
    exit_code, text = cli(str(kept), str(after.folder), "--page", str(page))
    assert (exit_code, word in text) == (code, True)
    assert "note: bob 07-shared-tiling: only in the class" in text
    assert word in page.read_text(encoding="utf-8")
    exit_code, text = cli(str(before.folder), str(after.folder), "--json")
    [pair] = json.loads(text)["pairs"]
    assert (exit_code, pair["difference"]) == (code, word)
    assert pair["low"] <= pair["ratio"] <= pair["high"]


def test_one_submission_against_another_or_a_run(tmp_path: Path) -> None:
    store = ResultStore(tmp_path / "store")
    run = run_of(store, result(store, times=times(0.2)), result(store, "bob", source="b", times=times(0.15)))
    exit_code, text = cli("alice/7", f"bob/{LAB}", "--store", str(store.folder))
    assert exit_code == 10
    assert "B takes 25.0 % less time" in text
    assert "FASTER" in text
    sides = read_side("alice/07", store.folder), read_side(str(run), store.folder)
    [(one, other)] = pairs(*sides)[0]
    assert (one.student, other.student) == ("alice", "alice")


def test_a_student_goes_by_any_name_that_the_download_has(tmp_path: Path) -> None:
    store = ResultStore(tmp_path / "store")
    run_of(store, result(store), names={"alice": ["alice@uni.example", "Alice Aurora"]})
    for word in ("alice@uni.example/07", "Alice Aurora/07", "ALICE/07"):
        assert [key[0] for key in read_side(word, store.folder).measurements] == ["alice"]


def test_two_that_count_alike_are_told_where_their_points_may_differ(tmp_path: Path) -> None:
    store = ResultStore(tmp_path / "store")
    run_of(store, result(store), result(store, "bob"))
    code, text = cli("alice/07", "bob/07", "--store", str(store.folder))
    assert code == 0
    assert "The files are the same" in text
    assert "simtlab explain STUDENT LAB" in text.replace("\n", " ")


def test_a_wrong_answer_has_no_counters_to_compare(tmp_path: Path) -> None:
    store = ResultStore(tmp_path / "store")
    run_of(store, result(store), result(store, "bob", source="b", **wrong_facts()))
    code, text = cli("alice/07", "bob/07", "--store", str(store.folder))
    assert code == 11
    text = " ".join(text.split())
    assert "WORSE" in text
    assert (
        "Nothing was counted of B: counters are taken where every answer is right, and B ended as wrong answer." in text
    )
    assert "A ended as pass, B as wrong answer." in text


def test_two_students_and_a_lab_with_the_points_of_each_criterion(tmp_path: Path) -> None:
    store = ResultStore(tmp_path / "store")
    launches = [launch("tiles", argument("a", sectors=4, line=9), shared("t", wavefronts=4, line=12))]
    b = [one.model_dump(mode="json") for one in launches]
    run_of(store, result(store), result(store, "bob", source="b", launches=b))
    page = tmp_path / "page.html"
    code, text = cli("alice", "bob", "7", "--store", str(store.folder), "--page", str(page))
    assert code == 0
    for words in (
        "A: alice",
        "B: bob",
        "sector efficiency a",
        "30",
        "a read",
        "t (A: tile) read",
        "A line 4; B line 9",
    ):
        assert words in text
    written = page.read_text(encoding="utf-8")
    for words in (
        "<code>a</code> read",
        "A: line 4; B: line 9",
        "A: alice",
        "sector efficiency a",
        "<code>t (A: tile)</code>",
    ):
        assert words in written


def test_a_class_is_grouped_by_strategy(tmp_path: Path) -> None:
    store = ResultStore(tmp_path / "store")
    other = [launch("k", argument("a", sectors=32)).model_dump(mode="json")]
    run_of(
        store,
        result(store),
        result(store, "bob", source="b"),
        result(store, "carol", source="c", launches=other),
        result(store, "<b>dave", source="d", **wrong_facts()),
    )
    page = tmp_path / "page.html"
    code, text = cli("--class", "07", "--store", str(store.folder), "--page", str(page))
    assert code == 0
    assert "07-shared-tiling: 3 strategies by what the counters look like" in text
    assert "&lt;b&gt;dave" in page.read_text(encoding="utf-8")
    found = json.loads(cli("--class", "7", "--store", str(store.folder), "--json")[1])["strategies"]
    assert [(one["example"], one["score"], one["students"]) for one in found] == [
        ("alice", 75.0, ["alice", "bob"]),
        ("carol", 75.0, ["carol"]),
        ("<b>dave", None, ["<b>dave"]),
    ]


def test_sides_and_a_class_do_not_go_together(tmp_path: Path) -> None:
    store = ResultStore(tmp_path / "store")
    run_of(store, result(store))
    assert cli("alice", "--class", "07", "--store", str(store.folder))[0] != 0
    assert cli()[0] != 0
    for words in (["--class", "12"], ["alice", "alice", "12"]):
        assert cli(*words, "--store", str(store.folder))[0] != 0


def test_a_file_of_the_version_before_keeps_its_times(tmp_path: Path) -> None:
    store = ResultStore(tmp_path / "store")
    run_of(store, result(store, times=times(0.2)))
    kept = tmp_path / "old.json"
    cli("--save", str(kept), str(store.folder))
    old = json.loads(kept.read_text()) | {"version": 1}
    for one in old["measurements"]:
        for name in ("passed", "cases", "criteria", "launches", "host"):
            del one[name]
        one["counters"] = {"global read a: sectors": 800.0}
    kept.write_text(json.dumps(old))
    code, text = cli(str(kept), str(store.folder))
    assert code == 0
    assert "A has times and no counters: the emulator counts." in text


@pytest.mark.parametrize("word", ["nothing", "carol/07", "alice/99"])
def test_what_cannot_be_compared_is_named(store: ResultStore, word: str) -> None:
    run_of(store, result(store))
    with pytest.raises(UsageError, match=word):
        read_side(word, store.folder)


@pytest.mark.parametrize(
    "content", ["", "[]", "{}", '{"format": "simtlab-measurements"}', '{"format": "simtlab-result"}']
)
def test_a_damaged_file_is_named(store: ResultStore, tmp_path: Path, content: str) -> None:
    path = tmp_path / "damaged.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(UsageError, match=r"damaged\.json"):
        read_side(str(path), store.folder)


def test_the_page_shows_hostile_text_as_text(tmp_path: Path) -> None:
    store = ResultStore(tmp_path / "store")
    name = "<script>alert(1)</script>"
    run_of(store, result(store, name, source="</pre><img src=x onerror=alert(2)>", times=times(0.2)))
    other = ResultStore(tmp_path / "other")
    run_of(other, result(other, name, source="b", times=times(0.2, 3)))
    page = tmp_path / "page.html"
    cli(str(store.folder), str(other.folder), "--page", str(page))
    text = page.read_text(encoding="utf-8")
    assert text.count("<script>") == 1
    assert "<img" not in text
    assert "-&lt;/pre&gt;&lt;img src=x" in text
