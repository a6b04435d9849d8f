"""Facts documents by the contract, small and complete, for tests that need no judge."""

import copy
import json
from typing import Any

from simtlab.facts.counters import FIDELITY, HostCounters, LaunchTotals, RequestCounters
from simtlab.facts.model import Facts
from simtlab.record import Record


def counters(record: type[Record], **values: int) -> dict[str, int]:
    """All counters of a record, those that are not named 0."""
    assert values.keys() <= record.model_fields.keys()
    return dict.fromkeys(record.model_fields, 0) | values


_GLOBAL_READ = counters(
    RequestCounters, requests=100, lanes=3200, bytes=12800, sectors=800, ideal_sectors=400, lines=200
)
_SHARED_READ = counters(
    RequestCounters, requests=50, lanes=1600, bytes=6400, wavefronts=100, ideal_wavefronts=50, largest_wavefronts=2
)


def _line(number: int, access: dict[str, Any], per_request: dict[str, Any], excess: int) -> dict[str, Any]:
    """A line with one access; all lines together have an excess of 450."""
    own = {"per_request": per_request, "excess": excess}
    efficiency = 0.5 if access["space"] == "global" else None
    measures = {"efficiency": efficiency, "line_efficiency": efficiency}
    return {
        "file": "kernel.cu",
        "line": number,
        "requests": access["requests"],
        "pictures": [],
        "share": excess / 450,
        "accesses": [{"derived_from": [], "width": 4, **access, **measures, **copy.deepcopy(own)}],
        **own,
    }


_MEASUREMENT = {
    "median_milliseconds": 0.166,
    "interval_milliseconds": [0.1655, 0.1665],
    "confidence": 0.975,
    "state": "settled",
    "host_milliseconds": 0.174,
    "floor_milliseconds": 0.092,
    "checked_call": 7,
    "check": "reference",
    "check_error_probability": 0.0,
    "drift": 0.002,
    "attempts": 1,
    "baselines": [{"name": "cublas_geam", "before_milliseconds": 0.14, "after_milliseconds": None, "age_seconds": 4}],
    "read_gigabytes_per_second": 4390.0,
    "giga_multiply_adds_per_second": 31000.0,
    "gpu": {
        "sm_megahertz": 1980,
        "memory_megahertz": 3201,
        "celsius": 35,
        "other_processes": 0,
        "throttled": ["power limit"],
    },
    "remarks": [],
}
TIMING: dict[str, Any] = {
    "cases": [],
    "samples": [0.166],
    "copy_gigabytes_per_second": 4100.0,
    "phases": {"cases": 900.0, "submission": 700.5},
    "measurement": _MEASUREMENT,
}
_PASSED: dict[str, Any] = {
    "format": "simtlab-facts",
    "version": 2,
    "lab": "07-shared-tiling",
    "submission": "alice",
    "backend": "emulator",
    "verdict": "pass",
    "message": "",
    "seed": 1,
    "environment": {
        "compiler": "g++ 12.2.0",
        "emulator": {"version": "0.1.0", "workers": 1, "engine": "g++"},
        "gpu": None,
        "front_end": None,
        "sandbox_layers": [],
        "without": [],
    },
    "cases": [
        {
            "name": "one element",
            "hidden": False,
            "sizes": {"j": 1, "k": 1, "l": 1},
            "verdict": "pass",
            "message": "",
            "printed": "",
            "mismatch": None,
            "findings": [],
        },
        {
            "name": "ragged edges",
            "hidden": True,
            "sizes": {"j": 33, "k": 17, "l": 65},
            "verdict": "pass",
            "message": "",
            "printed": "",
            "mismatch": None,
            "findings": [],
        },
    ],
    "skipped": [],
    "correct": {"status": "pass", "passed": 2, "total": 2},
    "safe": {"status": "pass", "reason": "", "findings": []},
    "fast": {
        "status": "pass",
        "reason": "",
        "score": 75.0,
        "pass_at": 60.0,
        "favour": "",
        "sizes": {"j": 128, "k": 128, "l": 128},
        "work": {"bytes_read": 131072.0, "bytes_written": 65536.0, "operations": 2097152.0},
        "criteria": [
            {
                "metric": "sector_efficiency",
                "argument": "a",
                "unit": "",
                "status": "measured",
                "reason": "",
                "value": 0.5,
                "full_at": 1.0,
                "none_at": 0.125,
                "weight": 60.0,
                "fraction": 0.5,
                "interval": None,
                "favoured": False,
                "hint": "Let neighbouring lanes read neighbouring addresses.",
                "where": {"file": "kernel.cu", "line": 4},
            },
            {
                "metric": "wavefronts_over_minimum",
                "argument": "",
                "unit": "",
                "status": "measured",
                "reason": "",
                "value": 1.0,
                "full_at": 2.0,
                "none_at": 8.0,
                "weight": 40.0,
                "fraction": 1.0,
                "interval": None,
                "favoured": False,
                "hint": "Which bank does each lane of a column read?",
                "where": None,
            },
        ],
    },
    "launches": [
        {
            "kernel": "multiply",
            "grid": [8, 8, 1],
            "block": [16, 16, 1],
            "shared_bytes": 2048,
            "times": 1,
            "accesses": [
                {
                    "file": "kernel.cu",
                    "line": 4,
                    "space": "global",
                    "access": "read",
                    "variable": "a",
                    "array": {"id": 1, "given": True},
                    "derived_from": [],
                    "width": 4,
                    **_GLOBAL_READ,
                },
                {
                    "file": "kernel.cu",
                    "line": 6,
                    "space": "shared",
                    "access": "read",
                    "variable": "tile",
                    "array": {"id": 1, "given": False},
                    "derived_from": [],
                    "width": 4,
                    **_SHARED_READ,
                },
            ],
            **counters(LaunchTotals, steps=5000, divergent_steps=12, barriers=16, warp_value_primitives=40),
            "completed": True,
        }
    ],
    "lines": [
        _line(
            4,
            {"space": "global", "access": "read", "variable": "a", **_GLOBAL_READ},
            {
                "lanes": 32.0,
                "sectors": 8.0,
                "ideal_sectors": 4.0,
                "lines": 2.0,
                "wavefronts": None,
                "ideal_wavefronts": None,
            },
            excess=400,
        ),
        _line(
            6,
            {"space": "shared", "access": "read", "variable": "tile", **_SHARED_READ},
            {
                "lanes": 32.0,
                "sectors": None,
                "ideal_sectors": None,
                "lines": None,
                "wavefronts": 2.0,
                "ideal_wavefronts": 1.0,
            },
            excess=50,
        ),
    ],
    "host": counters(
        HostCounters,
        allocations=3,
        frees=3,
        allocated_bytes=12288,
        copies_to_device=2,
        bytes_to_device=8192,
        copies_to_host=1,
        bytes_to_host=4096,
        api_calls=10,
        launches=1,
        parameter_bytes=24,
    ),
    "fidelity": dict(FIDELITY),
    "timing": {
        "cases": [{"name": "one element", "milliseconds": 12.5}],
        "samples": [],
        "copy_gigabytes_per_second": None,
        "phases": {},
        "measurement": None,
    },
}

