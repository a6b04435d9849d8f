"""Whether a lab's cases are those at which wrong kernels go wrong: one element, less than a warp, a prime, sizes that
differ, and cases that students do not see."""

import json
from collections.abc import Iterator, Sequence

from simtlab.labs.catalogue import Lab
from simtlab.labs.description import DescribedCase

FEWEST_HIDDEN = 3
_WARP = 32


def missing_cases(lab: Lab, cases: Sequence[DescribedCase]) -> Iterator[str]:
    """What is missing among the visible and the hidden cases; those with a failing call are about something else."""
    plain = [[size.value for size in case.sizes] for case in cases if not case.fails_call]
    if not any(max(sizes) == 1 for sizes in plain):
        yield "lab.cpp: no case of one element: expected one in which no size is above 1"
    if not any(1 < max(sizes) < _WARP for sizes in plain):
        yield f"lab.cpp: no case of less than a warp: expected one whose largest size is below {_WARP}"
    if not any(max(sizes) > _WARP and _is_prime(max(sizes)) for sizes in plain):
        yield f"lab.cpp: no case of a prime size: expected one whose largest size is a prime above {_WARP}"
    if any(len(sizes) > 1 for sizes in plain) and all(len(set(sizes)) == 1 for sizes in plain):
        yield "lab.cpp: in every case all sizes are equal: what takes one for the other would pass"
    hidden = len(json.loads(lab.hidden)) if lab.hidden else 0
    if hidden < FEWEST_HIDDEN:
        yield f"hidden.toml: {hidden} cases; a lab has {FEWEST_HIDDEN} or more that students do not see"


def _is_prime(number: int) -> bool:
    return number > 1 and all(number % divisor for divisor in range(2, int(number**0.5) + 1))
