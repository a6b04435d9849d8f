"""Atomic operations beside an H200: the tables, and what is said of a launch that differs."""

from __future__ import annotations

import pytest

from hardware.atomics import Cost, compare, cost_of, emulated, measured, warps_of


def test_one_warps_operations_repeat_on_the_gpu_and_eight_warps_do_not() -> None:
    costs: dict[str, set[Cost]] = {}
    for name, cost in measured("generic_atomics"):
        costs.setdefault(name, set()).add(cost)
    unsteady = [name for name, found in costs.items() if len(found) > 1]
    assert unsteady
    assert all(warps_of(name) == 8 for name in unsteady)


def test_each_operation_that_went_to_global_memory_took_a_wavefront_of_shared_memory() -> None:
    costs = dict(measured("generic_atomics"))
    launch = "{} where1 pattern0 rounds1 apart0 warps1 blocks1"
    expected = {"add_u32": 1, "add_f32": 1, "cas_u32": 2, "add_u64": 2, "add_f64": 2, "cas_u64": 4}
    for name, wavefronts in expected.items():
        assert costs[launch.format(name)].wavefronts == wavefronts, name


def test_wavefronts_are_those_of_shared_memory_and_those_that_were_in_vain() -> None:
    far = {"space": "global", "access": "atomic", "requests": 2, "sectors": 8, "wavefronts": 0, "generic_wavefronts": 2}
    near = {
        "space": "shared",
        "access": "atomic",
        "requests": 1,
        "sectors": 0,
        "wavefronts": 5,
        "generic_wavefronts": 0,
    }
    assert cost_of({"accesses": [far, near, far | {"access": "read"}]}) == Cost(7, 2, 8)


def test_a_launch_that_differs_is_told_with_both_sides_counts() -> None:
    ours, its = [("a", Cost(1, 2, 3)), ("b", Cost(4, 5, 6))], [("a", Cost(1, 2, 3)), ("b", Cost(9, 5, 6))]
    assert compare(ours, ours) == []
    assert compare(ours, its) == ["b: wavefronts 4/9, requests 5/5, sectors 6/6"]
    with pytest.raises(ValueError, match="measure again"):
        compare(ours, its[:1])


@pytest.mark.long
def test_the_engine_counts_as_the_gpu_does_where_each_scheduler_has_one_warp_and_nobody_is_in_its_way() -> None:
    """Two warps of a scheduler, and warps that swap at one word, take more wavefronts on the GPU."""
    contended = (
        "cas_u32 where0 pattern1 rounds64",
        "add_f32 where0 pattern0 rounds8",
        "add_f32 where0 pattern1 rounds8",
    )
    differing = compare(emulated("generic_atomics"), measured("generic_atomics"))
    few_warps = [line for line in differing if warps_of(line.split(":")[0]) <= 4]
    assert [line for line in few_warps if not line.startswith(contended)] == []
    assert len(differing) <= 38


@pytest.mark.long
def test_sectors_are_the_gpus_where_lanes_meet_in_up_to_four_lines() -> None:
    """In eight lines (256 words) the GPU counts one or two more in half of the launches."""
    differing = compare(emulated("reductions"), measured("reductions"))
    assert all("words256" in line for line in differing)
    assert len(differing) <= 4
