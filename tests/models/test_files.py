import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load, save

from sapwood import InputError, SparseAttributePropagation, atomic
from sapwood.models import files
from sapwood.models.upgrade import upgrade

GOLDEN = Path(__file__).parent / "golden"
PAPER = {"preset": "paper", "k_g": 10, "m": 12, "attribute_map": "l2", "tol": 1.0}


def header_of(content):
    size = int.from_bytes(content[:8], "little")
    return json.loads(json.loads(content[8 : 8 + size])["__metadata__"]["sapwood"])


def written(tensors, header):
    described = header["state"] if header["format"] >= files.WHOLE else None
    header = {**header, "sha256": files._digest(tensors, described)}
    return save(tensors, {"sapwood": json.dumps(header)})


def rewritten(content, **changes):
    return written(load(content), {**header_of(content), **changes})


def restated(content, **changes):
    return rewritten(content, state={**header_of(content)["state"], **changes})


def with_tensors(content, tensors):
    return written(tensors, header_of(content))


def without(content, name):
    return with_tensors(content, {k: v for k, v in load(content).items() if k != name})


def spoiled(content, name):
    tensors = load(content)
    return with_tensors(content, {**tensors, name: np.full_like(tensors[name], np.nan)})


@pytest.fixture
def path(tmp_path, world):
    path = tmp_path / "birds.sap"
    SparseAttributePropagation().fit(world.X, world.y, class_attributes=world.Z).save(path)
    return path


@pytest.mark.parametrize("options", [{}, PAPER, {"steps": "bpl", "features": "raw"}])
@pytest.mark.parametrize("names", [False, True])
def test_what_is_saved_is_what_is_loaded(tmp_path, world, options, names):
    y, given = world.y, {"class_attributes": world.Z}
    if names:
        given["class_names"] = [f"oiseau né {c}" for c in range(8)]
        y = np.array([given["class_names"][c] if c >= 0 else None for c in y], dtype=object)
    model = SparseAttributePropagation(**options).fit(world.X, y, **given)
    model.save(tmp_path / "m.sap")
    copy = SparseAttributePropagation.load(tmp_path / "m.sap")
    assert copy.get_params() == model.get_params()
    assert set(vars(copy)) == set(vars(model))
    for name, value in vars(model).items():
        if isinstance(value, np.ndarray):
            np.testing.assert_array_equal(getattr(copy, name), value)
            assert getattr(copy, name).dtype == value.dtype
        elif name not in ("feature_map_", "attribute_map_"):
            assert getattr(copy, name) == value, name
    np.testing.assert_array_equal(copy.predict(world.X_unseen), model.predict(world.X_unseen))
    np.testing.assert_array_equal(copy.transform(world.X), model.transform(world.X))


@pytest.mark.parametrize("kind", [">i8", ">U8"])
def test_labels_from_another_machine_are_kept_as_of_this_one(tmp_path, world, kind):
    """Old files have the first byte of a number in front."""
    model = SparseAttributePropagation().fit(world.X, world.y.astype(kind))
    model.save(tmp_path / "m.sap")
    copy = SparseAttributePropagation.load(tmp_path / "m.sap")
    np.testing.assert_array_equal(copy.classes_, model.classes_)
    np.testing.assert_array_equal(copy.predict(world.X_unseen), model.predict(world.X_unseen))


