"""One file over HTTP, taken up from the bytes that are there where a connection broke."""

from __future__ import annotations

import errno
import os
import re
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING
from urllib.parse import urlsplit

from sapwood.data.downloads import RemoteFile
from sapwood.errors import InputError
from sapwood.progress import report as progress

if TYPE_CHECKING:
    import requests

#: How often a connection that breaks after some bytes is taken up again, and after how long.
ATTEMPTS, WAIT = 5, 1.0
_TIMEOUT = (10.0, 60.0)
_CHUNK = 1 << 18
_REDIRECTS = 5
_BY_HAND = "get it by hand as `sapwood data info` says"


class Resuming:
    """A downloader for pooch that goes on from the bytes it has.

    Parameters
    ----------
    file : RemoteFile
    part : Path
        Where the bytes are gathered.
    """

    def __init__(self, file: RemoteFile, part: Path) -> None:
        self.file, self.part = file, part
        # Which version of the file the bytes are of, in the server's words.
        self.version = part.with_name(f"{part.name}.version")

    def __call__(self, url: str, output_file: str, pooch: object) -> None:
        """Fetch `url`; called by pooch."""
        with _only_one(self.part):
            self._fetch(url)
            os.replace(self.part, output_file)
        self.version.unlink(missing_ok=True)

    def _fetch(self, url: str) -> None:
        import requests

        for attempt in range(1, ATTEMPTS + 1):
            before = self._have()
            try:
                self._request(url)
                return
            except requests.HTTPError as error:
                code = error.response.status_code if error.response is not None else "an error"
                raise InputError(f"{url}: the server answers {code}; {_BY_HAND}") from error
            except requests.RequestException as error:
                if attempt == ATTEMPTS or self._have() <= before:
                    raise InputError(self._broken(url, error)) from error
                time.sleep(WAIT)

    def _have(self) -> int:
        return self.part.stat().st_size

    def _broken(self, url: str, error: Exception) -> str:
        return (
            f"{url}: the connection failed ({type(error).__name__}) after {self._have():,} bytes; "
            "run the same command again to go on from there"
        )

    def _request(self, url: str) -> None:
        import requests

        headers = self._headers()
        with requests.Session() as session:
            session.max_redirects = _REDIRECTS
            with session.get(url, headers=headers, stream=True, timeout=_TIMEOUT) as response:
                _refuse_downgrade(url, response.url, self.file)
                if "Range" in headers and not self._goes_on(response):
                    os.truncate(self.part, 0)
                    return self._request(url)  # without a range this time
                if response.status_code != 416:
                    response.raise_for_status()
                    self._receive(response)
        return None

    def _headers(self) -> dict[str, str]:
        headers, have = {"Accept-Encoding": "identity"}, self._have()
        version = self.version.read_text(encoding="ascii") if self.version.exists() else ""
        # Bytes of two versions of a file are put together only where a checksum would tell.
        if have and (version or self.file.checksum):
            headers["Range"] = f"bytes={have}-"
            if version:
                headers["If-Range"] = version
        return headers

    def _goes_on(self, response: requests.Response) -> bool:
        """Tell whether the answer fits behind the bytes we have, or begins anew."""
        span = response.headers.get("Content-Range", "")
        if response.status_code == 206:
            return re.match(rf"bytes {self._have()}-", span) is not None
        if response.status_code == 416:  # nothing is left to send
            return span == f"bytes */{self._have()}"
        return True

    def _receive(self, response: requests.Response) -> None:
        import requests

        start = self._have() if response.status_code == 206 else 0
        length = response.headers.get("Content-Length", "")
        total = start + int(length) if length.isdecimal() else None
        self._check_total(total, start)
        self._remember(response)
        with self.part.open("r+b") as out:
            out.truncate(start)
            out.seek(start)
            done = self._copy(response, out, start, total)
        if total is not None and done != total:
            raise requests.ConnectionError(f"{done} of {total} bytes came")

    def _check_total(self, total: int | None, start: int) -> None:
        if total is not None and self.file.size not in (None, total):
            raise InputError(
                f"{self.file.name}: the server offers {total:,} bytes where {self.file.size:,} "
                f"were expected; {_BY_HAND}"
            )
        free = shutil.disk_usage(self.part.parent).free
        if total is not None and total - start > free:
            raise InputError(_full(self.part, f": {total - start:,} bytes to come, {free:,} free"))

    def _remember(self, response: requests.Response) -> None:
        tag = response.headers.get("ETag", "")  # a weak one, W/"…", does not vouch for bytes
        version = tag if tag.startswith('"') else response.headers.get("Last-Modified", "")
        self.version.write_text(version.encode("ascii", "ignore").decode(), encoding="ascii")

    def _copy(
        self, response: requests.Response, out: IO[bytes], done: int, total: int | None
    ) -> int:
        expected = total or self.file.size
        try:
            for chunk in response.iter_content(_CHUNK):
                out.write(chunk)
                out.flush()
                done += len(chunk)
                progress("download", min(done / expected, 1.0) if expected else 0.0)
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EDQUOT):
                raise InputError(_full(self.part)) from error
            raise
        return done


def _refuse_downgrade(asked: str, answered: str, file: RemoteFile) -> None:
    schemes = urlsplit(asked).scheme, urlsplit(answered).scheme
    if schemes == ("https", "http") and not file.checksum:
        raise InputError(
            f"{asked}: leads to {answered}, which anybody on the way can change, and no checksum "
            f"is known; {_BY_HAND}"
        )


def _full(part: Path, how: str = "") -> str:
    return (
        f"the disk of {part.parent} is full{how}; free some space and run the command again, "
        "or set SAPWOOD_HOME to another disk"
    )


@contextmanager
def _only_one(part: Path) -> Iterator[None]:
    """Keep a second command from writing into the same file."""
    import fcntl

    with part.open("ab") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InputError(f"{part.name}: another command is fetching it; wait for it") from None
        yield
