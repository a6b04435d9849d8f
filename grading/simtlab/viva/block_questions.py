"""Questions about what the threads of a block did to which element: who wrote it, and behind which barrier it is read.

The right answers are looked up in the accesses that the emulator recorded. Distractors are what somebody answers who
swaps x and y, takes the element's number for the thread's, or mixes up the barriers.
"""

import random
from collections.abc import Iterator

from simtlab.viva.samples import Access, Sample

Asked = tuple[str, int, str, str, list[str]]
"""Kind, line, text, right option, wrong options."""

_MOST_ELEMENTS = 200


def block_questions(sample: Sample, draw: random.Random) -> Iterator[Asked]:
    """Of some elements of the sample."""
    elements = list(sample.elements())
    draw.shuffle(elements)
    for (space, variable, element), accesses in elements[:_MOST_ELEMENTS]:
        named = f"`{variable}[{element}]`" if space == "global" else f"element {element} of `{variable}`"
        yield from _writer_question(sample, named, element, accesses)
        if space == "shared":
            yield from _barrier_question(sample, named, accesses)


def _writer_question(sample: Sample, named: str, element: int, accesses: list[Access]) -> Iterator[Asked]:
    writes = [one for one in accesses if one.access == "write"]
    if len({one.thread for one in writes}) != 1:
        return
    x, y, z = sample.thread(writes[0].thread)
    size_x, size_y, size_z = sample.block_size
    as_number = sample.thread(element % (size_x * size_y * size_z))
    row_first = (element % (size_x * size_y) // size_y, element % size_y, z)
    wrong = [(y, x, z), as_number, row_first, (x + 1, y, z), (x, y + 1, z), (max(x - 1, 0), y, z)]
    text = f"Which thread of block {shown(sample.block)} writes {named}? Blocks are {shown(sample.block_size)}."
    yield "writer", writes[0].line, text, shown((x, y, z)), [shown(one) for one in wrong]


def _barrier_question(sample: Sample, named: str, accesses: list[Access]) -> Iterator[Asked]:
    reads = [one for one in accesses if one.access == "read"]
    if not reads or not sample.barriers:
        return
    first = min(reads, key=lambda one: one.epoch)
    written = [one.epoch for one in accesses if one.access == "write"]
    others = [*written[:1], first.epoch - 1, first.epoch + 1, 0, 1, 2, len(sample.barriers)]
    wrong = [_barrier(sample, one) for one in others if 0 <= one <= len(sample.barriers)]
    text = f"Behind how many barriers of block {shown(sample.block)} is {named} read first?"
    yield "barrier", first.line, text, _barrier(sample, first.epoch), [*wrong, "No thread of the block reads it"]


def _barrier(sample: Sample, epoch: int) -> str:
    if epoch == 0:
        return "Before the first one"
    return f"Behind barrier {epoch} of {len(sample.barriers)}, line {sample.barriers[epoch - 1]}"


def shown(triple: tuple[int, int, int]) -> str:
    """As `(1,0,0)`."""
    return f"({triple[0]},{triple[1]},{triple[2]})"
