"""Questions about requests, each with one right answer and the answers of wrong models.

The right answer is the judge's count, or follows from the recorded addresses by a rule that gives the judge's count for
the request as it was; where the rule does not, nothing is asked. Distractors are what somebody answers who knows no
broadcast, thinks of 16 banks or of lines of 128 bytes, or swaps rows and columns.
"""

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from simtlab.viva.requests import LANES, Request

USUAL = 6
_SECTOR, _LINE, _WORD, _BANKS = 32, 128, 4, 32
_OPTIONS = 4


@dataclass(frozen=True)
class Question:
    """A question, its options in the order of the sheet, and which of them is right."""

    kind: str
    text: str
    options: tuple[str, ...]
    key: int
    request: Request

    @property
    def answer(self) -> str:
        """The right option."""
        return self.options[self.key]


def questions_of(requests: Iterable[Request], seed: int, most: int = USUAL) -> list[Question]:
    """At most `most` questions, of as many kinds and lines as there are; the same for the same seed."""
    draw = random.Random(seed)  # noqa: S311 - which questions are asked is no secret
    by_kind: dict[str, list[Question]] = defaultdict(list)
    for request in requests:
        for kind, text, right, wrong in _askable(request, draw):
            options = [right, *dict.fromkeys(one for one in wrong if one != right)][:_OPTIONS]
            if len(options) >= 3:
                draw.shuffle(options)
                by_kind[kind].append(Question(kind, text, tuple(options), options.index(right), request))
    chosen: list[Question] = []
    asked: set[tuple[str, int]] = set()
    for found in by_kind.values():
        draw.shuffle(found)
    while len(chosen) < most and any(by_kind.values()):
        for kind in sorted(by_kind):
            while by_kind[kind]:
                one = by_kind[kind].pop()
                if (kind, one.request.line) not in asked:
                    asked.add((kind, one.request.line))
                    chosen.append(one)
                    break
    return chosen[:most]


def sectors(addresses: Iterable[int], width: int, size: int = _SECTOR) -> int:
    """How many pieces of `size` bytes the lanes touch."""
    return len({piece for at in addresses for piece in range(at // size, (at + width - 1) // size + 1)})


def wavefronts(addresses: Sequence[int], banks: int = _BANKS, *, broadcast: bool = True) -> int:
    """Passes of a request of words through the banks; without broadcast each lane of one word is served alone."""
    words = [at // _WORD for at in addresses]
    served = set(words) if broadcast else words
    loads: dict[int, int] = defaultdict(int)
    for word in served:
        loads[word % banks] += 1
    return max(loads.values(), default=0)


Ask = tuple[str, str, str, list[str]]


def _askable(one: Request, draw: random.Random) -> Iterator[Ask]:
    if not one.lanes or one.width <= 0 or not one.variable:
        return
    where = _where(one)
    if one.space == "global" and one.access != "atomic" and sectors(one.asked, one.width) == one.sectors:
        yield from _sector_questions(one, where)
    if one.space == "shared" and one.access != "atomic" and one.width <= _WORD:
        yield from _bank_questions(one, where, draw)
    count = len(one.lanes)
    wrong = [LANES, LANES - count, count // 2, count - 1, count + 1, LANES // 2]
    yield "lanes", f"{where} How many lanes are active?", str(count), [str(n) for n in wrong if 0 < n <= LANES]
    yield from _thread_question(one, draw)


def _where(one: Request) -> str:
    first = one.lanes[0]
    element = one.element(first)
    known = "" if element is None else f", whose lowest active lane, {first}, asks for element {element}"
    return (
        f"Line {one.line}, the {one.access} of `{one.variable}` by warp {one.warp} of block {_shown(one.block)}{known}."
    )


def _sector_questions(one: Request, where: str) -> Iterator[Ask]:
    count = len(one.lanes)
    lines = sectors(one.asked, one.width, _LINE)
    wrong = [lines, count, -(-count * one.width // _SECTOR), one.sectors + 1, 2 * one.sectors, one.sectors - 1]
    yield "sectors", f"{where} How many sectors does it touch?", str(one.sectors), [str(n) for n in wrong if n > 0]
    moved = sectors([at + _WORD for at in one.asked], one.width)
    wrong = [one.sectors, one.sectors + 1, lines, 2 * one.sectors, count, moved + 1]
    question = f"{where} How many sectors would it touch if the array began 4 bytes later?"
    yield "shifted", question, str(moved), [str(n) for n in wrong if n > 0]


def _bank_questions(one: Request, where: str, draw: random.Random) -> Iterator[Ask]:
    if wavefronts(one.asked) == one.wavefronts:
        halves, alone = wavefronts(one.asked, 16), wavefronts(one.asked, broadcast=False)
        wrong = [alone, halves, len(one.lanes), one.wavefronts + 1, 2 * one.wavefronts, one.wavefronts - 1]
        question = f"{where} How many wavefronts does it take?"
        yield "wavefronts", question, str(one.wavefronts), [str(n) for n in wrong if n > 0]
    lane = draw.choice(one.lanes)
    address = one.addresses[lane]
    if address is not None:
        bank = address // _WORD % _BANKS
        wrong = [address // _WORD % 16, lane, address % _BANKS, (bank + 1) % _BANKS, (bank + 16) % _BANKS]
        element = one.element(lane)
        if element is not None:
            offset = one.begin // _WORD % _BANKS
            begins = f"`{one.variable}` begins in bank {offset}. "
            question = f"{where} {begins}Lane {lane} asks for element {element}: which bank has its word?"
            yield "bank", question, str(bank), [str(n) for n in wrong]


def _thread_question(one: Request, draw: random.Random) -> Iterator[Ask]:
    elements = {lane: one.element(lane) for lane in one.lanes}
    known = [lane for lane, element in elements.items() if element is not None]
    if not known or one.space not in ("global", "shared"):
        return
    lane = draw.choice(known)
    if list(elements.values()).count(elements[lane]) != 1:
        return
    x, y, z = one.thread(lane)
    wrong = [(y, x, z), (lane, 0, 0), (x + 1, y, z), (x, y + 1, z), (max(x - 1, 0), y, z)]
    blocks = f"Blocks are {_shown(one.block_size)}."
    text = f"{_where(one)} {blocks} Which thread of the warp asks for element {elements[lane]}?"
    yield "thread", text, _shown((x, y, z)), [_shown(each) for each in wrong]


def _shown(triple: tuple[int, int, int]) -> str:
    return f"({triple[0]},{triple[1]},{triple[2]})"
