"""Which creatures there are: the attributes of each class, and a name that fits."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sapwood.data.world.draws import Draws
from sapwood.data.world.traits import ALWAYS, ATTRIBUTES, GROUPS, SHARE

#: Beginnings of names by colour and endings by what else a creature has.
BEGINNINGS: dict[str, tuple[str, ...]] = {
    "red": ("Ember", "Ruby", "Poppy", "Chili"),
    "orange": ("Marigold", "Amber", "Pumpkin", "Apricot"),
    "yellow": ("Honey", "Saffron", "Butter", "Lemon"),
    "green": ("Moss", "Fern", "Clover", "Pickle"),
    "blue": ("Brook", "Azure", "Indigo", "Drizzle"),
    "purple": ("Plum", "Thistle", "Violet", "Bramble"),
    "white": ("Frost", "Chalk", "Milk", "Feather"),
    "black": ("Soot", "Raven", "Pepper", "Velvet"),
}
ENDINGS: dict[str, tuple[str, ...]] = {
    "one eye": ("gaze", "peep"),
    "trunk": ("snoot", "snuffle"),
    "beak": ("bill", "peck"),
    "long neck": ("reach", "stretch"),
    "horns": ("horn", "ram"),
    "antennae": ("whisk", "twitch"),
    "big ears": ("lop", "flop"),
    "wings": ("wing", "flutter"),
    "spines": ("quill", "prickle"),
    "shell": ("dome", "helm"),
    "bushy tail": ("brush", "fluff"),
    "long tail": ("whip", "swish"),
    "fins": ("fin", "paddle"),
    "many legs": ("scuttle", "tiptoe"),
    "round body": ("puff", "dumpling"),
    "long body": ("noodle", "loaf"),
    "tall body": ("stalk", "post"),
    "square body": ("crate", "brick"),
}


@dataclass(frozen=True)
class Species:
    """A class: its name and how often each attribute shows in its pictures.

    Parameters
    ----------
    name : str
    strength : dict of str to float
        Share of the class's pictures that show the attribute; absent means never.
    accent : str
        Its second colour.
    """

    name: str
    strength: dict[str, float]
    accent: str

    def row(self) -> np.ndarray:
        """Return the class's attribute vector, shape (k,), in 0–1."""
        return np.array([self.strength.get(name, 0.0) for name in ATTRIBUTES])

    def show(self, draws: Draws) -> set[str]:
        """Draw what one picture of the class shows: at most one attribute of each group."""
        shown = set()
        for names in GROUPS.values():
            at = draws.between(0, 1)
            for name in names:
                at -= self.strength.get(name, 0.0)
                if at < 0:
                    shown.add(name)
                    break
        return shown


def make_species(counts: tuple[int, ...], draws: Draws) -> list[Species]:
    """Make up classes, set by set, so that each set has some of everything.

    Parameters
    ----------
    counts : tuple of int
        How many classes each set has.
    draws : Draws

    Examples
    --------
    >>> [species.name for species in make_species((2, 1), Draws(0))]
    ['Ravenwhip', 'Thistlesnoot', 'Lemonquill']
    """
    made: list[Species] = []
    taken: set[str] = set()
    for count in counts:
        columns = {group: _balanced(group, count, draws) for group in GROUPS}
        for i in range(count):
            has = {group: column[i] for group, column in columns.items()}
            name = _name(has, taken, draws)
            taken.add(name)
            accent = draws.pick([c for c in GROUPS["colour"] if c != has["colour"]])
            made.append(Species(name, _strengths(has, draws), accent))
    return made


def _balanced(group: str, count: int, draws: Draws) -> list[str | None]:
    """Deal the attributes of a group to `count` creatures as evenly as can be."""
    holders = count if group in ALWAYS else int(SHARE[group] * count + 0.5)
    names = draws.shuffled(GROUPS[group])
    dealt: list[str | None] = [names[i % len(names)] for i in range(holders)]
    return draws.shuffled(dealt + [None] * (count - holders))


def _strengths(has: dict[str, str | None], draws: Draws) -> dict[str, float]:
    return {
        name: 1.0 if group in ALWAYS else draws.pick((0.85, 0.9, 0.95))
        for group, name in has.items()
        if name is not None
    }


def _name(has: dict[str, str | None], taken: set[str], draws: Draws) -> str:
    beginnings = draws.shuffled(BEGINNINGS[str(has["colour"])])
    parts = draws.shuffled([name for name in has.values() if name in ENDINGS and name is not None])
    for part in parts:
        for ending in ENDINGS[part]:
            for beginning in beginnings:
                if beginning + ending not in taken:
                    return beginning + ending
    raise AssertionError("more creatures than names")
