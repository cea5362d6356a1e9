"""Where a row comes from: versions, machine and time."""

from __future__ import annotations

import platform
import subprocess
import sys
from datetime import datetime, timezone
from functools import cache
from importlib.metadata import version
from pathlib import Path

from sapwood._version import __version__
from sapwood.benchmark.rows import Row


def provenance() -> Row:
    """Return the fields that tell which program on which machine finds a row, from now on.

    Examples
    --------
    >>> sorted(provenance())[:3]
    ['commit', 'cpu', 'numpy']
    """
    return {**_machine(), "started": datetime.now(timezone.utc).isoformat(timespec="seconds")}


@cache
def _machine() -> Row:
    libraries = {"numpy": "numpy", "scipy": "scipy", "sklearn": "scikit-learn"}
    return {
        "version": __version__,
        "commit": commit_of(Path(__file__).resolve().parents[2]),
        "python": platform.python_version(),
        **{field: version(name) for field, name in libraries.items()},
        # Benchmarks run everything in one, see run.py.
        "threads": 1,
        "cpu": _cpu(),
        "platform": f"{platform.system()} {platform.machine()}",
    }


def accelerator() -> Row:
    """Return the graphics processor that torch has, where something has loaded torch."""
    torch = sys.modules.get("torch")
    if torch is None or not torch.cuda.is_available():
        return {}
    return {"gpu": torch.cuda.get_device_name()}


def commit_of(root: Path) -> str | None:
    """Return the commit of a checkout, marked where the package was changed since.

    Rows that are written to the checkout itself do not change what finds them.
    """
    if not (root / ".git").exists():
        return None
    try:
        commit = _git(root, "rev-parse", "--short=12", "HEAD")
        changed = _git(root, "status", "--porcelain", "--", "sapwood")
    except (OSError, subprocess.SubprocessError):
        return None
    return f"{commit}-dirty" if changed else commit


def _git(root: Path, *arguments: str) -> str:
    # No optional locks: nothing of the checkout is touched.
    asked = ["git", "--no-optional-locks", "-C", str(root), *arguments]
    return subprocess.run(
        asked, capture_output=True, text=True, timeout=20, check=True
    ).stdout.strip()


def _cpu() -> str | None:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or None
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine() or None
