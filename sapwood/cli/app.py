"""The command ``sapwood`` and what happens when it fails."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from typing import Annotated

import typer

from sapwood._version import __version__
from sapwood.cli import data, demo, evaluate, fit, predict
from sapwood.cli.output import complain
from sapwood.errors import InputError

#: Exit codes: the user's input, ours, and Ctrl-C as shells count it.
USER, OURS, INTERRUPTED = 2, 1, 130

app = typer.Typer(
    name="sapwood",
    help="Zero-shot learning with few annotations.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    epilog="Add --debug to any command for the traceback of an error.",
)
app.command("fit")(fit.fit)
app.command("predict")(predict.predict)
app.command("evaluate")(evaluate.evaluate)
app.command("demo")(demo.demo)
app.add_typer(data.app, name="data")


@app.callback()
def common(
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Name images of classes nobody has labelled, from a few annotations and class attributes."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with a code that means something."""
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    if arguments == ["--version"]:
        typer.echo(f"sapwood {__version__}")
        return
    debug = "--debug" in arguments
    try:
        _run([a for a in arguments if a != "--debug"])
    except InputError as error:
        _fail(error, str(error), USER, debug)
    except KeyboardInterrupt as error:
        _fail(error, "interrupted; nothing was written", INTERRUPTED, debug)
    except Exception as error:
        advice = "this is a mistake in sapwood, not yours; --debug shows where it happened"
        _fail(error, f"{type(error).__name__}: {error} ({advice})", OURS, debug)


def _run(arguments: list[str]) -> None:
    with warnings.catch_warnings():
        warnings.showwarning = lambda message, *rest: complain("note", str(message))
        app(args=arguments, prog_name="sapwood")


def _fail(error: BaseException, message: str, code: int, debug: bool) -> None:
    if debug:
        raise error
    complain("error", message)
    sys.exit(code)
