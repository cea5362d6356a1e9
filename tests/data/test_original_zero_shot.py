"""CUB, AwA, aPY and SUN from the folders their authors give, and images from the web."""

import numpy as np
import pytest

from sapwood.data import (
    AttributeTable,
    check,
    get_split,
    load,
    load_attributes,
    load_features,
    load_zero_shot,
)
from sapwood.errors import InputError
from tests.data.original_layouts import (
    APY_OBJECTS,
    BIRDS,
    SUN_IMAGES,
    cub_images,
    features_for,
    write,
    write_apy,
    write_awa2,
    write_cub,
    write_features,
    write_sun,
)


@pytest.fixture
def feats(tmp_path):
    return write_features(tmp_path / "feats.npz", cub_images())


@pytest.mark.parametrize("inner", [True, False])
def test_cub_folder(tmp_path, feats, inner):
    folder = write_cub(tmp_path / "cub")
    data = load_zero_shot(folder if inner else folder.parent, features=feats)
    assert data.features[:, 0].tolist() == list(range(8))  # in the order of images.txt
    assert data.labels.tolist() == [0, 0, 1, 1, 2, 2, 3, 3]
    assert data.class_names.tolist() == list(BIRDS)
    assert data.attributes[1].tolist() == [100, 1.5]
    assert data.attribute_names[0] == "has_bill_shape::curved_(up_or_down)"
    assert data.provenance["card"] == "CUB"
    assert "paper" not in data.splits  # 46 of its 50 unseen classes are not here


def test_cub_has_the_papers_split_where_all_its_classes_are(tmp_path, real):
    whole = load_zero_shot(real("cub.npz"))
    inner = tmp_path / "CUB_200_2011"
    write(inner / "classes.txt", *(f"{i} {n}" for i, n in enumerate(whole.class_names, 1)))
    write(inner / "images.txt", *(f"{i} {n}" for i, n in enumerate(whole.image_names, 1)))
    lines = (f"{i} {c + 1}" for i, c in enumerate(whole.labels, 1))
    write(inner / "image_class_labels.txt", *lines)
    (inner / "attributes").mkdir()
    table = inner / "attributes" / "class_attribute_labels_continuous.txt"
    np.savetxt(table, whole.attributes * 100.0, fmt="%.5f")
    np.save(tmp_path / "feats.npy", whole.features[:, :2])
    data = load_zero_shot(inner, features=tmp_path / "feats.npy")
    np.testing.assert_array_equal(data.labels, whole.labels)
    np.testing.assert_allclose(data.attributes, whole.attributes * 100.0, atol=1e-5)
    assert get_split(data, "paper").unseen.tolist() == whole.splits["paper"].unseen.tolist()


def test_what_does_not_match_is_counted_and_listed(tmp_path):
    names = cub_images()
    given = write_features(tmp_path / "f.npz", [*names[:6], "other/1.jpg"])
    folder = write_cub(tmp_path)
    with pytest.warns(UserWarning, match=r"2 of 8 images have no features \('200.Yellowthroat/"):
        data = load_zero_shot(folder, features=given)
    assert len(data.features) == 6
    assert (
        "1 of 7 feature rows are of no image listed ('other/1.jpg')"
        in (data.provenance["not matched"])
    )
    (warning,) = [p for p in check(folder, features=given) if "f.npz" in p.where]
    assert warning.severity == "warning"
    assert "2 of 8 images" in warning.message


def test_without_features_there_are_classes_only(tmp_path):
    folder = write_cub(tmp_path)
    assert isinstance(load(folder), AttributeTable)
    assert load_attributes(folder).class_names.tolist() == list(BIRDS)
    with pytest.raises(InputError, match=r"classes alone, but .* give features=FILE"):
        load_zero_shot(folder)
    assert any("none, so only the class attributes" in p.message for p in check(folder))


