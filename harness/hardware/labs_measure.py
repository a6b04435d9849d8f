"""The labs' solutions and right variants as nvcc compiles them, counted by the engine sass and by a GPU:

    python -m hardware.labs_measure make [--build O1] FOLDER [LAB…]   here: runners for a GPU, and the emulator's sums
    python -m hardware.labs_measure measure FOLDER GPU.csv [SECONDS [LAB…]]   on a GPU: its sums, by Nsight Compute
    python -m hardware.labs_measure compare FOLDER TABLE.csv GPU.csv [AGAIN.csv]

FOLDER travels between the machines; measuring needs neither compiler nor packages, and takes 2 s for each variant. A
second call measures what GPU.csv lacks, once SECONDS have ended the first. `compare` writes the table that
`python -m hardware.labs` prints.
"""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from hardware.measure import BUILDS, REGISTERS, ProfiledLaunch, origin, profiled_launches, profiling_words
from hardware.programs import allocated, name_of, runtime_words

if TYPE_CHECKING:
    from simtlab.facts.model import Launch

ARCHITECTURE = "sm_90"
Sums = dict[str, Counter[str]]
"""By kernel and counter."""

_SEED = "1"
_JUDGES_AT_A_TIME = 3
"""They make inputs and compare outputs while another one's program is counted, which is one at a time."""
_OF_GLOBAL = {"read": ("ld",), "write": ("st",), "atomic": ("red", "atom")}
_OPCODES = {
    "read": ("LDG", "LDS", "LDL", "LD", "LDGSTS"),
    "write": ("STG", "STS", "STL", "ST", "LDGSTS"),
    "atomic": ("ATOMG", "ATOMS", "ATOM", "REDG", "RED"),
}
_GLOBAL = "l1tex__t_{}_pipe_lsu_mem_global_op_{}.sum"
_OTHERS = {
    "local read: sectors": "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum",
    "local write: sectors": "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum",
    "shared read: requests": "smsp__sass_inst_executed_op_shared_ld.sum",
    "shared read: wavefronts": "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "shared write: requests": "smsp__sass_inst_executed_op_shared_st.sum",
    "shared write: wavefronts": "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "shared atomic: wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum",
}


@dataclass
class Variant:
    """One program: where it lies in the folder, and what the emulator counted."""

    lab: str
    name: str
    runner: str
    judge: str
    sums: dict[str, dict[str, int]] = field(default_factory=dict)


def sums_of_emulator(launches: Iterable[Launch]) -> Sums:
    """Lanes are those of all memories: at O1 one instruction serves all, and a GPU counts lanes by instruction."""
    sums: Sums = {}
    for launch in launches:
        of = sums.setdefault(name_of(launch.kernel), Counter())
        of["registers"] = max(of["registers"], allocated(launch.registers))
        for one in launch.accesses:
            if one.space not in ("global", "shared", "local"):
                continue
            of[f"{one.access}: lanes"] += one.lanes
            if one.space == "local":
                of[f"local {one.access}: sectors"] += one.bytes // 32  # a line of 128 bytes for each word of 32 lanes
                continue
            of[f"{one.space} {one.access}: requests"] += one.requests - one.copied_requests
            of[f"shared {one.access}: wavefronts"] += one.wavefronts - one.copied_wavefronts + one.generic_wavefronts
            if one.space == "global":
                of[f"global {one.access}: sectors"] += one.sectors
    return sums


def sums_of_gpu(launches: Iterable[ProfiledLaunch]) -> Sums:
    """The same of a GPU. Its requests of atomic operations on shared memory are the instructions that were executed
    less those that went to global memory."""
    sums: Sums = {}
    for launch in launches:
        of = sums.setdefault(name_of(launch.kernel), Counter())
        of["registers"] = max(of["registers"], round(launch.counters[REGISTERS]))
        for access, names in _OF_GLOBAL.items():
            for unit in ("requests", "sectors"):
                of[f"global {access}: {unit}"] += sum(
                    round(launch.counters[_GLOBAL.format(unit, name)]) for name in names
                )
            of[f"{access}: lanes"] += _of_opcodes(launch.lanes, access)
        for counter, name in _OTHERS.items():
            of[counter] += round(launch.counters[name])
        on_global = sum(round(launch.counters[_GLOBAL.format("requests", name)]) for name in _OF_GLOBAL["atomic"])
        of["shared atomic: requests"] += _of_opcodes(launch.instructions, "atomic") - on_global
    return sums


def _of_opcodes(counts: dict[str, int], access: str) -> int:
    return sum(count for opcode, count in counts.items() if opcode.split(".")[0] in _OPCODES[access])


