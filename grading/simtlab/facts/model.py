"""The facts document of one (submission, lab, backend), as `harness/judge/facts.schema.json` describes it.

Facts, not points: nothing here says what a finding costs. Two runs of the same submission agree in every member but
`timing`.
"""

from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import Field

from simtlab.facts.counters import Count, HostCounters, LaunchTotals, RequestCounters
from simtlab.record import Record
from simtlab.verdict import Verdict

Space = Literal["global", "shared", "constant", "local", "host", "unmapped", "texture"]
AccessKind = Literal["read", "write", "atomic"]
Value = int | float | Literal["nan", "inf", "-inf"]
"""An element's value; JSON has no NaN and no infinity."""


class Status(StrEnum):
    """How one part of a lab ended."""

    PASS = "pass"  # noqa: S105 - a status, not a password
    FAIL = "fail"
    NOT_MEASURED = "not_measured"


Coordinates = tuple[Count, Count, Count]
Interval = tuple[float, float]
Milliseconds = Annotated[float, Field(ge=0)]


class Place(Record):
    """A line of the student's source, and who was there doing what."""

    file: str = Field(description="empty when unknown")
    line: Count = Field(description="0 when unknown")
    thread: Coordinates | None
    block: Coordinates | None
    action: str


class Finding(Record):
    """A broken rule: a race, an access out of bounds, a barrier that part of a block skipped."""

    rule: str = Field(pattern="^[a-z][a-z-]*$")
    severity: Literal["error", "warning", "note"]
    message: str
    kernel: str
    variable: str
    first: Place
    second: Place | None
    count: int = Field(ge=1, description="how often it was seen; the places are the first sighting")


class Element(Record):
    """One element of an output beside what the reference has there."""

    index: list[Count] = Field(min_length=1)
    expected: Value
    actual: Value
    never_written: bool


Pixels = Annotated[list[Annotated[str, Field(pattern="^[0-9a-f]{1,32}$")]], Field(min_length=1, max_length=32)]


Bytes = Annotated[str, Field(pattern=r"^([0-9a-f]{2}|[.]{2}){1,120}$")]
ImageRows = Annotated[list[Bytes], Field(min_length=1, max_length=40)]


class ImagePictures(Record):
    """A wrong image in at most 40 × 40 pixels: two hexadecimal digits for each channel, dots where it was never
    written."""

    channels: Literal[1, 3]
    input: Annotated[list[Bytes], Field(max_length=40)] = Field(
        description="empty where no input is an image of these extents"
    )
    expected: ImageRows
    found: ImageRows


class Picture(Record):
    """A wrong matrix in at most 32 × 32 cells, a hexadecimal digit each: values from 0 to e, f where a cell has none;
    shares of wrong elements from 0, none, to f, all."""

    rows: int = Field(ge=1, description="of the output, not of the picture")
    cols: int = Field(ge=1)
    lowest: float = Field(description="of the expected values: what the digit 0 stands for")
    highest: float = Field(description="what the digit e stands for")
    expected: Pixels
    found: Pixels
    wrong: Pixels
    image: ImagePictures | None = Field(default=None, description="of an output that is an image")


class Mismatch(Record):
    """The excerpt of a wrong output: how much is wrong, the first few wrong elements, some right ones before them."""

    argument: str
    wrong: Count
    total: Count
    never_written: Count
    first: list[Element] = Field(min_length=1)
    good_before: list[Element]
    picture: Picture | None = Field(default=None, description="of an output that is a matrix")


class Case(Record):
    """One set of inputs the submission was run on."""

    name: str
    hidden: bool
    sizes: dict[str, int]
    verdict: Verdict
    message: str
    printed: str = Field(description="the beginning of what the submission printed: shown, never parsed")
    mismatch: Mismatch | None
    findings: list[Finding]


class SkippedCase(Record):
    """A case that the backend cannot run; it counts neither for nor against."""

    name: str
    reason: str = Field(min_length=1)


class Correct(Record):
    """How many cases gave the right answer."""

    status: Status
    passed: Count
    total: Count


class Safe(Record):
    """Whether any case broke a rule whose severity is error."""

    status: Status
    reason: str
    findings: list[Finding]


class SourceLine(Record):
    """A line of the student's source."""

    file: str
    line: int = Field(ge=1)


