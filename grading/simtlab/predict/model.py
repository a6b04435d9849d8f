"""What becomes of a submission's predict.toml."""

from pydantic import Field

from simtlab.record import Record

ANSWERS_FILE = "predict.toml"
"""A file of every submission whose lab has questions; it may be missing."""


class Predictions(Record):
    """How many answers are right. Which ones is nobody's business but the student's, who finds out by measuring."""

    student: str = Field(description="whose numbers the questions had: the name that the answers give; may be empty")
    right: int = Field(ge=0)
    answered: int = Field(ge=0)
    total: int = Field(ge=0)
    message: str = Field(default="", description="why the answers could not be read; empty when they could")

    @property
    def reason(self) -> str:
        """The sentence beside the points."""
        if self.message:
            return f"the answers cannot be read: {self.message}"
        if not self.answered:
            return f"none of the {self.total} questions in {ANSWERS_FILE} is answered"
        whose = self.student or "nobody, for no name is given"
        return f"{self.right} of {self.total} predictions are right, with the numbers of {whose}"
