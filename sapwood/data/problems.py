"""What is wrong with an input: one line for each problem, all of them collected."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from sapwood.errors import InputError

#: How many problems beside the first one a line tells of.
_TOLD = 3


def one_line(text: str) -> str:
    r"""Return `text` with line breaks and other unprintable characters escaped.

    Examples
    --------
    >>> one_line("two\nlines")
    'two\\nlines'
    """
    if text.isprintable():
        return text
    return "".join(
        c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text
    )


@dataclass(frozen=True)
class Problem:
    """One thing wrong with an input.

    Parameters
    ----------
    severity : {"error", "warning"}
        An error stops loading; a warning is reported by :func:`sapwood.data.check` and
        ``sapwood fit``.
    where : str
        The file and the array, column or argument.
    message : str
        What was found and what was expected.
    fix : str
        What to do about it.
    often_meant : bool
        Whether a warning is mostly fine, so that only who asks for all of them is told.

    Examples
    --------
    >>> print(Problem("error", "birds.npz: labels", "5 labels for 6 images", "give one each"))
    birds.npz: labels: 5 labels for 6 images; give one each
    """

    severity: Literal["error", "warning"]
    where: str
    message: str
    fix: str
    often_meant: bool = False

    def __str__(self) -> str:
        # A message that ends in a question ("did you mean …?") is not followed by a semicolon.
        if self.message.endswith("?"):
            rest = f"{self.message} {self.fix[:1].upper()}{self.fix[1:]}"
        else:
            rest = f"{self.message}; {self.fix}"
        return one_line(f"{self.where}: {rest}" if self.where else rest)


class Report:
    """The problems found so far in one input.

    Parameters
    ----------
    path : str or Path, optional
        Put in front of every problem's place.
    checkable : bool
        Whether ``sapwood data check`` lists the problems of this path; if not, the line that is
        raised tells of some more than the first.

    Examples
    --------
    >>> report = Report("birds.npz")
    >>> report.error("labels", "5 labels for 6 images", "give one for each image")
    >>> report.stop()
    Traceback (most recent call last):
        ...
    sapwood.errors.InputError: birds.npz: labels: 5 labels for 6 images; give one for each image
    """

    def __init__(self, path: str | Path | None = None, *, checkable: bool = False) -> None:
        self.path = path
        self.checkable = checkable
        self.problems: list[Problem] = []

    def _add(self, problem: Problem) -> None:
        if self.path is not None:
            where = f"{self.path}: {problem.where}" if problem.where else str(self.path)
            problem = replace(problem, where=where)
        self.problems.append(problem)

    def error(self, where: str, message: str, fix: str) -> None:
        """Add a problem that makes the input unusable."""
        self._add(Problem("error", where, message, fix))

    def warning(self, where: str, message: str, fix: str, *, often_meant: bool = False) -> None:
        """Add a problem the user should know of, or may want to know of where it is often meant."""
        self._add(Problem("warning", where, message, fix, often_meant))

    def fatal(self, where: str, message: str, fix: str) -> InputError:
        """Add an error after which nothing more can be read; return what to raise."""
        self.error(where, message, fix)
        return InputError(self.line())

    def errors(self) -> list[Problem]:
        """Return the errors, in the order they were found."""
        return [p for p in self.problems if p.severity == "error"]

    def stop(self) -> None:
        """Raise `InputError` with one line if there is any error."""
        if self.errors():
            raise InputError(self.line())

    def line(self) -> str:
        """Return the first error, how many more there are, and which or where they are told."""
        first, *others = (str(error) for error in self.errors())
        if not others:
            return first
        rest = ""
        if self.checkable:
            rest = f"; run `sapwood data check {self.path}`"
        elif self.path is not None:
            told = [other.removeprefix(f"{self.path}: ") for other in others[:_TOLD]]
            rest = f": {'. '.join(told)}{' …' if len(others) > _TOLD else ''}"
        return one_line(f"{first} (and {len(others)} more{rest})")
