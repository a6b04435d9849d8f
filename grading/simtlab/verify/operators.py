"""The mutation operators: each makes one mistake of the kind that students make, at every place where it applies.

An operator is a function from `Code` to edits. It says in which parts of the judgement its mistake must show: a mutant
that fails elsewhere only, or not at all, has survived.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from simtlab.audit.tokens import Kind
from simtlab.verify.code import Code

ANSWER = frozenset({"correct"})
SAFETY = frozenset({"correct", "safe"})
ANYWHERE = frozenset({"correct", "safe", "fast"})
_COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
_ENDS_OPERAND = {"&&", "||", "?", ":", "(", ")", "=", ";", ",", "return", "{", "}"}
_OTHER_AXIS = {"x": "y", "y": "x"}
_COORDINATES = {"threadIdx", "blockIdx", "blockDim", "gridDim"}
_DROPPED_CALLS = {"cudaMalloc", "cudaMemcpy", "cudaMemset", "cudaFree", "cudaGetLastError", "cudaMemcpyToSymbol"}
_DROPPED_CALLS |= {"cudaPeekAtLastError", "cudaMallocManaged", "cudaMemcpyAsync", "cudaMemsetAsync", "cudaMallocPitch"}
_PLAIN = {
    ("atomicAdd", 2): "(*({0}) += ({1}))",
    ("atomicSub", 2): "(*({0}) -= ({1}))",
    ("atomicMax", 2): "(*({0}) = *({0}) < ({1}) ? ({1}) : *({0}))",
    ("atomicMin", 2): "(*({0}) = *({0}) > ({1}) ? ({1}) : *({0}))",
    ("atomicExch", 2): "(*({0}) = ({1}))",
    ("atomicCAS", 3): "(*({0}) == ({1}) ? (*({0}) = ({2}), ({1})) : *({0}))",
}
"""By name and number of arguments."""
_HALF = "__int_as_float(__float_as_int({}) & 0xffffe000)"  # the eleven significant bits of half precision


@dataclass(frozen=True)
class Edit:
    """The tokens from `first` to `last`, both included, become `text`."""

    first: int
    last: int
    text: str


@dataclass(frozen=True)
class Operator:
    """A kind of mistake."""

    name: str
    shows_in: frozenset[str]
    """The parts of the judgement that may tell it: of `correct`, `safe` and `fast`."""
    sites: Callable[[Code], Iterator[Edit]]


def _barrier_removed(code: Code) -> Iterator[Edit]:
    for at in code.find("__syncthreads", "__syncwarp", "__threadfence", "__threadfence_block"):
        if code[at + 1] == "(" and code[code.partner[at + 1] + 1] == ";":
            yield Edit(at, code.partner[at + 1], "")


def _comparisons(code: Code) -> Iterator[tuple[int, str]]:
    """Every comparison with the word before its brackets: `if`, `while`, `for` or, in an expression, nothing."""
    for at in code.find(*_COMPARISONS):
        if code.is_spaced(at):
            bracket = code.enclosing(at, "(")
            word = code[bracket - 1] if bracket else ""
            yield at, word if word in {"if", "while", "for"} else ""


def _bound_dropped(code: Code) -> Iterator[Edit]:
    for at, word in _comparisons(code):
        if word in {"for", "while"}:
            continue  # such a loop would never end
        first = at
        while code[first - 1] not in _ENDS_OPERAND or (code[first - 1] == ")" and first - 1 in code.partner):
            first = code.partner[first - 1] if code[first - 1] == ")" else first - 1
        last = at
        while code[last + 1] not in _ENDS_OPERAND or (code[last + 1] == "(" and last + 1 in code.partner):
            last = code.partner[last + 1] if code[last + 1] == "(" else last + 1
        yield Edit(first, last, "true")


def _bound_off_by_one(code: Code) -> Iterator[Edit]:
    for at, _ in _comparisons(code):
        if code[at] not in {"==", "!="}:
            yield Edit(at, at, _COMPARISONS[code[at]])


def _condition_negated(code: Code) -> Iterator[Edit]:
    for at, _ in _comparisons(code):
        if code[at] in {"==", "!="}:
            yield Edit(at, at, _COMPARISONS[code[at]])


def _rounding_dropped(code: Code) -> Iterator[Edit]:
    for slash in code.find("/"):
        close = slash - 1
        if code[close] != ")" or close not in code.partner or [code[close - 1], code[close - 2]] != ["1", "-"]:
            continue
        plus = close - 2
        while plus > code.partner[close] and code[plus] != "+":
            plus -= 1
        if code[plus] == "+":
            yield Edit(plus, close - 1, "")


def _index_swapped(code: Code) -> Iterator[Edit]:
    for at in code.find(*_COORDINATES):
        if code[at + 1] == "." and code[at + 2] in _OTHER_AXIS:
            yield Edit(at + 2, at + 2, _OTHER_AXIS[code[at + 2]])
    for at in code.find("["):
        second = code.partner.get(at, -1) + 1
        declares = code.pieces[at - 2].kind is Kind.WORD  # `float tile[8][9]`: no access
        if code[second] == "[" and second in code.partner and not declares:
            rows, columns = code.span(at, second - 1), code.span(second, code.partner[second])
            if rows != columns:
                yield Edit(at, code.partner[second], columns + rows)


def _padding_removed(code: Code) -> Iterator[Edit]:
    for at in code.find("__shared__"):
        end = code.statement_end(at)
        for bracket in range(at, end or at):
            last = code.partner.get(bracket, -1) - 1
            if code[bracket] == "[" and code[last - 1] == "+" and code.pieces[last].kind is Kind.NUMBER:
                yield Edit(last - 1, last, "")


def _stride_changed(code: Code) -> Iterator[Edit]:
    for at in code.find("*"):
        operand = at + 1
        if not code.is_spaced(at) or code.pieces[operand].kind not in {Kind.WORD, Kind.NUMBER}:
            continue
        last = operand + 2 if code[operand + 1] == "." else operand
        function = code.function_at(at)
        if code[last + 1] == "+" and function and function.on_device:  # an index: row * width + column
            yield Edit(operand, last, f"({code.span(operand, last)} + 1)")
    for at in code.find("+="):
        bracket = code.enclosing(at, "(")
        if bracket and code[bracket - 1] == "for":
            last = code.partner[bracket] - 1
            yield Edit(at + 1, last, f"2 * ({code.span(at + 1, last)})")


def _assignments(code: Code, *operators: str) -> Iterator[tuple[int, int, int]]:
    """Target, operator and last token of the value of every statement that assigns."""
    for at in code.find(*operators):
        end = code.statement_end(at)
        if end is not None and end > at + 1:
            yield code.target(at), at, end - 1


def _half_precision(code: Code) -> Iterator[Edit]:
    for target, at, last in _assignments(code, "=", "+="):
        function = code.function_at(at)
        is_number = all(code.pieces[one].kind is Kind.NUMBER for one in range(at + 1, last + 1))
        is_pointer = code[target - 1] == "*"
        if code[target] in code.float_names and function and function.on_device and not is_number and not is_pointer:
            yield Edit(at + 1, last, _HALF.format(code.span(at + 1, last)))


def _atomic_made_plain(code: Code) -> Iterator[Edit]:
    for at in code.find(*(name for name, _ in _PLAIN)):
        if code[at + 1] == "(":
            words = [code.span(first, last) for first, last in code.arguments(at + 1)]
            plain = _PLAIN.get((code[at], len(words)))
            if plain:
                yield Edit(at, code.partner[at + 1], plain.format(*words))


def _mask_narrowed(code: Code) -> Iterator[Edit]:
    for at, piece in enumerate(code.pieces):
        if piece.kind is Kind.NUMBER and piece.text.lower().rstrip("u") == "0xffffffff":
            yield Edit(at, at, "0x0000ffffu")


def _element_stores(code: Code) -> Iterator[tuple[int, int, int]]:
    """The stores to elements of arrays in device code, declarations aside."""
    for target, at, last in _assignments(code, "="):
        function = code.function_at(at)
        if code[at - 1] == "]" and function and function.on_device and code[target - 1] in {";", "{", "}", ")"}:
            yield target, at, last


def _zeros(code: Code) -> Iterator[Edit]:
    for _, at, last in _element_stores(code):
        yield Edit(at + 1, last, "0")


def _constants(code: Code) -> Iterator[Edit]:
    for _, at, last in _element_stores(code):
        yield Edit(at + 1, last, "1")


def _copy_of_the_input(code: Code) -> Iterator[Edit]:
    for target, at, last in _element_stores(code):
        function = code.function_at(at)
        if function is None or code[target] not in code.pointers(function, constant=False):
            continue
        for name in code.pointers(function, constant=True)[:1]:
            copied = name + code.span(target + 1, at - 1)
            if copied != code.span(at + 1, last):
                yield Edit(at + 1, last, copied)


def _stale_output(code: Code) -> Iterator[Edit]:
    for target, _, last in _element_stores(code):
        yield Edit(target, last, "")
    for at in code.find("<<<"):
        end = code.statement_end(at)
        close = next((one for one in code.find(">>>") if one > at), None)
        if close is not None and end is not None:
            first = at
            while code[first - 1] not in {";", "{", "}", ")"}:
                first -= 1
            yield Edit(first, end - 1, "")


def _call_dropped(code: Code) -> Iterator[Edit]:
    for at in code.find(*_DROPPED_CALLS):
        if code[at + 1] == "(":
            as_value = code[at - 1] not in {";", "{", "}", ")"}
            yield Edit(at, code.partner[at + 1], "cudaSuccess" if as_value else "")


OPERATORS = (
    Operator("barrier-removed", SAFETY, _barrier_removed),
    Operator("bound-dropped", SAFETY, _bound_dropped),
    Operator("bound-off-by-one", SAFETY, _bound_off_by_one),
    Operator("condition-negated", ANYWHERE, _condition_negated),
    Operator("rounding-dropped", SAFETY, _rounding_dropped),
    Operator("index-swapped", ANYWHERE, _index_swapped),
    Operator("padding-removed", ANYWHERE, _padding_removed),
    Operator("stride-changed", ANYWHERE, _stride_changed),
    Operator("half-precision", ANSWER, _half_precision),
    Operator("atomic-made-plain", SAFETY, _atomic_made_plain),
    Operator("mask-narrowed", SAFETY, _mask_narrowed),
    Operator("zeros", ANSWER, _zeros),
    Operator("constants", ANSWER, _constants),
    Operator("copy-of-the-input", SAFETY, _copy_of_the_input),
    Operator("stale-output", SAFETY, _stale_output),
    Operator("call-dropped", ANYWHERE, _call_dropped),
)
