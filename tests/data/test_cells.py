"""What is said of cells that are no numbers: of a slip, and of a column of text."""

import pytest

from sapwood.data import check, load_attributes, load_features
from sapwood.errors import InputError

ROWS = [f"{i}.jpg,{i * i % 7},nikon,{i % 4}" for i in range(12)]


def refusal(tmp_path, rows, header="image,f1,camera,f2", load=load_features):
    (tmp_path / "table.csv").write_text("\n".join([header, *rows]))
    with pytest.raises(InputError) as told:
        load(tmp_path / "table.csv")
    return str(told.value)


def test_a_column_of_text_is_to_be_removed(tmp_path):
    said = refusal(tmp_path, ROWS)
    assert said.endswith(
        "12 cells are not numbers, first 'nikon' in column 'camera', line 2; remove the column "
        "'camera'"
    )


def test_a_few_numbers_and_gaps_leave_it_a_column_of_text(tmp_path):
    rows = [ROWS[0].replace("nikon", ""), *ROWS[1:]]
    assert "11 cells are not numbers" in refusal(tmp_path, rows)
    assert len([p for p in check(tmp_path / "table.csv") if p.severity == "error"]) == 1
    rows[0] = ROWS[0].replace("nikon", "7")
    assert refusal(tmp_path, rows).endswith("remove the column 'camera'")


def test_slips_beside_it_are_to_be_written_as_numbers(tmp_path):
    rows = [*ROWS[:-1], "11.jpg,x,nikon,3"]
    assert refusal(tmp_path, rows).endswith(
        "remove the column 'camera', and write numbers elsewhere"
    )


def test_several_columns_of_text(tmp_path):
    rows = [row.replace("nikon", "nikon,oslo") for row in ROWS]
    said = refusal(tmp_path, rows, "image,f1,camera,place,f2")
    assert said.endswith("; remove the columns 'camera', 'place'")


def test_where_nothing_is_a_number_nothing_is_to_be_removed(tmp_path):
    rows = ["owl,red", "jay,blue"]
    said = refusal(tmp_path, rows, "class,colour", load_attributes)
    assert "2 cells are not numbers, first 'red' in column 'colour', line 2; write numbers" in said
    said = refusal(tmp_path, ["owl,'red',1", "jay,2,3"], "class,colour,size", load_attributes)
    assert "1 cell is not a number" in said
    assert said.endswith("write numbers or leave it empty")


def test_decimal_commas_are_no_text(tmp_path):
    rows = [f"{i}.jpg;1,{i};{i}" for i in range(9)]
    said = refusal(tmp_path, rows, "image;f1;f2")
    assert said.endswith("write decimal points, not commas")
