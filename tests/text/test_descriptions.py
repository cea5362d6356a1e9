import numpy as np
import pytest

from sapwood import InputError
from sapwood.data import AttributeTable
from sapwood.text import WordVectors, class_vectors, load_described, read_descriptions


def test_several_lines_a_class(tmp_path):
    path = tmp_path / "classes.csv"
    path.write_text(
        '\ufeffClass;Note;Description\nowl;x;"brown; hunts"\njay;;blue\nowl;y;hoots\n',
        encoding="utf-8",
    )
    found = read_descriptions(path)
    assert found == {"owl": ["brown; hunts", "hoots"], "jay": ["blue"]}
    assert list(found) == ["owl", "jay"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("class,words\nowl,brown\n", "class and description were expected"),
        ("class,description\nowl,\n", "line 2 lacks a class or its description"),
        ("class,description\n,brown\n", "line 2 lacks a class or its description"),
        ("class,description\nowl\n", "line 2 lacks a class or its description"),
        ("class,description\nowl,brown, large\n", "put descriptions that hold commas into quotes"),
        ("class,description\n", "a header but no rows"),
        ("", "the file is empty"),
    ],
)
def test_broken_tables(tmp_path, text, message):
    path = tmp_path / "classes.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        read_descriptions(path)


def test_a_class_is_the_mean_of_its_texts_at_unit_length(vectors):
    texts = {"a": ["red", "blue red red red"], "b": ["bird"]}
    table = class_vectors(WordVectors(vectors), texts)
    one = np.array([0, 1, 0, 0.1]) / np.hypot(1, 0.1)
    two = np.array([0, 0.5, 0, 0.1]) / np.hypot(0.5, 0.1)
    np.testing.assert_allclose(table.attributes[0], (one + two) / 2)
    assert table.class_names.tolist() == ["a", "b"]
    assert table.attribute_names.tolist() == ["text 1", "text 2", "text 3", "text 4"]


def test_a_text_alone_is_one_text(vectors):
    alone = class_vectors(WordVectors(vectors), {"a": "red bird", "b": ["blue"]})
    listed = class_vectors(WordVectors(vectors), {"a": ["red bird"], "b": ["blue"]})
    np.testing.assert_array_equal(alone.attributes, listed.attributes)


@pytest.mark.parametrize("empty", ["a", "b", "c"])
def test_a_class_without_texts_is_named(vectors, empty):
    texts = {name: [] if name == empty else ["red"] for name in "abc"}
    with pytest.raises(InputError, match=f"no text for class '{empty}'; describe every class"):
        class_vectors(WordVectors(vectors), texts)


def test_every_bad_line_is_told_at_once(tmp_path):
    path = tmp_path / "classes.csv"
    path.write_text("class,description\nowl,\njay,blue\n,red\n")
    with pytest.raises(
        InputError, match=r"line 2 lacks .* \(and 1 more: line 4 lacks a class"
    ) as told:
        read_descriptions(path)
    assert "data check" not in str(told.value)


TABLE = AttributeTable(
    attributes=np.arange(1.0, 7).reshape(3, 2), class_names=["jay", "owl", "emu"]
)


def test_descriptions_in_place_of_attributes(data_file):
    names = [f"bird {c}" for c in "hgfedcba"]
    table = AttributeTable(attributes=np.arange(1.0, 17).reshape(8, 2), class_names=names)
    data = load_described(data_file, table)
    assert data.attributes[:, 0].tolist() == [15, 13, 11, 9, 7, 5, 3, 1]
    assert list(data.splits) == ["paper"]
    with pytest.raises(
        InputError, match=r"8 of 8 classes are not described in words \(first: 'bird"
    ):
        load_described(data_file, TABLE)


def test_a_folder_without_attributes(tmp_path):
    (tmp_path / "features.csv").write_text("image,f\n1.jpg,1\n2.jpg,2\n3.jpg,3\n")
    (tmp_path / "annotations.csv").write_text("image,class\n1.jpg,owl\n3.jpg,jay\n")
    data = load_described(tmp_path, TABLE)
    assert data.labels.tolist() == [1, -1, 0]
    assert data.attributes.tolist() == [[1, 2], [3, 4], [5, 6]]
    assert "Temp" not in str(data.provenance) + "".join(data.provenance.values())
    (tmp_path / "annotations.csv").write_text("image,class\n1.jpg,olw\n")
    with pytest.raises(InputError, match="did you mean 'owl'"):
        load_described(tmp_path, TABLE)
    np.savez(tmp_path / "features.npz", features=np.eye(3))
    with pytest.raises(InputError, match=r"features: several tables: .*features\.npz.*keep one"):
        load_described(tmp_path, TABLE)
