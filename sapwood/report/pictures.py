"""Pictures inside a page."""

from __future__ import annotations

import base64

import numpy as np

from sapwood.data.world import png_bytes


def picture_uri(picture: np.ndarray) -> str:
    """Return a picture as a ``data:`` address, so that the page needs no other file.

    Parameters
    ----------
    picture : ndarray of uint8, shape (height, width, 3)

    Examples
    --------
    >>> picture_uri(np.zeros((1, 1, 3), dtype=np.uint8))[:26]
    'data:image/png;base64,iVBO'
    """
    return "data:image/png;base64," + base64.b64encode(png_bytes(picture)).decode()
