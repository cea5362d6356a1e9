"""Ask whether a fit can fit in memory before it starts."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from sapwood.errors import InputError
from sapwood.graph.landmarks import NEAREST
from sapwood.graph.neighbors import BLOCK_BYTES
from sapwood.models.parameters import graph_for

#: Matrices of images by seen classes at the peak of a robust fit, and of a search, as measured.
FIT, SEARCH = 10, 27


def estimate_bytes(
    shape: tuple[int, ...], k: int, p: int, settings: dict[str, Any], matrices: int = FIT
) -> int:
    """Estimate the peak memory of a fit, beside the arrays given to it.

    Parameters
    ----------
    shape : tuple
        (n, d): images and features.
    k, p : int
        Attributes and seen classes.
    settings : dict
        Resolved parameters; see :func:`sapwood.models.parameters.resolve`.
    matrices : int
        Images by seen classes, held at once under the robust preset.
    """
    n, d = shape
    # The features as given are kept until it is known which images take part.
    features = 4 * n * d + (5 * d * d if settings["features"] == "whitened" else 0)
    held = 2 * n * d + d * d
    landmarks = graph_for(settings["graph"], n) == "landmark"
    edges = n * (NEAREST if landmarks else settings["k_g"])
    # Neighbour lists and distances, then at most two entries an edge in a few sparse copies.
    graph = held + 2 * edges + 8 * edges + 4 * BLOCK_BYTES // 8
    if "m" in settings:
        learning = 3 * n * settings["m"] + 10 * n * k + 4 * (d * d + k * k + k * d)
    else:
        learning = n * d + matrices * n * p + n * k + 8 * d * d + 5 * (k * k + k * d)
    return 8 * max(features, graph, held + 4 * edges + learning)


def available_bytes() -> int | None:
    """Return the memory that can still be taken, or None where the system does not say."""
    limits = [_meminfo(), _control_group(), _physical()]
    known = [limit for limit in limits if limit is not None]
    return min(known) if known else None


def require_memory(needed: int, limit_gb: float | None, shape: tuple[int, ...]) -> None:
    """Refuse, with advice, a fit that needs more than the limit or than there is."""
    limit = available_bytes() if limit_gb is None else int(limit_gb * 1e9)
    if limit is None or needed <= limit:
        return
    source = "is available" if limit_gb is None else "memory_limit allows"
    raise InputError(
        f"fitting {shape[0]} images of {shape[1]} features needs about {needed / 1e9:.3g} GB and "
        f"{limit / 1e9:.3g} GB {source}; use fewer unannotated images, project the features to "
        "fewer dimensions (sklearn.decomposition.PCA), lower k_g, or set memory_limit (in GB) if "
        "you know better"
    )


def _meminfo() -> int | None:
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if "MemAvailable" in line)
    except (OSError, StopIteration, ValueError):
        return None


def _control_group() -> int | None:
    folder = Path("/sys/fs/cgroup")
    try:
        most = (folder / "memory.max").read_text().strip()
        statistics = dict(
            line.split() for line in (folder / "memory.stat").read_text().splitlines()
        )
        # The page cache counts as used there, and is given back when needed.
        used = int((folder / "memory.current").read_text()) - int(statistics["inactive_file"])
        return int(most) - used
    except (OSError, ValueError, KeyError):
        return None


def _physical() -> int | None:
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return None
