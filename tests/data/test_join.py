import numpy as np
import pytest
from scipy.io import savemat

from sapwood.data.join import join_features
from sapwood.data.matrix_files import Matrix, read_matrix
from sapwood.data.problems import Report
from sapwood.errors import InputError
from tests.data.layouts import cells

IMAGES = ["a/1.jpg", "a/2.jpg", "b/1.jpg"]


def joined(names, images=IMAGES):
    values = np.arange(len(names), dtype=float)[:, None]
    return join_features(images, Matrix(values, names), "f.npz", Report())


@pytest.mark.parametrize(
    "names",
    [
        ["b/1.jpg", "a/1.jpg", "a/2.jpg"],
        ["b\\1.jpg", "a\\1.jpg", "a\\2.jpg"],
        ["/far/away/b/1.jpg", "/far/away/a/1.jpg", "/far/away/a/2.jpg"],
    ],
)
def test_names_are_matched_however_their_folder_is_written(names):
    found = joined(names)
    assert found.features.ravel().tolist() == [1, 2, 0]
    assert found.note == ""


@pytest.mark.parametrize("place", ["", "train/"])
@pytest.mark.parametrize("ending", [".png", ".JPG", ""])
def test_endings_may_differ_where_folders_hold_equal_file_names(place, ending):
    names = [f"{place}{image.removesuffix('.jpg')}{ending}" for image in IMAGES[::-1]]
    assert joined(names).features.ravel().tolist() == [2, 1, 0]


def test_a_short_name_that_fits_two_images_is_not_used():
    with pytest.raises(InputError, match=r"no name fits, such as '1\.jpg' for 'a/1\.jpg'"):
        joined(["1.jpg", "2.jpg"])
    assert joined(["2", "1"], images=["x/1.png", "x/2.png"]).features.ravel().tolist() == [1, 0]


def test_as_many_rows_as_images_listed():
    twice = ["a.jpg", "a.jpg", "b.jpg"]
    assert joined(["b.jpg", "a.jpg", "a.jpg"], twice).features.ravel().tolist() == [1, 2, 0]
    with pytest.raises(InputError, match=r"2 rows named 'b.jpg' where 1 are listed"):
        joined(["b.jpg", "b.jpg", "a.jpg", "a.jpg"], twice)


def test_names_and_rows_must_be_as_many():
    with pytest.raises(InputError, match="3 names for 2 rows"):
        join_features(IMAGES, Matrix(np.eye(2), IMAGES), "f.npz", Report())


def test_every_kind_of_matrix_file(tmp_path):
    values = np.array([[1.5, 2], [3, 4], [5, 6]])
    np.savez(tmp_path / "f.npz", features=values, image_files=IMAGES)
    np.save(tmp_path / "f.npy", values)
    savemat(tmp_path / "f.mat", {"features": values.T, "image_files": cells(IMAGES)})
    rows = [f"{n},{a},{b}" for n, (a, b) in zip(IMAGES, values, strict=True)]
    (tmp_path / "f.csv").write_text("\n".join(["image,x,y", *rows]))
    (tmp_path / "t.txt").write_text("\n".join(["image,x,y", *rows]))
    (tmp_path / "p.txt").write_text("1.5 2\n3 4\n5 6\n")
    (tmp_path / "p.dat").write_text("1.5\t2\t\n3\t4\t\n5\t6\t\n")
    for name in ("f.npz", "f.npy", "f.mat", "f.csv", "t.txt", "p.txt", "p.dat"):
        matrix = read_matrix(tmp_path / name, Report())
        np.testing.assert_array_equal(matrix.values, values)
        assert matrix.names in (None, IMAGES)
        assert (matrix.names is None) == (name in ("f.npy", "p.txt", "p.dat"))
    assert isinstance(read_matrix(tmp_path / "f.npy", Report()).values.base, np.memmap)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("f.npy", b"no numpy", "not a whole .npy file"),
        ("f.txt", b"1 2\n3\n", "not rows of numbers"),
        ("f.xls", b"x", "features in a file ending in '.xls'; give one that ends in .npz"),
        ("f.npy", None, "no such file"),
        ("f.dat", b"\n\n", "not rows of numbers"),
    ],
)
def test_damaged_matrix_files(tmp_path, name, content, message):
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError) as error:
        read_matrix(tmp_path / name, Report())
    assert message in str(error.value)


def test_a_pickled_matrix_is_never_read(tmp_path):
    np.save(tmp_path / "f.npy", np.array([{}], dtype=object), allow_pickle=True)
    with pytest.raises(InputError, match="not a whole"):
        read_matrix(tmp_path / "f.npy", Report())
