"""Getting a data set onto the disk, on request."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from sapwood.data.archive_members import BadArchive
from sapwood.data.archives import unpack_all
from sapwood.data.cards import card
from sapwood.data.download import fetch
from sapwood.data.downloads import DOWNLOADS, Download
from sapwood.data.home import archive_home, data_home
from sapwood.errors import InputError, closest


@dataclass(frozen=True)
class Fetched:
    """A data set that is on the disk.

    Parameters
    ----------
    folder : Path
        What to give to :func:`sapwood.data.load`.
    archives : dict of str to str
        SHA-256 of each archive fetched; empty if the folder was there already.

    Examples
    --------
    >>> Fetched(Path("data/cub"), {}).folder.name
    'cub'
    """

    folder: Path
    archives: dict[str, str]


def choose_download(name: str, what: str | None = None) -> Download:
    """Return what to fetch for a data set.

    Parameters
    ----------
    name : str
        A known data set.
    what : str, optional
        Which of its downloads, where there are several; the first one if not given.

    Examples
    --------
    >>> choose_download("CUB").name, choose_download("CUB", "cub").name
    ('xlsa17', 'cub')
    """
    known = card(name)
    if not known.downloads:
        place = data_home() / known.slug
        raise InputError(
            f"{known.name}: a program cannot fetch it. {known.get} Put it into {place}, or into "
            f"the folder named by SAPWOOD_DATA. Source: {known.source}"
        )
    wanted = what or known.downloads[0]
    if wanted not in known.downloads:
        has = ", ".join(known.downloads)
        hint = closest(wanted, known.downloads) or f"; give one of: {has}"
        raise InputError(f"{known.name}: no download {wanted!r}{hint}")
    return DOWNLOADS[wanted]


def get(name: str, what: str | None = None) -> Fetched:
    """Fetch and unpack a data set, unless it is there.

    Parameters
    ----------
    name : str
        A known data set.
    what : str, optional
        As for :func:`choose_download`.
    """
    download = choose_download(name, what)
    place, folder = download.place(), download.place() / download.folders[card(name).name]
    digests = {}
    if not place.exists():
        paths = [fetch(file, archive_home()) for file in download.files]
        digests = {path.name: _sha256(path) for path in paths}
        _unpack(paths, place)
    if not folder.is_dir():
        raise InputError(f"{place}: no folder {folder.name} in what was fetched; look there")
    return Fetched(folder, digests)


def _unpack(paths: list[Path], place: Path) -> None:
    try:
        unpack_all(paths, place)
    except BadArchive as error:
        # Kept, it would be taken for the right one the next time.
        for path in paths:
            if path == error.archive:
                path.unlink(missing_ok=True)
        raise


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()
