"""A tree of image files nobody annotated, such as CUB+Web, with features in a file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from sapwood.data.join import join_features
from sapwood.data.names import clean
from sapwood.data.originals import Fields, matched, read_wanted_features, refuse
from sapwood.data.problems import Report
from sapwood.data.wanted import Wanted

_IMAGES = {".jpg", ".jpeg", ".png", ".gif", ".bmp", ".webp", ".tif", ".tiff"}


def _images(folder: Path) -> Iterator[Path]:
    # Hidden files are left out: archives made on a Mac have a "._1.jpg" beside each image.
    for path in folder.rglob("*"):
        hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
        if path.suffix.lower() in _IMAGES and not hidden and path.is_file():
            yield path


def is_image_folder(folder: Path) -> bool:
    """Tell whether there is an image file in a folder, at any depth.

    Examples
    --------
    >>> is_image_folder(Path("no such folder"))
    False
    """
    return folder.is_dir() and next(_images(folder), None) is not None


def read_image_folder(folder: Path, report: Report, wanted: Wanted) -> tuple[str, Fields]:
    """Return the features of the images in a tree of folders, matched by name.

    Parameters
    ----------
    folder : Path
    report : Report
    wanted : Wanted
        With the file of features, unless one called ``features`` lies in the folder.
    """
    refuse(wanted, report, "features")
    matrix, where = read_wanted_features(wanted, report, folder)
    images = sorted(clean(path.relative_to(folder).as_posix()) for path in _images(folder))
    if matrix is None:
        fix = "compute features of the images and give them (features=FILE, --features FILE)"
        raise report.fatal("", f"a folder of {len(images)} images without features", fix)
    if matrix.names is None:
        fix = "add an array image_files: files in a folder have no order of their own"
        raise report.fatal(where, "features without names of images", fix)
    joined = join_features(images, matrix, where, report)
    names = [images[i] for i in joined.images]
    notes = matched(joined.note, where, matrix)
    return "features", {"features": joined.features, "image_names": names, "provenance": notes}