def make(folder: Path, labs: list[str], build: str) -> None:
    """Builds every program twice, counts one of them here, and keeps the other for a GPU."""
    from simtlab.calibrate.count import build_runner, count
    from simtlab.labs.build_description import SASS
    from simtlab.labs.catalogue import Lab, default_build, find_root, read_catalogue
    from simtlab.verify.specimen import Specimen, right_specimens

    root = find_root()
    catalogue = read_catalogue(root, default_build(root))
    names = [catalogue.resolve(lab) for lab in labs] or catalogue.names
    folder.mkdir(parents=True, exist_ok=True)
    runtime = runtime_words(folder)

    def on_gpu(lab: Lab) -> Lab:
        own = lab.build.backends["cuda"]
        words = [word for word in own.compiler if word != "-gencode" and not word.startswith("arch=")]
        own = own.model_copy(update={"compiler": [*words, f"-arch={ARCHITECTURE}"], "link": [*own.link, *runtime]})
        return replace(lab, build=lab.build.model_copy(update={"backends": lab.build.backends | {"cuda": own}}))

    def variant_of(specimen: Specimen) -> Variant:
        lab, name = specimen.lab, Path(specimen.name).stem
        of = Variant(lab.name, name, f"{lab.name}.{name}", f"judge-{lab.name}")
        with tempfile.TemporaryDirectory(prefix="simtlab-labs-") as place:
            runner = build_runner(on_gpu(lab), name, specimen.files, "cuda", Path(place), BUILDS[build])
            shutil.move(runner, folder / of.runner)
        counted = count(lab, name, specimen.files, SASS, ["--seed", _SEED], BUILDS[build])
        of.sums = {kernel: dict(sums) for kernel, sums in sums_of_emulator(counted.launches).items()}
        return of

    specimens = [one for name in names for one in right_specimens(catalogue.labs[name])]
    variants = []
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for one in pool.map(variant_of, specimens):
            variants.append(one)
            as_written = [kernel for kernel, sums in one.sums.items() if not sums["registers"]]
            print(f"{one.lab} {one.name}: {len(one.sums)} kernels, as g++ made them: {len(as_written)}", flush=True)
    for name in names:
        target = folder / f"judge-{name}"
        shutil.copyfile(catalogue.labs[name].build.judge, target)
        target.chmod(0o755)
        subprocess.run(["strip", target], check=True)
        for library in libraries_of(target):
            shutil.copyfile(library, folder / library.name)
    document = {"build": build, "variants": [asdict(one) for one in variants]}
    (folder / "labs.json").write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


def libraries_of(program: Path) -> list[Path]:
    """The shared libraries that a machine with a C++ compiler may still lack."""
    listed = subprocess.run(["ldd", program], check=True, capture_output=True, text=True).stdout
    found = re.findall(r"^\s*(\S+) => (/\S+)", listed, re.MULTILINE)
    everywhere = ("libc.", "libm.", "libstdc++.", "libgcc_s.", "libdl.", "libpthread.", "librt.")
    return [Path(path) for name, path in found if not name.startswith(everywhere)]


def read_variants(folder: Path) -> tuple[str, list[Variant]]:
    """The build, and every program that `make` left."""
    document = json.loads((folder / "labs.json").read_text(encoding="utf-8"))
    return document["build"], [Variant(**one) for one in document["variants"]]


def judge_words(folder: Path, variant: Variant, place: Path) -> list[str | Path]:
    """The command that runs one program's benchmark on a GPU, below Nsight Compute. Programs wait there for one
    another: one at a time can read a GPU's counters."""
    prefix = profiling_words(place / "profile.ncu-rep")
    prefix += ["--log-file", place / "log"]
    if shutil.which("flock"):
        prefix = ["flock", folder / "labs.json", *prefix]
    words: list[str | Path] = [folder / variant.judge, "--runner", folder / variant.runner, "--backend", "cuda"]
    words += ["--count", place / "counters.json", "--seed", _SEED, "--limit-seconds", "120"]
    return [*words, "--runner-prefix", json.dumps([str(word) for word in prefix])]


