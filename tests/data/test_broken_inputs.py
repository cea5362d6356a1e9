import re

import pytest

from sapwood.data import check, get_split, load
from sapwood.errors import InputError
from tests.data.broken_inputs import BROKEN


def use(given):
    data = load(given.source, attributes=given.attributes)
    return get_split(data, given.split)


@pytest.mark.parametrize("broken", BROKEN, ids=lambda b: b.name)
def test_each_broken_input_gives_one_line_with_the_place_and_the_fix(broken, tmp_path, monkeypatch):
    monkeypatch.setenv("SAPWOOD_DATA", str(tmp_path / "nothing"))
    given = broken.write(tmp_path)
    with pytest.raises(InputError) as caught:
        use(given)
    line = str(caught.value)
    assert re.match(broken.message.replace("{}", re.escape(str(tmp_path))), line), line
    assert line.isprintable()
    if given.split is None:
        errors = [p for p in check(given.source, attributes=given.attributes)
                  if p.severity == "error"]  # fmt: skip
        assert line.startswith(str(errors[0]))


def test_there_are_enough_broken_inputs_and_no_two_alike():
    assert len(BROKEN) >= 40
    assert len({b.message for b in BROKEN}) >= len(BROKEN) - 5
