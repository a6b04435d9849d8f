"""The device class of a GPU: its name, its memory's clock, its driver and its MIG shape. Times compare within one class
alone, so the class stands in the key of every result of a GPU."""

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass

_FIELDS = ("name", "clocks.max.memory", "driver_version", "mig.mode.current", "uuid")
_SECONDS = 20
_GPU_LINE = re.compile(r"GPU \d+: .*\(UUID: (?P<uuid>[^)]+)\)")
_MIG_LINE = re.compile(r"\s+MIG (?P<shape>\S+)\s+Device\s+\d+: \(UUID: (?P<uuid>[^)]+)\)")


@dataclass(frozen=True)
class Device:
    """One GPU, or one MIG instance of it."""

    device_class: str
    uuid: str
    """Which one of its class it is."""


def this_device() -> Device | None:
    """The GPU that a judge uses, the first of CUDA_VISIBLE_DEVICES, as nvidia-smi describes it; None where there is
    none."""
    first = first_visible(os.environ)
    if first is None or not shutil.which("nvidia-smi"):
        return None
    instance = _mig_instance(first) if first.startswith("MIG-") else None
    if first.startswith("MIG-") and instance is None:
        return None
    row = _row(instance.gpu if instance else first)
    if row is None:
        return None
    name, memory, driver, mig, uuid = row
    if mig == "Enabled" and instance is None:
        instance = _mig_instance(uuid)  # CUDA takes the first one
    shape = f", MIG {instance.shape if instance else 'without an instance'}" if mig == "Enabled" else ""
    clock = f"memory {memory}" if memory[:1].isdigit() else "memory clock unknown"
    return Device(f"{name}, {clock}, driver {driver}{shape}", instance.uuid if instance else uuid)


def gpu_name() -> str | None:
    """The device class of the GPU that a judge uses; None where there is none."""
    device = this_device()
    return device.device_class if device else None


def first_visible(environment: Mapping[str, str]) -> str | None:
    """The GPU that CUDA takes, as CUDA_VISIBLE_DEVICES names it, by default the first; None where it hides all."""
    visible = environment.get("CUDA_VISIBLE_DEVICES")
    if visible == "":
        return None
    return (visible or "0").split(",")[0].strip()  # as in harness/judge/gpu/gpu_lock.cpp


@dataclass(frozen=True)
class _Instance:
    gpu: str
    shape: str
    uuid: str


def _row(gpu: str) -> list[str] | None:
    text = _asked(f"--id={gpu}", f"--query-gpu={','.join(_FIELDS)}", "--format=csv,noheader")
    cells = [cell.strip() for cell in text.strip().split("\n")[0].split(",")]
    return cells if len(cells) == len(_FIELDS) and cells[0] else None


def _mig_instance(uuid: str) -> _Instance | None:
    """The MIG instance of that UUID, or the first one of the GPU of that UUID, from `nvidia-smi -L`."""
    gpu = ""
    for line in _asked("-L").splitlines():
        if found := _GPU_LINE.match(line):
            gpu = found["uuid"]
        elif (found := _MIG_LINE.match(line)) and uuid in (gpu, found["uuid"]):
            return _Instance(gpu, found["shape"], found["uuid"])
    return None


def _asked(*words: str) -> str:
    """What nvidia-smi prints, empty where it fails."""
    try:
        done = subprocess.run(["nvidia-smi", *words], capture_output=True, text=True, timeout=_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout if done.returncode == 0 else ""
