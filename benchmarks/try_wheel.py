"""Build the wheel, install it into a clean environment and use it from there.

python benchmarks/try_wheel.py
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        there = Path(folder)
        build = [sys.executable, "-m", "build", "--wheel", "--outdir", folder, str(ROOT)]
        subprocess.run(build, check=True, stdout=subprocess.DEVNULL)
        (wheel,) = there.glob("*.whl")
        venv.create(there / "clean", with_pip=True)
        bin_ = there / "clean" / "bin"
        install = ["-m", "pip", "install", "--quiet", "-c", str(ROOT / "constraints.txt")]
        subprocess.run([bin_ / "python", *install, str(wheel)], check=True)
        # Outside the checkout, so that nothing but the wheel can be imported.
        plain = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "SAPWOOD_DATA")}
        for command in (["--version"], ["demo"]):
            subprocess.run([bin_ / "sapwood", *command], check=True, cwd=folder, env=plain)
        print(f"{wheel.name} installs and runs by itself")


if __name__ == "__main__":
    main()
