"""The command ``sapwood`` and what happens when it fails."""

from __future__ import annotations

import os
import signal
import sys
import traceback
import warnings
from collections.abc import Sequence
from contextvars import copy_context
from typing import Annotated

import typer

from sapwood._version import __version__
from sapwood.cli import (
    INTERRUPTED,
    annotate,
    bench,
    data,
    demo,
    evaluate,
    explain,
    fit,
    predict,
    refine,
    report,
    suggest,
)
from sapwood.cli.output import ReaderLeft, complain, in_paragraphs, note, spell_out_odd_letters
from sapwood.errors import InputError

#: Exit codes: the user's input, and ours.
USER, OURS = 2, 1

app = typer.Typer(
    name="sapwood",
    help="Zero-shot learning with few annotations.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    epilog="Add --debug to any command for the traceback of an error.",
)
for command in (
    fit.fit,
    predict.predict,
    explain.explain,
    suggest.suggest,
    evaluate.evaluate,
    refine.refine,
    annotate.annotate,
    demo.demo,
    bench.bench,
    report.report,
):
    app.command(help=in_paragraphs(command))(command)
app.add_typer(data.app, name="data")


def _print_version(asked: bool) -> None:
    if asked:
        typer.echo(f"sapwood {__version__}")
        raise typer.Exit


@app.callback()
def common(
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version.", is_eager=True, callback=_print_version
        ),
    ] = False,
) -> None:
    """Name images of classes nobody has labelled, from a few annotations and class attributes."""


class Interrupted(BaseException):
    """Ctrl-C, under a name that no library catches on its way to us."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with a code that means something."""
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    debug = "--debug" in arguments
    spell_out_odd_letters()
    try:
        _run([a for a in arguments if a != "--debug"])
    except InputError as error:
        _fail(error, str(error), USER, debug)
    except Interrupted as error:
        _fail(error, "interrupted; files are written whole or not at all", INTERRUPTED, debug)
    except ReaderLeft:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        _fail(error, f"the system refused: {error}", USER, debug)
    except Exception as error:
        advice = "this is a mistake in sapwood, not yours; --debug shows where it happened"
        _fail(error, f"{type(error).__name__}: {error} ({advice})", OURS, debug)


def _run(arguments: list[str]) -> None:
    def interrupt(*_: object) -> None:
        raise Interrupted

    before = signal.signal(signal.SIGINT, interrupt)
    try:
        with warnings.catch_warnings():
            warnings.showwarning = lambda message, *rest: note(str(message))
            # In a copy, what one command is told does not reach the next.
            copy_context().run(app, args=arguments, prog_name="sapwood")
    except SystemExit as stop:
        # Typer calls it a failure when who reads its help has left.
        if isinstance(stop.__context__, BrokenPipeError):
            raise ReaderLeft from None
        raise
    finally:
        signal.signal(signal.SIGINT, before)


def _fail(error: BaseException, message: str, code: int, debug: bool) -> None:
    if debug:
        traceback.print_exception(error)
    complain("error", message)
    sys.exit(code)
