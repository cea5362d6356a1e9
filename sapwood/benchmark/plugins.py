"""A user's own methods and data sets, from a file."""

from __future__ import annotations

import importlib.util
import sys
from dataclasses import dataclass
from pathlib import Path

from sapwood.benchmark.datasets import add_data, add_web
from sapwood.errors import InputError


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
    path = path.resolve()
    if not path.is_file():
        raise InputError(f"--plugin {path}: no such file; give a file of Python")
    name = f"sapwood_plugin_{path.stem}"
    if name in sys.modules:
        return
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
