"""The command line: a thin shell that parses, calls and prints."""

from sapwood.cli.app import app, main

__all__ = ["app", "main"]
