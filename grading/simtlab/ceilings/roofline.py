"""The roofline: what a kernel can reach at most, by how many operations it does per byte that it asks memory for.

Intensities are those of kernels without any cache, as lectures compute them: every byte that the source asks for comes
from memory. Real GPUs have caches, so a kernel with much reuse may exceed the ceiling of its source.
"""

from dataclasses import dataclass

from simtlab.ceilings.peaks import OPERATIONS_PER_MULTIPLY_ADD, Peaks

_FLOAT_BYTES = 4


@dataclass(frozen=True)
class Work:
    """What a kernel does for each byte."""

    name: str
    intensity: float
    """Operations per byte."""


@dataclass(frozen=True)
class Ceiling:
    """What a GPU allows a kernel."""

    work: Work
    gigaflops: float
    fraction: float
    """Of the GPU's peak."""
    bound_by_memory: bool


def product_of_tiles(rows: int, columns: int) -> float:
    """Operations per byte of a product whose block computes a tile of so many elements: a step along the inner
    dimension loads `rows` and `columns` floats for `rows` x `columns` multiply-adds. 1 x 1 is the naive product."""
    return OPERATIONS_PER_MULTIPLY_ADD * rows * columns / (_FLOAT_BYTES * (rows + columns))


def kernels() -> list[Work]:
    """The kernels of the labs, from the least intensity to the most."""
    return [
        Work("vector addition", 1 / (3 * _FLOAT_BYTES)),
        Work("product, naive", product_of_tiles(1, 1)),
        Work("product, tile 16", product_of_tiles(16, 16)),
        Work("product, tile 32", product_of_tiles(32, 32)),
        Work("product, tile 32, 4 columns a thread", product_of_tiles(32, 128)),
        Work("product, 64x64 a block in registers", product_of_tiles(64, 64)),
        Work("product, 128x128 a block in registers", product_of_tiles(128, 128)),
    ]


def ceiling(of: Work, peaks: Peaks) -> Ceiling:
    """The lower of peak arithmetic, and bandwidth times intensity."""
    by_memory = peaks.gigabytes_per_second * of.intensity
    reached = min(peaks.gigaflops, by_memory)
    return Ceiling(of, reached, reached / peaks.gigaflops, by_memory < peaks.gigaflops)
