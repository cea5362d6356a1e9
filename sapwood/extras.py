"""Packages that only some parts need, and how to get them."""

from __future__ import annotations

import importlib
from typing import Any

from sapwood.errors import InputError


def how_to_install(extra: str) -> str:
    """Return the command that installs an extra.

    Examples
    --------
    >>> how_to_install("text")
    'pip install -e ".[text]" in the checkout of sapwood'
    """
    return f'pip install -e ".[{extra}]" in the checkout of sapwood'


def required(package: str, what: str, extra: str) -> Any:
    """Import an optional package, or say how to install it.

    Parameters
    ----------
    package : str
    what : str
        Who needs it.
    extra : str
        What it is installed by.
    """
    try:
        return importlib.import_module(package)
    except ImportError as error:
        raise InputError(
            f"{what} needs {package}, which cannot be imported ({error}); {how_to_install(extra)}"
        ) from None
