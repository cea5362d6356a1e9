import pytest

from sapwood.errors import InputError
from sapwood.tags.tables import read_tag_table


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("image,tags\na,dog,cat\nb,sea\n", {"a": ["dog", "cat"], "b": ["sea"]}),
        ('image,tags\na,"dog,cat",sea\n', {"a": ["dog", "cat", "sea"]}),
        ("image,tags\na,dog,,\n", {"a": ["dog"]}),
        ("image;tags\na;dog, cat|sea\n", {"a": ["dog", "cat", "sea"]}),
        ("image,tags\na,\"['dog', 'new york']\"\nb,[]\n", {"a": ["dog", "new york"], "b": []}),
        ('image,tags\na,"[""dog"", ""cat\'s""]"\n', {"a": ["dog", "cat's"]}),
        ("image,tags\na,['dog' 'cat']\n", {"a": ["dog", "cat"]}),
        ('image,tags\na,"[dog, cat]"\n', {"a": ["dog", "cat"]}),
        ("image,tag\na,[x]\na,sea\n", {"a": ["[x]", "sea"]}),
    ],
    ids=["unquoted", "both", "gaps", "bars", "list", "JSON", "array", "bare list", "one a row"],
)
def test_tags_of_an_image_as_people_write_them(tmp_path, text, expected):
    path = tmp_path / "tags.csv"
    path.write_text(text)
    assert read_tag_table(path) == expected


@pytest.mark.parametrize("text", ["image,tag\na,dog,cat\n", "tags,image\ndog,a,cat\n"])
def test_cells_beyond_the_header_are_refused_where_they_cannot_be_tags(tmp_path, text):
    path = tmp_path / "tags.csv"
    path.write_text(text)
    with pytest.raises(InputError, match="line 2 has more cells than the header, first 'cat'"):
        read_tag_table(path)


def test_lists_of_a_parquet_file_are_tags(tmp_path):
    pd = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    rows = {"image": ["a", "b"], "tags": [["dog", "new, york"], []]}
    pd.DataFrame(rows).to_parquet(tmp_path / "tags.parquet")
    assert read_tag_table(tmp_path / "tags.parquet") == {"a": ["dog", "new, york"], "b": []}
