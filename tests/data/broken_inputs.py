"""Inputs that must be refused with one line: `from tests.data.broken_inputs import BROKEN`.

Each `write` gets an empty folder and returns what to give: a source for `load` and, in some
cases, which attributes or which split to ask for. `message` is a regular expression that the
one line must match from its beginning; ``{}`` in it stands for the folder.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tests.data import breaking
from tests.data.breaking import Given
from tests.data.layouts import (
    arrays,
    write_npz,
    write_xlsa17,
)


@dataclass(frozen=True)
class Broken:
    name: str
    write: Callable[[Path], Given]
    message: str


_A = arrays()
_OBJECTS = np.array(["zebra", None, "rat", "pig"], dtype=object)
# ruff: noqa: E501 (a message is one line)
_CASES: dict[str, tuple[Callable[[Path], Given], str]] = {
    # --- where it is
    "no such file": (lambda f: Given(f / "cub.npz"), r"{}/cub\.npz: no such file.*(mean|check)"),
    "unknown name": (lambda f: Given("cubb"), r"cubb: no such file.*did you mean 'cub'"),
    "name not at hand": (lambda f: Given("nus-wide"), r"data set 'nus-wide': not in.*SAPWOOD_DATA"),
    "path with a null": (lambda f: Given("a\0b.npz"), r"a\\x00b\.npz: .*check"),
    "path too long": (lambda f: Given("x" * 5000), r"xxx.*: not a usable path; check it"),
    "unknown ending": breaking.raw(r"{}/set\.xyz: files ending in '\.xyz'.*give \.npz", "set.xyz", b"1"),
    "empty folder": (lambda f: Given(f), r"{}: a folder without a data set; add features\.csv"),
    "folder of files": (
        lambda f: Given(write_npz(f).parent),
        r"{}: a folder with 'set\.npz', not a data set; give one of these",
    ),
    "folder of folders": (
        lambda f: Given(write_xlsa17(f).parent),
        r"{}: a folder with 'AWA1', not a data set; give one of these",
    ),
    "path not UTF-8": (lambda f: Given(f / "b\udcffd.npz"), r"{}/b\\udcffd\.npz: no such file.*check"),
    "pipe": (breaking.fifo, r"{}/set\.npz: not a regular file; give a file"),
    # --- the archive
    "empty npz": breaking.raw(r"{}/set\.npz: the file is empty; .*copy", "set.npz", b""),
    "text as npz": breaking.raw(r"{}/set\.npz: not a whole \.npz.*copy it again", "set.npz", b"hello"),
    "truncated npz": (breaking.truncated, r"{}/set\.npz: not a whole \.npz \(zip\) file.*copy it again"),
    "damaged array": (breaking.flipped, r"{}/set\.npz: features\.npy: the array is damaged.*again"),
    "array cut short": (breaking.entry_cut, r"{}/set\.npz: features\.npy: the array is damaged.*again"),
    "entry outside": (breaking.escaping, r"{}/set\.npz: entry '\.\./x\.npy' points outside.*do not trust"),
    "entry not an array": (breaking.stray, r"{}/set\.npz: entry 'run\.py' is not an array; write"),
    "archive without arrays": (breaking.empty_zip, r"{}/set\.npz: an archive without arrays; write"),
    "pickled names": breaking.npz(r"{}/set\.npz: class_names\.npy: a pickled.*string array",
                          class_names=_OBJECTS),
    "no features": breaking.npz(r"{}/set\.npz: no array 'features' .*add it", features=None),
    "misspelt array": breaking.npz(r"{}/set\.npz: no array 'labels'.*did you mean 'label'\? Add",
                           labels=None, label=_A["labels"]),
    "attributes not there": (
        lambda f: Given(write_npz(f), attributes="words"),
        r"{}/set\.npz: words: no such class attributes .*choose one",
    ),
    # --- the arrays
    "flat features": breaking.npz(r"{}/set\.npz: features: an array of shape \(60,\); give an array with two",
                          features=_A["features"].ravel()),
    "no images": breaking.npz(r"{}/set\.npz: features: an empty array of shape \(0, 5\)",
                      features=np.empty((0, 5))),
    "text features": breaking.npz(r"{}/set\.npz: features: <U1 values where numbers belong; give",
                          features=np.full((12, 5), "x")),
    "complex features": breaking.npz(r"{}/set\.npz: features: complex128 values where numbers belong",
                             features=np.ones((12, 5)) * 1j),
    "NaN rows": breaking.npz(r"{}/set\.npz: features: 5 NaN or infinite values in 1 row, first at .*\(2, 0\)"
                     r".*drop those rows", features=breaking.having(_A["features"], 2, np.nan)),
    "infinite feature": breaking.npz(r"{}/set\.npz: features: 1 NaN or infinite value in 1 row",
                             features=breaking.having(_A["features"], (3, 1), np.inf)),
    "too few labels": breaking.npz(r"{}/set\.npz: labels: 11 labels for 12 images; give one",
                           labels=_A["labels"][:-1]),
    "labels without attributes": breaking.npz(
        r"{}/set\.npz: labels: 1 image of classes without attributes \(labels '9' for 4 classes\)"
        r"; count classes from 0", labels=breaking.having(_A["labels"], 0, 9)),
    "labels below -1": breaking.npz(r"{}/set\.npz: labels: 1 label below -1, first -2; write -1",
                            labels=breaking.having(_A["labels"], 0, -2)),
    "labels with halves": breaking.npz(r"{}/set\.npz: labels: entry 0 is 0\.5, not a whole number; give",
                               labels=_A["labels"] + 0.5),
    "labels with NaN": breaking.npz(r"{}/set\.npz: labels: entry 0 is nan.*-1 where unannotated",
                            labels=breaking.having(_A["labels"].astype(float), 0, np.nan)),
    "infinite attribute": breaking.npz(r"{}/set\.npz: attributes: 1 infinite value",
                               attributes=breaking.having(_A["attributes"], (0, 0), np.inf)),
    "class without any attribute": breaking.npz(
        r"{}/set\.npz: attributes: no attribute at all for 'rat'; fill in",
        attributes=breaking.having(_A["attributes"], 2, np.nan)),
    "attributes transposed": breaking.npz(r"{}/set\.npz: class_names: 4 names for 6; give one name for each "
                                  r"\(and 1 more; run `sapwood data check {}/set\.npz`\)",
                                  attributes=_A["attributes"].T),
    "duplicate classes": breaking.npz(r"{}/set\.npz: class_names: given twice: 'rat'; give each",
                              class_names=np.array(["zebra", "rat", "rat", "pig"])),
    "class without a name": breaking.npz(r"{}/set\.npz: class_names: name 2 is empty; give",
                                 class_names=np.array(["zebra", " ", "rat", "pig"])),
    "names not UTF-8": breaking.npz(r"{}/set\.npz: class_names: name 3 is not UTF-8 text; store",
                            class_names=np.array([b"zebra", b"bear", b"r\xe4t", b"pig"])),
    "too few image names": breaking.npz(r"{}/set\.npz: image_names: 3 names for 12",
                                image_files=np.array(["a", "b", "c"])),
    # --- the splits in the file
    "unseen class out of range": breaking.npz(
        r"{}/set\.npz: split 'paper': unseen: 1 of 1 positions outside 0…3, first 4; give 0-based cl",
        paper_unseen_classes=np.array([4])),
    "all classes unseen": breaking.npz(r"{}/set\.npz: split 'paper': all 4 classes are unseen; leave",
                               paper_unseen_classes=np.arange(4)),
    "split row out of range": breaking.npz(
        r"{}/set\.npz: split 'proposed': trainval: 1 of 2 positions outside 0…11, first 12",
        ps_trainval=np.array([0, 12])),
    "overlapping split": breaking.npz(
        r"{}/set\.npz: split 'proposed': 1 row both in trainval and in test_seen, first 2; keep",
        ps_trainval=np.array([0, 1, 2])),
    "unseen class in training": breaking.npz(
        r"{}/set\.npz: split 'proposed': 1 row of trainval from unseen classes, first 11",
        ps_trainval=np.array([0, 11]), ps_test_unseen=np.array([9, 10])),
    "test rows without a label": breaking.npz(
        r"{}/set\.npz: split 'proposed': 1 row of test_unseen without a label, first 9; leave them",
        labels=np.where(np.arange(12) == 9, -1, np.arange(12) // 3)),
    "half a split": breaking.npz(r"{}/set\.npz: proposed split: rows of trainval, test_unseen without",
                         ps_test_seen=None),
    "tags of other length": (
        lambda f: Given(write_npz(f, tags=np.ones((3, 2)))),
        r"{}/set\.npz: features: 12 rows for 3 images; give one row",
    ),
    "negative tags": (
        lambda f: Given(write_npz(f, tags=-np.ones((12, 2)))),
        r"{}/set\.npz: tags: 24 values negative, NaN or infinite; write 0 or 1",
    ),
    # --- the user's own tables
    "table missing": breaking.tables(r"{}: annotations: no annotations\.csv in the folder; add",
                             annotations=None),
    "two feature tables": (breaking.ambiguous, r"{}: features: several tables: 'features\.csv'.*keep one"),
    "empty table": breaking.tables(r"{}: features\.csv: the file is empty; write it", features=b""),
    "blank table": breaking.tables(r"{}: features\.csv: the file has only blanks", features=b"\r\n \r\n"),
    "only delimiters": breaking.tables(r"{}: features\.csv: only empty cells; write", features=b",,\n,,\n"),
    "directory for a table": (breaking.directory, r"{}: features\.csv: a directory where a file belongs"),
    "swapped tables": (breaking.swapped, r"{}: attributes\.csv: its rows are named after images.*swapped"),
    "table not UTF-8": breaking.tables(r"{}: attributes\.csv: line 2 is not UTF-8 text; save",
                               attributes=b"class,beak\nh\xe4her,1\n"),
    "table in UTF-16": breaking.tables(r"{}: features\.csv: the text is UTF-16; save it as UTF-8",
                               features="image,f1\na.jpg,1\n".encode("utf-16")),
    "binary as table": breaking.tables(r"{}: features\.csv: a binary file where text belongs; give",
                               features=b"PK\0\0\1"),
    "BOM, CRLF and a bad number": breaking.tables(
        r"{}: features\.csv: 1 cell is not a number, first 'x' in column 'f2', line 2; write",
        features=b"\xef\xbb\xbfimage,f1,f2\r\na.jpg,1,x\r\nb.jpg,1,2\r\n"),
    "decimal commas": breaking.tables(r"{}: features\.csv: 1 cell is.*first '0,5'.*write decimal points",
                              features="image;f1;f2\na.jpg;0,5;1\nb.jpg;1;2\n"),
    "no header": breaking.tables(r"{}: features\.csv: the first row holds numbers.*add a header row",
                         features="a.jpg,0.5,2\nb.jpg,3,4\n"),
    "header only": breaking.tables(r"{}: features\.csv: a header but no rows; add", features="image,f1\n"),
    "one column": breaking.tables(r"{}: features\.csv: only one column.*separate", features="image\na\n"),
    "ragged rows": breaking.tables(r"{}: features\.csv: 1 row of the wrong length, first line 3 with 2",
                           features="image,f1,f2\na.jpg,1,2\nb.jpg,3\n"),
    "open quote": breaking.tables(r"{}: features\.csv: line 2 is not CSV .*close every quote",
                          features='image,f1\n"a.jpg,1\nb.jpg,2\n'),
    "cell beyond the header": breaking.tables(
        r"{}: annotations\.csv: 1 row with more cells than columns, first line 2; put names that hold commas into quotes",
        annotations="image,class\na.jpg,owl, great\nb.jpg,,\n"),
    "duplicate images": breaking.tables(r"{}: features\.csv: rows given twice: 'a\.jpg'; keep one",
                                features="image,f1\na.jpg,1\nb.jpg,2\na.jpg,3\n"),
    "duplicate columns": breaking.tables(r"{}: attributes\.csv: columns given twice: 'beak'; give",
                                 attributes="class,beak,beak\nowl,1,2\n"),
    "duplicate classes in table": breaking.tables(r"{}: attributes\.csv: rows given twice: 'owl'",
                                          attributes="class,beak\nowl,1\nowl,2\n"),
    "feature left out": breaking.tables(r"{}: features\.csv: 1 cell is empty or not finite, first '' in column 'f2', line 3; write",
                                features="image,f1,f2\na.jpg,1,2\nb.jpg,3,\n"),
    "unknown label": breaking.tables(
        r"{}: annotations\.csv: class 'oowl' \(2 images\) has no attributes; did you mean 'owl'\? Cor",
        annotations="image,class\na.jpg,oowl\nb.jpg,oowl\nc.jpg,jay\n"),
    "unknown image": breaking.tables(
        r"{}: annotations\.csv: 1 image without features, first 'A\.jpg'; did you mean 'a\.jpg'\?",
        annotations="image,class\nA.jpg,owl\n"),
    "annotated twice": breaking.tables(r"{}: annotations\.csv: images annotated twice: 'a\.jpg'; keep one",
                               annotations="image,class\na.jpg,owl\na.jpg,jay\n"),
    "annotations without header": breaking.tables(
        r"{}: annotations\.csv: columns 'a\.jpg', 'owl', but image and class were expected; name",
        annotations="a.jpg,owl\n"),
    "lone table": breaking.raw(r"{}/t\.csv: a table of features or of attributes\?.*call its first column",
                         "t.csv", b"thing,f1\na,1\n"),
    "Parquet of text": (breaking.parquet_text, r"{}: features\.parquet: column 'f1' holds string, not num"),
    "bad Parquet": breaking.raw(r"{}/image\.parquet: not a readable Parquet file.*write it again",
                          "image.parquet", b"PAR1 no"),
    # --- MATLAB
    "lone mat": (breaking.lone_mat, r"{}/res101\.mat: one of two MATLAB files; give the folder"),
    "mat missing": (breaking.mat_missing, r"{}/AWA1: att_splits\.mat: no such file; check"),
    "mat cut short": (breaking.mat_cut, r"{}/AWA1: res101\.mat: not a readable MATLAB file.*copy it again"),
    "mat without labels": breaking.xlsa17(r"{}/AWA1: res101\.mat: no variable 'labels'; copy", labels=None),
    "mat counted from 0": breaking.xlsa17(
        r"{}/AWA1: res101\.mat labels: the smallest is 0, but this layout counts from 1; add 1",
        labels=_A["labels"][:, None].astype(float)),
    "mat rows counted from 0": breaking.xlsa17(
        r"{}/AWA1: att_splits\.mat trainval_loc: the smallest is 0.*add 1",
        trainval_loc=np.array([[0.0], [1.0]])),
    "mat transposed": breaking.xlsa17(
        r"{}/AWA1: res101\.mat features: shape \(12, 5\) for 12 labels.*transpose",
        features=_A["features"].astype(float)),
    "mat link to another file": (
        breaking.mat_link,
        r"{}/AWA1: res101\.mat: variable 'features' points to another file; do not trust",
    ),
    "mat attributes not there": (
        lambda f: Given(write_xlsa17(f, original_att=None), attributes="original_att"),
        r"{}/AWA1: att_splits\.mat: no class attributes 'original_att' \(it has: att\); choose",
    ),
    "images in other folders": (
        breaking.shuffled_paths,
        r"{}/AWA1: labels: 4 images lie in the folder of another class.*one and the same file",
    ),
    # --- the split asked for
    "split not there": (
        lambda f: Given(write_npz(f, paper_unseen_classes=None), split="paper"),
        r"split 'paper': this data set does not come with it \(it has: 'proposed'\); give a file",
    ),
    "split misspelt": (
        lambda f: Given(write_npz(f), split="propsed"),
        r"split 'propsed': neither .*; did you mean 'proposed'\?",
    ),
    "split file missing": (
        lambda f: Given(write_npz(f), split=f / "u.txt"), r"{}/u\.txt: no such file; check"),
    "split of unknown class": breaking.split(
        r"{}/u\.txt: unknown class 'pigg'; did you mean 'pig'\? Use the names", "pigg\n"),
    "split names twice": breaking.split(r"{}/u\.txt: classes named twice: 'pig'; name", "pig\npig\n"),
    "split of all classes": breaking.split(
        r"{}/u\.txt: split 'u\.txt': all 4 classes are unseen", "zebra\ngrizzly+bear\nrat\npig\n"),
    "split not JSON": breaking.split(r"{}/u\.json: not JSON .*correct", "{", "u.json"),
    "split without unseen": breaking.split(r"{}/u\.json: no list 'unseen'; write", "{}", "u.json"),
    "split with bad rows": breaking.split(
        r"{}/u\.json: split 'u\.json': trainval: 1 of 1 positions outside 0…11, first 99",
        json.dumps({"unseen": ["pig"], "trainval": [99]}), "u.json"),
}  # fmt: skip

BROKEN = [Broken(name, write, message) for name, (write, message) in _CASES.items()]
