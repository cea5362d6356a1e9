"""``sapwood data get`` and ``check`` on original layouts, against a server on loopback."""

import hashlib
import json
import sys
import zipfile

import numpy as np
import pytest

from sapwood.data import downloads, load_zero_shot, resume
from sapwood.data.downloads import Download, RemoteFile
from tests.data.loopback import serving
from tests.data.original_layouts import (
    APY_OBJECTS,
    cub_images,
    write,
    write_apy,
    write_awa2,
    write_cub,
    write_features,
    write_mirflickr,
    write_nus_wide,
    write_sun,
)

pytest.importorskip("pooch")


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("SAPWOOD_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("SAPWOOD_DATA", raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr(resume, "WAIT", 0.0)
    monkeypatch.setattr(resume, "_TIMEOUT", (5.0, 5.0))
    return tmp_path / "home"


@pytest.fixture
def server():
    with serving() as state:
        yield state


def packed_cub(tmp_path):
    """CUB_200_2011 and attributes.txt in one archive, as they are published."""
    source = write_cub(tmp_path / "source").parent
    path = tmp_path / "CUB_200_2011.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for file in sorted(source.rglob("*.txt")):
            packed.write(file, file.relative_to(source))
    return path.read_bytes()


def offer(monkeypatch, address, content, *, checksum=True, verified=False):
    digest = f"sha256:{hashlib.sha256(content).hexdigest()}"
    file = RemoteFile(
        name="CUB_200_2011.zip",
        address=address,
        size=len(content),
        checksum=digest if checksum is True else checksum,
        checksum_source="the test" if checksum else "",
        verified=verified,
    )
    known = {
        **downloads.DOWNLOADS,
        "cub": Download("cub", "test", (file,), {"CUB": "CUB_200_2011"}),
    }
    monkeypatch.setattr(downloads, "DOWNLOADS", known)
    monkeypatch.setattr("sapwood.data.get.DOWNLOADS", known)


def test_get_resume_unpack_load(run, home, server, tmp_path, monkeypatch):
    content = packed_cub(tmp_path)
    url = server.put("/old", redirect=server.put("/cub", content, cuts=[600, 0]))
    offer(monkeypatch, url, content)
    monkeypatch.setattr(resume, "_CHUNK", 100)
    code, _, err = run("data", "get", "CUB", "--what", "cub", "--yes")
    assert code == 2
    assert "after 600 bytes; run the same command again" in err
    assert not (home / "data").exists()
    code, out, _ = run("data", "get", "CUB", "--what", "cub", "--yes", "--json")
    assert code == 0
    found = json.loads(out)
    assert found["folder"] == str(home / "data" / "cub" / "CUB_200_2011")
    assert found["archives"] == {"CUB_200_2011.zip": hashlib.sha256(content).hexdigest()}
    assert "bytes=600-" in server.asked()
    features = write_features(tmp_path / "f.npz", cub_images())
    assert load_zero_shot("CUB", features=features).labels.tolist() == [0, 0, 1, 1, 2, 2, 3, 3]
    before = len(server.requests)
    code, out, _ = run("data", "get", "CUB", "--what", "cub")
    assert (code, len(server.requests)) == (0, before)  # it is there: nothing to ask or fetch
    assert "next: sapwood data check" in out


def test_unverified_is_said_and_asked(run, home, server, tmp_path, monkeypatch):
    content = packed_cub(tmp_path)
    offer(monkeypatch, server.put("/cub", content), content, checksum=None)
    code, _, err = run("data", "get", "CUB", "--what", "cub")
    assert code == 2
    assert "unverified: http://127.0.0.1" in err
    assert "no checksum known" in err
    assert "add --yes" in err
    assert server.requests == []
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    for answer, expected in ((False, 2), (True, 0)):
        monkeypatch.setattr("typer.confirm", lambda *_, answer=answer, **__: answer)
        code, _, _ = run("data", "get", "CUB", "--what", "cub")
        assert code == expected
    assert (home / "data" / "cub").is_dir()


def test_verified_is_not_asked(run, home, server, tmp_path, monkeypatch):
    content = packed_cub(tmp_path)
    offer(monkeypatch, server.put("/cub", content), content, verified=True)
    assert run("data", "get", "cub", "--what", "cub")[0] == 0


@pytest.mark.parametrize("damage", ["checksum", "truncated", "hostile"])
def test_what_is_wrong_is_not_kept(run, home, server, tmp_path, monkeypatch, damage):
    content = packed_cub(tmp_path)
    if damage == "truncated":
        content = content[:-100]
    if damage == "hostile":
        with zipfile.ZipFile(tmp_path / "CUB_200_2011.zip", "a") as packed:
            packed.writestr("../../evil.txt", "evil")
        content = (tmp_path / "CUB_200_2011.zip").read_bytes()
    checksum = f"sha256:{'0' * 64}" if damage == "checksum" else True
    offer(monkeypatch, server.put("/cub", content), content, checksum=checksum)
    code, _, err = run("data", "get", "CUB", "--what", "cub", "--yes")
    assert code == 2
    words = {"checksum": "was expected", "truncated": "cut short", "hostile": "do not trust"}
    assert words[damage] in err
    assert len(err.strip().splitlines()[-1]) > 20
    assert list((home / "archives").iterdir()) == []
    assert not (home / "data" / "cub").exists()
    assert not any(home.parent.rglob("evil.txt"))


def test_where_a_person_gets_what_a_program_cannot(run, home):
    code, _, err = run("data", "get", "CUB+Web")
    assert code == 2
    assert "a program cannot fetch it. Get the images from the source" in err
    assert f"Put it into {home / 'data' / 'cub_web'}" in err
    code, _, err = run("data", "get", "CUB", "--what", "cup")
    assert "no download 'cup'; did you mean 'cub'?" in err
    code, _, err = run("data", "get", "nonsense")
    assert code == 2
    assert "not a known name" in err


def test_what_was_put_there_by_hand_is_found_by_name(home):
    np.save(write_sun(home / "data" / "sun") / "features.npy", np.eye(4))
    assert load_zero_shot("SUN").features.shape == (4, 4)


def test_info_says_unverified(run, home):
    code, out, _ = run("data", "info", "CUB", "--json")
    assert code == 0
    said = json.loads(out)["downloads"]
    assert said["cub"]["CUB_200_2011.tgz"].startswith("unverified: https://")
    assert "no checksum known" in said["xlsa17"]["xlsa17.zip"]
    _, out, _ = run("data", "info", "FLO", "--json")
    assert "a program cannot fetch it" in json.loads(out)["downloads"]


@pytest.mark.parametrize("kind", ["cub", "awa2", "apy", "sun", "nus", "mirflickr", "web"])
def test_check_on_every_kind(run, tmp_path, kind):
    options = []
    if kind == "cub":
        folder = write_cub(tmp_path / "a")
        options = ["--features", write_features(tmp_path / "f.npz", cub_images())]
    elif kind == "apy":
        folder = write_apy(tmp_path / "a")
        options = ["--features", write_features(tmp_path / "f.npz", APY_OBJECTS)]
    elif kind == "web":
        folder = write(tmp_path / "a" / "1.jpg", "x").parent
        options = ["--features", write_features(tmp_path / "f.npz", ["1.jpg"])]
    else:
        folder = {"awa2": write_awa2, "sun": write_sun, "nus": write_nus_wide,
                  "mirflickr": write_mirflickr}[kind](tmp_path / "a")  # fmt: skip
    options += ["--concepts", "strict"] if kind == "mirflickr" else []
    code, out, err = run("data", "check", folder, *options)
    assert code == 0, out + err
    assert ": 0 errors, " in out
    code, out, _ = run("data", "info", folder, *options[:2] if kind != "mirflickr" else [])
    assert code == 0
    assert "images" in out
