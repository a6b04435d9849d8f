"""`build/<preset>/labs/NN-name/lab.json`: all that the grader knows of the C++ build. In an installed tree, which may
be moved, `@PREFIX@` stands for its folder: the file is `lib/simtlab/grader/labs/NN-name/lab.json` there."""

import json
import os
from pathlib import Path

from pydantic import Field, ValidationError, model_validator

from simtlab.errors import LabError
from simtlab.facts.read import first_problem
from simtlab.record import Record

SASS = "sass"
"""The backend of `--engine sass`: the emulator, on which kernels run as nvcc compiled them."""

_PREFIX = b"@PREFIX@"
_DEPTH = 5
"""How many folders lie between an installed tree and a lab.json in it."""


class FrontEnd(Record):
    """A real CUDA front end that reads submissions beside the compiler, which starts it with `--front-end=PROGRAM`."""

    name: str
    program: Path


class BackendBuild(Record):
    """How a runner is built: `compiler… kernel.cu link… -o runner`, with the submission's objects closed in between."""

    compiler: list[str] = Field(min_length=1)
    link: list[str]
    depends: list[Path] = Field(default=[], description="files and folders the compiler brings in unasked")
    join: list[str] = Field(default=[], description="the linker that makes one object of several: `join… a.o -o b.o`")
    close: list[str] = Field(
        default=[],
        description="leaves of an object's names only the entry's global: `close… b.o c.o`; empty: all stay so",
    )
    precompiled: Path | None = Field(
        default=None, description="headers parsed before: they save the compiler time, and no result depends on them"
    )
    expanded_text: str = Field(
        default="",
        description="the compiler's option, but for the file's name, that also keeps the text that an object is made "
        "of, macros replaced; empty: it has none, and the grader preprocesses in a step of its own",
    )
    front_ends: list[FrontEnd] = Field(default=[], description="what else may have to accept a submission: nvcc, clang")
    verifier: Path | None = Field(default=None, description="tells what a finished object's code may not do")
    baselines: Path | None = Field(default=None, description="the program that times libraries on a GPU")
    references: dict[str, Path] = Field(
        default={}, description="runners of the lab's own solution and anchors, by name, to compare times with"
    )

    def comparison_words(self) -> list[str]:
        """The judge's options for what times are compared with, as far as it is built."""
        words = ["--baselines", str(self.baselines)] if self.baselines and self.baselines.exists() else []
        for name, path in self.references.items():
            words += ["--reference", f"{name}={path}"] if path.exists() else []
        return words

    @property
    def front_end(self) -> FrontEnd | None:
        """What has to accept a submission, too: the first one, or the one that SIMTLAB_FRONT_END names (`clang++`)."""
        wanted = os.environ.get("SIMTLAB_FRONT_END", "")
        if not wanted or not self.front_ends:
            return self.front_ends[0] if self.front_ends else None
        for one in self.front_ends:
            if one.name.split()[0] == wanted:
                return one
        found = " and ".join(one.name for one in self.front_ends)
        raise LabError(f"SIMTLAB_FRONT_END={wanted} names none of the CUDA front ends that the build found: {found}")

    @property
    def is_built(self) -> bool:
        """Whether everything that it names by a full path is there."""
        named = [Path(word) for word in [self.compiler[0], *self.link] if word.startswith("/")]
        verifier = [self.verifier] if self.verifier else []
        return all(path.exists() for path in [*named, *self.depends, *verifier])


class BuildDescription(Record):
    """One lab's judge and the backends its runners can be built for."""

    name: str
    judge: Path
    predict: Path | None = Field(default=None, description="asks the lab's questions; None where it has none")
    backends: dict[str, BackendBuild]
    files: list[str] = Field(min_length=1)

    @model_validator(mode="after")
    def _with_sass(self) -> "BuildDescription":
        """Beside the emulator, whose kernels g++ compiles, the same with kernels as nvcc compiles them."""
        if emulator := self.backends.get("emulator"):
            words = [*emulator.compiler, "--engine=sass"]
            self.backends.setdefault(SASS, emulator.model_copy(update={"compiler": words}))
        return self

    @property
    def shown_backends(self) -> str:
        """What people are told the lab is built for; the engine sass is the emulator's."""
        return ", ".join(name for name in self.backends if name != SASS)

    def built_part(self) -> "BuildDescription | None":
        """The description with the backends that are built; None when the judge is not, or no backend is."""
        built = {name: backend for name, backend in self.backends.items() if backend.is_built}
        programs = [self.judge] if self.predict is None else [self.judge, self.predict]
        is_whole = all(os.access(program, os.X_OK) for program in programs)
        return self.model_copy(update={"backends": built}) if built and is_whole else None


def read_build_description(path: Path) -> BuildDescription:
    """The description in `path`; a `LabError` names the file and the member otherwise."""
    try:
        text = path.read_bytes()
        if _PREFIX in text:
            text = text.replace(_PREFIX, json.dumps(str(path.parents[_DEPTH]))[1:-1].encode())
        return BuildDescription.model_validate_json(text)
    except OSError as error:
        raise LabError(f"{path}: cannot be read: {error.strerror}") from error
    except ValidationError as error:
        raise LabError(f"{path}: {first_problem(error)}") from error
