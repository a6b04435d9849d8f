"""`[executor]` of course.toml: where a grading's units are graded, and what Slurm is asked for."""

from typing import Literal

from pydantic import Field

from simtlab.record import Record

ExecutorKind = Literal["local", "command", "slurm"]


class ExecutorSettings(Record):
    """The members of `[executor]`."""

    kind: ExecutorKind = Field(default="local", description="what `simtlab grade` uses without --executor")
    command: list[str] = Field(default=[], description='words before a task, for `command`: ["ssh", "node1"]')
    tasks: int = Field(default=0, ge=0, description="tasks at a time; 0: one per core (command), no limit (slurm)")
    units_per_task: int = Field(default=0, ge=0, description="submissions that a task grades; 0: by their number")
    partition: str = ""
    account: str = ""
    qos: str = ""
    gres: str = Field(
        default="", description="what each task gets, `gpu:h100:1`: one GPU type, or times do not compare"
    )
    device_class: str = Field(
        default="", description="the GPU that grades on cuda, as `simtlab canary` prints it; empty: the head's own"
    )
    cpus: int = Field(default=1, ge=1, description="per task")
    memory_mb: int = Field(default=4096, ge=256, description="per task: above a case's limit and the compiler's")
    minutes: int = Field(default=240, ge=1, description="time limit of a task")
    exclude: list[str] = Field(default=[], description="nodes that get no task")
    options: list[str] = Field(default=[], description="further words for sbatch")
    prologue: str = Field(default="", description="a line of shell before a task: `module load cuda`")
    attempts: int = Field(default=3, ge=1, description="tasks that may end without a unit's result before it waits")
