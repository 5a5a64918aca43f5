"""The command starts quickly, and only with its own packages."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HEAVY = ("cv2", "numpy", "onnxruntime", "paho", "pydantic", "serial", "starlette", "uvicorn")


def imported(*arguments: str) -> set[str]:
    """Return which of the heavy libraries a command imports."""
    said = (
        f"import sys; sys.argv = ['nardy-referee', *{list(arguments)!r}]\n"
        "from nardy_referee import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        f"print('imported', *[name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", said], capture_output=True, text=True, cwd=ROOT, check=True)
    return set(done.stdout.splitlines()[-1].split()[1:])


@pytest.mark.parametrize(
    "arguments", [("--help",), ("--version",), ("plays", "--roll", "6-5"), ("plays", "--help"), ("nonsense",)]
)
def test_what_looks_at_no_board_loads_no_camera_net_or_server(arguments: tuple[str, ...]) -> None:
    assert imported(*arguments) == set()


@pytest.mark.parametrize("name", ["controller", "vision"])
@pytest.mark.parametrize("kind", ["package", "module"])
def test_another_distributions_package_is_named_in_one_line(tmp_path: Path, name: str, kind: str) -> None:
    if kind == "package":
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").touch()
    else:
        (tmp_path / f"{name}.py").touch()
    done = subprocess.run(
        [sys.executable, "-c", "from nardy_referee import main; main()", "--help"],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": f"{tmp_path}:{ROOT}"},
        cwd=tmp_path,
        check=False,
    )
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert f"the package '{name}' at {tmp_path / name}" in line
    assert "virtual environment" in line
