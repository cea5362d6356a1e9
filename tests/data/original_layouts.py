"""Tiny data sets in the layouts that the authors of the real ones chose."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from scipy.io import savemat

from tests.data.layouts import cells

#: Of CUB's classes two that the paper keeps unseen, and two seen ones.
BIRDS = (
    "001.Black_footed_Albatross",
    "002.Laysan_Albatross",
    "199.Winter_Wren",
    "200.Yellowthroat",
)
PAPER_ANIMALS = ("chimpanzee", "giant+panda", "leopard", "persian+cat", "pig", "hippopotamus",
                 "humpback+whale", "raccoon", "rat", "seal")  # fmt: skip


def write(path: Path, *lines: str, end: str = "\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes("".join(f"{line}{end}" for line in lines).encode())
    return path


def features_for(names, d=3, seed=0):
    """Return features whose first column is the number of the image in `names`."""
    values = np.random.default_rng(seed).random((len(names), d)).astype(np.float32)
    values[:, 0] = np.arange(len(names))
    return values


def write_features(path: Path, names, order=None, d=3) -> Path:
    """Write features by name, in another order than the data set lists them."""
    order = np.arange(len(names))[::-1] if order is None else np.asarray(order)
    np.savez(path, features=features_for(names, d)[order], image_files=np.array(names)[order])
    return path


def cub_images():
    birds = enumerate(np.repeat(BIRDS, 2))
    return [f"{bird}/{bird[4:]}_{i:04d}_{796 + i}.jpg" for i, bird in birds]


def write_cub(folder: Path, percent=((0, 29.2), (100, 1.5), (50, 50), (3, 97.25))) -> Path:
    """CUB_200_2011 with attributes.txt beside it, as in the archive; images from 1."""
    inner = folder / "CUB_200_2011"
    images = cub_images()
    write(inner / "classes.txt", *(f"{i} {bird}" for i, bird in enumerate(BIRDS, 1)))
    write(inner / "images.txt", *(f"{i} {image}" for i, image in enumerate(images, 1)))
    labels = (f"{i} {1 + (i - 1) // 2}" for i in range(1, 1 + len(images)))
    write(inner / "image_class_labels.txt", *labels)
    rows = (" ".join(map(str, row)) for row in percent)
    write(inner / "attributes" / "class_attribute_labels_continuous.txt", *rows)
    shape = "has_bill_shape::"
    write(folder / "attributes.txt", f"1 {shape}curved_(up_or_down)", f"2 {shape}dagger")
    write(inner / "train_test_split.txt", *(f"{i} {i % 2}" for i in range(1, 1 + len(images))))
    return inner


def write_awa2(folder: Path, features=True) -> Path:
    """Animals_with_Attributes2: numbers padded, tabs, -1 for missing, files named by class."""
    inner = folder / "Animals_with_Attributes2"
    classes = ("antelope", "grizzly+bear", *PAPER_ANIMALS)
    write(inner / "classes.txt", *(f"{i:>8}\t{name}" for i, name in enumerate(classes, 1)))
    write(inner / "predicates.txt", *(f"{i:>8}\t{n}" for i, n in enumerate(("black", "big"), 1)))
    rows = [f"  {5.25 * i:6.2f}  {100 - i:6.2f}" for i in range(len(classes))]
    rows[1] = "   -1.00   39.25"
    write(inner / "predicate-matrix-continuous.txt", *rows)
    write(inner / "predicate-matrix-binary.txt", *(f"{i % 2} 1" for i in range(len(classes))))
    write(inner / "testclasses.txt", "seal", "rat", "antelope")
    write(inner / "trainclasses.txt", *(c for c in classes if c not in ("seal", "rat", "antelope")))
    if features:
        names = [f"{name}_{10001 + i}.jpg" for name in classes for i in range(2)]
        place = inner / "Features" / "ResNet101"
        write(place / "AwA2-filenames.txt", *names)
        write(place / "AwA2-labels.txt", *(str(1 + i // 2) for i in range(len(names))))
        rows = (" ".join(f"{value:.6f}" for value in row) for row in features_for(names))
        write(place / "AwA2-features.txt", *rows)
    return inner


def write_apy(folder: Path) -> Path:
    """attribute_data: two objects in one photograph, 64 attributes behind the box."""
    inner = folder / "attribute_data"
    rng = np.random.default_rng(0)

    def line(image, name):
        values = " ".join(map(str, rng.integers(0, 2, 64)))
        return f"{image} {name} 10 20 110 220 {values}"

    write(inner / "apascal_train.txt", line("2008_000008.jpg", "horse"),
          line("2008_000008.jpg", "person"), line("2008_000015.jpg", "bottle"))  # fmt: skip
    write(inner / "apascal_test.txt", line("2008_000002.jpg", "person"))
    write(inner / "ayahoo_test.txt", line("donkey_101.jpg", "donkey"), line("mug_7.jpg", "mug"))
    write(inner / "class_names.txt", "bottle", "horse", "person", "donkey", "mug", "zebra")
    write(inner / "attribute_names.txt", *(f"attribute {i}" for i in range(64)))
    return inner


APY_OBJECTS = ["2008_000008.jpg", "2008_000008.jpg", "2008_000015.jpg", "2008_000002.jpg",
               "donkey_101.jpg", "mug_7.jpg"]  # fmt: skip
SUN_IMAGES = ["a/abbey/sun_aaa.jpg", "a/abbey/sun_aab.jpg", "a/apse/indoor/sun_aac.jpg",
              "a/apse/outdoor/sun_aad.jpg"]  # fmt: skip


def write_sun(folder: Path, images=SUN_IMAGES) -> Path:
    """SUNAttributeDB: three MATLAB files, cells of text, a value for each image."""
    inner = folder / "SUNAttributeDB"
    inner.mkdir(parents=True)
    values = np.array([[1, 0, 1 / 3], [0, 0, 1], [1, 1, 0], [0, 2 / 3, 0]])
    savemat(inner / "images.mat", {"images": cells(images)})
    savemat(inner / "attributeLabels_continuous.mat", {"labels_cv": values})
    names = cells(["sailing/ boating", "driving", "warm"])
    savemat(inner / "attributes.mat", {"attributes": names})
    return inner


NUS_IMAGES = ["actor/0001_2124494179.jpg", "actor/0002_174174086.jpg", "zebra/0003_1.jpg",
              "zebra/0004_2.jpg", "lake/0005_3.jpg"]  # fmt: skip
NUS_TAGS = np.array([[1, 0, 1], [0, 0, 0], [0, 1, 0], [1, 1, 1], [0, 0, 1]], dtype=np.uint8)
NUS_CONCEPTS = np.array([[1, 0], [1, 1], [0, 0], [0, 1], [0, 0]], dtype=np.uint8)
NUS_TRAIN, NUS_TEST = [0, 1, 3], [4, 2]


def write_nus_wide(folder: Path, halves=False) -> Path:
    r"""NUS-WIDE: backslashes, CRLF, a tab behind the last tag, a file for each concept."""
    folder.mkdir(parents=True, exist_ok=True)
    listed = [image.replace("/", "\\") for image in NUS_IMAGES]
    for prefix, rows in (("", range(5)), ("Train", NUS_TRAIN), ("Test", NUS_TEST)):
        if prefix or not halves:
            path = folder / "ImageList" / f"{prefix}Imagelist.txt"
            write(path, *(listed[i] for i in rows), end="\r\n")
    tags = ["".join(f"{v}\t" for v in row) for row in NUS_TAGS]
    names = {"Train_Tags1k.dat": NUS_TRAIN, "Test_Tags1k.dat": NUS_TEST}
    for name, rows in names.items() if halves else [("AllTags1k.txt", range(5))]:
        write(folder / "NUS_WID_Tags" / name, *(tags[i] for i in rows), end="\r\n")
    write(folder / "NUS_WID_Tags" / "TagList1k.txt", "nature", "sky", "lake")
    write(folder / "ConceptsList" / "Concepts81.txt", "person", "lake")
    for j, concept in enumerate(("person", "lake")):
        column = NUS_CONCEPTS[:, j]
        truth = folder / "Groundtruth"
        if not halves:
            write(truth / "AllLabels" / f"Labels_{concept}.txt", *map(str, column))
        for part, rows in (("Train", NUS_TRAIN), ("Test", NUS_TEST)):
            path = truth / "TrainTestLabels" / f"Labels_{concept}_{part}.txt"
            write(path, *(str(column[i]) for i in rows))
    return folder


def write_mirflickr(folder: Path, common=True) -> Path:
    """The folders mirflickr and mirflickr25k_annotations_v080, images from 1."""
    words = {1: ["sky", "sunset"], 2: [], 3: ["größe", "sky"], 10: ["rare"], 11: ["sunset"]}
    for number, tags in words.items():
        write(folder / "mirflickr" / "meta" / "tags" / f"tags{number}.txt", *tags, end="\r\n")
    if common:
        write(folder / "mirflickr" / "doc" / "common_tags.txt", "sky 2", "sunset 2", "größe 1")
    notes = folder / "mirflickr25k_annotations_v080"
    write(notes / "sky.txt", "1", "3", "10")
    write(notes / "sky_r1.txt", "1")
    write(notes / "baby.txt", "11")
    write(notes / "README.txt", "The 24 annotations")
    return folder
