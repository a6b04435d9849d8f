"""What starts tasks somewhere: a command prefix, or Slurm."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from simtlab.executors.order import OrderFolder


@dataclass(frozen=True)
class EndedTask:
    """A task that runs no more and will not be started again by itself."""

    number: int
    node: str
    """Where it ran, empty where nobody knows."""
    why: str
    """How it ended, in words that follow its name; empty where it ended well."""
    of_the_node: bool = False
    """Whether another node may do better."""


class Launcher(Protocol):
    """Starts the tasks of one grading."""

    poll_seconds: float

    def start(self, order: OrderFolder, numbers: Sequence[int]) -> None:
        """Has these tasks started, now or when there is room. Raises `GraderError` where that cannot be."""

    def ended(self) -> list[EndedTask]:
        """The tasks that ended since the last call."""

    def exclude(self, node: str) -> None:
        """No further task goes there, where that can be chosen. Raises `GraderError` where no node is left."""

    def cancel(self) -> None:
        """Ends all tasks, and returns when they have ended or were told to."""
