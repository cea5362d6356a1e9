"""What is in an archive, looked at before anything is written."""

from __future__ import annotations

import os
import re
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from gzip import BadGzipFile
from lzma import LZMAError
from pathlib import Path, PurePosixPath
from typing import IO

from sapwood.data.names import quote
from sapwood.data.problems import one_line
from sapwood.errors import InputError

MEMBERS = 2_000_000
_DAMAGE = (
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    BadGzipFile,
    EOFError,
    LZMAError,
    RuntimeError,  # encrypted
    NotImplementedError,
    UnicodeDecodeError,
)


class BadArchive(InputError):
    """The archive is damaged, or would write where it has no business."""

    def __init__(self, archive: Path, what: str) -> None:
        super().__init__(one_line(f"{archive}: {what}"))
        self.archive = archive


@dataclass(frozen=True)
class Member:
    """A file, folder, link or device in an archive.

    Examples
    --------
    >>> Member("a/b.txt", "file", 3, "", None).kind
    'file'
    """

    name: str
    kind: str
    size: int
    target: str
    open: Callable[[], IO[bytes]] | None


Members = Callable[[], Iterator[Member]]
Paths = dict[str, tuple[PurePosixPath, int]]


@contextmanager
def opened(archive: Path) -> Iterator[Members]:
    """Give a function that goes through the members, as often as it is called."""
    try:
        if zipfile.is_zipfile(archive):
            with zipfile.ZipFile(archive) as packed:
                yield lambda: _zip_members(packed)
        else:
            yield lambda: _tar_members(archive)
    except _DAMAGE as error:
        reason = str(error) or type(error).__name__
        message = f"damaged or cut short ({reason}); fetch it again"
        raise BadArchive(archive, message) from error


def _zip_members(packed: zipfile.ZipFile) -> Iterator[Member]:
    for info in packed.infolist():
        mode = info.external_attr >> 16
        kind, target = ("folder" if info.is_dir() else "file"), ""
        if stat.S_ISLNK(mode):
            kind, target = "link", packed.read(info)[:4096].decode("utf-8", "replace")
        elif stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
            kind = "device"
        yield Member(info.filename, kind, info.file_size, target, _zip_opener(packed, info))


def _zip_opener(packed: zipfile.ZipFile, info: zipfile.ZipInfo) -> Callable[[], IO[bytes]]:
    return lambda: packed.open(info)


def _tar_members(archive: Path) -> Iterator[Member]:
    with tarfile.open(archive, "r:*") as packed:
        for info in packed:
            kind = "folder" if info.isdir() else "file" if info.isreg() else "device"
            target = info.linkname
            if info.issym() or info.islnk():
                kind = "link"
            if info.islnk():  # counted from the top, not from where the link is
                target = os.path.relpath(target, os.path.dirname(info.name) or ".")
            yield Member(info.name, kind, info.size, target, _tar_opener(packed, info))


def _tar_opener(packed: tarfile.TarFile, info: tarfile.TarInfo) -> Callable[[], IO[bytes]]:
    return lambda: packed.extractfile(info)  # type: ignore[return-value]  # of a regular file


def checked_paths(archive: Path, members: Iterator[Member]) -> Paths:
    """Return where each file and folder goes and how large it is; refuse what is hostile."""
    paths = {}
    for count, member in enumerate(members):
        if count >= MEMBERS:
            raise hostile(archive, f"has more than {MEMBERS:,} members")
        parts = _parts(archive, member.name, "member")
        if member.kind == "device":
            raise hostile(archive, f"member {quote(member.name)} is a device")
        if member.kind == "link":
            _refuse_link_out(archive, member)
        elif parts and parts[0] != "__MACOSX" and not parts[-1].startswith("._"):
            paths[member.name] = (PurePosixPath(*parts), member.size)
    if not paths:
        raise BadArchive(archive, "an archive without files; fetch it again")
    return paths


def _parts(archive: Path, name: str, what: str) -> list[str]:
    text = name.replace("\\", "/")
    parts = [part for part in text.split("/") if part not in ("", ".")]
    if text.startswith("/") or ".." in parts or re.match(r"[A-Za-z]:", text) or "\0" in text:
        raise hostile(archive, f"{what} {quote(name)} points outside its folder")
    return parts


def _refuse_link_out(archive: Path, member: Member) -> None:
    # Links are never made; one that leads outside shows what the archive is for.
    beside = os.path.dirname(member.name.rstrip("/"))
    _parts(archive, os.path.normpath(os.path.join(beside, member.target)), "link to")


def hostile(archive: Path, what: str) -> BadArchive:
    """Return what to raise at an archive that means harm."""
    return BadArchive(archive, f"{what}; do not trust this file")
