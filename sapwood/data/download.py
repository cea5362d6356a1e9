"""Fetching one file through pooch: whole, and with the right checksum, or not at all."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from sapwood.data.downloads import RemoteFile
from sapwood.data.resume import Resuming
from sapwood.errors import InputError
from sapwood.extras import required


def fetch(file: RemoteFile, folder: Path) -> Path:
    """Return the path of a file, fetched into `folder` unless it is there already.

    The bytes go into ``<name>.part``; a broken download is taken up from there, now or the next
    time. Only a whole file whose checksum is right gets its name.

    Parameters
    ----------
    file : RemoteFile
    folder : Path
        Made if it does not exist.
    """
    pooch = _pooch()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path = pooch.retrieve(
            file.address,
            known_hash=file.checksum,
            fname=file.name,
            path=folder,
            downloader=Resuming(file, folder / f"{file.name}.part"),
        )
    except InputError:
        raise
    except ValueError as error:  # pooch's word for a checksum that differs
        raise InputError(_wrong_checksum(file, str(error))) from error
    except OSError as error:
        raise InputError(
            f"cannot fetch {file.name} into {folder}: {error.strerror or error}; set SAPWOOD_HOME "
            "to a folder that can be written to"
        ) from error
    return Path(path)


def _pooch() -> Any:
    pooch = required("pooch", "fetching", "download")
    pooch.get_logger().setLevel("WARNING")
    return pooch


def _wrong_checksum(file: RemoteFile, text: str) -> str:
    got = re.search(r"got ([0-9a-f]+)", text)
    found = f"but {got[1]} was found" if got else "but another was found"
    return (
        f"{file.name}: checksum {file.checksum} was expected, {found}; the file was not kept: "
        "try again, or ask its publisher whether it has changed"
    )
