import io
import os
import stat
import tarfile
import zipfile
from types import SimpleNamespace

import numpy as np
import pytest

from sapwood.data import archives
from sapwood.data.archive_members import BadArchive
from sapwood.data.archives import unpack_all
from sapwood.errors import InputError


def zipped(path, members, **infos):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in members.items():
            packed.writestr(name, content)
        for name, (mode, content) in infos.items():
            info = zipfile.ZipInfo(name)
            info.create_system, info.external_attr = 3, mode << 16
            packed.writestr(info, content)
    return path


def tarred(path, members, *special):
    with tarfile.open(path, "w:gz") as packed:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            packed.addfile(info, io.BytesIO(content))
        for name, kind, target in special:
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, target
            packed.addfile(info)
    return path


def tree(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


FILES = {"top/a.txt": b"one", "top/deep/b.txt": b"two"}


@pytest.mark.parametrize(("pack", "name"), [(zipped, "set.zip"), (tarred, "set.tar.gz")])
def test_one_folder_at_the_top_stays_the_top(tmp_path, pack, name):
    unpack_all([pack(tmp_path / name, FILES)], tmp_path / "out")
    assert tree(tmp_path / "out") == FILES
    assert sorted(os.listdir(tmp_path)) == ["out", name]


@pytest.mark.parametrize(("pack", "name"), [(zipped, "set.zip"), (tarred, "set.tgz")])
def test_loose_files_get_a_folder_and_archives_are_put_together(tmp_path, pack, name):
    loose = pack(tmp_path / name, {"a.txt": b"1", "x/b.txt": b"2", "__MACOSX/._a": b"", "._a": b""})
    more = zipped(tmp_path / "more.zip", {"set/c.txt": b"3", "set/a.txt": b"new"})
    unpack_all([loose, more], tmp_path / "out")
    assert tree(tmp_path / "out") == {
        "set/a.txt": b"new", "set/x/b.txt": b"2", "set/c.txt": b"3",
    }  # fmt: skip


HOSTILE = {
    "parent": ("../evil.txt", "points outside its folder"),
    "deep parent": ("a/../../evil.txt", "points outside its folder"),
    "absolute": ("/tmp/evil.txt", "points outside its folder"),
    "backslashes": ("a\\..\\..\\evil.txt", "points outside its folder"),
    "drive": ("C:/evil.txt", "points outside its folder"),
}


@pytest.mark.parametrize("case", HOSTILE)
@pytest.mark.parametrize(("pack", "name"), [(zipped, "bad.zip"), (tarred, "bad.tgz")])
def test_hostile_names_write_nothing(tmp_path, pack, name, case):
    member, message = HOSTILE[case]
    place = tmp_path / "home" / "data"
    place.mkdir(parents=True)
    bad = pack(tmp_path / name, {"ok/a.txt": b"1", member: b"evil"})
    with pytest.raises(BadArchive, match=message):
        unpack_all([bad], place / "out")
    assert tree(tmp_path) == {name: bad.read_bytes()}
    assert list(place.iterdir()) == []


@pytest.mark.parametrize(
    ("special", "message"),
    [
        (("a/link", tarfile.SYMTYPE, "../../etc"), "link to '../etc' points outside"),
        (("a/link", tarfile.SYMTYPE, "/etc/passwd"), "link to '/etc/passwd' points outside"),
        (("a/link", tarfile.LNKTYPE, "../x"), "points outside"),
        (("a/pipe", tarfile.FIFOTYPE, ""), "is a device"),
        (("a/dev", tarfile.CHRTYPE, ""), "is a device"),
    ],
)
def test_links_out_and_devices_are_refused(tmp_path, special, message):
    bad = tarred(tmp_path / "bad.tgz", {"a/x.txt": b"1"}, special)
    with pytest.raises(BadArchive, match=message):
        unpack_all([bad], tmp_path / "out")
    assert os.listdir(tmp_path) == ["bad.tgz"]


def test_links_inside_are_left_out_and_never_written_through(tmp_path):
    links = [("a/link", tarfile.SYMTYPE, "x.txt"), ("b", tarfile.SYMTYPE, "a")]
    fine = tarred(tmp_path / "fine.tgz", {"a/x.txt": b"1"}, *links)
    unpack_all([fine], tmp_path / "out")
    assert tree(tmp_path / "out") == {"a/x.txt": b"1"}
    assert not any(p.is_symlink() for p in (tmp_path / "out").rglob("*"))


def test_a_link_in_a_zip(tmp_path):
    out = {"a/link": (stat.S_IFLNK | 0o777, "../../x")}
    with pytest.raises(BadArchive, match="points outside"):
        unpack_all([zipped(tmp_path / "bad.zip", {"a/b": b"1"}, **out)], tmp_path / "out")
    inside = {"a/link": (stat.S_IFLNK | 0o777, "b")}
    unpack_all([zipped(tmp_path / "ok.zip", {"a/b": b"1"}, **inside)], tmp_path / "out")
    assert tree(tmp_path / "out") == {"a/b": b"1"}


def test_a_bomb_is_refused_before_it_is_written(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "SMALL", 10_000)
    bomb = zipped(tmp_path / "bomb.zip", {"a/zeros": bytes(3_000_000)})
    with pytest.raises(BadArchive, match="would unpack to 3,000,000 bytes, more than"):
        unpack_all([bomb], tmp_path / "out")
    assert os.listdir(tmp_path) == ["bomb.zip"]


def test_too_many_members(tmp_path, monkeypatch):
    monkeypatch.setattr("sapwood.data.archive_members.MEMBERS", 3)
    many = zipped(tmp_path / "many.zip", {f"a/{i}": b"" for i in range(5)})
    with pytest.raises(BadArchive, match="more than 3 members"):
        unpack_all([many], tmp_path / "out")


def test_a_disk_without_room(tmp_path, monkeypatch):
    path = zipped(tmp_path / "a.zip", FILES)
    monkeypatch.setattr(archives.shutil, "disk_usage", lambda _: SimpleNamespace(free=2))
    with pytest.raises(InputError, match=r"unpacks to 6 bytes, but .* has room for 2"):
        unpack_all([path], tmp_path / "out")


def test_a_disk_that_fills_up_leaves_nothing(tmp_path, monkeypatch):
    path = zipped(tmp_path / "a.zip", FILES)

    def full(archive, member, target):
        target.write_bytes(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(archives, "_copy", full)
    with pytest.raises(InputError, match="No space left on device; free some space"):
        unpack_all([path], tmp_path / "out")
    assert os.listdir(tmp_path) == ["a.zip"]


def test_a_file_where_a_folder_should_be(tmp_path):
    odd = zipped(tmp_path / "odd.zip", {"a/b": b"1", "a/b/c": b"2"})
    with pytest.raises(InputError, match="cannot unpack into"):
        unpack_all([odd], tmp_path / "out")
    assert os.listdir(tmp_path) == ["odd.zip"]


@pytest.mark.parametrize(("pack", "name"), [(zipped, "a.zip"), (tarred, "a.tgz")])
def test_an_archive_cut_short_anywhere_is_refused(tmp_path, pack, name):
    rng = np.random.default_rng(0)
    whole = pack(tmp_path / name, {"a/x": rng.bytes(3000), "a/y": rng.bytes(3000)}).read_bytes()
    for end in (0, 1, 20, 100, 1000, len(whole) // 2, len(whole) - 100):
        (tmp_path / name).write_bytes(whole[:end])
        with pytest.raises(BadArchive, match="damaged or cut short"):
            unpack_all([tmp_path / name], tmp_path / "out")
        assert os.listdir(tmp_path) == [name]


@pytest.mark.parametrize(("pack", "name"), [(zipped, "a.zip"), (tarred, "a.tgz")])
def test_any_damaged_byte_is_survived_or_refused_but_nothing_else(tmp_path, pack, name):
    whole = pack(tmp_path / name, FILES).read_bytes()
    refused = 0
    for i in range(0, len(whole), 3):
        (tmp_path / name).write_bytes(whole[:i] + bytes([whole[i] ^ 0x5A]) + whole[i + 1 :])
        try:
            unpack_all([tmp_path / name], tmp_path / f"out{i}")
        except InputError:
            refused += 1
    assert refused > 10


def test_an_encrypted_or_empty_archive(tmp_path):
    empty = zipped(tmp_path / "empty.zip", {})
    with pytest.raises(BadArchive, match="without files"):
        unpack_all([empty], tmp_path / "out")