def test_a_file_called_features_in_the_folder_is_taken(tmp_path):
    folder = write_cub(tmp_path)
    np.save(folder / "features.npy", features_for(cub_images()))
    assert load_zero_shot(folder).features.shape == (8, 3)
    relative = load_zero_shot(folder, features="features.npy")
    assert relative.provenance["features"] == "features.npy, in the order of the list"


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("classes.txt", "1 a\n1 b\n", "number 1 is given twice"),
        ("images.txt", "one a.jpg\n", "not a number and a name"),
        ("image_class_labels.txt", "1 9\n", "classes not in classes.txt: '9'"),
        ("image_class_labels.txt", "77 1\n", "images not in images.txt: '77'"),
        ("attributes/class_attribute_labels_continuous.txt", "1 2\n", "1 rows for 4 classes"),
        ("attributes/class_attribute_labels_continuous.txt", "1 2\n3\n", "not rows of numbers"),
        ("../attributes.txt", "1 only_one\n", "1 rows for 2 attributes"),
        ("classes.txt", None, "classes.txt: no such file"),
    ],
)
def test_damaged_cub_files_are_named(tmp_path, feats, file, text, message):
    folder = write_cub(tmp_path / "a")
    (folder / file).unlink()
    if text is not None:
        (folder / file).write_text(text)
    with pytest.raises(InputError) as error:
        load(folder, features=feats)
    assert message in str(error.value)
    assert [p for p in check(folder, features=feats) if message in str(p)]


def test_an_image_without_a_class_is_unannotated(tmp_path, feats):
    folder = write_cub(tmp_path / "a")
    lines = (folder / "image_class_labels.txt").read_text().splitlines()
    write(folder / "image_class_labels.txt", *lines[:-1])
    assert load_zero_shot(folder, features=feats).labels.tolist()[-1] == -1
    assert any("no class for 1 of 8" in p.message for p in check(folder, features=feats))


def test_awa2_folder_with_its_own_features(tmp_path):
    folder = write_awa2(tmp_path)
    data = load_zero_shot(folder)
    assert data.features[:, 0].tolist() == list(range(24))
    assert data.labels.tolist() == np.repeat(range(12), 2).tolist()
    assert np.isnan(data.attributes[1, 0])
    assert data.attributes[1, 1] == 39.25
    assert data.attribute_names.tolist() == ["black", "big"]
    assert data.provenance["card"] == "AwA2"
    assert get_split(data, "paper").unseen.tolist() == list(range(2, 12))
    unseen = data.class_names[get_split(data, "testclasses").unseen]
    assert unseen.tolist() == ["antelope", "rat", "seal"]
    assert {p.severity for p in check(folder)} == {"warning"}


def test_awa_with_other_features_and_attributes(tmp_path):
    folder = write_awa2(tmp_path, features=False)
    names = ["seal_0001.jpg", "antelope_0002.jpg", "rat_0003.jpg"]
    given = write_features(tmp_path / "f.npz", names)
    data = load_zero_shot(folder, features=given, attributes="binary")
    by_name = dict(zip(data.image_names, data.class_names[data.labels], strict=True))
    assert by_name == {n: n.split("_")[0] for n in names}
    assert set(np.unique(data.attributes)) <= {0, 1}
    with pytest.raises(InputError, match=r"no class attributes 'wavy' \(it has: continuous, bin"):
        load(folder, attributes="wavy")


def test_awa2_labels_that_contradict_the_names(tmp_path):
    folder = write_awa2(tmp_path)
    path = folder / "Features" / "ResNet101" / "AwA2-labels.txt"
    lines = path.read_text().splitlines()
    write(path, "12", *lines[1:])
    with pytest.raises(InputError, match=r"1 labels contradict the image names, first 'antelope_"):
        load(folder)
    write(path, "0", *lines[1:])
    with pytest.raises(InputError, match=r"labels 0…12, but 1…12 were expected"):
        load(folder)
    write(path, *lines[1:])
    with pytest.raises(InputError, match="23 rows for 24 images"):
        load(folder)


@pytest.mark.parametrize("inner", [True, False])
def test_apy_objects_may_share_a_photograph(tmp_path, inner):
    folder = write_apy(tmp_path / "apy")
    given = write_features(tmp_path / "f.npz", APY_OBJECTS, order=[3, 5, 0, 2, 1, 4])
    data = load_zero_shot(folder if inner else folder.parent, features=given)
    assert data.features[:, 0].tolist() == list(range(6))
    assert data.class_names.tolist() == ["bottle", "horse", "person", "donkey", "mug"]
    assert data.class_names[data.labels].tolist() == [
        "horse", "person", "bottle", "person", "donkey", "mug",
    ]  # fmt: skip
    lines = [line.split() for name in ("apascal_train", "apascal_test")
             for line in (folder / f"{name}.txt").read_text().splitlines()]  # fmt: skip
    people = [[float(v) for v in line[6:]] for line in lines if line[1] == "person"]
    np.testing.assert_allclose(data.attributes[2], np.mean(people, axis=0))
    np.savez(tmp_path / "g.npz", features=np.eye(5), image_files=APY_OBJECTS[1:])
    with pytest.raises(InputError, match=r"1 rows named '2008_000008.jpg' where 2 are listed"):
        load(folder, features=tmp_path / "g.npz")


