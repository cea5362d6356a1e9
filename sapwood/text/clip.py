"""CLIP's text half, from this machine's disk."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from sapwood.errors import InputError
from sapwood.extras import required

#: How such an encoder is asked for.
PREFIX = "clip:"


class ClipEncoder:
    """The text half of a CLIP model in the format of transformers (extra ``sentences``).

    Parameters
    ----------
    model : str
        A folder, or a name under which the model lies in the local cache.
    download : bool
        Whether a model that is not on this machine may be fetched over the network.
    """

    def __init__(self, model: str, download: bool = False) -> None:
        self.model = model
        self.download = download

    @property
    def name(self) -> str:
        """What a model file remembers: a folder by its own name, without the way to it."""
        return PREFIX + (Path(self.model).name if Path(self.model).is_dir() else self.model)

    def encode(self, texts: list[str]) -> np.ndarray:
        """Return a vector for each of n texts, shape (n, t); long texts are cut, as CLIP does."""
        torch = required("torch", f"encoder {self.name!r}", "sentences")
        words, model = self._loaded
        given = words(list(texts), padding=True, truncation=True, return_tensors="pt")
        with torch.inference_mode():
            return model(**given).text_embeds.numpy()

    @cached_property
    def _loaded(self) -> tuple[Any, Any]:
        package = required("transformers", f"encoder {self.name!r}", "sentences")
        options = {"local_files_only": not self.download}
        try:
            words = package.AutoTokenizer.from_pretrained(self.model, **options)
            kind = package.CLIPTextModelWithProjection
            return words, kind.from_pretrained(self.model, **options).eval()
        except (OSError, ValueError) as error:
            reason = next(iter(str(error).splitlines()), type(error).__name__)
            raise InputError(
                f"encoder {self.name!r} cannot be loaded: {reason}; give its folder, or fetch it "
                "once with ClipEncoder(..., download=True)"
            ) from None