def measure(folder: Path, table: Path, seconds: float, labs: list[str]) -> int:
    """Counts every program (of `labs`, where some are named) that the table lacks, until the time is over; returns how
    many it could not."""
    folder = folder.resolve()
    end = time.monotonic() + seconds
    kept = _read_table(table) if table.exists() else []
    known = {(row[0], row[1]) for row in kept}
    wanted = [one for one in read_variants(folder)[1] if not labs or one.lab.startswith(tuple(labs))]
    variants = [one for one in wanted if (one.lab, one.name) not in known]

    def profiled(variant: Variant) -> Path | None:
        if time.monotonic() > end:
            return None
        place = Path(tempfile.mkdtemp(prefix="simtlab-count-"))
        libraries = os.environ | {"LD_LIBRARY_PATH": f"{folder}:{os.environ.get('LD_LIBRARY_PATH', '')}".rstrip(":")}
        words = judge_words(folder, variant, place)
        ended = subprocess.run(words, check=False, capture_output=True, text=True, env=libraries)
        report, document = place / "profile.ncu-rep", place / "counters.json"
        problem = json.loads(document.read_text(encoding="utf-8"))["problem"] if document.exists() else ended.stderr
        if report.exists() and not problem:
            return report
        log = (place / "log").read_text(encoding="utf-8", errors="replace") if (place / "log").exists() else ""
        print(f"{variant.lab} {variant.name}: {problem.strip()[:500]} {log.strip()[-500:]}", flush=True)
        return None

    with ThreadPoolExecutor(_JUDGES_AT_A_TIME if shutil.which("flock") else 1) as pool:
        reports = list(pool.map(profiled, variants))
    found = [(one, report) for one, report in zip(variants, reports, strict=True) if report is not None]
    with ProcessPoolExecutor(os.cpu_count()) as readers:
        sums = list(readers.map(sums_of_report, [report for _, report in found]))
    rows = kept + [
        (one.lab, one.name, kernel, counter, str(value))
        for (one, _), of in zip(found, sums, strict=True)
        for kernel, counted in of.items()
        for counter, value in counted.items()
    ]
    with table.open("w", encoding="utf-8", newline="") as text:
        text.write(f"# {origin()}\n")
        csv.writer(text, lineterminator="\n").writerows(rows)
    print(f"{len(known) + len(found)} programs are counted, {len(variants) - len(found)} are not", flush=True)
    return len(variants) - len(found)


def sums_of_report(report: Path) -> Sums:
    """Of a file of Nsight Compute."""
    return sums_of_gpu(profiled_launches(report))


def _read_table(table: Path) -> list[tuple[str, ...]]:
    with table.open(encoding="utf-8") as text:
        return [tuple(row) for row in csv.reader(line for line in text if not line.startswith("#"))]


def compare(folder: Path, table: Path, gpu: Path, again: Path | None) -> None:
    """Writes both sides' sums, those of each counter that either side has."""
    build, variants = read_variants(folder)
    first, second = (_by_kernel(_read_table(file)) if file else {} for file in (gpu, again))
    flags = " ".join(BUILDS[build]) or "default flags"
    where = gpu.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")
    with table.open("w", encoding="utf-8", newline="") as text:
        text.write(f"# Measured by `python -m hardware.labs_measure`: {where}, {flags}. Sums of each kernel.\n")
        text.write("# `again`: the GPU's in a second measurement, where there was one.\n")
        rows = csv.writer(text, lineterminator="\n")
        rows.writerow(("lab", "variant", "kernel", "counter", "emulator", "gpu", "again"))
        for one in variants:
            for kernel, ours in one.sums.items():
                key = (one.lab, one.name, kernel)
                its = first.get(key)
                if its is None:
                    print(f"{' '.join(key)}: the GPU has no such kernel, or was not asked")
                    continue
                for counter in sorted({name for name, value in (*ours.items(), *its.items()) if value}):
                    further = second[key].get(counter, 0) if key in second else ""
                    rows.writerow((*key, counter, ours.get(counter, 0), its.get(counter, 0), further))


def _by_kernel(rows: list[tuple[str, ...]]) -> dict[tuple[str, str, str], dict[str, int]]:
    found: dict[tuple[str, str, str], dict[str, int]] = {}
    for lab, variant, kernel, counter, value in rows:
        found.setdefault((lab, variant, kernel), {})[counter] = int(value)
    return found


def main(words: list[str]) -> int:
    """The command line; exit code 1: not everything was counted."""
    build = "default"
    if words[:2] == ["make", "--build"] and len(words) > 3:
        build, words = words[2], ["make", *words[3:]]
    if any(word.startswith("-") for word in words):  # no folder
        sys.exit(__doc__)
    if words[:1] == ["make"] and len(words) > 1 and build in BUILDS:
        make(Path(words[1]), words[2:], build)
    elif words[:1] == ["measure"] and len(words) > 2:
        seconds = float(words[3]) if len(words) > 3 else 1e9
        return 1 if measure(Path(words[1]), Path(words[2]), seconds, words[4:]) else 0
    elif words[:1] == ["compare"] and len(words) in (4, 5):
        compare(Path(words[1]), Path(words[2]), Path(words[3]), Path(words[4]) if len(words) == 5 else None)
    else:
        sys.exit(__doc__)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