def test_apy_lines_of_two_lengths(tmp_path):
    folder = write_apy(tmp_path)
    with (folder / "ayahoo_test.txt").open("a") as file:
        file.write("zebra_1.jpg zebra 1 2 3 4 0 1\n")
    assert any("lines of 8 to 70 parts" in p.message for p in check(folder))


@pytest.mark.parametrize("letter", [True, False])
def test_sun_folder(tmp_path, letter):
    images = SUN_IMAGES if letter else [image[2:] for image in SUN_IMAGES]
    folder = write_sun(tmp_path / "sun", images)
    given = write_features(tmp_path / "f.npz", images)
    data = load_zero_shot(folder.parent, features=given)
    assert data.class_names.tolist() == ["abbey", "apse_indoor", "apse_outdoor"]
    assert data.labels.tolist() == [0, 0, 1, 2]
    np.testing.assert_allclose(data.attributes[0], [0.5, 0, 2 / 3])
    assert data.attribute_names[0] == "sailing/ boating"
    assert "paper" not in data.splits
    with pytest.raises(InputError, match="give a file with one unseen class name a line"):
        get_split(data, "paper")
    write(tmp_path / "ten.txt", "abbey")
    assert get_split(data, tmp_path / "ten.txt").unseen.tolist() == [0]


def test_sun_names_are_those_of_xlsa17(real):
    from sapwood.data.problems import Report
    from sapwood.data.sun_folder import _class_of

    names = load_attributes(real("class_attributes_sun.npz")).class_names.tolist()
    assert _class_of("a/apartment_building/outdoor/sun_x.jpg", Report()) in names
    assert _class_of("abbey/sun_x.jpg", Report()) in names


def test_web_images_in_a_tree_of_folders(tmp_path):
    folder = tmp_path / "cub-web"
    for name in ("0002.jpg", "more/0003.JPG", "more/._0003.JPG", "notes.txt"):
        write(folder / name, "x")
    given = write_features(tmp_path / "f.npz", ["0003", "0002"])
    table = load_features(folder, features=given)
    assert table.image_names.tolist() == ["0002.jpg", "more/0003.JPG"]
    assert table.features[:, 0].tolist() == [1, 0]
    assert check(folder, features=given) == []
    with pytest.raises(InputError, match="a folder of 2 images without features; compute"):
        load(folder)
    np.save(tmp_path / "f.npy", np.eye(2))
    with pytest.raises(InputError, match="files in a folder have no order"):
        load(folder, features=tmp_path / "f.npy")


@pytest.mark.parametrize("given", [None, "features.npz"])
def test_features_may_lie_among_the_images(tmp_path, given):
    for name in ("a.jpg", "b.jpg"):
        write(tmp_path / name, "x")
    write_features(tmp_path / "features.npz", ["b.jpg", "a.jpg"])
    assert load_features(tmp_path, features=given).features[:, 0].tolist() == [1, 0]
    write(tmp_path / "annotations.csv", "image,class", "a.jpg,owl")
    with pytest.raises(InputError, match=r"no attributes\.csv|means nothing"):
        load(tmp_path, features=given)


def test_only_visible_files_are_images_and_their_names_are_composed(tmp_path):
    folder = tmp_path / "web"
    for name in ("cafe\u0301.jpg", ".thumbs/1.jpg", "folder.jpg/notes.txt"):
        write(folder / name, "x")
    given = write_features(tmp_path / "f.npz", ["cafe\u0301.jpg"])
    assert load_features(folder, features=given).image_names.tolist() == ["caf\u00e9.jpg"]


def test_the_current_folder_is_read_as_by_its_path(tmp_path, feats, monkeypatch):
    folder = write_cub(tmp_path / "cub")
    monkeypatch.chdir(folder)
    here, there = (load_zero_shot(place, features=feats) for place in (".", folder))
    assert here.attribute_names.tolist() == there.attribute_names.tolist()
    assert here.provenance["path"] == "."


def test_features_mean_nothing_for_a_file(tmp_path, feats):
    with pytest.raises(InputError, match=r"features='x.npz' means nothing for this kind of data"):
        load(feats, features="x.npz")
