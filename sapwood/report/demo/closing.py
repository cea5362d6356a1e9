"""The end of the demo's page: what else is in the folder, and what to run next."""

from __future__ import annotations

from sapwood.data.world import SYNONYMS, AttributeWorld
from sapwood.report.demo.pieces import Item, chip, described, percent, portraits, shot
from sapwood.report.pictures import picture_uri

#: Commands for the folder the demo wrote; the same ones do for any data in these formats.
COMMANDS = (
    "# the demo's own tables: features, a few annotations, class attributes",
    "sapwood data check {data}/tables",
    "sapwood fit {data}/tables --out creatures.sap",
    "sapwood predict creatures.sap {data}/tables/new_pictures.csv --classes unseen --top 3",
    "sapwood explain creatures.sap {data}/tables/new_pictures.csv --classes unseen --limit 5",
    "sapwood suggest creatures.sap {data}/tables -n 10",
    "",
    "# yours: put the same three tables into a folder",
    "sapwood fit my_folder --out mine.sap",
    "sapwood predict mine.sap new_images.csv --classes unseen --out answers.csv",
)
PYTHON = (
    "from sapwood import SparseAttributePropagation",
    "from sapwood.data import load, load_features",
    "",
    'data = load("{data}/tables")',
    "model = SparseAttributePropagation().fit(",
    "    data.features, data.labels,",
    "    class_attributes=data.attributes, class_names=data.class_names,",
    ")",
    'new = load_features("{data}/tables/new_pictures.csv")',
    'rows = model.predict(new.features, classes="unseen")',
    "answers = data.class_names[rows]",
)


def elsewhere(world: AttributeWorld, count: int = 8) -> Item:
    """Return the section on web pictures and noisy tags."""
    known = set(world.class_names)
    names = [
        name if name in known else "a stranger" if name else "nobody" for name in world.web_classes
    ]
    items = [
        {
            "src": picture_uri(world.web_pictures[i]),
            "alt": "a web picture",
            "name": names[i],
            "mark": "",
        }
        for i in range(min(count, len(names)))
    ]
    strangers = sum(name not in known for name in world.web_classes) / max(len(names), 1)
    web = {
        "kind": "strips",
        "title": "Web pictures",
        "strips": [{"items": items}],
        "caption": f"{len(names)} unlabelled pictures of any creature in any place. "
        f"{percent(strangers)} show no class of this data set. Taken in unjudged they do harm; the "
        "annotated pictures can tell (see the table).",
    }
    tags = {"kind": "cards", "size": "small", "title": "Noisy tags", "items": _tagged(world),
            "note": "Tags as people would write them: some true, some in other words, some wrong "
            "(struck out), some idle (in italics). What nobody wrote has a plus."}  # fmt: skip
    text = ["Two more things lie in the demo's folder, for trying out what else sapwood does."]
    blocks = [web, tags] if items else [tags]
    return {"id": "elsewhere", "title": "Also in the folder", "text": text, "blocks": blocks}


def _tagged(world: AttributeWorld, count: int = 10) -> list[Item]:
    meaning = {word: name for name, words in SYNONYMS.items() for word in words}
    meaning.update({name: name for name in world.attribute_names})
    rows = [
        int(portraits(world, c, 1)[0]) for c in world.seen[1 :: max(1, len(world.seen) // count)]
    ]
    items = []
    for row in rows[:count]:
        shows = set(described(world, world.concepts[row].astype(float)))
        written = [t for t, given in zip(world.tag_names, world.tags[row], strict=True) if given]
        chips = [chip(tag, _kind(meaning.get(tag), shows)) for tag in written]
        absent = shows - {meaning.get(tag) for tag in written}
        chips += [chip(name, "missed") for name in world.attribute_names if name in absent]
        items.append({"title": world.class_names[world.labels[row]], "pictures": [shot(world, row)],
                      "chips": chips})  # fmt: skip
    return items


def _kind(name: str | None, shows: set[str]) -> str:
    if name is None:
        return "empty"
    return "right" if name in shows else "wrong"


def your_own(data: str) -> Item:
    """Return the section with commands; `data` is the folder they start from."""
    blocks: list[Item] = [
        {"kind": "code", "title": "On the command line", "lines": _filled(COMMANDS, data)},
        {"kind": "code", "title": "In Python", "lines": _filled(PYTHON, data)},
    ]
    text = [
        "Three tables are enough: features of images (one row each), a class for those that are "
        "annotated, and attributes of all classes, also of those without images. CSV, Parquet and "
        "NumPy files will do. The commands are for the folder this page lies in."
    ]
    return {"id": "own", "title": "Next: your own data", "text": text, "blocks": blocks}


def _filled(lines: tuple[str, ...], data: str) -> list[str]:
    return [line.replace("{data}", data) for line in lines]
