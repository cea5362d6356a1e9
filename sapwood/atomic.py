"""Files that appear whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from sapwood.errors import InputError


def write_atomically(path: Path, content: bytes) -> None:
    """Replace `path` by `content` in one step: a reader sees the old file or the new one."""
    try:
        # Through a link to what it points at: the link stays a link.
        path = Path(os.path.realpath(path))
        special = path.exists() and not path.is_file()
        mode = path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask()
    except (OSError, ValueError) as error:
        raise InputError(f"cannot write {str(path)!r}: {error}") from None
    if special:
        raise InputError(f"cannot write {path}: it is a folder or a device; give a file's name")
    try:
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise InputError(f"cannot write into {path.parent}: {error.strerror or error}") from None
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, mode)
        os.replace(name, path)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from None
    finally:
        Path(name).unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
