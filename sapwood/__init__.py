"""sapwood: zero-shot learning with few annotations, and cleaning of noisy image tags.

Notation follows the paper, with its columns as our rows: X (n × d) features, Y (n × k) attributes
of images, Z (classes × k) attributes of classes, W (k × d) the projection.
"""

from sapwood._version import __version__
from sapwood.errors import InputError
from sapwood.models import SparseAttributePropagation

__all__ = ["InputError", "SparseAttributePropagation", "__version__"]
