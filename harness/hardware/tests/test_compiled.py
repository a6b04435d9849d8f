"""Launches as compiled beside the GPU's table: read and compared, without a compiler."""

from __future__ import annotations

from collections import Counter

from hardware.compiled import differences, figures_of, measured


def test_the_table_has_each_launch_in_both_builds() -> None:
    default, least = measured("default"), measured("O1")
    assert {name: set(of) for name, of in default.items()} == {name: set(of) for name, of in least.items()}
    assert sum(map(len, default.values())) == 482


def test_an_asynchronous_copy_is_no_store_and_local_memory_is_left_out() -> None:
    written = {"space": "shared", "access": "write", "requests": 7, "lanes": 224, "wavefronts": 9}
    copied = written | {"copied_requests": 3, "copied_wavefronts": 4}
    own = {"space": "local", "access": "read", "requests": 1, "lanes": 1, "wavefronts": 1}
    found = figures_of({"accesses": [copied, own]})
    assert found == {"shared write requests": 4, "shared write lanes": 224, "shared write wavefronts": 5}


def test_what_one_side_lacks_differs() -> None:
    assert differences(Counter(a=1, b=2), Counter(a=1, c=3)) == "b 2/0; c 0/3"
    assert differences(Counter(a=1, b=0), Counter(a=1)) == ""
