"""Models go to a file and come back, or are refused."""

import json

import numpy as np
import pytest
from safetensors.numpy import load, save

from sapwood import InputError
from sapwood.baselines import RPL, SAE
from sapwood.models import files
from tests.rivals import RIVALS


def with_tensor(content, name, change):
    """The file with one array changed and a checksum to match."""
    size = int.from_bytes(content[:8], "little")
    header = json.loads(json.loads(content[8 : 8 + size])["__metadata__"]["sapwood"])
    tensors = load(content)
    tensors[name] = np.ascontiguousarray(change(tensors[name]))
    header["sha256"] = files._digest(tensors, header["state"])
    return save(tensors, {"sapwood": json.dumps(header)})


def with_state(content, **changes):
    size = int.from_bytes(content[:8], "little")
    header = json.loads(json.loads(content[8 : 8 + size])["__metadata__"]["sapwood"])
    header["state"] = {**header["state"], **changes}
    header["sha256"] = files._digest(load(content), header["state"])
    return save(load(content), {"sapwood": json.dumps(header)})


def test_what_is_saved_is_what_is_loaded(make_variant, fit, world, tmp_path):
    model = fit(make_variant)
    model.save(tmp_path / "m.sap")
    copy = type(model).load(tmp_path / "m.sap")
    assert copy.get_params() == model.get_params()
    assert set(vars(copy)) == set(vars(model))
    for method in ("predict", "decision_function", "predict_proba"):
        for X in (world.X, world.X_unseen):
            np.testing.assert_array_equal(getattr(copy, method)(X), getattr(model, method)(X))


def test_a_damaged_file_is_refused(make, fit, tmp_path):
    model, path = fit(make), tmp_path / "m.sap"
    model.save(path)
    content = path.read_bytes()
    flipped = content[:-9] + bytes([content[-9] ^ 1]) + content[-8:]
    for damaged in (b"", content[:40], content[:-100], flipped, b"a text about birds " * 9):
        path.write_bytes(damaged)
        with pytest.raises(InputError, match=r"m\.sap is (damaged|not a complete model file)"):
            type(model).load(path)


def test_a_file_of_another_estimator_is_refused(make, fit, tmp_path):
    model, path = fit(make), tmp_path / "m.sap"
    model.save(path)
    other = SAE if type(model) is RPL else RPL
    message = f"holds a {type(model).__name__}; expected a {other.__name__}"
    with pytest.raises(InputError, match=message):
        other.load(path)


@pytest.mark.parametrize("name", RIVALS)
def test_parts_that_do_not_belong_together_are_refused(fit, tmp_path, name):
    model, path = fit(RIVALS[name]), tmp_path / "m.sap"
    model.save(path)
    content = path.read_bytes()
    matrices = [part for part, dimensions in model.parts.items() if dimensions == 2]
    for part in matrices:
        for change in (lambda a: a[:, 1:], lambda a: a[0], lambda a: np.full_like(a, np.nan)):
            path.write_bytes(with_tensor(content, f"{part}_", change))
            with pytest.raises(InputError, match=r"no usable|do not belong together"):
                type(model).load(path)


@pytest.mark.parametrize(
    "changes",
    [
        {"settings_": {}},
        {"settings_": 5},
        {"settings_": {"ridge": 1.0, "metric": "zzz"}},
        {"temperature_": None},
        {"n_features_in_": 3},
    ],
    ids=str,
)
def test_settings_that_make_no_sense_are_refused(fit, tmp_path, changes):
    path = tmp_path / "m.sap"
    fit(RPL).save(path)
    path.write_bytes(with_state(path.read_bytes(), **changes))
    with pytest.raises(InputError, match=r"no usable|do not belong together"):
        RPL.load(path)
