"""Which benchmarks run: `make bench` takes minutes, not half an hour."""

from __future__ import annotations

from bench.__main__ import SLOW, find_programs


def test_slow_programs_run_where_they_are_asked_for_and_all_of_them_exist() -> None:
    everything = set(find_programs(None, slow=True))
    assert everything > SLOW
    assert set(find_programs(None)) == everything - SLOW


def test_a_name_asks_for_a_slow_program_too() -> None:
    assert set(find_programs("build")) == {"build", "runner_build"}
    assert set(find_programs("shadow")) == {"shadow_memory"}
    assert not find_programs("no such benchmark")
