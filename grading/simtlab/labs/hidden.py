"""`solutions/NN-name/hidden.toml`: the cases that students do not see, handed to the judge as JSON."""

import json
from pathlib import Path

from simtlab.errors import LabError
from simtlab.toml_file import read_toml


def hidden_cases_json(path: Path) -> str | None:
    """The `[[case]]` tables as the list that the judge's `--hidden` reads; None where the lab has none.

    What a case may hold is the judge's business (it knows the lab's sizes): here it is only TOML turned into JSON.
    """
    if not path.exists():
        return None
    document = read_toml(path, LabError)
    cases = document.pop("case", None)
    if document or not isinstance(cases, list):
        surprise = ", ".join(document) or "no case"
        raise LabError(f"{path}: expected [[case]] tables and nothing else, found {surprise}")
    try:
        return json.dumps(cases, sort_keys=True)
    except TypeError as error:
        raise LabError(f"{path}: holds a date or time, which the judge's JSON does not know") from error
