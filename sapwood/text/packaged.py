"""The default encoder: small, without a network, from a package that carries its vectors."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from sapwood.errors import InputError
from sapwood.extras import how_to_install, required


class PackagedEncoder:
    """Mean of the token vectors that the package wordllama carries (extra ``text``).

    It needs neither torch nor a network. Words it has never met are read in pieces.

    Attributes
    ----------
    name : str
    """

    name = "wordllama"

    def encode(self, texts: list[str]) -> np.ndarray:
        """Return a vector for each of n texts, shape (n, 256)."""
        return self._model.embed(list(texts))

    @cached_property
    def _model(self) -> Any:
        package = required("wordllama", "the default encoder of text", "text")
        # It looks for its tokens in a cache and not in itself, unless it is its own cache.
        own = Path(package.__file__).parent
        try:
            return package.WordLlama.load(cache_dir=own, disable_download=True)
        except FileNotFoundError as error:
            raise InputError(
                f"wordllama does not carry its vectors ({error}); install version 0.4: "
                f"{how_to_install('text')}"
            ) from None
