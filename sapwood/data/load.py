"""Loading: read what was given, check it, build it."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any, TypeVar

from sapwood.data.containers import AttributeTable, FeatureTable, TagData, ZeroShotData
from sapwood.data.originals import refuse
from sapwood.data.own import TABLES, read_attributes, read_features, read_own
from sapwood.data.problems import Report, one_line
from sapwood.data.sources import locate, read
from sapwood.data.wanted import Wanted
from sapwood.errors import InputError

Data = ZeroShotData | TagData | FeatureTable | AttributeTable
Fields = dict[str, Any]
KINDS: dict[str, type[Data]] = {
    "zero-shot": ZeroShotData,
    "tags": TagData,
    "features": FeatureTable,
    "attributes": AttributeTable,
}
_T = TypeVar("_T", ZeroShotData, TagData)


def _build(report: Report, kind: str, fields: Fields) -> Data:
    tidy = KINDS[kind]._tidy(fields, report)
    report.stop()
    return KINDS[kind](**tidy)


def load(
    source: str | Path,
    *,
    attributes: str | None = None,
    features: str | Path | None = None,
    concepts: str | None = None,
) -> Data:
    """Load a data set from a file, a folder or by name.

    Parameters
    ----------
    source : str or Path
        An ``.npz`` file, a folder (xlsa17 layout, features, annotations and attributes as tables,
        or the original layout of a known data set), one table, or the name of a set kept as
        ``<name>.npz`` in the folder that the environment variable ``SAPWOOD_DATA`` names, or
        fetched with ``sapwood data get``.
    attributes : str, optional
        Which description of the classes to take where there are several: an array of the
        ``.npz`` file, "att" or "original_att" in the xlsa17 layout, "continuous" or "binary" in
        the folder of Animals with Attributes.
    features : str or Path, optional
        For a folder in its original layout: a matrix of features, matched by image name or in the
        order of the folder's image list. Without it a file called ``features`` in the folder is
        taken; without that a zero-shot set has only its class attributes.
    concepts : {"wide", "strict"}, optional
        Which annotations of MIRFLICKR.

    Returns
    -------
    ZeroShotData, TagData, FeatureTable or AttributeTable
        By what was found.

    Warns
    -----
    UserWarning
        If features and images listed do not match one to one.

    Examples
    --------
    >>> import tempfile, numpy as np
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     np.savez(folder + "/web.npz", features=np.eye(2))
    ...     load(folder + "/web.npz")
    FeatureTable(2 images × 2 features)
    """
    path = locate(source)
    report = Report(path, checkable=True)
    wanted = Wanted(attributes=attributes, features=features, concepts=concepts)
    data = _build(report, *read(path, report, wanted))
    if "not matched" in data.provenance:
        warnings.warn(f"{path}: {data.provenance['not matched']}", stacklevel=2)
    return data


#: What each kind of data set holds, in words.
_CONTENTS: dict[type, str] = {
    ZeroShotData: "images with labels, and attributes of classes",
    TagData: "images with tags",
    FeatureTable: "features of images alone",
    AttributeTable: "attributes of classes alone",
}


def _expect(data: Data, kind: type[_T], source: object) -> _T:
    if isinstance(data, kind):
        return data
    bare = isinstance(data, AttributeTable) and Path(data.provenance.get("path", "")).is_dir()
    fix = "give features=FILE, a row for each image" if bare else "give another file"
    held, expected = _CONTENTS[type(data)], _CONTENTS[kind]
    raise InputError(one_line(f"{source}: holds {held}, but {expected} were expected; {fix}"))


def load_zero_shot(
    source: str | Path, *, attributes: str | None = None, features: str | Path | None = None
) -> ZeroShotData:
    """Load a zero-shot data set; as :func:`load`, but nothing else is accepted.

    Examples
    --------
    >>> import tempfile, numpy as np
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     np.savez(folder + "/a.npz", features=np.eye(2), labels=[0, 1], attributes=np.eye(2))
    ...     load_zero_shot(folder + "/a.npz").labels.tolist()
    [0, 1]
    """
    return _expect(load(source, attributes=attributes, features=features), ZeroShotData, source)


def load_tags(
    source: str | Path, *, features: str | Path | None = None, concepts: str | None = None
) -> TagData:
    """Load a tag data set; as :func:`load`, but nothing else is accepted.

    Examples
    --------
    >>> import tempfile, numpy as np
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     np.savez(folder + "/t.npz", tags=np.eye(2))
    ...     load_tags(folder + "/t.npz")
    TagData(2 images × 2 tags, no concepts, no features)
    """
    return _expect(load(source, features=features, concepts=concepts), TagData, source)


def load_features(source: str | Path, *, features: str | Path | None = None) -> FeatureTable:
    r"""Load only features and image names, from a table or from any data set that has them.

    A matrix `features` is, as in :func:`load`, for a folder in its original layout.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "f.csv").write_text("image;f1;f2\na.jpg;1;2\n")
    ...     load_features(folder + "/f.csv").features.tolist()
    [[1.0, 2.0]]
    """
    path = locate(source)
    if path.suffix.lower() in TABLES and path.is_file():
        report = Report(path, checkable=True)
        refuse(Wanted(features=features), report)
        fields = read_features(path, report)
        fields["provenance"] = {"path": str(path), **fields.get("provenance", {})}
        return _build(report, "features", fields)  # type: ignore[return-value]
    data = load(source, features=features)
    if isinstance(data, AttributeTable) or data.features is None:
        raise InputError(one_line(f"{source}: no features of images; give a file with features"))
    names, provenance = data.image_names, data.provenance
    return FeatureTable(features=data.features, image_names=names, provenance=provenance)


def load_attributes(source: str | Path, *, attributes: str | None = None) -> AttributeTable:
    r"""Load only class attributes, from a table or from any data set that has them.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "new.csv").write_text("class,beak,tail\nowl,1,\n")
    ...     load_attributes(folder + "/new.csv").attributes.tolist()
    [[1.0, nan]]
    """
    path = locate(source)
    if path.suffix.lower() in TABLES and path.is_file():
        report = Report(path, checkable=True)
        refuse(Wanted(attributes=attributes), report)
        fields = {**read_attributes(path, report), "provenance": {"path": str(path)}}
        return _build(report, "attributes", fields)  # type: ignore[return-value]
    data = load(source, attributes=attributes)
    if isinstance(data, TagData | FeatureTable):
        raise InputError(one_line(f"{source}: no class attributes; give a file that has them"))
    fields = {n: getattr(data, n) for n in ("class_names", "attribute_names", "provenance")}
    return AttributeTable(attributes=data.attributes, **fields)


def load_tables(
    features: str | Path, annotations: str | Path, attributes: str | Path
) -> ZeroShotData:
    r"""Load a data set from three tables that lie anywhere.

    Parameters
    ----------
    features : str or Path
        Image name and features, one row an image (CSV, Parquet or ``.npz``).
    annotations : str or Path
        Columns ``image`` and ``class``; no class means unannotated.
    attributes : str or Path
        Class name and attributes, one row a class (CSV, Parquet or ``.npz``).

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "f.csv").write_text("image,f1\na.jpg,1\nb.jpg,2\n")
    ...     _ = Path(folder, "y.csv").write_text("image,class\na.jpg,owl\n")
    ...     _ = Path(folder, "z.csv").write_text("class,beak\nowl,1\njay,0\n")
    ...     load_tables(folder + "/f.csv", folder + "/y.csv", folder + "/z.csv").labels.tolist()
    [0, -1]
    """
    given = {"features": features, "annotations": annotations, "attributes": attributes}
    paths = {part: Path(path) for part, path in given.items()}
    report = Report()
    kind, fields = read_own(paths, report)
    given_paths = {part: str(path) for part, path in paths.items()}
    fields["provenance"] = {**given_paths, **fields.get("provenance", {})}
    return _build(report, kind, fields)  # type: ignore[return-value]
