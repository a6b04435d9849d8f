"""Device classes and canaries: no time of a GPU that drifted, or of another kind, comes to count."""

import json
import random
from pathlib import Path

import pytest

from simtlab.class_run.grading import GradingOutcome, grade_class
from simtlab.class_run.progress import Quiet
from simtlab.compare.statistics import CONFIDENCE
from simtlab.course.course import Course
from simtlab.device.canary import KERNELS, Times, drifts, median_interval, require_canary, run_canary
from simtlab.device.device_class import gpu_name, this_device
from simtlab.errors import GraderError, UsageError
from simtlab.executors.choose import executor_of
from simtlab.executors.settings import ExecutorSettings
from simtlab.score.device_notes import device_notes
from simtlab.score.gradebook import Gradebook, read_gradebook
from simtlab.store.canaries import canaries
from simtlab.store.inspection import inspect_store
from simtlab.store.result import Result
from simtlab.store.results import ResultStore
from tests.example_facts import passed_facts
from tests.fake_gpus import H100, H200, FakeGpus
from tests.graded_book import result_of
from tests.quick_units import CONDITIONS, LAB, QuickClass, content_of, leftovers
from tests.test_cli_after_grading import simtlab

_CHUNKS = 150


@pytest.fixture
def gpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeGpus:
    return FakeGpus(tmp_path / "gpus", QuickClass(tmp_path / "checkout", students=12), monkeypatch)


def grade(
    gpus: FakeGpus, store: ResultStore, settings: ExecutorSettings, device_class: str = H100
) -> tuple[GradingOutcome, Gradebook]:
    conditions = gpus.conditions(device_class)
    plan = gpus.plan(store, device_class)
    executor = executor_of(settings, gpus.quick.catalogue, conditions, store, 2)
    outcome = grade_class(plan, conditions, store, Quiet(), workers=2, executor=executor)
    return outcome, read_gradebook(plan.run, store, gpus.quick.catalogue, Course())


def drawn(draw: random.Random, noise: float, offset: float, factors: dict[str, float] | None = None) -> Times:
    """A run of the canary whose samples differ by `noise`, and whose kernels are off by up to `offset` altogether."""
    runs = {kernel: (factors or {}).get(kernel, 1) * (1 + draw.uniform(-offset, offset)) for kernel in KERNELS}
    return {kernel: [speed * draw.lognormvariate(0, noise) for _ in range(99)] for kernel, speed in runs.items()}


def found_by_task(draw: random.Random, noise: float, offset: float, factors: dict[str, float]) -> bool:
    """What a task does: the first run is held to the one before the chunk, a second one has the last word."""
    before = drawn(draw, noise, offset)
    return all(drifts(before, drawn(draw, noise, offset, factors)) for _ in range(2))