_RACE: dict[str, Any] = {
    "rule": "shared-race",
    "severity": "error",
    "message": "tile is written at line 4 and read at line 6 without a barrier between",
    "kernel": "multiply",
    "variable": "tile",
    "first": {"file": "kernel.cu", "line": 4, "thread": [0, 1, 0], "block": [0, 0, 0], "action": "write"},
    "second": {"file": "kernel.cu", "line": 6, "thread": [3, 0, 0], "block": [0, 0, 0], "action": "read"},
    "count": 960,
}


def passed_facts(**changes: Any) -> dict[str, Any]:
    """Every case right, nothing unsafe, 75 of 100 for the counters; `changes` replace members of the document."""
    return copy.deepcopy(_PASSED) | changes


def unsafe_facts(**changes: Any) -> dict[str, Any]:
    """Every case right and a race between two lines."""
    facts = passed_facts(verdict="unsafe", message="tile is read before it is complete")
    facts["safe"] = {"status": "fail", "reason": "", "findings": [copy.deepcopy(_RACE)]}
    return facts | changes


def wrong_facts(**changes: Any) -> dict[str, Any]:
    """One of two cases wrong, with a mismatch that holds every kind of value."""
    facts = passed_facts(verdict="wrong_answer", message="1 of 2 cases is wrong")
    case = facts["cases"][1]
    case["verdict"] = "wrong_answer"
    case["message"] = "65 of 2145 elements of c are wrong"
    case["mismatch"] = {
        "argument": "c",
        "wrong": 65,
        "total": 2145,
        "never_written": 1,
        "first": [
            {"index": [32, 0], "expected": 1.5, "actual": "nan", "never_written": False},
            {"index": [32, 1], "expected": -3, "actual": 9007199254740993, "never_written": False},
            {"index": [32, 2], "expected": "inf", "actual": 0.0, "never_written": True},
        ],
        "good_before": [{"index": [31, 64], "expected": 2.0, "actual": 2.0, "never_written": False}],
        "picture": {
            "rows": 33,
            "cols": 65,
            "lowest": -3.0,
            "highest": 4.0,
            "expected": ["0123456789abcde01"] * 11,
            "found": [*["0123456789abcde01"] * 10, "fffffffffffffffff"],
            "wrong": [*["0" * 17] * 10, "f" * 17],
            "image": None,
        },
    }
    facts["correct"] = {"status": "fail", "passed": 1, "total": 2}
    facts["fast"] |= {"status": "not_measured", "reason": "correct fails", "score": 0.0, "criteria": []}
    facts["launches"] = []
    return facts | changes


def facts_of(document: dict[str, Any]) -> Facts:
    """The document as the grader reads it."""
    return Facts.model_validate_json(json.dumps(document))


def timed_facts(**changes: Any) -> dict[str, Any]:
    """Calls were timed on a GPU, and one threshold lay within its interval."""
    facts = passed_facts(timing=copy.deepcopy(TIMING))
    facts["fast"]["favour"] = "The times leave open whether the score reaches 60; the doubt counts in favour."
    facts["fast"]["criteria"][0] |= {"interval": [0.79, 0.81], "favoured": True}
    return facts | changes
