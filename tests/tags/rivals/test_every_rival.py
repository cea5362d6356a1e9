"""What holds of all eight: they can learn, they learn what generalises, and a seed decides."""

import inspect
import subprocess
import sys

import numpy as np
import pytest
from sklearn.base import clone

from sapwood.errors import InputError
from sapwood.metrics import mean_average_precision
from sapwood.tags.rivals import TAG_RIVALS
from sapwood.tags.rivals.recurrent import RecurrentAnnotator
from tests.rivals import needs_torch

each_rival = pytest.mark.parametrize("name", TAG_RIVALS)


def brief(name, **settings):
    """The method with settings that small problems take little time with."""
    rival = TAG_RIVALS[name]
    usual = {"units": 32, "dropout": 0.0, "rate": 5e-3, "epochs": 20}
    if issubclass(rival, RecurrentAnnotator):
        usual["embedding"] = 16
    return rival(**{**usual, **settings})


@needs_torch
@each_rival
def test_it_can_learn_fifty_images_by_heart(name, shots):
    X, tags, concepts = shots
    model = brief(name, epochs=150, rate=1e-2).fit(X, tags, concepts)
    assert mean_average_precision(concepts, model.decision_function(X, tags)) > 0.95


@needs_torch
@each_rival
def test_new_images_are_ranked_far_better_than_by_frequency(name, draw_photos):
    photos = draw_photos(n=500)
    X, tags, truth = photos.X, photos.tags, photos.truth
    model = brief(name).fit(X[:380], tags[:380], truth[:380])
    found = mean_average_precision(truth[380:], model.decision_function(X[380:], tags[380:]))
    by_frequency = np.tile(truth[:380].mean(axis=0), (120, 1))
    assert found > mean_average_precision(truth[380:], by_frequency) + 0.3


@needs_torch
@each_rival
def test_a_seed_decides_and_torchs_own_generator_is_left_alone(name, shots):
    import torch

    before = torch.get_rng_state()
    models = [brief(name, epochs=3, dropout=0.3, random_state=s).fit(*shots) for s in (1, 1, 2)]
    first, same, other = (model.decision_function(*shots[:2]) for model in models)
    assert torch.equal(torch.get_rng_state(), before)
    np.testing.assert_array_equal(first, same)
    assert np.abs(first - other).max() > 1e-4


@needs_torch
@each_rival
def test_teaching_stops_where_images_held_out_are_ranked_best(name, draw_photos):
    photos = draw_photos(n=160, noise=2.0)
    known = photos.X[:80], photos.tags[:80], photos.truth[:80]
    held = photos.X[80:], photos.tags[80:], photos.truth[80:]
    model = brief(name, epochs=40, rate=2e-2).fit(*known, validation=held)
    assert model.epochs_ == 1 + np.argmax(model.validation_)
    assert len(model.validation_) <= 40
    kept = mean_average_precision(held[2], model.decision_function(*held[:2]))
    assert kept == pytest.approx(model.validation_.max(), abs=1e-9)


@needs_torch
@pytest.mark.parametrize("name", [name for name in TAG_RIVALS if name != "sinn"])
def test_it_may_look_at_tags_as_well(name, shots):
    X, tags, concepts = shots
    blank = np.random.default_rng(1).standard_normal(X.shape)
    usual = brief(name, inputs="tags+features", tag_weight=2.0)
    model = usual.fit(blank, tags, concepts)
    told = model.decision_function(blank, tags)
    assert np.abs(told - model.decision_function(blank, 1 - tags)).max() > 0.1
    with pytest.raises(InputError, match="tags is None"):
        model.decision_function(blank)


@each_rival
def test_the_grid_has_six_settings_that_it_knows(name):
    rival = TAG_RIVALS[name]
    assert len(rival.grid) == 6
    for settings in rival.grid:
        assert clone(rival(**settings)).get_params().items() >= settings.items()


@each_rival
def test_no_file_of_a_method_is_long(name):
    assert len(inspect.getsource(inspect.getmodule(TAG_RIVALS[name])).splitlines()) <= 150


@needs_torch
def test_what_cannot_be_learned_from_is_refused(shots):
    X, tags, concepts = shots
    with pytest.raises(InputError, match="X is None; LogisticAnnotator needs features"):
        brief("cnn-logistic").fit(None, tags, concepts)
    with pytest.raises(InputError, match="tags is None; SINNAnnotator needs tags"):
        brief("sinn").fit(X, None, concepts)
    with pytest.raises(InputError, match="concepts has 49 rows; expected 50"):
        brief("ria").fit(X, tags, concepts[1:])
    model = brief("cnn-logistic", epochs=1).fit(X, tags, concepts)
    with pytest.raises(InputError, match="X has 5 columns; expected 20"):
        model.decision_function(X[:, :5])


@needs_torch
@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("cnn-logistic", {"inputs": "tags"}),
        ("cnn-softmax", {"rate": 0.0}),
        ("cnn-warp", {"units": -1}),
        ("tag-neighbour", {"neighbours": 0}),
        ("ria", {"epochs": 0}),
        ("cnn-rnn", {"beam": 1.5}),
    ],
)
def test_settings_that_cannot_be_are_refused(name, wrong, shots):
    ((parameter, value),) = wrong.items()
    with pytest.raises(InputError, match=f"{parameter} is {value!r}; expected"):
        brief(name, **wrong).fit(*shots)


@each_rival
def test_without_torch_fit_says_how_to_get_it(name, shots, forget_torch):
    forget_torch()
    with pytest.raises(InputError, match=r'pip install -e "\.\[deep\]"'):
        brief(name).fit(*shots)


def test_importing_the_rivals_does_not_import_torch():
    code = "import sys, sapwood.tags.rivals; print('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
