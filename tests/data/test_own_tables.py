import sys

import numpy as np
import pytest

from sapwood.data import (
    AttributeTable,
    FeatureTable,
    check,
    load,
    load_attributes,
    load_features,
    load_tables,
    load_zero_shot,
)
from sapwood.errors import InputError
from tests.data.layouts import ANNOTATIONS, ATTRIBUTES, FEATURES, write_tables


def same(data):
    np.testing.assert_array_equal(data.features, [[1, 2], [3, 4], [5, 6]])
    assert data.labels.tolist() == [0, -1, -1]
    np.testing.assert_array_equal(data.attributes, [[1, 0.5], [0, np.nan]])
    assert data.class_names.tolist() == ["owl", "jay"]
    assert data.attribute_names.tolist() == ["beak", "tail"]
    assert data.image_names.tolist() == ["a.jpg", "b.jpg", "c.jpg"]
    return True


DIALECTS = {
    "plain": lambda text: text.encode(),
    "BOM": lambda text: text.encode("utf-8-sig"),
    "CRLF": lambda text: text.replace("\n", "\r\n").encode(),
    "old Mac": lambda text: text.replace("\n", "\r").encode(),
    "semicolons": lambda text: text.replace(",", ";").encode(),
    "tabs": lambda text: text.replace(",", "\t").encode(),
    "no last line end": lambda text: text.rstrip("\n").encode(),
    "blank lines": lambda text: text.replace("\n", "\n\n").encode(),
    "quotes": lambda text: "\n".join(
        ",".join(f'"{cell}"' for cell in line.split(",")) for line in text.splitlines()
    ).encode(),
    "sep=; first": lambda text: f"sep=;\n{text.replace(',', ';')}".encode(),
    "sep= of Excel": lambda text: f"sep=,\r\n{text}".encode("utf-8-sig"),
    "all at once": lambda text: text.replace(",", ";").replace("\n", "\r\n").encode("utf-8-sig"),
}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_same_tables_in_every_dialect(tmp_path, dialect):
    encode = DIALECTS[dialect]
    texts = [encode(text) for text in (FEATURES, ANNOTATIONS, ATTRIBUTES)]
    assert same(load_zero_shot(write_tables(tmp_path, *texts)))


def test_rows_in_any_order_are_matched_by_name(tmp_path):
    annotations = "class,note,image\njay,x,c.jpg\n,x,b.jpg\nowl,x,a.jpg\n"
    data = load_zero_shot(write_tables(tmp_path, annotations=annotations))
    assert data.labels.tolist() == [0, -1, 1]


def test_one_name_in_two_unicode_forms_is_one_name(tmp_path):
    composed, apart = "ha\u0308her", "h\u00e4her"
    data = load_zero_shot(
        write_tables(
            tmp_path,
            annotations=f"image,class\na.jpg,{composed}\n",
            attributes=f"class,beak\n{apart},1\njay,0\n",
        )
    )
    assert data.labels.tolist() == [0, -1, -1]


@pytest.mark.parametrize("mark", ["", "NA", "nan", "None", "?"])
def test_marks_of_a_missing_class(tmp_path, mark):
    annotations = f"image,class\na.jpg,owl\nb.jpg,{mark}\n"
    assert same(load_zero_shot(write_tables(tmp_path, annotations=annotations)))


def test_every_unknown_label_is_reported_with_its_count(tmp_path):
    annotations = "image,class\na.jpg,owls\nb.jpg,owls\nc.jpg,crow\n"
    path = write_tables(tmp_path, annotations=annotations)
    found = [str(p) for p in check(path) if p.severity == "error"]
    assert "'owls' (2 images) has no attributes; did you mean 'owl'?" in found[0]
    assert "'crow' (1 image) has no attributes; correct" in found[1]


def test_classes_without_images_are_reported_but_fine(tmp_path):
    found = check(write_tables(tmp_path))
    assert [p.message for p in found if p.severity == "error"] == [
        "all annotated images are of 'owl'"
    ]
    assert any("no annotated image of 'jay'" in p.message for p in found)
    annotations = "image,class\na.jpg,owl\nc.jpg,jay\n"
    found = check(write_tables(tmp_path, annotations=annotations))
    assert [p.severity for p in found] == ["warning"] * len(found)


def test_features_from_an_archive(tmp_path):
    names = np.array(["a.jpg", "b.jpg", "c.jpg"])
    features = np.array([[1, 2], [3, 4], [5, 6]], np.float16)
    np.savez(tmp_path / "features.npz", features=features, image_files=names)
    data = load_zero_shot(write_tables(tmp_path, features=None))
    assert same(data)
    assert data.features.dtype == np.float16


def test_an_archive_that_names_an_image_twice_is_refused(tmp_path):
    names = np.array(["a.jpg", "a.jpg", "b.jpg"])
    np.savez(tmp_path / "features.npz", features=np.eye(3), image_files=names)
    write_tables(tmp_path, features=None)
    with pytest.raises(InputError, match=r"features\.npz: rows given twice: 'a\.jpg'; keep one"):
        load(tmp_path)


