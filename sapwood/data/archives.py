"""Archives from the network, unpacked so that they write nowhere but where they are told."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from sapwood.data.archive_members import Member, Paths, checked_paths, hostile, opened
from sapwood.data.names import quote
from sapwood.errors import InputError
from sapwood.progress import report as progress

#: Text of zeros packs 100 to 1; what unpacks to more than so many times its size is a bomb,
#: unless it is small anyway.
RATIO, SMALL = 200, 1 << 28
_CHUNK = 1 << 20


def unpack_all(archives: Sequence[Path], place: Path) -> None:
    """Unpack archives into one new folder, which appears whole or not at all.

    Members that lead outside the folder, devices and links outside are refused before anything
    is written; other links are left out.

    Parameters
    ----------
    archives : sequence of Path
        ``.zip`` or ``.tar``, plain or compressed. What has no single folder at its top is put
        into one named after the archive.
    place : Path
        Must not exist.
    """
    place.parent.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(dir=place.parent, prefix=f".{place.name}."))
    try:
        for archive in archives:
            _unpack(archive, work)
        os.chmod(work, 0o755)
        os.replace(work, place)
    except OSError as error:
        raise InputError(
            f"cannot unpack into {place}: {error.strerror or error}; free some space, or set "
            "SAPWOOD_HOME to another disk"
        ) from error
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _unpack(archive: Path, folder: Path) -> None:
    with opened(archive) as members:
        paths = checked_paths(archive, members())
        _require_room(archive, sum(size for _, size in paths.values()), folder)
        tops = {path.parts[0] for path, _ in paths.values()}
        has_folder = len(tops) == 1 and any(len(path.parts) > 1 for path, _ in paths.values())
        inside = folder if has_folder else folder / _stem(archive)
        _write(archive, members(), paths, inside)


def _stem(archive: Path) -> str:
    return re.sub(r"\.(zip|tgz|tbz2?|txz|tar(\.\w+)?)$", "", archive.name, flags=re.IGNORECASE)


def _require_room(archive: Path, total: int, folder: Path) -> None:
    limit = max(SMALL, RATIO * archive.stat().st_size)
    if total > limit:
        raise hostile(archive, f"would unpack to {total:,} bytes, more than {limit:,}")
    free = shutil.disk_usage(folder).free
    if total > free:
        raise InputError(
            f"{archive}: unpacks to {total:,} bytes, but {folder.parent} has room for {free:,}; "
            "free some space or set SAPWOOD_HOME to another disk"
        )


def _write(archive: Path, members: Iterator[Member], paths: Paths, inside: Path) -> None:
    total = sum(size for _, size in paths.values()) or 1
    done = 0
    for member in members:
        if member.name not in paths or member.kind not in ("file", "folder"):
            continue
        path = inside / paths[member.name][0]
        if member.kind == "folder":
            path.mkdir(parents=True, exist_ok=True)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        done += _copy(archive, member, path)
        progress("unpack", min(done / total, 1.0))


def _copy(archive: Path, member: Member, path: Path) -> int:
    written = 0
    with member.open() as source, path.open("wb") as file:  # type: ignore[misc]  # it is a file
        while chunk := source.read(_CHUNK):
            written += len(chunk)
            if written > member.size:
                raise hostile(archive, f"member {quote(member.name)} is longer than it says")
            file.write(chunk)
    return written
