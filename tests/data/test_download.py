"""Fetching from a server on loopback that misbehaves; every test ends by itself."""

import errno
import hashlib
import sys
from types import SimpleNamespace

import pytest

from sapwood.data import resume
from sapwood.data.download import fetch
from sapwood.data.downloads import DOWNLOADS, RemoteFile
from sapwood.errors import InputError
from tests.data.loopback import serving

pytest.importorskip("pooch")
BODY = bytes(range(256)) * 40
SHA = f"sha256:{hashlib.sha256(BODY).hexdigest()}"


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr(resume, "WAIT", 0.0)
    monkeypatch.setattr(resume, "_TIMEOUT", (5.0, 5.0))
    monkeypatch.setattr(resume, "_CHUNK", 1000)
    with serving() as state:
        yield state


def remote(address, checksum=SHA, size=None):
    return RemoteFile("a.bin", address, size, checksum, "the test", verified=False)


def left(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_whole_file(server, tmp_path):
    path = fetch(remote(server.put("/a", BODY), size=len(BODY)), tmp_path / "new")
    assert path.read_bytes() == BODY
    assert left(tmp_path / "new") == ["a.bin"]
    assert fetch(remote(server.put("/a", BODY)), tmp_path / "new") == path
    assert len(server.requests) == 1  # the second time it was there


def test_md5_is_a_checksum_too(server, tmp_path):
    checksum = f"md5:{hashlib.md5(BODY).hexdigest()}"
    assert fetch(remote(server.put("/a", BODY), checksum), tmp_path).read_bytes() == BODY


@pytest.mark.parametrize("checksum", [SHA, None])
def test_a_broken_connection_is_taken_up_by_itself(server, tmp_path, checksum):
    url = server.put("/a", BODY, cuts=[3000, 2000])
    assert fetch(remote(url, checksum), tmp_path).read_bytes() == BODY
    assert server.asked() == ["", "bytes=3000-", "bytes=5000-"]
    assert server.requests[1]["If-Range"] == '"v1"'
    assert left(tmp_path) == ["a.bin"]


def test_the_next_command_goes_on_where_this_one_stopped(server, tmp_path):
    url = server.put("/a", BODY, cuts=[4000, 0])
    with pytest.raises(InputError, match=r"connection failed .* after 4,000 bytes; run the same"):
        fetch(remote(url), tmp_path)
    assert left(tmp_path) == ["a.bin.part", "a.bin.part.version"]
    assert fetch(remote(url), tmp_path).read_bytes() == BODY
    assert server.asked()[-1] == "bytes=4000-"
    assert left(tmp_path) == ["a.bin"]


def test_it_is_not_taken_up_without_end(server, tmp_path):
    url = server.put("/a", BODY, cuts=[1000] * 50)
    with pytest.raises(InputError, match="after 5,000 bytes"):
        fetch(remote(url), tmp_path)
    assert len(server.requests) == resume.ATTEMPTS


def test_a_new_version_on_the_server_begins_anew(server, tmp_path):
    url = server.put("/a", b"old" * 1000, cuts=[1000, 0])
    with pytest.raises(InputError):
        fetch(remote(url, None), tmp_path)
    server.put("/a", BODY, etag='"v2"')
    assert fetch(remote(url, None), tmp_path).read_bytes() == BODY


@pytest.mark.parametrize("how", [{"ranges": False}, {"wrong_start": True}])
def test_a_server_that_cannot_go_on_begins_anew(server, tmp_path, how):
    url = server.put("/a", BODY, cuts=[1000, 0])
    with pytest.raises(InputError):
        fetch(remote(url), tmp_path)
    server.put("/a", BODY, **how)
    assert fetch(remote(url), tmp_path).read_bytes() == BODY
    assert left(tmp_path) == ["a.bin"]


def test_bytes_of_an_unknown_version_are_not_trusted_without_a_checksum(server, tmp_path):
    url = server.put("/a", b"old" * 1000, etag="", cuts=[1000, 0])
    with pytest.raises(InputError):
        fetch(remote(url, None), tmp_path)
    server.put("/a", BODY, etag="")
    assert fetch(remote(url, None), tmp_path).read_bytes() == BODY
    assert server.asked()[-1] == ""


@pytest.mark.parametrize("there", [BODY, BODY + b"more"])
def test_all_the_bytes_or_more_are_there_already(server, tmp_path, there):
    (tmp_path / "a.bin.part").write_bytes(there)
    assert fetch(remote(server.put("/a", BODY)), tmp_path).read_bytes() == BODY


def test_a_wrong_checksum_leaves_nothing(server, tmp_path):
    url = server.put("/a", BODY[:-1] + b"x")
    with pytest.raises(InputError, match=r"checksum sha256:\w+ was expected, but \w{64} was found"):
        fetch(remote(url), tmp_path)
    assert left(tmp_path) == []


def test_a_file_cut_short_without_a_length_fails_its_checksum(server, tmp_path):
    url = server.put("/a", BODY, length=False, cuts=[2000])
    with pytest.raises(InputError, match="checksum"):
        fetch(remote(url), tmp_path)
    assert left(tmp_path) == []


def test_another_size_than_published_is_refused_at_once(server, tmp_path):
    with pytest.raises(InputError, match="the server offers 10,240 bytes where 7 were expected"):
        fetch(remote(server.put("/a", BODY), size=7), tmp_path)
    assert not (tmp_path / "a.bin").exists()


def test_redirects_are_followed_but_not_for_ever(server, tmp_path):
    there = server.put("/there", BODY)
    here = server.put("/here", redirect=there)
    assert fetch(remote(here), tmp_path).read_bytes() == BODY
    circle = server.put("/circle", redirect=f"{server.address}/circle")
    with pytest.raises(InputError, match="TooManyRedirects"):
        fetch(remote(circle, None), tmp_path / "other")
    assert len(server.requests) < 15


def test_an_unsafe_redirect_needs_a_checksum():
    with pytest.raises(InputError, match="anybody on the way can change"):
        resume._refuse_downgrade("https://a/b", "http://c/d", remote("", None))
    resume._refuse_downgrade("https://a/b", "http://c/d", remote(""))
    resume._refuse_downgrade("http://a/b", "http://c/d", remote("", None))


@pytest.mark.parametrize("status", [404, 403, 500])
def test_what_the_server_refuses(server, tmp_path, status):
    url = server.put("/a", status=status)
    with pytest.raises(InputError, match=f"the server answers {status}; get it by hand"):
        fetch(remote(url), tmp_path)
    assert not (tmp_path / "a.bin").exists()
    assert len(server.requests) == 1


def test_nobody_listens(tmp_path, monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with serving() as state:
        address = state.address
    with pytest.raises(InputError, match=r"connection failed \(ConnectionError\) after 0 bytes"):
        fetch(remote(f"{address}/a"), tmp_path)


class FullDisk:
    """A file that takes some bytes and no more."""

    def __init__(self, file, room):
        self.file, self.room = file, room

    def write(self, chunk):
        if len(chunk) > self.room:
            raise OSError(errno.ENOSPC, "No space left on device")
        self.room -= len(chunk)
        return self.file.write(chunk)

    def __getattr__(self, name):
        return getattr(self.file, name)


def test_a_disk_that_fills_up(server, tmp_path, monkeypatch):
    copy = resume.Resuming._copy
    monkeypatch.setattr(
        resume.Resuming,
        "_copy",
        lambda self, response, out, *rest: copy(self, response, FullDisk(out, 2500), *rest),
    )
    url = server.put("/a", BODY)
    with pytest.raises(InputError, match="is full; free some space and run the command again"):
        fetch(remote(url), tmp_path)
    assert left(tmp_path) == ["a.bin.part", "a.bin.part.version"]
    monkeypatch.undo()
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    assert fetch(remote(url), tmp_path).read_bytes() == BODY  # what was written is used
    assert server.asked()[-1] == "bytes=2000-"


def test_a_disk_without_room_is_seen_before(server, tmp_path, monkeypatch):
    monkeypatch.setattr(resume.shutil, "disk_usage", lambda _: SimpleNamespace(free=5))
    with pytest.raises(InputError, match="full: 10,240 bytes to come, 5 free"):
        fetch(remote(server.put("/a", BODY)), tmp_path)
    assert not (tmp_path / "a.bin").exists()


def test_two_commands_do_not_write_into_one_file(server, tmp_path):
    with resume._only_one(tmp_path / "a.bin.part"), pytest.raises(InputError, match="another com"):
        fetch(remote(server.put("/a", BODY)), tmp_path)
    assert fetch(remote(server.put("/a", BODY)), tmp_path).read_bytes() == BODY


def test_a_folder_that_cannot_be_made(server, tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError, match=r"cannot fetch a.bin into .* set SAPWOOD_HOME"):
        fetch(remote(server.put("/a", BODY)), tmp_path / "file" / "below")


def test_without_pooch_the_extra_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pooch", None)
    with pytest.raises(InputError, match=r'pip install -e "\.\[download\]"'):
        fetch(remote("http://127.0.0.1/a"), tmp_path)


def test_no_record_claims_what_nobody_checked():
    for download in DOWNLOADS.values():
        for file in download.files:
            assert file.verified is False  # nobody has, so far
            assert file.said().startswith("unverified: http")
            assert (file.checksum is None) == (file.checksum_source == "")
            if file.checksum:
                kind, _, digest = file.checksum.partition(":")
                assert len(digest) == {"sha256": 64, "md5": 32}[kind]