class Criterion(Record):
    """One measured property of the submission against its threshold."""

    metric: str
    argument: str
    unit: str
    status: Literal["measured", "not_measured"]
    reason: str
    value: float | None
    full_at: float
    none_at: float
    weight: float = Field(
        ge=0, description="percent of the score, after what is not measured gave its weight to the others"
    )
    fraction: float = Field(ge=0, le=1)
    interval: Interval | None = Field(default=None, description="of a time: holds the value with 95 % confidence")
    favoured: bool = Field(
        default=False, description="full_at lies within the interval: full points though short of it"
    )
    hint: str
    where: SourceLine | None


class Work(Record):
    """What every solution of the benchmark must do at least; the unit of an operation is the lab's."""

    bytes_read: float = Field(ge=0)
    bytes_written: float = Field(ge=0)
    operations: float = Field(ge=0)

    @property
    def bytes(self) -> float:
        """Compulsory traffic in both directions."""
        return self.bytes_read + self.bytes_written


class Fast(Record):
    """The lab's performance criteria together: a score from 0 to 100, which is 0 when not measured."""

    status: Status
    reason: str
    score: float = Field(ge=0, le=100)
    pass_at: float = Field(ge=0, le=100)
    favour: str = Field(default="", description="how a doubt that the times leave was decided; otherwise empty")
    sizes: dict[str, int]
    work: Work | None = None
    criteria: list[Criterion]


class ArrayIdentity(Record):
    """Which piece of memory a name stands for."""

    id: Count
    given: bool
    """An argument of the entry."""


class Access(RequestCounters):
    """What all executions of one memory access in the source asked of the memory system."""

    file: str
    line: Count
    space: Space
    access: AccessKind
    variable: str
    array: ArrayIdentity
    derived_from: list[str]
    """Arguments whose bytes an array of the program's own may hold."""
    width: Count


class PerRequest(Record):
    """What one request costs on average; None where the memory has no such cost."""

    lanes: float = Field(ge=0)
    sectors: float | None = Field(ge=0, description="of global memory")
    ideal_sectors: float | None = Field(ge=0)
    lines: float | None = Field(ge=0, description="of 128 bytes; none on a GPU, too")
    wavefronts: float | None = Field(ge=0, description="of shared memory; of constant memory one for each word")
    ideal_wavefronts: float | None = Field(ge=0)


class LineAccess(RequestCounters):
    """All accesses of one line to one variable, of one kind, added up over the launches."""

    space: Space
    access: AccessKind
    variable: str
    derived_from: list[str]
    width: Count
    """Bytes per lane; 0 when they differ."""
    per_request: PerRequest
    efficiency: float | None = Field(ge=0, description="bytes asked for over bytes of the sectors")
    line_efficiency: float | None = Field(ge=0, description="the same over the lines of 128 bytes")
    excess: Count
    """Sectors or wavefronts beyond the fewest."""


class PictureRow(Record):
    """A row of 32 cells. A character each: `.` nothing; `-` comes along with its sector; 0 to 9 and a to v the lane;
    A to Z 2 to 27 lanes, w to z 28 to 31, `*` all 32."""

    label: str
    cells: str = Field(pattern=r"^[-.*0-9a-zA-Z]{32}$")


class DrawnRequest(Record):
    """One request of a warp: the most frequent of its access, or the worst."""

    access: str
    words: str = Field(description="which one it is, and what it costs")
    unit: Literal["sector", "bank"] = Field(description="whether rows are global memory's, or passes through banks")
    cells_between_bars: int = Field(ge=1, le=32, description="of a sector; 32 for banks")
    agrees: bool = Field(description="False: the hardware serves the lanes in other passes than the rows")
    rows: list[PictureRow] = Field(max_length=8, description="none where a picture would show nothing")
    more_rows: Count


class Line(Record):
    """A line of the source with all that it asked of the memory system. Local memory is left out: whether a variable
    lies there or in a register is the compiler's choice."""

    file: str
    line: Count
    requests: Count
    per_request: PerRequest
    excess: Count
    share: float = Field(ge=0, le=1, description="of the excess of all lines")
    accesses: list[LineAccess] = Field(min_length=1)
    pictures: list[DrawnRequest] = Field(default=[], description="of the dearest lines")


class Launch(LaunchTotals):
    """A kernel launch of the benchmark; launches of the same kernel and configuration are added up."""

    kernel: str
    grid: Coordinates
    block: Coordinates
    shared_bytes: Count
    times: int = Field(ge=1)
    accesses: list[Access]
    completed: bool


