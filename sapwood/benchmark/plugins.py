"""A user's own methods and data sets, from a file."""

from __future__ import annotations

import hashlib
import importlib.util
import sys
from dataclasses import dataclass
from pathlib import Path

from sapwood.benchmark.cases import Case
from sapwood.benchmark.datasets import add_data, add_web, data_alone, is_registered
from sapwood.benchmark.methods import own_methods
from sapwood.benchmark.rows import Row
from sapwood.errors import InputError

#: Files that were run in this process, and how the user named them.
_ran: dict[Path, str] = {}


@dataclass(frozen=True)
class Setup:
    """What a process must know before it can run a case: it is told in every one.

    Attributes
    ----------
    plugins : tuple of str
        Files of Python that register methods and data sets.
    data : tuple of str
        As the user named them.
    web : str, optional
        Features of unlabelled images that go with each of them.
    """

    plugins: tuple[str, ...] = ()
    data: tuple[str, ...] = ()
    web: str | None = None

    def __call__(self) -> list[str]:
        """Make this process ready; return the names of the data sets."""
        for plugin in self.plugins:
            run_plugin(Path(plugin))
        names = [add_data(text) for text in self.data]
        for name in names if self.web else []:
            add_web(name, str(self.web))
        return names


def run_plugin(path: Path) -> None:
    """Run a file of Python, once in a process.

    Parameters
    ----------
    path : Path
        What it calls :func:`register_method` and :func:`register_data` with can be asked for.
    """
    given, path = str(path), path.resolve()
    if not path.is_file():
        raise InputError(f"--plugin {path}: no such file; give a file of Python")
    if path in _ran:
        return
    # Two files may have one name, and every process must have the same one for each.
    name = f"sapwood_plugin_{path.stem}_{hashlib.sha256(bytes(path)).hexdigest()[:8]}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise InputError(f"--plugin {path}: not a file of Python; its name must end in .py")
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise InputError(
            f"--plugin {path}: {type(error).__name__}: {error}; mend the file"
        ) from error
    _ran[path] = given


def plugins_of(case: Case, method: str) -> Row:
    """Return the field of a row that names the files without which it cannot be found again.

    Parameters
    ----------
    case : Case
    method : str
    """
    needed = method in own_methods() or is_registered(data_alone(case.bench, case.data, case.split))
    return {"plugins": list(_ran.values())} if needed and _ran else {}
