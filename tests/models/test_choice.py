import numpy as np
import pytest

from sapwood.models.choice import Trial, best_row, choose

USUAL = np.tile([1.0, 0.5, 0.25, 0.5], 25)


def trial(gain=0.0, spread=0.0, **parameters):
    """A trial whose lead over the preset has this mean and this standard error."""
    noise = np.tile([1.0, -1.0], 50) * np.sqrt(99)
    return Trial(parameters, USUAL + gain + spread * noise, np.arange(100))


def test_a_clearly_better_trial_is_taken():
    chosen, log, why = choose([trial(0.01, 0.02, k_g=5), trial(), trial(0.1, 0.04, lambda4=0.16)])
    assert chosen == {"lambda4": 0.16}
    assert why == (
        "of 3 trials lambda4=0.16 did best, ahead of the preset by 0.1000 ± 0.0400 in mean "
        "reciprocal rank"
    )
    assert [row["parameters"] for row in log] == [{"k_g": 5}, {}, {"lambda4": 0.16}]


def test_within_two_standard_errors_the_preset_is_kept():
    chosen, log, why = choose([trial(), trial(0.1, 0.06, metric="cosine")])
    assert chosen == {}
    assert why.startswith("the preset is kept: the best of 2 trials (metric='cosine') leads by 0.1")
    assert len(log) == 2


@pytest.mark.parametrize("gain", [0.0, -0.1])
def test_where_none_is_better_it_says_so(gain):
    chosen, _, why = choose([trial(gain, 0.0, k_g=5), trial()])
    assert (chosen, why) == ({}, "of 2 trials none did better than the preset")


def test_the_best_of_several_is_taken():
    chosen, _, _ = choose([trial(), trial(0.2, 0.01, k_g=5), trial(0.3, 0.01, k_g=20)])
    assert chosen == {"k_g": 20}


def test_the_log_has_means_over_images():
    _, log, _ = choose([trial(), trial(0.1, 0.05, k_g=5)])
    assert log[0]["accuracy"] == 0.25
    assert log[0]["reciprocal_rank"] == pytest.approx(USUAL.mean())
    assert log[1]["reciprocal_rank"] == pytest.approx(USUAL.mean() + 0.1)
    assert (log[0]["lead"], log[0]["standard_error"]) == (0, 0)
    assert (log[1]["lead"], log[1]["standard_error"]) == pytest.approx((0.1, 0.05))


def test_without_trials_the_preset_is_kept_and_the_reason_told():
    chosen, log, why = choose([])
    assert (chosen, log) == ({}, [])
    assert why.startswith("the preset is kept: seen classes can be held out only where four")


def test_classes_are_counted_and_not_their_images():
    """Ten images a class that lead together say no more than one."""
    leads = [0.3, -0.1, 0.2, -0.1, 0.1]
    lead = np.repeat(leads, 10)
    classes = np.repeat(np.arange(5), 10)
    usual, other = Trial({}, np.full(50, 0.5), classes), Trial({"k_g": 5}, 0.5 + lead, classes)
    chosen, log, _ = choose([usual, other])
    assert chosen == {}
    assert log[1]["standard_error"] == pytest.approx(
        np.std([0.3, -0.1, 0.2, -0.1, 0.1], ddof=1) / 5**0.5
    )


def test_among_equals_the_one_that_changes_nothing_is_best():
    log = [{"lead": 1e-17, "parameters": {"beta": 1}}, {"lead": 0.0, "parameters": {}}]
    assert best_row(log) is log[1]