class EmulatorVersion(Record):
    """Which emulator counted."""

    version: str
    workers: int = Field(ge=1)
    engine: Literal["g++", "sass"]


class Gpu(Record):
    """Which GPU it ran on; driver and runtime are CUDA versions."""

    name: str
    driver: str
    runtime: str
    compute_capability: str
    multiprocessors: Count
    memory_bytes: Count


class Environment(Record):
    """What the submission was built and run with."""

    compiler: str
    emulator: EmulatorVersion | None
    gpu: Gpu | None
    front_end: str | None = None
    """The real CUDA front end that read the submission beside the compiler; on a GPU nvcc is the compiler."""
    sandbox_layers: list[str]
    without: list[str] = []
    """Layers of defence that a test of simtlab switched off; empty in every real grading."""


class CaseTime(Record):
    """The wall clock of one case, by the judge."""

    name: str
    milliseconds: float = Field(ge=0)


class BaselineTimes(Record):
    """A baseline's medians before and after the submission's calls."""

    name: str
    before_milliseconds: Milliseconds | None
    after_milliseconds: Milliseconds | None
    age_seconds: Count = Field(default=0, description="of what was measured before: after an earlier submission")


class GpuState(Record):
    """The GPU just after a measurement, by the driver's management library."""

    sm_megahertz: Count
    memory_megahertz: Count
    celsius: Count
    other_processes: Count
    throttled: list[str]


class Measurement(Record):
    """How the samples were taken, and what they were compared with."""

    median_milliseconds: Milliseconds | None
    interval_milliseconds: Interval | None
    confidence: float = Field(ge=0, le=1)
    state: Literal["settled", "undecided", "noisy"]
    host_milliseconds: Milliseconds
    floor_milliseconds: Milliseconds | None = Field(description="below it the GPU cannot do the lab's work")
    checked_call: Count = Field(description="whose outputs were compared; drawn at random")
    check: Literal["reference", "product proof"]
    check_error_probability: float = Field(ge=0, le=1)
    drift: float = Field(ge=0, description="largest change of a baseline from before to after")
    attempts: int = Field(ge=1)
    baselines: list[BaselineTimes]
    read_gigabytes_per_second: float | None
    giga_multiply_adds_per_second: float | None
    gpu: GpuState | None
    remarks: list[str]


class Timing(Record):
    """Times: what no two runs agree in."""

    cases: list[CaseTime]
    samples: list[Milliseconds]
    copy_gigabytes_per_second: float | None
    phases: dict[str, Milliseconds] = {}
    """What took how long of all that leads to the times on a GPU; some of it at the same time."""
    measurement: Measurement | None = None


class Facts(Record):
    """Everything the judge found out about one submission."""

    format: Literal["simtlab-facts"]
    version: int = Field(ge=2, le=2)
    lab: str = Field(min_length=1)
    submission: str
    backend: Literal["emulator", "cuda"]
    verdict: Verdict
    message: str
    seed: Count
    environment: Environment
    cases: list[Case]
    skipped: list[SkippedCase]
    correct: Correct
    safe: Safe
    fast: Fast
    launches: list[Launch]
    lines: list[Line] = Field(description="the launches' accesses by source line, which every report shows")
    host: HostCounters
    fidelity: dict[str, Literal["exact", "model"]] = Field(
        default_factory=dict, description="by counter; empty on a GPU, and in facts of before it was told"
    )
    timing: Timing


_TIMED_RULE = "interrupted"  # where the warps of an endless kernel stood as its time ended


def facts_without_timing(facts: Facts) -> dict[str, Any]:
    """The facts as plain data without what hangs on the clock: what two gradings of the same submission must agree in,
    exactly. Of a kernel that a time limit ended, rule and kernel remain; the lines where its warps stood do not."""
    kept: dict[str, Any] = _without_standing_places(facts.model_dump(mode="json", exclude={"timing"}))
    return kept


def _without_standing_places(value: Any) -> Any:
    if isinstance(value, dict):
        if value.get("rule") == _TIMED_RULE:
            return {name: value.get(name) for name in ("rule", "severity", "kernel")}
        return {name: _without_standing_places(one) for name, one in value.items()}
    return [_without_standing_places(one) for one in value] if isinstance(value, list) else value
