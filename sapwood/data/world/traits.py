"""What creatures can have: the attributes, in groups of which a creature has at most one."""

from __future__ import annotations

#: Attributes by group. Of a group in ALWAYS every creature has one, of the others at most one.
GROUPS: dict[str, tuple[str, ...]] = {
    "body": ("round body", "long body", "tall body", "square body"),
    "colour": ("red", "orange", "yellow", "green", "blue", "purple", "white", "black"),
    "pattern": ("stripes", "spots"),
    "belly": ("pale belly",),
    "head": ("horns", "antennae", "big ears"),
    "face": ("beak", "trunk"),
    "eye": ("one eye",),
    "neck": ("long neck",),
    "back": ("wings", "spines", "shell"),
    "tail": ("long tail", "bushy tail", "fins"),
    "legs": ("two legs", "four legs", "many legs"),
    "habitat": ("meadow", "sea", "desert", "night", "snow", "forest"),
}
ALWAYS = ("body", "colour", "habitat")
#: Share of creatures that have something of the group, where it is not all.
SHARE = {"pattern": 0.6, "belly": 0.4, "head": 0.75, "face": 0.5, "eye": 0.25, "neck": 0.25,
         "back": 0.7, "tail": 0.75, "legs": 0.8}  # fmt: skip

ATTRIBUTES: tuple[str, ...] = tuple(name for names in GROUPS.values() for name in names)

#: Other words people use for an attribute.
SYNONYMS: dict[str, tuple[str, ...]] = {
    "round body": ("chubby", "ball"),
    "long body": ("stretched", "sausage"),
    "tall body": ("upright",),
    "square body": ("boxy",),
    "red": ("crimson", "scarlet"),
    "orange": ("ginger",),
    "yellow": ("golden",),
    "green": ("emerald",),
    "blue": ("azure",),
    "purple": ("violet",),
    "white": ("snowy white", "pale"),
    "black": ("ebony", "dark"),
    "stripes": ("striped", "stripey"),
    "spots": ("dotted", "polka dots"),
    "horns": ("horned",),
    "antennae": ("feelers",),
    "big ears": ("floppy ears",),
    "beak": ("bill",),
    "trunk": ("snout",),
    "one eye": ("cyclops",),
    "long neck": ("giraffe-like",),
    "wings": ("winged", "flying"),
    "spines": ("spiky", "prickly"),
    "shell": ("armour",),
    "long tail": ("whiptail",),
    "bushy tail": ("fluffy tail",),
    "fins": ("fishy",),
    "many legs": ("crawly",),
    "meadow": ("grass", "field"),
    "sea": ("ocean", "underwater"),
    "desert": ("sand", "dunes"),
    "night": ("moonlight", "stars"),
    "snow": ("winter", "ice"),
    "forest": ("woods", "trees"),
}
#: Words that say nothing about what is to be seen.
CHATTER = ("cute", "art", "my drawing", "holiday", "best friend", "wow", "untitled", "2019",
           "favourite", "monster")  # fmt: skip
