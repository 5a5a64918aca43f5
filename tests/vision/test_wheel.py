"""What the wheel leaves out, and that nothing at the table misses it."""

import ast
import subprocess
import sys
from pathlib import Path

import cv2
import pytest

from tests.vision.table import Table

ROOT = Path(__file__).parents[2]
WITHOUT_TRAINING = """
import sys


class Missing:
    def find_spec(self, name, path=None, target=None):
        if name == "vision.training" or name.startswith("vision.training."):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


sys.meta_path.insert(0, Missing())
sys.argv[0] = "nardy-referee"
from controller.cli import main

main()
"""


def _without_training(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", WITHOUT_TRAINING, *arguments], capture_output=True, text=True, cwd=ROOT, check=False
    )


def test_the_wheel_carries_the_weights_and_no_training() -> None:
    wheel = pytest.importorskip("hatchling.builders.wheel", reason="hatchling, which builds the wheel, is not there")
    files = {included.distribution_path for included in wheel.WheelBuilder(str(ROOT)).recurse_included_files()}
    assert {f"vision/weights/{net}.onnx" for net in ("checkers", "stacks", "dice_reader", "cube_reader")} <= files
    assert "vision/synthetic/scene.py" in files
    assert not [file for file in files if file.startswith("vision/training")]


def test_only_what_generates_pictures_for_an_evaluation_needs_training() -> None:
    files = [file for package in ("controller", "vision", "firmware_bridge") for file in (ROOT / package).rglob("*.py")]
    needing = {str(file.relative_to(ROOT)) for file in files if _imports_training(file)}
    outside = {name for name in needing if not name.startswith("vision/training/")}
    generating = ("dice_generated", "drawn_games", "figures")
    assert outside == {f"controller/evaluate/{name}.py" for name in generating}


def _imports_training(file: Path) -> bool:
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if any(name.startswith("vision.training") for name in names):
            return True
    return False


@pytest.mark.slow
def test_a_picture_is_read_without_training(table: Table, tmp_path: Path) -> None:
    picture = tmp_path / "board.png"
    cv2.imwrite(str(picture), table.picture())
    corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in table.pose.corners)
    ended = _without_training("read", str(picture), "--corners", corners)
    assert ended.returncode == 0, ended.stderr
    assert "p24" in ended.stdout


@pytest.mark.slow
def test_an_evaluation_on_generated_dice_says_in_a_line_that_it_needs_a_checkout() -> None:
    ended = _without_training("evaluate", "dice", "--generated", "3")
    assert ended.returncode != 0
    assert "needs a checkout of the project" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_no_runtime_of_nets_is_loaded_before_a_net_is_opened() -> None:
    rooms = (
        "vision.board.geometry, vision.checkers.reader, vision.dice.reader, vision.cube.reader, vision.camera.source"
    )
    script = f"import sys, {rooms}; sys.exit('onnxruntime' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=False).returncode == 0
