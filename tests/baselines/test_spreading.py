import numpy as np

from sapwood.baselines import RPL, LabelSpreadingRidge


def test_it_is_rpl_on_spread_labels(world):
    mine = LabelSpreadingRidge().fit(world.X, world.y, class_attributes=world.Z)
    rpl = RPL(unlabelled="spread").fit(world.X, world.y, class_attributes=world.Z)
    np.testing.assert_array_equal(mine.projection_, rpl.projection_)
    alone = RPL().fit(world.X, world.y, class_attributes=world.Z)
    assert not np.allclose(mine.projection_, alone.projection_)
