"""The data sets a benchmark can be asked for, by name."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from sapwood.data import (
    AttributeWorld,
    Split,
    ZeroShotData,
    load_features,
    load_zero_shot,
    make_attribute_world,
)
from sapwood.data.sources import find, locate
from sapwood.errors import InputError

Loader = Callable[[], ZeroShotData]
WebLoader = Callable[[], Any]
DEMO = "demo"
#: What is run where nobody names data, as far as it is there.
USUAL = ("cub", "awa1", "awa1_lowlevel", "awa2", "apy", "sun")
#: Features of unlabelled images that go with a data set, where nobody names others.
KNOWN_WEB = {"cub": "cub_web"}
#: What a data set is called together with its images from elsewhere.
WEB = "+web"
#: How annotated images are taken where others come from elsewhere: by a published list, or drawn.
LISTED, DRAWN = ELSEWHERE = ("listed", "drawn")
#: The demo's creatures, fewer and smaller, for a run that only shows that everything works.
SMALL: dict[str, Any] = {"per_class": 24, "web": 120, "size": 48}

#: Where a row keeps what its data was named by, unless that is the name.
PATH = "path"

_data: dict[str, Loader] = {}
_paths: dict[str, str] = {}
_web: dict[str, WebLoader] = {}


def register_data(name: str, load: Loader, web: WebLoader | None = None) -> None:
    """Have benchmarks know a data set by name.

    Parameters
    ----------
    name : str
    load : callable
        Returns it, as a `ZeroShotData`.
    web : callable, optional
        Returns features of unlabelled images from elsewhere, shape (e, d).

    Examples
    --------
    >>> register_data("three", lambda: ZeroShotData(features=np.eye(3), labels=[0, 1, 2],
    ...                                             attributes=np.eye(3)))
    >>> get_data("three").labels.tolist()
    [0, 1, 2]
    """
    _data[name] = load
    if web is not None:
        _web[name] = web
    get_data.cache_clear()
    get_web.cache_clear()


def add_data(text: str) -> str:
    """Return the name of what the user named: a known name, or a file or folder.

    Parameters
    ----------
    text : str
        With a colon and the name of an array, the class attributes are taken from there:
        ``cub:sentence_attributes``.

    Examples
    --------
    >>> add_data("demo")
    'demo'
    """
    if text == DEMO or text in _data:
        return text
    source, colon, array = text, "", ""
    if not Path(text).exists():
        source, colon, array = text.partition(":")
        _hint_at_file(source, colon + array)
    name = locate(source).stem + colon + array
    load = partial(load_zero_shot, source, attributes=array or None)
    if _data.setdefault(name, load) is not load and _named(_data[name]) != _named(load):
        raise InputError(f"--data {text}: another data set is called {name!r}; rename the file")
    if text != name:
        _paths[name] = text
    return name


def _hint_at_file(source: str, array: str) -> None:
    """Refuse a name that is not known here, but would be with the end of a file's name."""
    file = f"{source}.npz"
    if find(source) is None and Path(file).is_file():
        raise InputError(
            f"--data {source}{array}: not found by this name, but there is {file}; give --data "
            f"{file}{array}, or set SAPWOOD_DATA={Path(file).parent} to find it by name"
        )


def add_web(name: str, text: str) -> None:
    """Have the images of a features file go with the data set `name`."""
    locate(text)
    _web[name] = partial(_features, text)
    get_web.cache_clear()


@cache
def get_data(name: str, quick: bool = False) -> ZeroShotData:
    """Return the data set of this name, loaded once in a process.

    Parameters
    ----------
    name : str
    quick : bool
        Whether a smaller one will do, where there is one.
    """
    if name in _data:
        return _data[name]()
    if name != DEMO:
        return _data[add_data(name)]()
    return zero_shot_of(get_world(quick))


def zero_shot_of(world: AttributeWorld) -> ZeroShotData:
    """Return a world's pictures as a data set, its unseen kinds as the paper's split."""
    return ZeroShotData(
        features=world.features,
        labels=world.labels,
        attributes=world.attributes,
        class_names=np.array(world.class_names),
        attribute_names=np.array(world.attribute_names),
        image_names=np.array(world.image_files),
        splits={"paper": Split(name="paper", unseen=world.unseen, version="standard")},
    )


@cache
def get_web(name: str, quick: bool = False) -> np.ndarray:
    """Return features of the unlabelled images that go with a data set, shape (e, d)."""
    if name == DEMO:
        return get_world(quick).web_features
    if not has_web(name):
        raise InputError(f"data {name}: no images from elsewhere go with it; name some by --web")
    return np.asarray(_web[name]() if name in _web else _features(KNOWN_WEB[name]))


@cache
def get_world(quick: bool = False) -> AttributeWorld:
    """Return the demo's creatures, drawn once in a process."""
    return make_attribute_world(**(SMALL if quick else {}))


def knows_web(name: str) -> bool:
    """Tell whether unlabelled images go with a data set, be they there or not.

    Examples
    --------
    >>> knows_web("demo"), knows_web("cub"), knows_web("awa1_lowlevel")
    (True, True, False)
    """
    return name in (DEMO, *_web, *KNOWN_WEB)


def has_web(name: str) -> bool:
    """Tell whether unlabelled images go with a data set, and are there."""
    return name in (DEMO, *_web) or (name in KNOWN_WEB and _is_there(KNOWN_WEB[name]))


def data_alone(bench: str, data: str, split: str) -> str:
    """Return the data set of a case without the images from elsewhere that it is named with.

    Examples
    --------
    >>> data_alone("ablation", "cub+web", LISTED), data_alone("zsl", "photos+web", "paper")
    ('cub', 'photos+web')
    """
    # In sia a split is drawn, too, but nothing comes from elsewhere.
    with_web = bench == "external" or (bench != "sia" and split in ELSEWHERE)
    return data.removesuffix(WEB) if with_web else data


def path_field(name: str) -> dict[str, str]:
    """Return the field of a row that tells what its data was named by, unless that is `name`.

    Examples
    --------
    >>> path_field("demo")
    {}
    """
    return {PATH: _paths[name]} if name in _paths else {}


def source_of(name: str) -> str | None:
    """Return what a data set is read from, as it was named; None where it is made or registered.

    Examples
    --------
    >>> source_of("demo") is None
    True
    """
    if name == DEMO:
        return None
    load: Any = _data[name if name in _data else add_data(name)]
    return str(load.args[0]) if getattr(load, "func", None) is load_zero_shot else None


def is_registered(name: str) -> bool:
    """Tell whether a data set was made known by :func:`register_data`.

    Examples
    --------
    >>> is_registered("demo")
    False
    """
    return name != DEMO and source_of(name) is None


def web_source(name: str) -> str | None:
    """Return what the unlabelled images of a data set are read from; None where registered.

    Examples
    --------
    >>> web_source("cub")
    'cub_web'
    """
    load: Any = _web.get(name)
    own = str(load.args[0]) if getattr(load, "func", None) is _features else None
    return own if name in _web else KNOWN_WEB.get(name)


def data_at_hand() -> list[str]:
    """Return the usual data sets that are there; the demo where there is none."""
    return [name for name in USUAL if _is_there(name)] or [DEMO]


def _is_there(name: str) -> bool:
    try:
        return bool(locate(name))
    except InputError:
        return False


def _named(load: Any) -> tuple[Any, ...]:
    return (*getattr(load, "args", ()), *getattr(load, "keywords", {}).items())


def _features(text: str) -> np.ndarray:
    return load_features(text).features
