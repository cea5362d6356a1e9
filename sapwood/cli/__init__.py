"""The command line: a thin shell that parses, calls and prints."""

from __future__ import annotations

import sys
from collections.abc import Sequence

__all__ = ["main"]

#: Ctrl-C, as shells count it.
INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with a code that means something."""
    try:
        # It takes a second in which the user may think better of it.
        from sapwood.cli.app import main as run
    except KeyboardInterrupt:
        print("error: interrupted before anything began", file=sys.stderr)
        sys.exit(INTERRUPTED)
    run(arguments)
