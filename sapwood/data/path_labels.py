"""Labels checked against the folders the images lie in, where these are named after classes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sapwood.data.names import loose, quote
from sapwood.data.problems import Report


def _folder_classes(names: list[str], files: list[str]) -> NDArray[np.int64] | None:
    """Return each image's class by its folder, or None unless every folder names a class."""
    known = {loose(name): i for i, name in enumerate(names)}
    if len(known) != len(names):
        return None
    found = []
    for file in files:
        parts = file.replace("\\", "/").split("/")[:-1]
        # SUN has folders within folders: apartment_building/outdoor
        candidates = ["".join(parts[-depth:]) for depth in (1, 2) if len(parts) >= depth]
        match = next((known[loose(c)] for c in candidates if loose(c) in known), None)
        if match is None:
            return None
        found.append(match)
    return np.array(found, dtype=np.int64)


def labels_by_path(
    labels: NDArray[np.int64],
    names: list[str],
    files: list[str],
    notes: dict[str, str],
    report: Report,
) -> NDArray[np.int64]:
    """Return labels that agree with the class names, mapped by name where the order differs.

    The number of a class means nothing without the list of names it counts. Where the image
    paths name the classes, they decide: if every label stands for one folder, the labels are
    renumbered; if not, the disagreement is reported. Elsewhere the labels are kept.

    Examples
    --------
    >>> notes = {}
    >>> labels_by_path(np.array([0, 1]), ["owl", "jay"], ["jay/1.jpg", "owl/2.jpg"],
    ...                notes, Report()).tolist()
    [1, 0]
    >>> notes["class order"]
    'mapped by the names in the image paths'
    """
    if len(files) != len(labels):
        return labels
    by_path = _folder_classes(names, files)
    if by_path is None or np.array_equal(by_path, labels):
        return labels
    pairs = np.unique(np.column_stack([labels, by_path]), axis=0)
    if len(pairs) == len(np.unique(labels)) == len(np.unique(by_path)):
        notes["class order"] = "mapped by the names in the image paths"
        return by_path
    wrong = np.flatnonzero(labels != by_path)
    message = (
        f"{len(wrong)} images lie in the folder of another class, first {quote(files[wrong[0]])}"
    )
    report.error("labels", message, "use labels and image_files of one and the same file")
    return labels
