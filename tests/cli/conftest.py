import pytest

from sapwood.cli import main


@pytest.fixture
def run(capsys):
    def run(*arguments):
        """Exit code, stdout and stderr of a command."""
        capsys.readouterr()
        code = 0
        try:
            main([str(a) for a in arguments])
        except SystemExit as stop:
            code = stop.code or 0
        return code, *capsys.readouterr()

    return run


@pytest.fixture
def model_file(run, data_file, tmp_path):
    path = tmp_path / "birds.sap"
    code, _, _ = run(
        "fit", data_file, "--annotated", 3, "--holdout", 0.25, "--out", path, "--quiet"
    )
    assert code == 0
    return path
