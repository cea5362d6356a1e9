"""sapwood: zero-shot learning with few annotations, and cleaning of noisy image tags."""

from sapwood._version import __version__
from sapwood.errors import InputError

__all__ = ["InputError", "__version__"]
