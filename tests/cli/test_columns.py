"""Feature columns that are not those of before are told one by one."""

import pytest

from sapwood.cli.columns import require_columns
from sapwood.errors import InputError


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ("a,c", r"(2 given, 3 expected): column 2 is 'c', expected 'b'"),
        ("a,b", r"(2 given, 3 expected): column 3 is missing, expected 'c'"),
        ("a,b,c,d", r"(4 given, 3 expected): column 4 is 'd', expected none"),
        ("a,b,b", r"others than those of the data set (3 given, 3 expected): column 3 is 'b'"),
        ("b,a,c", r"in another order than those of the data set: column 1 is 'b', expected 'a'"),
    ],
)
def test_other_feature_columns_are_told(columns, message):
    given = {"feature_columns": columns.replace(",", "\t")}
    with pytest.raises(InputError) as told:
        require_columns("new.csv", given, "a\tb\tc", "of the data set")
    assert str(told.value).startswith("new.csv: its feature columns are ")
    assert message in str(told.value)
