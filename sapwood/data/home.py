"""Where data is kept: the user's own folder, and that of what sapwood fetches."""

from __future__ import annotations

import os
from pathlib import Path


def data_folder() -> Path | None:
    """Return ``SAPWOOD_DATA``, where the user keeps data sets, or None where it is not set.

    Examples
    --------
    >>> str(data_folder()).startswith("~")
    False
    """
    given = os.environ.get("SAPWOOD_DATA")
    return Path(given).expanduser() if given else None


def home() -> Path:
    """Return ``SAPWOOD_HOME`` or, where it is not set, ``sapwood`` in the user's cache folder.

    Examples
    --------
    >>> home() == data_home().parent
    True
    """
    given = os.environ.get("SAPWOOD_HOME")
    if given:
        return Path(given).expanduser()
    cache = os.environ.get("XDG_CACHE_HOME")
    return (Path(cache) if cache else Path.home() / ".cache") / "sapwood"


def data_home() -> Path:
    """Return the folder of the data sets that were fetched.

    Examples
    --------
    >>> data_home().name
    'data'
    """
    return home() / "data"


def archive_home() -> Path:
    """Return the folder of the archives they came in.

    Examples
    --------
    >>> archive_home().name
    'archives'
    """
    return home() / "archives"
