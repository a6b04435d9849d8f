"""What was measured of one GPU on one or more allocations of it, as the project carries it."""

from pydantic import Field

from simtlab.calibrate.ladder import Ceilings, Ladder
from simtlab.calibrate.repeats import Repeats
from simtlab.record import Record


class DeviceFile(Record):
    """One GPU's calibration. Figures to design thresholds from: every grading measures its own."""

    format: str = "simtlab-device"
    version: int = 2
    ceilings: Ceilings
    ladders: list[Ladder] = []
    repeats: list[Repeats] = Field(default=[], description="of each lab's variant in the middle of its ladder")