@pytest.mark.parametrize(("noise", "offset"), [(0.01, 0.0), (0.02, 0.0), (0.005, 0.01), (0.02, 0.005)])
def test_noise_of_one_to_two_percent_requeues_nothing(noise: float, offset: float) -> None:
    draw = random.Random(f"{noise} {offset}")
    assert sum(found_by_task(draw, noise, offset, {}) for _ in range(_CHUNKS)) == 0


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize(("noise", "factor"), [(0.01, 1.05), (0.02, 1.05), (0.01, 1 / 1.05)])
def test_five_percent_of_one_kernel_are_found(kernel: str, noise: float, factor: float) -> None:
    draw = random.Random(f"{kernel} {noise} {factor}")
    found = sum(found_by_task(draw, noise, 0, {kernel: factor}) for _ in range(_CHUNKS // 3))
    assert found >= _CHUNKS // 3 - 1


def test_a_drift_is_told_in_percent_with_its_interval() -> None:
    draw = random.Random(1)
    [one] = drifts(drawn(draw, 0.001, 0), drawn(draw, 0.001, 0, {"shared": 1.05}))
    assert one.sentence.startswith("shared memory 5.0 % slower (")
    [one] = drifts(drawn(draw, 0.001, 0, {"copy": 1.05}), drawn(draw, 0.001, 0))
    assert one.sentence.startswith("the copy 5.0 % faster (")


def test_the_interval_of_a_median_holds_as_often_as_it_says() -> None:
    draw = random.Random(3)
    inside = 0
    for _ in range(1000):
        _, low, high = median_interval([draw.expovariate(1) for _ in range(21)])
        inside += low <= 0.6931 <= high
    assert inside >= 1000 * CONFIDENCE - 10
    assert median_interval([1.0, 2.0])[1:] == (0.0, float("inf"))


def test_a_gpu_that_slows_is_found_its_chunk_graded_elsewhere_and_no_grade_flips(
    gpus: FakeGpus, store: ResultStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    excluded: set[str] = set()
    monkeypatch.setattr("simtlab.executors.command.CommandLauncher.exclude", lambda _, node: excluded.add(node))
    for node in ("n1", "n2", "n3"):
        gpus.device(node, H100)
    undisturbed = ResultStore(tmp_path / "undisturbed")
    outcome, book = grade(gpus, undisturbed, gpus.executor("n2", "n3"))
    assert (outcome, book.notes) == (GradingOutcome(0, 12, stopped=False), [])
    judged = gpus.judged("n2") + gpus.judged("n3")
    gpus.slows_at("n1", 3)
    outcome, book = grade(gpus, store, gpus.executor("n1", "n2", "n3", tasks=3))
    assert outcome == GradingOutcome(0, 12, stopped=False)
    assert content_of(store) == content_of(undisturbed)
    assert excluded == {"n1"}
    assert gpus.judged("n1") == 4  # one chunk, of which nothing counts
    assert gpus.judged("n2") + gpus.judged("n3") == judged + 12
    assert leftovers(store) == []
    [bad] = [one for one in canaries(store) if one.drift]
    assert (bad.node, bad.device_class, len(bad.keys)) == ("n1", H100, 4)
    assert 1.04 < bad.kernels["shared"].low < bad.kernels["shared"].ratio < bad.kernels["shared"].high < 1.06
    [note] = book.notes
    assert note.startswith("the GPU of n1 drifted (the copy ")
    assert "4 submissions timed on it meanwhile counted for nothing and went to another node" in note
    assert inspect_store(store).problems == []


def test_a_gpu_that_slows_between_two_chunks_gets_no_second(gpus: FakeGpus, store: ResultStore) -> None:
    for node in ("n1", "n2"):
        gpus.device(node, H100)
    settings = gpus.executor("n1", "n2")
    gpus.slows_at("n2", 100)

    class SlowsAfterTheFirst(Quiet):
        def finished(self, planned: object, result: object) -> None:
            (gpus.place / "slow-n1").write_text("1.05", encoding="utf-8")

    plan, conditions = gpus.plan(store), gpus.conditions()
    executor = executor_of(settings, gpus.quick.catalogue, conditions, store, 2)
    outcome = grade_class(plan, conditions, store, SlowsAfterTheFirst(), workers=2, executor=executor)
    assert outcome == GradingOutcome(0, 12, stopped=False)
    assert (gpus.judged("n1"), gpus.judged("n2")) == (4, 8)
    assert len(content_of(store)) == 12


def test_where_every_node_drifts_the_grading_says_so_and_keeps_what_held(gpus: FakeGpus, store: ResultStore) -> None:
    gpus.device("n1", H100)
    gpus.slows_at("n1", 6)
    with pytest.raises(GraderError, match=r"the GPU of n1 drifted while it graded: the copy .* and 3 % are allowed"):
        grade(gpus, store, gpus.executor("n1"))
    assert len(content_of(store)) == 4
    assert leftovers(store) == []
    (gpus.place / "slow-n1").unlink()
    outcome, _ = grade(gpus, store, gpus.executor("n1"))
    assert outcome == GradingOutcome(4, 8, stopped=False)


def test_a_killed_task_of_a_gpu_is_tried_at_what_it_died_at(gpus: FakeGpus, store: ResultStore) -> None:
    """What it had timed before is timed again; only the unit that kills its task waits."""
    gpus.device("n1", H100)
    gpus.quick.checkout.submit("s00002x", LAB, "// dies\n")
    outcome, book = grade(gpus, store, gpus.executor("n1", units_per_task=13))
    assert outcome == GradingOutcome(0, 13, stopped=False)
    assert [one.student for one in book.waiting] == ["s00002x"]
    assert gpus.judged("n1") == 3 + 12


def test_equal_submissions_of_a_chunk_are_timed_once(gpus: FakeGpus, store: ResultStore) -> None:
    gpus.device("n1", H100)
    for student in ("a", "b", "c"):
        gpus.quick.checkout.submit(student, LAB, "// the same\n")
    outcome, book = grade(gpus, store, gpus.executor("n1", units_per_task=13))
    assert outcome == GradingOutcome(0, 15, stopped=False)
    assert gpus.judged("n1") == 13
    assert [len(one.keys) for one in canaries(store)] == [15]
    assert book.waiting == []


def test_nodes_of_another_class_give_their_chunks_back(gpus: FakeGpus, store: ResultStore) -> None:
    """More of them than a chunk has attempts."""
    for node in ("n1", "n2", "n3", "n4"):
        gpus.device(node, H200)
    gpus.device("n5", H100)
    gpus.device("head", H200)  # asks for the other class all the same
    settings = gpus.executor("n1", "n2", "n3", "n4", "n5", "n5", "n5", "n5", device_class=H100, units_per_task=12)
    outcome, book = grade(gpus, store, settings)
    assert outcome == GradingOutcome(0, 12, stopped=False)
    assert {one.result.parts.gpu for one in book.submissions.values() if one.result} == {H100}
    assert [gpus.judged(f"n{number}") for number in range(1, 6)] == [0, 0, 0, 0, 12]
    other = ResultStore(store.folder.parent / "other")
    with pytest.raises(
        GraderError, match=r"has the device class NVIDIA H200.* planned for NVIDIA H100.*device_class in"
    ):
        grade(gpus, other, gpus.executor("n1", "n2"))
    assert list(other.keys()) == []


def test_results_of_two_classes_are_told_of(gpus: FakeGpus, store: ResultStore) -> None:
    def timed(student: str, lab: str, gpu: str) -> Result:
        result = result_of(student, lab, passed_facts())
        return result.model_copy(update={"parts": result.parts.model_copy(update={"gpu": gpu})})

    alike = [timed(student, LAB, H100) for student in ("a", "b", "c")]
    assert device_notes(alike) == []
    [note] = device_notes([*alike, timed("d", LAB, H200)])
    assert note.startswith(f"{LAB} was timed on 2 device classes, which do not compare: 3 submissions on {H100}; 1 on")
    assert f"{H200} (d)" in note
    [note] = device_notes([*alike, timed("a", "08-x", H200)])
    assert (
        note == f"labs were timed on 2 device classes, and students' labs with them: {H100}: labs 07; {H200}: labs 08"
    )


def test_the_emulator_runs_no_canary(gpus: FakeGpus, store: ResultStore) -> None:
    (gpus.bin / "canary").unlink()
    executor = executor_of(gpus.executor("n1"), gpus.quick.catalogue, CONDITIONS, store, 2)
    plan = gpus.quick.plan(store)
    outcome = grade_class(plan, CONDITIONS, store, Quiet(), workers=2, executor=executor)
    assert (outcome.graded_now, canaries(store)) == (12, [])
    assert not list(gpus.place.glob("runs-*"))


def test_without_a_canary_gpus_grade_nothing(
    gpus: FakeGpus, store: ResultStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SIMTLAB_CANARY")
    with pytest.raises(UsageError, match=r"there is no canary .*harness/cuda/canary,.* --target simtlab-canary"):
        grade(gpus, store, gpus.executor("n1"))
    assert leftovers(store) == []


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("echo no device >&2; exit 1", "failed .no device.: is the GPU in order"),
        ("echo '{}'", "printed no times: expected milliseconds of copy, shared, fp32, found '{}'"),
        (
            'echo \'{"format": "simtlab-canary", "milliseconds": {"copy": [0], "shared": [1], "fp32": [1]}}\'',
            "no times",
        ),
    ],
)
def test_a_canary_that_fails_is_a_sentence(tmp_path: Path, script: str, words: str) -> None:
    program = tmp_path / "canary"
    program.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    program.chmod(0o755)
    with pytest.raises(GraderError, match=words):
        run_canary(program)


def test_the_device_class_of_a_mig_instance_has_its_shape(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = tmp_path / "nvidia-smi"
    fake.write_text(
        """#!/bin/sh
case "$1" in
  -L) printf 'GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-aa)\\n  MIG 1g.10gb     Device  0: (UUID: MIG-x)\\n'
      printf '  MIG 3g.40gb     Device  1: (UUID: MIG-y)\\n' ;;
  --id=0 | --id=GPU-aa) echo "NVIDIA H100 80GB HBM3, 2619 MHz, 580.1, Enabled, GPU-aa" ;;
  --id=1) echo "Quadro, [N/A], 580.1, [N/A], GPU-bb" ;;
  *) exit 6 ;;
esac
""",
        encoding="utf-8",
    )
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    whole = "NVIDIA H100 80GB HBM3, memory 2619 MHz, driver 580.1"
    for visible, shape, uuid in (("MIG-y", "3g.40gb", "MIG-y"), ("0,1", "1g.10gb", "MIG-x")):
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)
        found = this_device()
        assert found is not None
        assert (found.device_class, found.uuid) == (f"{whole}, MIG {shape}", uuid)
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "1")
    assert gpu_name() == "Quadro, memory clock unknown, driver 580.1"
    for visible in ("MIG-z", "7", ""):
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)
        assert this_device() is None