def test_the_same_fit_gives_the_same_file(tmp_path, world):
    for name in ("a", "b"):
        model = SparseAttributePropagation().fit(world.X, world.y, class_attributes=world.Z)
        model.save(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_a_golden_file_of_every_format_is_still_read():
    goldens = sorted(GOLDEN.glob("format*.sap"))
    assert len(goldens) >= files.FORMAT
    for path in goldens:
        expected = json.loads(path.with_suffix(".json").read_text())
        model = SparseAttributePropagation.load(path)
        X = np.array(expected["X"])
        np.testing.assert_array_equal(model.predict(X), expected["predict"])
        np.testing.assert_allclose(model.decision_function(X), expected["scores"], atol=1e-9)
        np.testing.assert_allclose(model.transform(X), expected["transform"], atol=1e-9)


@pytest.mark.parametrize(
    ("norm", "map_name", "scaled"),
    [
        ("none", "raw", lambda Z: Z),
        ("l1", "l1", lambda Z: Z / Z.sum(axis=1, keepdims=True)),
        ("l2", "l2", lambda Z: Z / np.linalg.norm(Z, axis=1, keepdims=True)),
    ],
)
def test_a_norm_of_format_1_is_a_map_of_today(tmp_path, norm, map_name, scaled):
    content = (GOLDEN / "format1.sap").read_bytes()
    params = {**header_of(content)["state"]["params"], "attribute_norm": norm}
    (tmp_path / "old.sap").write_bytes(restated(content, params=params, attribute_norm_=norm))
    model = SparseAttributePropagation.load(tmp_path / "old.sap")
    assert model.get_params()["attribute_map"] == map_name
    X = np.array(json.loads((GOLDEN / "format1.json").read_text())["X"])
    prototypes = scaled(model.class_attributes_) @ model.projection_
    away = model.feature_map_.transform(X)[:, None] - prototypes
    np.testing.assert_allclose(model.decision_function(X), -(away**2).sum(axis=2), atol=1e-12)
    model.save(tmp_path / "new.sap")
    assert header_of((tmp_path / "new.sap").read_bytes())["format"] == files.FORMAT
    again = SparseAttributePropagation.load(tmp_path / "new.sap")
    np.testing.assert_array_equal(again.decision_function(X), model.decision_function(X))


def flipped(content):
    return content[:-9] + bytes([content[-9] ^ 1]) + content[-8:]


def misread(content):
    header = header_of(content)
    header["state"]["temperature_"] *= 2
    return save(load(content), {"sapwood": json.dumps(header)})


DAMAGED = {
    "empty": (lambda c: b"", "not a complete model file"),
    "text": (lambda c: b"hello, this is a text file about birds", "not a complete model file"),
    "cut in the header": (lambda c: c[:40], "not a complete model file"),
    "cut in the arrays": (lambda c: c[:-100], "is damaged or cut short"),
    "one bit flipped": (flipped, "its checksum does not match"),
    "one number changed": (misread, "its checksum does not match"),
    "foreign": (lambda c: save({"a": np.zeros(2)}), "not one that sapwood wrote"),
    "newer": (
        lambda c: rewritten(c, format=77, version="3.1"),
        r"has format 77, written by sapwood 3\.1; .*upgrade sapwood",
    ),
    "another estimator": (lambda c: rewritten(c, kind="TagRefiner"), "holds a TagRefiner"),
    "unknown parameter": (
        lambda c: rewritten(c, state={"params": {"magic": 1}}),
        "does not describe a SparseAttributePropagation .*magic",
    ),
    "metadata of another kind": (
        lambda c: save(load(c), {"sapwood": "[1, 2]"}),
        "not one that sapwood wrote",
    ),
    "no state": (lambda c: rewritten(c, state=5), "not one that sapwood wrote"),
    "a negative format": (lambda c: rewritten(c, format=-3), "not one that sapwood wrote"),
    "a method overwritten": (lambda c: restated(c, predict=5), "'predict' is no part"),
    "a private attribute": (lambda c: restated(c, __class__="x"), "'__class__' is no part"),
    "another nested estimator": (lambda c: restated(c, **{"scaler_/mean_": 1}), "is no part"),
    "a hostile type": (
        lambda c: restated(c, feature_names_in_={"strings": ["a"], "dtype": "U500000000"}),
        "is no type of text",
    ),
    "an unknown metric": (lambda c: restated(c, metric_="zzz"), "lacks .*metric"),
    "a remoteness too large": (lambda c: restated(c, remoteness_=7.0), "lacks its remoteness"),
    "no projection": (lambda c: without(c, "projection_"), "has no projection_ of shape"),
    "NaN": (lambda c: spoiled(c, "projection_"), "projection_ with NaN"),
    "no comparison": (lambda c: without(c, "comparison_"), "has no comparison_ of shape"),
    "a comparison that does not fit": (
        lambda c: with_tensors(c, {**load(c), "comparison_": np.eye(2)}),
        "has no comparison_ of shape",
    ),
    "a comparison by NaN": (
        lambda c: with_tensors(c, {**load(c), "comparison_": np.full((24, 24), np.nan)}),
        "comparison_ with NaN",
    ),
    "classes that do not fit": (lambda c: without(c, "classes_"), "has no classes"),
    "a property set": (lambda c: restated(c, reasons_=["x"]), "does not describe a Sparse"),
    "a temperature of zero": (lambda c: restated(c, temperature_=0.0), "has a temperature_ of 0.0"),
    "classes in a table": (
        lambda c: with_tensors(c, {**load(c), "classes_": load(c)["classes_"][:, None]}),
        "describes its classes wrongly",
    ),
    "a pickle": (lambda c: b"\x80\x04\x95" + c[:200], "not a complete model file"),
}


@pytest.mark.parametrize("case", DAMAGED)
def test_a_file_that_cannot_be_used_says_so(path, case):
    damage, message = DAMAGED[case]
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(InputError, match=message) as caught:
        SparseAttributePropagation.load(path)
    assert str(path) in str(caught.value)


def test_a_missing_file_and_a_folder(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        SparseAttributePropagation.load(tmp_path / "absent.sap")
    with pytest.raises(InputError, match="is a folder"):
        SparseAttributePropagation.load(tmp_path)


def test_a_failed_write_leaves_the_old_file_and_no_litter(path, world, monkeypatch):
    before = path.read_bytes()

    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    model = SparseAttributePropagation(k_g=5).fit(world.X, world.y, class_attributes=world.Z)
    with pytest.raises(InputError, match=r"cannot write .*No space left"):
        model.save(path)
    assert path.read_bytes() == before
    assert os.listdir(path.parent) == [path.name]


def test_writing_into_nowhere(world, tmp_path):
    model = SparseAttributePropagation().fit(world.X, world.y, class_attributes=world.Z)
    with pytest.raises(InputError, match=r"cannot write into .*No such file"):
        model.save(tmp_path / "no" / "such" / "folder.sap")


KILLED = """
import os, signal, sys
from pathlib import Path
from sapwood.atomic import write_atomically

moment, path = sys.argv[1], Path(sys.argv[2])
real = getattr(os, moment)

def die(*args, **kwargs):
    if sys.argv[3] == "after":
        real(*args, **kwargs)
    os.kill(os.getpid(), signal.SIGKILL)

setattr(os, moment, die)
write_atomically(path, b"new" * 100_000)
"""


@pytest.mark.parametrize("moment", ["fsync", "replace"])
@pytest.mark.parametrize("when", ["before", "after"])
def test_kill_while_writing_leaves_the_old_file_or_the_new_one(tmp_path, moment, when):
    path = tmp_path / "m.sap"
    path.write_bytes(b"old")
    run = subprocess.run([sys.executable, "-c", KILLED, moment, str(path), when], check=False)
    assert run.returncode == -9
    new = moment == "replace" and when == "after"
    assert path.read_bytes() == (b"new" * 100_000 if new else b"old")


def test_the_file_has_ordinary_permissions(path):
    mask = atomic._umask()
    assert path.stat().st_mode & 0o777 == 0o666 & ~mask


def test_a_random_generator_is_not_stored(tmp_path, world):
    model = SparseAttributePropagation(random_state=np.random.RandomState(3))
    model.fit(world.X, world.y, class_attributes=world.Z).save(tmp_path / "m.sap")
    assert SparseAttributePropagation.load(tmp_path / "m.sap").random_state is None


def test_parameters_that_numpy_made_can_be_saved(tmp_path, world):
    model = SparseAttributePropagation(k_g=np.int64(5), lambda4=np.float32(1))
    model.fit(world.X, world.y, class_attributes=world.Z).save(tmp_path / "m.sap")
    assert SparseAttributePropagation.load(tmp_path / "m.sap").k_g == 5


def test_a_link_stays_a_link_and_a_pipe_a_pipe(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "target")
    (tmp_path / "target").touch(mode=0o600)
    atomic.write_atomically(tmp_path / "link", b"x")
    assert (tmp_path / "target").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_bytes() == b"x"
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="a folder or a device"):
        atomic.write_atomically(tmp_path / "pipe", b"x")


def test_what_earlier_formats_did_not_keep():
    kept = {"settings_": {}, "params": {"unlabelled": "nearest"}}
    state = {**kept, "training_hashes_": np.zeros(3), "annotated_hashes_": np.zeros(1)}
    assert upgrade(state, 4) == {**kept, "unlabelled_": "nearest"}
    assert upgrade(state, 5) is state
