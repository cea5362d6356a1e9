"""What ``sapwood data get`` can fetch: addresses, checksums and who vouches for them.

The records are in ``downloads.json``. A checksum there is one that others published; none is
made up, and a file is called verified only after we have fetched it and compared.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from sapwood.data.home import data_home


@dataclass(frozen=True)
class RemoteFile:
    """One file on a server.

    Parameters
    ----------
    name : str
        What it is called here.
    address : str
    size : int or None
        Bytes, where known.
    checksum : str or None
        "sha256:…" or "md5:…"; None where nobody is known to have published one.
    checksum_source : str
        Who published the checksum.
    verified : bool
        Whether we fetched it from that address and compared the checksum.

    Examples
    --------
    >>> DOWNLOADS["awa2"].files[0].checksum is None
    True
    """

    name: str
    address: str
    size: int | None
    checksum: str | None
    checksum_source: str
    verified: bool

    def said(self) -> str:
        """Return one line about what is known of the file.

        Examples
        --------
        >>> print(DOWNLOADS["awa2"].files[0].said())
        unverified: https://cvml.ista.ac.at/AwA2/AwA2-base.zip, size unknown, no checksum known
        """
        size = f"{self.size / 1e6:,.1f} MB" if self.size else "size unknown"
        state = "verified" if self.verified else "unverified"
        known = (
            f"{self.checksum} ({self.checksum_source})" if self.checksum else "no checksum known"
        )
        return f"{state}: {self.address}, {size}, {known}"


@dataclass(frozen=True)
class Download:
    """Files that make up one or more data sets.

    Parameters
    ----------
    name : str
        Also of the folder they are unpacked in.
    what : str
    files : tuple of RemoteFile
    folders : mapping of str to str
        For each data set the folder to load, below the one they are unpacked in.

    Examples
    --------
    >>> DOWNLOADS["xlsa17"].folders["CUB"]
    'xlsa17/data/CUB'
    """

    name: str
    what: str
    files: tuple[RemoteFile, ...]
    folders: Mapping[str, str]

    @property
    def verified(self) -> bool:
        """Whether every file is verified."""
        return all(file.verified for file in self.files)

    def place(self) -> Path:
        """Return the folder the files are unpacked in."""
        return data_home() / self.name


def _read(content: dict[str, Any]) -> Download:
    remote = tuple(RemoteFile(**file) for file in content.pop("files"))
    return Download(files=remote, **content)


def _read_downloads() -> dict[str, Download]:
    text = (files(__package__) / "downloads.json").read_text(encoding="utf-8")
    return {content["name"]: _read(content) for content in json.loads(text)}


#: Everything that can be fetched, by name.
DOWNLOADS: Mapping[str, Download] = _read_downloads()


def downloaded(name: str) -> Path | None:
    """Return the folder of a data set that was fetched, or None.

    Examples
    --------
    >>> downloaded("no such set")
    """
    for download in DOWNLOADS.values():
        if name in download.folders:
            place = download.place() / download.folders[name]
            if place.is_dir():
                return place
    return None
