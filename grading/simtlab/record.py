"""The base of every document that crosses a process or outlives one: strict, frozen, no unknown member.

What checks a document is built when the first of its kind comes: a command reads few of the kinds that it imports.
"""

from pydantic import BaseModel, ConfigDict


class Record(BaseModel):
    """An immutable document; a member nobody declared is an error, so that nothing is lost on the way silently."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, defer_build=True)
