"""Questions about a kernel, each with one right answer and the answers of wrong models.

The right answer is the judge's count, in the kernel's run or in one with another shape of blocks, or follows from the
recorded addresses by a rule that gives the judge's count for the request as it was; where the rule does not, nothing is
asked. Distractors are what somebody answers who knows no broadcast, thinks of 16 banks or of lines of 128 bytes, swaps
rows and columns, or takes nothing to change.
"""

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from simtlab.viva.block_questions import block_questions, shown
from simtlab.viva.requests import LANES, Request
from simtlab.viva.samples import Sample

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
    line: int
    source: Request | Sample
    """What the key was counted in."""

    @property
    def answer(self) -> str:
        """The right option."""
        return self.options[self.key]


@dataclass(frozen=True)
class Recorded:
    """What was recorded of a kernel."""

    requests: Sequence[Request] = ()
    sample: Sample | None = None
    changed: Sequence[Request] = ()
    """Those of a run whose blocks had another shape."""


def questions_of(recorded: Recorded, seed: int, most: int = USUAL) -> list[Question]:
    """At most `most` questions, of as many kinds and lines as there are; the same for the same seed."""
    draw = random.Random(seed)  # noqa: S311 - which questions are asked is no secret
    by_kind: dict[str, list[Question]] = defaultdict(list)

    def add(kind: str, line: int, text: str, right: str, wrong: list[str], source: Request | Sample) -> None:
        options = [right, *dict.fromkeys(one for one in wrong if one != right)][:_OPTIONS]
        if len(options) >= 3:
            draw.shuffle(options)
            by_kind[kind].append(Question(kind, text, tuple(options), options.index(right), line, source))

    for request in recorded.requests:
        for kind, text, right, wrong in _askable(request, draw):
            add(kind, request.line, text, right, wrong, request)
    for before, after in _of_both_shapes(recorded):
        for kind, text, right, wrong in _shape_question(before, after):
            add(kind, after.line, text, right, wrong, after)
    if recorded.sample is not None:
        for kind, line, text, right, wrong in block_questions(recorded.sample, draw):
            add(kind, line, text, right, wrong, recorded.sample)
    chosen: list[Question] = []
    asked: set[tuple[str, int]] = set()
    for found in by_kind.values():
        draw.shuffle(found)
    kinds = sorted(by_kind)
    draw.shuffle(kinds)
    while len(chosen) < most and any(by_kind.values()):
        for kind in kinds:
            while by_kind[kind]:
                one = by_kind[kind].pop()
                if (kind, one.line) not in asked:
                    asked.add((kind, one.line))
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
    yield from _pitch_question(one, where, draw)
    count = len(one.lanes)
    wrong = [LANES, LANES - count, count // 2, count - 1, count + 1, LANES // 2]
    yield "lanes", f"{where} How many lanes are active?", str(count), [str(n) for n in wrong if 0 < n <= LANES]
    yield from _thread_question(one, draw)


def _where(one: Request) -> str:
    first = one.lanes[0]
    element = one.element(first)
    known = "" if element is None else f", whose lowest active lane, {first}, asks for element {element}"
    return (
        f"Line {one.line}, the {one.access} of `{one.variable}` by warp {one.warp} of block {shown(one.block)}{known}."
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


def _cost(one: Request, addresses: list[int]) -> tuple[int, str, list[int]] | None:
    """What a request with these addresses costs, in which unit, and what wrong models say; None where no rule holds."""
    if one.access == "atomic" or not addresses:
        return None
    if one.space == "global" and sectors(one.asked, one.width) == one.sectors:
        lines = sectors(addresses, one.width, _LINE)
        packed = -(-len(addresses) * one.width // _SECTOR)
        return sectors(addresses, one.width), "sectors", [one.sectors, lines, len(addresses), packed]
    if one.space == "shared" and one.width <= _WORD and wavefronts(one.asked) == one.wavefronts:
        alone = wavefronts(addresses, broadcast=False)
        return wavefronts(addresses), "wavefronts", [one.wavefronts, wavefronts(addresses, 16), alone, len(addresses)]
    return None


@dataclass(frozen=True)
class _Rows:
    """Lane l asks for element `l % lanes * step + l // lanes * pitch` behind lane 0's."""

    lanes: int
    step: int
    pitch: int


def _rows_of(one: Request) -> _Rows | None:
    """The shortest rows that one pitch lays apart; None where there are none."""
    elements = [one.element(lane) for lane in one.lanes]
    if one.lanes != list(range(len(one.lanes))) or len(elements) < 2 or None in elements:
        return None
    known = [element - (elements[0] or 0) for element in elements if element is not None]
    for lanes in (1, 2, 4, 8, 16):
        if lanes >= len(known):
            break
        step, pitch = known[1] if lanes > 1 else 0, known[lanes]
        fits = all(at == lane % lanes * step + lane // lanes * pitch for lane, at in enumerate(known))
        if fits and step in (0, 1) and pitch > max((lanes - 1) * step + 1, 1):
            return _Rows(lanes, step, pitch)
    return None


def _pitch_question(one: Request, where: str, draw: random.Random) -> Iterator[Ask]:
    rows = _rows_of(one)
    if rows is None:
        return
    least = (rows.lanes - 1) * rows.step + 1
    others = [at for at in (16, 31, 32, 33, 48, 64, 1024, rows.pitch + 1, 2 * rows.pitch) if least <= at != rows.pitch]
    draw.shuffle(others)
    for pitch in others:
        further = (pitch - rows.pitch) * one.width
        moved = [at + lane // rows.lanes * further for lane, at in zip(one.lanes, one.asked, strict=True)]
        counted = _cost(one, moved)
        if counted is None:
            return
        right, unit, models = counted
        each = "Each lane asks in a row of its own" if rows.lanes == 1 else f"{rows.lanes} lanes ask in one row"
        text = (
            f"{where} {each}, and from row to row there are {rows.pitch} elements. "
            f"How many {unit} would it take if the pitch were {pitch}?"
        )
        wrong = [*models, right + 1, 2 * right, right - 1]
        yield "pitch", text, str(right), [str(n) for n in wrong if n > 0]
        if right != models[0]:
            return


def _of_both_shapes(recorded: Recorded) -> Iterator[tuple[Request, Request]]:
    """The most frequent requests of each place, in blocks of the one shape and of the other."""

    def by_place(requests: Sequence[Request]) -> dict[tuple[int, str, str, str], Request]:
        frequent = [one for one in requests if "most frequent" in one.reasons and one.variable]
        return {(one.line, one.space, one.access, one.variable): one for one in reversed(frequent)}

    before = by_place(recorded.requests)
    for place, after in by_place(recorded.changed).items():
        if place in before and before[place].width == after.width:
            yield before[place], after


def _shape_question(before: Request, after: Request) -> Iterator[Ask]:
    then, now = _cost(after, after.asked), _cost(before, before.asked)
    if then is None or now is None:
        return
    text = (
        f"Line {after.line}, the {after.access} of `{after.variable}`: in blocks of {shown(before.block_size)} its "
        f"most frequent request takes {now[0]} {now[1]}. Every launch gets blocks of {shown(after.block_size)}, the "
        "grid stays. How many does its most frequent request take then?"
    )
    wrong = [now[0], 2 * now[0], -(-now[0] // 2), *then[2][1:], then[0] + 1]
    yield "shape", text, str(then[0]), [str(n) for n in wrong if n > 0]


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
    blocks = f"Blocks are {shown(one.block_size)}."
    text = f"{_where(one)} {blocks} Which thread of the warp asks for element {elements[lane]}?"
    yield "thread", text, shown((x, y, z)), [shown(each) for each in wrong]