def test_tables_anywhere(tmp_path):
    write_tables(tmp_path)
    paths = [tmp_path / f"{n}.csv" for n in ("features", "annotations", "attributes")]
    assert same(load_tables(*paths))
    with pytest.raises(InputError, match=rf"^{paths[2]}: its rows are named after classes"):
        load_tables(paths[2], paths[1], paths[2])
    with pytest.raises(InputError, match=rf"^{paths[0]}: its rows are named after images"):
        load_tables(paths[0], paths[1], paths[0])


def test_single_tables(tmp_path):
    write_tables(tmp_path)
    assert type(load(tmp_path / "features.csv")) is FeatureTable
    assert type(load(tmp_path / "attributes.csv")) is AttributeTable
    assert load_features(tmp_path / "features.csv").features.shape == (3, 2)
    assert load_attributes(tmp_path / "attributes.csv").class_names.tolist() == ["owl", "jay"]


@pytest.mark.parametrize("cell", ["", "n/a", "inf", "nan"])
def test_a_feature_that_is_missing_is_told_by_line_and_column(tmp_path, cell):
    write_tables(tmp_path, features=f"image,f1,f2\na.jpg,1,2\nb.jpg,{cell},x\nc.jpg,,4\n")
    with pytest.raises(InputError) as told:
        load_features(tmp_path / "features.csv")
    assert "1 cell is not a number, first 'x' in column 'f2', line 3; write numbers" in str(
        told.value
    )
    assert "empty" not in str(told.value).partition(" (and ")[0]
    problems = check(tmp_path / "features.csv")
    said = [str(problem) for problem in problems if problem.severity == "error"]
    assert len(said) == 2
    assert f"2 cells are empty or not finite, first '{cell}' in column 'f1', line 3" in said[1]


def test_a_bad_cell_of_a_folder_is_told_once(tmp_path):
    write_tables(tmp_path, features=FEATURES.replace("a.jpg,1", "a.jpg,x"))
    found = [str(problem) for problem in check(tmp_path) if "cell" in problem.message]
    assert len(found) == 1
    assert "features.csv: 1 cell is not a number, first 'x' in column 'f1', line 2" in found[0]
    assert found[0].endswith("; write numbers")


@pytest.mark.parametrize("ending", ["csv", "tsv", "txt"])
def test_a_gap_in_the_features_of_any_text_is_told_by_line_and_column(tmp_path, ending):
    write_tables(tmp_path)
    text = (tmp_path / "features.csv").read_text().splitlines()
    text[1] = ",".join([*text[1].split(",")[:-1], ""])
    (tmp_path / "features.csv").unlink()
    (tmp_path / f"features.{ending}").write_text("\n".join(text))
    with pytest.raises(InputError, match=f"features.{ending}: 1 cell is empty.*line 2"):
        load(tmp_path)


@pytest.mark.parametrize("part", ["features", "attributes"])
def test_an_index_that_pandas_wrote_is_told(tmp_path, part):
    write_tables(tmp_path)
    path = tmp_path / f"{part}.csv"
    lines = path.read_text().splitlines()
    path.write_text(
        "\n".join([f",{lines[0]}", *(f"{i},{line}" for i, line in enumerate(lines[1:]))])
    )
    with pytest.raises(InputError, match=r"first column has no name.*index=False"):
        load(tmp_path)


@pytest.mark.parametrize(
    ("text", "fix"),
    [
        ("image,class\na.jpg,owl\n", "give their folder"),
        ("image,class\n7,owl\n", "give their folder"),
        ("Class,image\na.jpg,owl\n", "give their folder"),
        ("file,f1,class\na.jpg,1,owl\n", "give their folder"),
        ("image,tags\na.jpg,owl\n", "refine"),
    ],
)
def test_a_table_of_names_is_not_taken_for_features(tmp_path, text, fix):
    table = tmp_path / "names.csv"
    table.write_text(text)
    with pytest.raises(InputError, match=f"1 cell is not a number, first 'owl'.*{fix}"):
        load_features(table)


@pytest.mark.parametrize(
    ("part", "text"),
    [
        ("features", "f1,f2,image\n1,2,a.jpg\n3,4,b.jpg\n"),
        ("attributes", "id,class,beak\n1,owl,1\n2,jay,0\n"),
    ],
)
def test_names_that_do_not_stand_first_are_told(tmp_path, part, text):
    write_tables(tmp_path, **{part: text})
    with pytest.raises(
        InputError, match=r"are not numbers.*; put the column '(image|class)' first"
    ):
        load(tmp_path)


def test_numbers_may_stand_under_any_name(tmp_path):
    table = tmp_path / "numbers.csv"
    table.write_text("image,tags,class\na.jpg,1,2\nb.jpg,3,4\n")
    assert load_features(table).features.tolist() == [[1, 2], [3, 4]]
    table.write_text("class,image,diagram\nowl,1,0\n")
    assert load_attributes(table).attributes.tolist() == [[1, 0]]


