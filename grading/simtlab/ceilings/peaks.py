"""Peaks of named GPUs, from what their data sheets say.

A multiprocessor's single-precision units are those of its compute capability (CUDA C++ Programming Guide, "Arithmetic
Instructions"); each does one multiply-add, two operations, per cycle of the boost clock. Keys are as of `SIMTLAB_GPU`.
"""

from dataclasses import dataclass

from simtlab.errors import UsageError

OPERATIONS_PER_MULTIPLY_ADD = 2


@dataclass(frozen=True)
class Peaks:
    """What bounds every kernel on one GPU."""

    name: str
    gigaflops: float
    """Single-precision operations, in billions per second."""
    gigabytes_per_second: float
    """Of the GPU's memory."""

    @property
    def ridge(self) -> float:
        """Operations per byte from which on arithmetic is the limit, and no longer the memory."""
        return self.gigaflops / self.gigabytes_per_second


@dataclass(frozen=True)
class _DataSheet:
    name: str
    multiprocessors: int
    units: int
    """Single-precision units of a multiprocessor."""
    clock_megahertz: float
    memory_megahertz: float
    """Two transfers of the bus per cycle."""
    bus_bits: int

    def peaks(self) -> Peaks:
        units = self.multiprocessors * self.units
        return Peaks(
            name=self.name,
            gigaflops=OPERATIONS_PER_MULTIPLY_ADD * units * self.clock_megahertz / 1e3,
            gigabytes_per_second=2 * self.memory_megahertz * self.bus_bits / 8 / 1e3,
        )


DATA_SHEETS = {
    "h100": _DataSheet("NVIDIA H100 SXM5 80GB", 132, 128, 1980, 2619, 5120),
    "h200": _DataSheet("NVIDIA H200", 132, 128, 1980, 3201, 6144),
    "a100": _DataSheet("NVIDIA A100-SXM4-40GB", 108, 64, 1410, 1215, 5120),
    "rtx4090": _DataSheet("NVIDIA GeForce RTX 4090", 128, 128, 2520, 10501, 384),
    "l4": _DataSheet("NVIDIA L4", 58, 128, 2040, 6251, 192),
    "rtx3090": _DataSheet("NVIDIA GeForce RTX 3090", 82, 128, 1695, 9751, 384),
    "t4": _DataSheet("Tesla T4", 40, 64, 1590, 5001, 256),
    "v100": _DataSheet("Tesla V100-SXM2-16GB", 80, 64, 1530, 877, 4096),
    "gtx1080": _DataSheet("NVIDIA GeForce GTX 1080", 20, 128, 1733.5, 5005, 256),
    "8800gtx": _DataSheet("GeForce 8800 GTX, of the first lectures", 16, 8, 1350, 900, 384),
}


def peaks_of(gpu: str, gigaflops: float | None = None, gigabytes_per_second: float | None = None) -> Peaks:
    """A named GPU's peaks, or one's own: what is given replaces what the data sheet says. Raises `UsageError`."""
    sheet = DATA_SHEETS.get(gpu.lower())
    if gpu and sheet is None:
        raise UsageError(
            f"no GPU is called {gpu!r}; known are {', '.join(DATA_SHEETS)}. For another give its own figures: "
            "--gigaflops 345.6 --bandwidth 86.4"
        )
    if sheet is not None:
        known = sheet.peaks()
        return Peaks(known.name, gigaflops or known.gigaflops, gigabytes_per_second or known.gigabytes_per_second)
    if gigaflops is None or gigabytes_per_second is None:
        raise UsageError(
            f"say which GPU ({', '.join(DATA_SHEETS)}), or give both of its figures: --gigaflops 345.6 --bandwidth 86.4"
        )
    return Peaks("your GPU", gigaflops, gigabytes_per_second)
