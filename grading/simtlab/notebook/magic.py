"""The magic itself: what IPython calls."""

import re
import sys
import tempfile
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simtlab.errors import SimtlabError
from simtlab.installed import simtcc_of_package
from simtlab.notebook.html_view import result_html
from simtlab.notebook.options import CellOptions, HelpAskedFor, help_text, parse_options
from simtlab.notebook.program import CellResult, run_cell
from simtlab.notebook.text_view import ending, result_text
from simtlab.text import printable

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


class CellFailed(Exception):
    """What `--strict` raises."""


def load(shell: "InteractiveShell") -> None:
    """Makes `%%simt` and `%simt_lab` known."""

    register: Any = shell.register_magic_function  # whose annotations are of a method's decorator

    def simt(line: str, cell: str) -> None:
        _magic(shell, line, cell)

    simt.__doc__ = help_text()
    register(simt, "cell", "simt")

    def simt_lab(line: str) -> None:
        """%simt_lab 08: a new cell with the lab's kernel.cu, whose tests run with the cell."""
        _begin_lab(shell, line)

    register(simt_lab, "line", "simt_lab")


def _magic(shell: "InteractiveShell", line: str, cell: str) -> None:
    from IPython.core.error import UsageError

    try:
        options = parse_options(line)
        if options.lab:
            _test_lab(options, cell)
            return
        result = run_cell(cell, options, _show_output, simtcc_of_package())
    except HelpAskedFor:
        sys.stdout.write(help_text())
        return
    except SimtlabError as error:
        raise UsageError(printable(str(error), keep_lines=True)) from error
    sys.stdout.flush()
    sys.stderr.flush()
    _display(result_text(result), result_html(result))
    if options.name:
        shell.user_ns[options.name] = result
    if options.strict and not result.right:
        raise CellFailed(_reason(result))


def _show_output(stream: str, text: str) -> None:
    to = sys.stdout if stream == "stdout" else sys.stderr
    to.write(text)
    to.flush()


def _display(text: str, html: str) -> None:
    from IPython.display import display

    show: Any = display  # has no annotations
    show({"text/plain": text, "text/html": html}, raw=True)


def _reason(result: CellResult) -> str:
    return ending(result) if result.compiled else f"{result.file} does not compile"


def _begin_lab(shell: "InteractiveShell", word: str) -> None:
    from IPython.core.error import UsageError

    from simtlab.cli.options import catalogue_of

    try:
        catalogue = catalogue_of(None)
        name = catalogue.resolve(word.strip())
        specification = catalogue.specification(name)
        file = specification.files[0] if specification else "kernel.cu"
        stub = (catalogue.root / "labs" / name / file).read_text(encoding="utf-8")
    except SimtlabError as error:
        raise UsageError(printable(str(error), keep_lines=True)) from error
    except OSError as error:
        raise UsageError(f"{error.filename}: {error.strerror}") from error
    shell.set_next_input(f"%%simt --lab {name.split('-')[0]}\n{stub}")


def _test_lab(options: CellOptions, cell: str) -> None:
    """The lab's own tests on the cell, as `make test` runs them."""
    from simtlab.cli.options import catalogue_of
    from simtlab.cli.own_test import lab_of, words_of
    from simtlab.judge.own_kernel import check_own_kernel

    lab = lab_of(catalogue_of(None), options.lab)
    with tempfile.TemporaryDirectory(prefix="simtlab-cell-", ignore_cleanup_errors=True) as place:
        for name in lab.specification.files:
            other = lab.folder / name
            if other.is_file():
                Path(place, name).write_bytes(other.read_bytes())
        Path(place, lab.specification.files[0]).write_text("\n" + cell, encoding="utf-8")
        tested = check_own_kernel(lab, Path(place))
    text = _COLOUR.sub("", words_of(tested))
    _display(text, f'<pre style="font-family:monospace">{escape(text)}</pre>')
    if options.strict and not tested.passed:
        raise CellFailed(f"{tested.lab}: not all tests passed")
