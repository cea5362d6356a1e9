"""sapwood: zero-shot learning with few annotations, and cleaning of noisy image tags.

Notation follows the paper, with its columns as our rows: X (n × d) features, Y (n × k) attributes
of images, Z (classes × k) attributes of classes, W (k × d) the projection.
"""

from typing import TYPE_CHECKING, Any

from sapwood._version import __version__
from sapwood.errors import InputError

if TYPE_CHECKING:
    from sapwood.models import SparseAttributePropagation, SparseAttributePropagationCV

__all__ = [
    "InputError",
    "SparseAttributePropagation",
    "SparseAttributePropagationCV",
    "__version__",
]


def __getattr__(name: str) -> Any:
    # On first use: the command line answers --help without waiting for scikit-learn.
    if name in ("SparseAttributePropagation", "SparseAttributePropagationCV"):
        from sapwood import models

        return getattr(models, name)
    raise AttributeError(f"module 'sapwood' has no attribute {name!r}")
