"""Kernels and arrays are paired by what they are to the lab: names, order of declarations and lines decide nothing."""

from simtlab.compare.roles import Pairing, pair_by_role
from simtlab.facts.model import Launch
from tests.example_launches import access, argument, launch, shared


def names(pairing: Pairing) -> dict[str | None, str | None]:
    """A's names and B's of arrays."""
    return {pair.a.name if pair.a else None: pair.b.name if pair.b else None for pair in pairing.arrays}


def kernel_names(pairing: Pairing) -> list[tuple[str | None, str | None]]:
    return [(pair.a.name if pair.a else None, pair.b.name if pair.b else None) for pair in pairing.kernels]


def tiled(kernel: str, tile_a: str, tile_b: str, *, swapped: bool = False) -> list[Launch]:
    """A tiled product that loads a tile of `a` in one line and of `b` in another."""
    first, second = (6, 5) if swapped else (5, 6)
    return [
        launch(
            kernel,
            argument("a", line=first),
            shared(tile_a, "write", line=first),
            argument("b", line=second),
            shared(tile_b, "write", line=second),
            shared(tile_a, line=8, requests=16000),
            shared(tile_b, line=8, requests=16000),
            argument("c", "write", line=10),
        )
    ]


def test_arguments_are_known_by_the_labs_name() -> None:
    pairing = pair_by_role([launch("k", argument("x"), argument("y", "write"))], [launch("q", argument("x"))])
    assert names(pairing) == {"x": "x", "y": None}
    assert all(pair.sure for pair in pairing.arrays)
    assert kernel_names(pairing) == [("k", "q")]


def test_a_tile_is_known_by_the_argument_that_it_is_loaded_from() -> None:
    for swapped in (False, True):
        pairing = pair_by_role(tiled("k", "s", "t"), tiled("q", "t", "s", swapped=swapped))
        assert names(pairing) == {"a": "a", "b": "b", "c": "c", "s": "t", "t": "s"}
        assert all(pair.sure for pair in pairing.arrays)


def test_two_arrays_that_only_their_order_tells_apart_are_paired_with_a_doubt() -> None:
    def sums(first: str, second: str) -> list[Launch]:
        uses = [(first, 5), (second, 6)]
        stores = [shared(name, "write", line=line, requests=8) for name, line in uses]
        return [launch("k", argument("x"), *stores, *(shared(name, line=line + 3, requests=8) for name, line in uses))]

    pairing = pair_by_role(sums("p", "q"), sums("q", "p"))
    assert names(pairing) == {"x": "x", "p": "q", "q": "p"}
    assert [pair.doubt for pair in pairing.arrays if not pair.sure] == [
        "B's `p` is as like; their order decided",
        "B's `q` is as like; their order decided",
    ]


def test_memory_of_its_own_is_known_by_the_bytes_that_it_holds() -> None:
    def two_scratches(first: str, second: str) -> list[Launch]:
        return [
            launch("one", argument("x"), access(first, "write", array=7, derived_from=["x"], line=3)),
            launch("two", argument("y"), access(second, "write", array=8, derived_from=["y"], line=9)),
        ]

    other = two_scratches("q", "p")[::-1]
    pairing = pair_by_role(two_scratches("p", "q"), other)
    assert names(pairing) == {"x": "x", "y": "y", "p": "q", "q": "p"}
    assert set(kernel_names(pairing)) == {("one", "one"), ("two", "two")}


def test_a_copy_in_constant_memory_stands_for_the_argument() -> None:
    direct = [launch("k", argument("x"), argument("filter", line=2))]
    copied = [launch("k", argument("x"), access("c", space="constant", array=5, derived_from=["filter"], line=2))]
    assert names(pair_by_role(direct, copied)) == {"x": "x", "filter": "c"}


def test_kernels_that_exchange_their_names_are_told_apart_by_what_they_read_and_write() -> None:
    a = [
        launch("first", argument("x"), argument("s", "atomic")),
        launch("second", argument("y"), argument("z", "write")),
    ]
    b = [
        launch("second", argument("x"), argument("s", "atomic")),
        launch("first", argument("y"), argument("z", "write")),
    ]
    assert kernel_names(pair_by_role(a, b)) == [("first", "second"), ("second", "first")]
    assert set(kernel_names(pair_by_role(a, b[::-1]))) == {("first", "second"), ("second", "first")}


def test_what_one_side_alone_has_stays_alone() -> None:
    pairing = pair_by_role([launch("k", argument("x"))], [launch("k", argument("x"), shared("tile", "write"))])
    assert names(pairing) == {"x": "x", None: "tile"}


def test_nothing_launched_has_nothing_to_pair() -> None:
    assert pair_by_role([], []) == Pairing([], [])
    alone = pair_by_role([], [launch("k", argument("x"))])
    assert (kernel_names(alone), names(alone)) == ([(None, "k")], {None: "x"})


def test_a_kernel_without_any_access_is_paired_by_its_place_and_shape() -> None:
    assert kernel_names(pair_by_role([launch("empty")], [launch("nothing")])) == [("empty", "nothing")]


def test_hundreds_of_arrays_are_all_there() -> None:
    many = [launch("k", *(shared(f"s{number}", line=number + 1) for number in range(300)))]
    pairing = pair_by_role(many, many)
    assert len({pair.a.name for pair in pairing.arrays if pair.a}) == 300
    assert len({pair.b.name for pair in pairing.arrays if pair.b}) == 300
