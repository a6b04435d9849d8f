"""The verdicts a submission, or one of its cases, can get."""

from enum import StrEnum


class Verdict(StrEnum):
    """One word for how a submission ended; the sentence beside it is the `message`."""

    NOT_SUBMITTED = "not_submitted"
    UNSOLVED = "unsolved"
    PASS = "pass"  # noqa: S105 - a verdict, not a password
    SLOW = "slow"
    """Right and safe, and the test `fast` fails: of a grade alone, for facts say `pass` whatever the score is."""
    WRONG_ANSWER = "wrong_answer"
    LEAK = "leak"
    """Right, and nothing unsafe but memory that was not given back."""
    UNSAFE = "unsafe"
    CRASH = "crash"
    TIMEOUT = "timeout"
    MEMORY_LIMIT = "memory_limit"
    OUTPUT_LIMIT = "output_limit"
    COMPILE_ERROR = "compile_error"
    COMPILER_LIMIT = "compiler_limit"
    FORBIDDEN = "forbidden"
    IMPLAUSIBLE = "implausible"
    INTERNAL_ERROR = "internal_error"

    @property
    def words(self) -> str:
        """The verdict as people read it: `wrong answer`."""
        return self.value.replace("_", " ")
