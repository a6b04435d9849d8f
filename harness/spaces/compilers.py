"""What a compiler says of programs: those that can be are compiled together, so that a few compilations do."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from spaces.programs import Program, joined, refused

_FILE = "programs.cu"


def verdicts(compiler: Sequence[str], several: Sequence[Program]) -> dict[str, bool]:
    """By program: whether `compiler … programs.cu -o FILE` accepts it. Programs share a file, and what seems legal is
    compiled again without the rest, because an error may keep a compiler from what it would refuse later."""
    answers = {program.key: _compile(compiler, [program])[0] for program in several if program.alone}
    together = [program for program in several if not program.alone]
    while together:
        accepted = _compile(compiler, together)
        answers |= {program.key: legal for program, legal in zip(together, accepted, strict=True)}
        if all(accepted):
            break
        together = [program for program, legal in zip(together, accepted, strict=True) if legal]
    return answers


def _compile(compiler: Sequence[str], several: Sequence[Program]) -> list[bool]:
    text, places = joined(several)
    with tempfile.TemporaryDirectory() as name:
        (Path(name) / _FILE).write_text(text, encoding="utf-8")
        words = [*compiler, _FILE, "-o", "programs.o"]
        done = subprocess.run(words, cwd=name, capture_output=True, text=True, check=False)
    wrong = refused(done.stdout + done.stderr, _FILE, places)
    accepted = [number not in wrong for number in range(len(several))]
    if done.returncode != 0 and all(accepted):
        if len(several) > 1:
            raise RuntimeError(f"{words[0]} refuses no program in particular:\n{done.stdout}{done.stderr}"[:4000])
        return [False]
    return accepted
