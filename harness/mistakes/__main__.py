"""The command: `python -m mistakes [--out FOLDER] [NAME...]`. Writes what a student's terminal says of each mistake,
and names those that lack the words they must have. Exit code 1 when one does.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from mistakes.catalogue import Mistake, all_mistakes
from mistakes.terminal import prepare, shown


def said_of(mistake: Mistake) -> str:
    """The terminal's text for one mistake."""
    with tempfile.TemporaryDirectory() as folder:
        prepare(mistake, Path(folder))
        return shown(mistake.lab, Path(folder))


def complaints(mistake: Mistake, said: str) -> list[str]:
    """What is missing in the text, or must not be there; line breaks do not matter."""
    flat = " ".join(said.split())
    missing = [f'lacks "{words}"' for words in mistake.says if words not in flat]
    return missing + [f'has "{words}"' for words in mistake.never if words in flat]


def main() -> int:
    """Runs the mistakes that are asked for, all of them without a name."""
    parser = argparse.ArgumentParser(prog="python -m mistakes", description=__doc__)
    parser.add_argument("--out", type=Path, help="a folder for the texts, one file each")
    parser.add_argument("names", nargs="*", help="names of mistakes, or of labs")
    options = parser.parse_args()
    chosen = [m for m in all_mistakes() if not options.names or {m.name, m.lab, m.lab[:2]} & set(options.names)]
    wrong = 0
    with ThreadPoolExecutor(2) as pool:
        for mistake, said in zip(chosen, pool.map(said_of, chosen), strict=True):
            if options.out:
                options.out.mkdir(parents=True, exist_ok=True)
                (options.out / f"{mistake.lab[:2]}-{mistake.name}.txt").write_text(said, encoding="utf-8")
            found = complaints(mistake, said)
            wrong += bool(found)
            print(f"{mistake.lab} {mistake.name}: {'; '.join(found) or 'as it must be'}", flush=True)
    print(f"{len(chosen) - wrong} of {len(chosen)} as they must be")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
