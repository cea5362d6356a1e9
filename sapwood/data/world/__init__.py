"""The demo's data set: creatures drawn from a seed, with everything about them known."""

from sapwood.data.world.files import write_attribute_world
from sapwood.data.world.png import png_bytes
from sapwood.data.world.traits import ATTRIBUTES, SYNONYMS
from sapwood.data.world.world import AttributeWorld, make_attribute_world

__all__ = [
    "ATTRIBUTES",
    "SYNONYMS",
    "AttributeWorld",
    "make_attribute_world",
    "png_bytes",
    "write_attribute_world",
]
