import os

import numpy as np
import pytest

from sapwood.graph import cache, nearest_neighbors, neighbors, remembering_neighbors


@pytest.fixture
def X():
    return np.random.default_rng(0).standard_normal((30, 4))


@pytest.fixture
def searches(monkeypatch):
    """Counts the searches that are really made."""
    calls, real = [], neighbors.map_blocks
    monkeypatch.setattr(neighbors, "map_blocks", lambda *a: calls.append(1) or real(*a))
    return calls


def files(folder):
    return sorted(folder.glob("*"))


def test_the_second_time_they_are_read(X, tmp_path, searches):
    expected = nearest_neighbors(X, 3)
    for order in "CCF":
        with remembering_neighbors(tmp_path):
            found = nearest_neighbors(X.copy(order=order), 3)
        for one, other in zip(found, expected, strict=True):
            np.testing.assert_array_equal(one, other)
            assert one.dtype == other.dtype
    assert len(searches) == 2
    assert len(files(tmp_path)) == 1


def test_what_is_in_the_file_is_what_comes_back(X, tmp_path):
    with remembering_neighbors(tmp_path):
        nearest_neighbors(X, 3)
        place = cache.place_of(X, 3)
        assert files(tmp_path) == [place]
        cache.keep_lists(place, (np.full((30, 3), 7), np.zeros((30, 3))), 1.0)
        assert (nearest_neighbors(X, 3)[0] == 7).all()


def test_everything_that_matters_is_another_file(X, tmp_path, searches):
    with remembering_neighbors(tmp_path):
        for given, k in [(X, 3), (X, 4), (X + 1e-12, 3), (X[::-1], 3), (X[:, ::-1], 3)]:
            nearest_neighbors(given, k)
        # The same bytes in another shape.
        nearest_neighbors(X.reshape(60, 2), 3)
    assert len(searches) == len(files(tmp_path)) == 6


def test_outside_the_block_nothing_is_written_or_read(X, tmp_path, searches):
    with remembering_neighbors(tmp_path / "new" / "folder"):
        pass
    nearest_neighbors(X, 3)
    assert files(tmp_path / "new" / "folder") == []
    with pytest.raises(KeyError), remembering_neighbors(tmp_path):
        raise KeyError
    nearest_neighbors(X, 3)
    assert len(searches) == 2
    assert files(tmp_path) == [tmp_path / "new"]


def test_blocks_within_blocks(X, tmp_path):
    with remembering_neighbors(tmp_path / "outer"):
        with remembering_neighbors(tmp_path / "inner"):
            nearest_neighbors(X, 3)
        nearest_neighbors(X, 4)
    assert len(files(tmp_path / "inner")) == len(files(tmp_path / "outer")) == 1


DAMAGE = {
    "empty": lambda content: b"",
    "text": lambda content: b"a text about birds",
    "cut short": lambda content: content[:-40],
    "cut in half": lambda content: content[: len(content) // 2],
    "a bit flipped": lambda content: content[:300] + bytes([content[300] ^ 1]) + content[301:],
    "one array": lambda content: b"\x93NUMPY" + content,
}


@pytest.mark.parametrize("case", DAMAGE)
def test_a_damaged_file_is_mended(X, tmp_path, searches, case):
    expected = nearest_neighbors(X, 3)
    with remembering_neighbors(tmp_path):
        nearest_neighbors(X, 3)
        (path,) = files(tmp_path)
        good = path.read_bytes()
        path.write_bytes(DAMAGE[case](good))
        for found in (nearest_neighbors(X, 3), nearest_neighbors(X, 3)):
            np.testing.assert_array_equal(found[0], expected[0])
            np.testing.assert_array_equal(found[1], expected[1])
    assert len(searches) == 3


def test_a_file_appears_whole_or_not_at_all(X, tmp_path, monkeypatch):
    def die(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", die)
    with remembering_neighbors(tmp_path), pytest.raises(KeyboardInterrupt):
        nearest_neighbors(X, 3)
    assert files(tmp_path) == []


def test_lists_that_are_read_tell_what_they_took(X, tmp_path):
    with remembering_neighbors(tmp_path):
        before = cache.spared_seconds()
        nearest_neighbors(X, 3)
        assert cache.spared_seconds() == before
        cache.keep_lists(cache.place_of(X, 3), nearest_neighbors(X, 3), 2.5)
        after = cache.spared_seconds()
        nearest_neighbors(X, 3)
        assert cache.spared_seconds() == after + 2.5
