"""The command: `python -m gallery [--pictures]`, which `make docs` runs.

Writes the example site into build/docs and its pictures into build/docs/pictures; with --pictures also into
docs/pictures, where the documentation shows them.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

from gallery.pictures import take_pictures
from gallery.site import ROOT, make_site

_FOLDER = ROOT / "build" / "docs"


def main(arguments: list[str] | None = None) -> int:
    """Makes site and pictures; exits with a sentence where something is missing."""
    parser = argparse.ArgumentParser(prog="gallery", description="the documentation's example site and pictures")
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "default", help="the build tree of the labs")
    parser.add_argument("--out", type=Path, default=_FOLDER, help="where the site is written (build/docs)")
    parser.add_argument("--pictures", action="store_true", help="replace the pictures in docs/pictures, too")
    given = parser.parse_args(arguments)
    folder = given.out.absolute()
    folder.mkdir(parents=True, exist_ok=True)
    site = make_site(folder, given.build.absolute())
    print(f"example site: {folder / 'index.html'}")
    pictures = take_pictures(site, folder / "pictures", given.build.absolute())
    print(f"pictures: {folder / 'pictures'}, {len(pictures)} files")
    if given.pictures:
        for path in pictures:
            shutil.copyfile(path, ROOT / "docs" / "pictures" / path.name)
        print("copied to docs/pictures; look at them before you commit")
    return 0


if __name__ == "__main__":
    sys.exit(main())
