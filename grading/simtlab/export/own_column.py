"""Which column of another system's gradebook is a lab's: by name, by the lab's title, or by the number in front."""

import re
from collections.abc import Mapping

from simtlab.errors import UsageError
from simtlab.text import printable


def own_column(lab: str, title: str, names: Mapping[str, str], system: str) -> str | None:
    """The one column of a lab, None where the gradebook has none. `names` are the columns' titles without what the
    system adds to them. Raises `UsageError` where several could be meant."""
    number = int(lab.split("-", 1)[0])
    for matches in (
        [column for column, name in names.items() if name.casefold() == lab.casefold()],
        [column for column, name in names.items() if name.casefold() == title.casefold()],
        [column for column, name in names.items() if _number(name) == number],
    ):
        if len(matches) == 1:
            return matches[0]
        if matches:
            raise UsageError(
                f"{lab} could be several assignments of the gradebook: {', '.join(map(printable, matches))}; "
                f"call one of them {lab} in {system}, and export the gradebook again"
            )
    return None


def _number(name: str) -> int | None:
    """The number that a title begins with: `07 Tiling`, `Lab 7: tiling`, `lab07`."""
    found = re.match(r"(?:(?:lab|assignment|exercise)s?)?[\s_#-]*(\d{1,3})(?!\d)", name, re.IGNORECASE)
    return int(found[1]) if found else None