def test_a_table_that_is_missing_is_not_taken_for_another(tmp_path):
    write_tables(tmp_path)
    (tmp_path / "attributes.csv").rename(tmp_path / "attributes.xlsx")
    with pytest.raises(InputError) as told:
        load(tmp_path)
    assert "did you mean" not in str(told.value)
    assert "save attributes.xlsx as CSV" in str(told.value)
    (tmp_path / "attributes.xlsx").rename(tmp_path / "atributes.csv")
    with pytest.raises(InputError, match=r"did you mean 'atributes\.csv'"):
        load(tmp_path)


@pytest.mark.parametrize(
    ("part", "name", "said"),
    [
        ("features", "features.csv.gz", "no features.csv in the folder; unpack features.csv.gz"),
        ("features", "features.npy", "features.npy is not read; write it as features.csv, .tsv, "
         ".txt, .parquet, .npz"),
        ("annotations", "annotations.json", "annotations.json is not read; write it as "
         "annotations.csv, .tsv, .txt, .parquet"),
    ],
)  # fmt: skip
def test_a_table_in_a_form_that_is_not_read_is_told(tmp_path, part, name, said):
    write_tables(tmp_path)
    (tmp_path / f"{part}.csv").rename(tmp_path / name)
    with pytest.raises(InputError) as told:
        load(tmp_path)
    assert str(told.value).endswith(said)


def test_attributes_of_which_none_differs_are_told(tmp_path):
    write_tables(tmp_path, attributes="class,beak\nowl,1\njay,1\n")
    said = [str(problem) for problem in check(tmp_path)]
    assert any("none differs between classes; classes without images" in one for one in said)
    assert not any("columns are the same" in one for one in said)


def test_a_table_written_by_pandas_with_numbered_columns(tmp_path):
    data = load_zero_shot(write_tables(tmp_path, features=FEATURES.replace("image,f1,f2", ",0,1")))
    assert same(data)


def test_parquet_says_the_same_as_csv(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    tables = {
        "features": {"image": ["a.jpg", "b.jpg", "c.jpg"], "f1": [1, 3, 5], "f2": [2.0, 4, 6]},
        "annotations": {"image": ["a.jpg", "b.jpg"], "class": ["owl", None]},
        "attributes": {"class": ["owl", "jay"], "beak": [1, 0], "tail": [0.5, None]},
    }
    for name, content in tables.items():
        parquet.write_table(pyarrow.table(content), tmp_path / f"{name}.parquet")
    assert same(load_zero_shot(tmp_path))


@pytest.mark.parametrize(
    "names",
    [["c", "a", "b"], [11, 15, 13], [11, 12, 13], ["7", "8", "9"]],
    ids=["text", "numbers", "consecutive numbers", "numbers as text"],
)
def test_the_index_of_a_frame_holds_the_names(tmp_path, names):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"image": names, "f1": [1.0, 2, 3], "f2": [4, 5, 6]})
    frame.set_index("image").to_parquet(tmp_path / "f.parquet")
    for table in (load(tmp_path / "f.parquet"), load_features(tmp_path / "f.parquet")):
        assert table.image_names.tolist() == [str(name) for name in names]
        assert table.features.tolist() == [[1, 4], [2, 5], [3, 6]]
    frame = frame.rename(columns={"image": "class"}).set_index("class")
    frame.to_parquet(tmp_path / "a.parquet")
    assert load(tmp_path / "a.parquet").class_names.tolist() == [str(name) for name in names]


@pytest.mark.parametrize("names", [["c", "a", "b"], [11, 15, 13]], ids=["text", "numbers"])
def test_an_index_without_a_name_counts_where_no_column_has_the_names(tmp_path, names):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"f1": [1.0, 2, 3], "f2": [4, 5, 6]}, index=names)
    frame.to_parquet(tmp_path / "f.parquet")
    assert load_features(tmp_path / "f.parquet").image_names.tolist() == [str(n) for n in names]


@pytest.mark.parametrize("names", [["c", "a", "b"], [11, 15, 13]], ids=["text", "numbers"])
def test_row_numbers_of_a_shuffled_frame_are_left_out(tmp_path, names):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"image": names, "f1": [1.0, 2, 3]}, index=[2, 0, 1])
    frame.to_parquet(tmp_path / "f.parquet")
    table = load_features(tmp_path / "f.parquet")
    assert table.image_names.tolist() == [str(name) for name in names]
    assert table.features.tolist() == [[1], [2], [3]]


def test_parquet_without_pyarrow_names_the_extra(tmp_path, monkeypatch):
    (tmp_path / "features.parquet").write_bytes(b"PAR1")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(InputError, match=r'needs pyarrow; pip install -e "\.\[parquet\]"'):
        load_features(tmp_path / "features.parquet")
