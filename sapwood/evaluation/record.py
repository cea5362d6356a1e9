"""A model's memory of the images it has seen, so that nobody scores them as new."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sapwood.data import Setting, ZeroShotData
from sapwood.models.base import ZeroShotClassifier

Model = TypeVar("Model", bound=ZeroShotClassifier)


def row_hashes(features: ArrayLike) -> NDArray[np.uint64]:
    """Return a number for each row of features that recognises it in any file and order.

    Copies in single and double precision agree; features computed anew, or rounded further, do
    not.

    Parameters
    ----------
    features : array of shape (n, d)

    Returns
    -------
    ndarray of shape (n,)

    Examples
    --------
    >>> a, b = row_hashes(np.array([[1.0, 2.0], [3.0, 4.0]]))
    >>> bool(a == row_hashes(np.array([[1, 2]], dtype=np.float32))[0]), bool(a == b)
    (True, False)
    """
    # Adding zero makes -0.0 and 0.0 one number.
    with np.errstate(over="ignore"):
        rows = np.asarray(features).astype(np.float32) + np.float32(0)
    digests = [hashlib.blake2b(row.tobytes(), digest_size=8).digest() for row in rows]
    return np.frombuffer(b"".join(digests), dtype=np.uint64)


def fit_setting(
    model: Model, data: ZeroShotData, setting: Setting, about: Mapping[str, Any] | None = None
) -> Model:
    """Fit `model` on the training part of `setting` and let it remember what it has seen.

    Parameters
    ----------
    model : ZeroShotClassifier
    data : ZeroShotData
    setting : Setting
    about : mapping, optional
        More about the run, kept in ``training_``.

    Returns
    -------
    ZeroShotClassifier
        The fitted model, with ``training_`` (a description), ``training_hashes_``, of them
        ``annotated_hashes_``, and ``held_out_hashes_`` (see :func:`row_hashes`), which travel in
        its file.
    """
    X, y = setting.training(data)
    model.fit(
        X,
        np.array([*data.class_names, None], dtype=object)[y],
        class_attributes=data.attributes,
        class_names=data.class_names,
        attribute_names=data.attribute_names,
    )
    model.training_ = {
        "setting": setting.name,
        "images": len(X),
        "annotated": int((y >= 0).sum()),
        "held_out": len(setting.test_seen),
        **(about or {}),
    }
    model.training_hashes_ = row_hashes(X)
    model.annotated_hashes_ = model.training_hashes_[y >= 0]
    model.held_out_hashes_ = row_hashes(data.features[setting.test_seen])
    return model
