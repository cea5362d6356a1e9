"""Model files: one safetensors file, its description as JSON in the metadata."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load as load_tensors
from safetensors.numpy import save as save_tensors

from sapwood._version import __version__
from sapwood.atomic import write_atomically
from sapwood.errors import InputError, closest
from sapwood.models.upgrade import upgrade

#: Raised only when a file of this version could not be read by the version before.
FORMAT = 8
#: From here on the checksum is of the description, too.
WHOLE = 4
#: What a kind of model is for on the command line.
COMMANDS = {
    "SparseAttributePropagation": "sapwood predict",
    "TagRefiner": "sapwood refine --model",
    "SocialImageAnnotator": "sapwood annotate --model",
}


def write_model(path: str | os.PathLike[str], kind: str, state: dict[str, Any]) -> None:
    """Write `state`, arrays and plain values, to `path`: the whole file appears, or none of it.

    Parameters
    ----------
    path : path
    kind : str
        Name of the estimator's class.
    state : dict
        Numeric arrays go in as tensors, everything else as JSON.
    """
    tensors = {
        name: np.ascontiguousarray(value, value.dtype.newbyteorder("="))
        for name, value in state.items()
        if isinstance(value, np.ndarray) and value.dtype.kind in "fiub"
    }
    rest = {name: _plain(value) for name, value in state.items() if name not in tensors}
    header = {"format": FORMAT, "version": __version__, "kind": kind, "state": rest}
    # One entry: safetensors writes several in an order that differs from run to run.
    try:
        header["sha256"] = _digest(tensors, rest)
        content = save_tensors(tensors, {"sapwood": json.dumps(header, sort_keys=True)})
    except TypeError as error:
        raise InputError(f"the model cannot be written to {path}: {error}") from None
    write_atomically(Path(path), content)


def read_model(path: str | os.PathLike[str], kind: str) -> dict[str, Any]:
    """Read what :func:`write_model` wrote; nothing in the file is ever executed."""
    path = Path(path)
    if path.is_dir():
        raise InputError(f"{path} is a folder; expected a model file saved by sapwood")
    if not path.exists():
        near = [str(other) for other in path.parent.glob("*") if other.is_file()]
        raise InputError(f"{path}: no such file; expected a model file{closest(path, near)}")
    try:
        content = path.read_bytes()
    except (OSError, ValueError) as error:
        raise InputError(f"{path} cannot be read: {error}") from None
    if content[:2] == b"PK":
        raise InputError(
            f"{path} is an archive, perhaps a data set, and no model; on the command line the "
            "model comes first, or after --model"
        )
    header = _header(path, content)
    version = header.get("format")
    if type(version) is not int or version < 1 or not isinstance(header.get("state"), dict):
        raise InputError(f"{path} is a safetensors file, but not one that sapwood wrote")
    if version > FORMAT:
        raise InputError(
            f"{path} has format {version}, written by sapwood {header.get('version')}; "
            f"this is sapwood {__version__}, which reads formats up to {FORMAT}: upgrade sapwood"
        )
    found = header.get("kind")
    if found != kind:
        use = f": it is for `{COMMANDS[found]}`" if found in COMMANDS else ""
        raise InputError(f"{path} holds a {found}; expected a {kind}{use}")
    state = {**header["state"], **_tensors(path, content, header)}
    return upgrade(state, version)


def kind_of_model(path: Path) -> str | None:
    """Return which kind of model a file holds; None where it is none that sapwood wrote."""
    with path.open("rb") as file:
        start = file.read(8)
        size = int.from_bytes(start, "little")
        if len(start) < 8 or size > path.stat().st_size - 8:
            return None
        start += file.read(size)
    try:
        kind = _header(path, start).get("kind")
    except InputError:
        return None
    return kind if isinstance(kind, str) else None


def _header(path: Path, content: bytes) -> dict[str, Any]:
    damaged = InputError(
        f"{path} is not a complete model file (damaged, cut short, or of another kind); save the "
        "model again, or check the copy"
    )
    size = int.from_bytes(content[:8], "little")
    if len(content) < 8 or size > len(content) - 8:
        raise damaged
    try:
        metadata = json.loads(content[8 : 8 + size]).get("__metadata__", {})
        found = json.loads(metadata.get("sapwood", "{}"))
        return found if isinstance(found, dict) else {}
    except (ValueError, TypeError, AttributeError, RecursionError):
        raise damaged from None


def _tensors(path: Path, content: bytes, header: dict[str, Any]) -> dict[str, np.ndarray]:
    try:
        tensors = load_tensors(content)
    except (SafetensorError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} is damaged or cut short ({error}); save it again") from None
    described = header["state"] if header["format"] >= WHOLE else None
    if _digest(tensors, described) != header.get("sha256"):
        raise InputError(f"{path} is damaged: its checksum does not match; save it again")
    return tensors


def _digest(tensors: dict[str, np.ndarray], state: dict[str, Any] | None) -> str:
    digest = hashlib.sha256()
    if state is not None:
        # As it is read again: keys are text there, and so is their order.
        described = json.loads(json.dumps(state))
        digest.update(json.dumps(described, sort_keys=True).encode())
    for name in sorted(tensors):
        digest.update(f"{name} {tensors[name].dtype} {tensors[name].shape}".encode())
        digest.update(tensors[name].tobytes())
    return digest.hexdigest()


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items()}
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    return value
