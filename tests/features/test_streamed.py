import numpy as np
import pytest

from sapwood.features import FEATURE_MAPS, FeatureMap, MappedRows, fit_in_blocks


@pytest.mark.parametrize("features", list(FEATURE_MAPS))
@pytest.mark.parametrize("shift", [0.0, -0.5])
def test_blocks_give_the_map_of_the_whole(features, shift, monkeypatch):
    X = np.random.default_rng(0).random((60, 5)) + shift
    whole = FeatureMap(**FEATURE_MAPS[features]).fit(X)
    monkeypatch.setattr("sapwood.features.streamed.rows_at_a_time", lambda width: 7)
    blocks = fit_in_blocks(X, features)
    assert blocks.root_ == whole.root_
    new = np.random.default_rng(1).random((8, 5))
    np.testing.assert_allclose(blocks.transform(new), whole.transform(new), atol=1e-12)


def test_mapped_rows_are_read_by_slice_and_by_number(tmp_path):
    X = np.random.default_rng(0).random((30, 4)).astype(np.float32)
    np.save(tmp_path / "X.npy", X)
    mapped = MappedRows(np.load(tmp_path / "X.npy", mmap_mode="r"), fit_in_blocks(X, "rooted"))
    expected = FeatureMap(**FEATURE_MAPS["rooted"]).fit(X).transform(X)
    np.testing.assert_allclose(mapped[3:9], expected[3:9], atol=1e-6)
    np.testing.assert_allclose(mapped[np.array([20, 4])], expected[[20, 4]], atol=1e-6)
