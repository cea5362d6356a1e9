import numpy as np

from sapwood.baselines import RPL, LabelSpreadingRidge


def test_it_is_rpl_on_spread_labels(world):
    mine = LabelSpreadingRidge().fit(world.X, world.y, class_attributes=world.Z)
    rpl = RPL(unlabelled="spread").fit(world.X, world.y, class_attributes=world.Z)
    np.testing.assert_array_equal(mine.projection_, rpl.projection_)
    alone = RPL().fit(world.X, world.y, class_attributes=world.Z)
    assert not np.allclose(mine.projection_, alone.projection_)


def test_few_annotations_of_many_classes_are_no_regression():
    """A warning would be an error here."""
    rng = np.random.default_rng(0)
    y = np.append(np.arange(13), np.full(11, -1))
    model = LabelSpreadingRidge().fit(rng.random((24, 6)), y, class_attributes=rng.random((15, 5)))
    assert np.isfinite(model.decision_function(rng.random((3, 6)))).all()
