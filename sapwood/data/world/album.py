"""All pictures of the world: portraits of the known classes, and what the web has."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sapwood.data.world.draws import Draws
from sapwood.data.world.picture import Nuisance, draw_picture
from sapwood.data.world.species import Species
from sapwood.data.world.traits import ATTRIBUTES, GROUPS

Progress = Callable[[str, float], None]
Crowd = dict[str, list[Species]]
#: First number of the key of each random stream.
_PICTURES, _WEB = 1, 2
#: Who is to be seen on a picture from the web, and how often.
_WEB_MIX = (("stranger", 0.6), ("seen", 0.2), ("unseen", 0.1), ("nobody", 0.1))


def draw_portraits(
    species: list[Species], seed: int, per_class: int, size: int, nuisance: Nuisance, told: Progress
) -> tuple[np.ndarray, np.ndarray]:
    """Draw each class in its place.

    Parameters
    ----------
    species : list of Species
    seed, per_class, size : int
    nuisance : Nuisance
    told : callable

    Returns
    -------
    pictures : ndarray of uint8, shape (n, size, size, 3)
        Class by class.
    concepts : ndarray of bool, shape (n, k)
        Which attributes each picture shows.
    """
    pictures = np.empty((len(species) * per_class, size, size, 3), dtype=np.uint8)
    concepts = np.empty((len(pictures), len(ATTRIBUTES)), dtype=bool)
    for row in range(len(pictures)):
        which, i = divmod(row, per_class)
        # A key for each picture: more pictures a class do not change the others.
        draws = Draws(seed, _PICTURES, which, i)
        shown = species[which].show(draws)
        concepts[row] = [name in shown for name in ATTRIBUTES]
        pictures[row] = draw_picture(shown, species[which].accent, draws, size, nuisance)
        if i == 0:
            told("drawing creatures", row / len(pictures))
    return pictures, concepts


def draw_found(
    crowd: Crowd, seed: int, count: int, size: int, nuisance: Nuisance, told: Progress
) -> tuple[np.ndarray, list[str]]:
    """Draw pictures as the web has them: anybody, anywhere, and rougher.

    Parameters
    ----------
    crowd : dict of str to list of Species
        Who may be on them: "seen", "unseen" and "stranger".
    seed, count, size : int
    nuisance : Nuisance
        Of the portraits; here it is stronger.
    told : callable

    Returns
    -------
    pictures : ndarray of uint8, shape (count, size, size, 3)
    classes : list of str
        Who is to be seen, "" for nobody.
    """
    pictures, classes = np.empty((count, size, size, 3), dtype=np.uint8), []
    for row in range(count):
        draws = Draws(seed, _WEB, row)
        one = _somebody(crowd, draws)
        shown = set() if one is None else one.show(draws) - set(GROUPS["habitat"])
        shown.add(draws.pick(GROUPS["habitat"]))
        accent = "white" if one is None else one.accent
        pictures[row] = draw_picture(shown, accent, draws, size, nuisance.times(1.3))
        classes.append("" if one is None else one.name)
        if row % 60 == 0:
            told("finding pictures on the web", row / count)
    return pictures, classes


def _somebody(crowd: Crowd, draws: Draws) -> Species | None:
    at = draws.between(0, 1)
    for kind, share in _WEB_MIX:
        at -= share
        if at < 0:
            break
    return draws.pick(crowd[kind]) if crowd.get(kind) else None