def test_the_command_prints_class_medians_and_intervals(gpus: FakeGpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(gpus.quick.checkout.root)
    assert simtlab("canary")[0] == 2
    gpus.device("n1", H100, "GPU-aa")
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "n1")
    code, text = simtlab("canary", "--runs", "3", "--json")
    document = json.loads(text)
    assert (code, document["device_class"], document["uuid"], len(document["runs"])) == (0, H100, "GPU-aa", 3)
    shared = document["runs"][0]["kernels"]["shared"]
    assert 0.98 < shared["low"] < shared["median"] < shared["high"] < 1.02
    code, text = simtlab("canary")
    assert (code, f"device class: {H100}" in text, "copy" in text) == (0, True, True)
    assert "expected a program that prints" in simtlab("canary", "--program", "absent")[1]


def test_a_head_without_a_gpu_plans_for_the_class_that_the_course_names(
    gpus: FakeGpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = gpus.quick.checkout.root
    monkeypatch.chdir(root)
    monkeypatch.setenv("SIMTLAB_ALLOW_WEAK", "1")
    gpus.device("n1", H100)
    words = gpus.executor("n1").command
    base = f'backend = "cuda"\n[executor]\nkind = "command"\ncommand = ["{words[0]}"]\nunits_per_task = 12\n'
    (root / "course.toml").write_text(base, encoding="utf-8")
    code, text = simtlab("grade", "class", "--labs", "07")
    assert (code, "no usable GPU here" in text, "device_class in [executor]" in text) == (2, True, True)
    (root / "course.toml").write_text(f'{base}device_class = "{H100}"\n', encoding="utf-8")
    code, text = simtlab("grade", "class", "--labs", "07", "--json")
    assert code in (0, 1), text
    gpus.device("head", H200)
    code, text = simtlab("grade", "class", "--labs", "07", "--executor", "local")
    assert (code, f"asks for the device class '{H100}', and the GPU here is '{H200}'" in text) == (2, True)


def test_the_canary_of_a_build_tree_is_required_by_its_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SIMTLAB_CANARY", raising=False)
    program = tmp_path / "harness" / "cuda" / "canary"
    program.parent.mkdir(parents=True)
    with pytest.raises(UsageError, match="there is no canary"):
        require_canary(tmp_path)
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    program.chmod(0o755)
    assert require_canary(tmp_path) == program
