"""How long is a look at the board? ``python -m vision.training.speed``.

Prints processor milliseconds (best of several) of one look at 1280x720, of its parts, of reading two dice, of the check
that the board has not moved, and of a network built like YOLOv8n at 640 pixels on one thread (same layers and channels,
random weights; needs torch and onnx), with the ratio; and the memory that vision takes.
"""

import importlib.util
import logging
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np
import onnxruntime

from vision.board.geometry import BoardPose, BoardShape, Frame
from vision.board.pose_watch import PoseWatch
from vision.camera.motion import SceneWatch
from vision.checkers.borne_off import ZoneNet
from vision.checkers.close_look import CloseLook
from vision.checkers.memory import BoardMemory, KnownCheckers
from vision.checkers.reader import CheckerReader
from vision.checkers.strips import cut_strips, strip_views
from vision.cube.reader import CubeReader
from vision.dice.reader import DiceReader
from vision.synthetic.dice import Die, DieLook, flat_pose
from vision.synthetic.scene import DieOnTable, Renderer
from vision.synthetic.style import club_style
from vision.synthetic.viewpoint import overhead_camera
from vision.training.pictures.layout import Tidiness, lay_position

logger = logging.getLogger(__name__)
SIZE: Final = (1280, 720)
ROUNDS: Final = 15
FOUR: Final = [0, 5, 12, 18]
START: Final = (-2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2)
PLAYED: Final = (-2, 0, 0, 1, 0, 4, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2)
STACKED: Final = (-8, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, -6, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)


def best_ms(action: Callable[[], object]) -> float:
    """Return the least processor time of some calls, milliseconds."""
    action()
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        action()
        times.append(time.process_time() - start)
    return 1000 * min(times)


def yolo_sized(folder: Path) -> Path:
    """Export a network of YOLOv8n's layers (Ultralytics, 3.2 million weights, 8.7 GFLOP at 640 px)."""
    import torch  # noqa: PLC0415 - only this comparison needs it
    from torch import Tensor, nn  # noqa: PLC0415

    def conv(inside: int, outside: int, kernel: int = 3, stride: int = 1) -> nn.Module:
        return nn.Sequential(nn.Conv2d(inside, outside, kernel, stride, kernel // 2), nn.SiLU())

    class C2f(nn.Module):
        def __init__(self, inside: int, outside: int, depth: int, *, shortcut: bool) -> None:
            super().__init__()
            self.half, self.shortcut = outside // 2, shortcut
            self.first = conv(inside, outside, 1)
            self.last = conv((2 + depth) * self.half, outside, 1)
            self.steps = nn.ModuleList(
                nn.Sequential(conv(self.half, self.half), conv(self.half, self.half)) for _ in range(depth)
            )

        def forward(self, x: Tensor) -> Tensor:
            parts = list(self.first(x).split(self.half, 1))
            for step in self.steps:
                moved = step(parts[-1])
                parts.append(parts[-1] + moved if self.shortcut else moved)
            return self.last(torch.cat(parts, 1))

    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.p3 = nn.Sequential(
                conv(3, 16, 3, 2),
                conv(16, 32, 3, 2),
                C2f(32, 32, 1, shortcut=True),
                conv(32, 64, 3, 2),
                C2f(64, 64, 2, shortcut=True),
            )
            self.p4 = nn.Sequential(conv(64, 128, 3, 2), C2f(128, 128, 2, shortcut=True))
            self.p5 = nn.Sequential(conv(128, 256, 3, 2), C2f(256, 256, 1, shortcut=True))
            self.pool_in, self.pool_out = conv(256, 128, 1), conv(512, 256, 1)
            self.pool = nn.MaxPool2d(5, 1, 2)
            self.up = nn.Upsample(scale_factor=2)
            self.up4, self.up3 = C2f(384, 128, 1, shortcut=False), C2f(192, 64, 1, shortcut=False)
            self.down4, self.down5 = conv(64, 64, 3, 2), conv(128, 128, 3, 2)
            self.out4, self.out5 = C2f(192, 128, 1, shortcut=False), C2f(384, 256, 1, shortcut=False)
            self.boxes = nn.ModuleList(
                nn.Sequential(conv(c, 64), conv(64, 64), nn.Conv2d(64, 64, 1)) for c in (64, 128, 256)
            )
            self.classes = nn.ModuleList(
                nn.Sequential(conv(c, 80), conv(80, 80), nn.Conv2d(80, 80, 1)) for c in (64, 128, 256)
            )

        def forward(self, x: Tensor) -> list[Tensor]:
            p3 = self.p3(x)
            p4 = self.p4(p3)
            pooled = [self.pool_in(self.p5(p4))]
            for _ in range(3):
                pooled.append(self.pool(pooled[-1]))
            p5 = self.pool_out(torch.cat(pooled, 1))
            q4 = self.up4(torch.cat([self.up(p5), p4], 1))
            q3 = self.up3(torch.cat([self.up(q4), p3], 1))
            r4 = self.out4(torch.cat([self.down4(q3), q4], 1))
            r5 = self.out5(torch.cat([self.down5(r4), p5], 1))
            return [
                torch.cat([box(level), kind(level)], 1)
                for box, kind, level in zip(self.boxes, self.classes, (q3, r4, r5), strict=True)
            ]

    target = folder / "yolo_sized.onnx"
    torch.onnx.export(
        Net().eval(), (torch.zeros(1, 3, 640, 640),), str(target), input_names=["x"], opset_version=17, dynamo=False
    )
    return target


CUBE: Final = DieLook(size_m=0.028, texts=("2", "4", "8", "16", "32", "64"))


def _flat(value: int, x_m: float, y_m: float) -> DieOnTable:
    look = DieLook()
    return DieOnTable(Die(look, flat_pose(value, look, (x_m, y_m, 0.0), 0.4)))


def main() -> None:
    """Measure and print."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    style = club_style()
    renderer = Renderer(style, overhead_camera(style.dims, SIZE, tilt_deg=20.0), SIZE)
    pose = BoardPose(renderer.corners_px, BoardShape(style.dims.bar_edges), SIZE)

    def picture(points: tuple[int, ...]) -> Frame:
        checkers = lay_position(style, points, (0, 0), Tidiness(), np.random.default_rng(5))
        return renderer.render(checkers).frame

    frame, played = picture(START), picture(PLAYED)
    reader, watch, scene = CheckerReader(), PoseWatch(frame, pose), SceneWatch(pose)
    strips, views = cut_strips(frame, pose), strip_views(pose)
    scores = reader.net.read(strips, views)
    look = best_ms(lambda: reader.read(frame, pose))
    logger.info("one look at 1280x720       %6.1f ms", look)
    logger.info("  cut the strips           %6.1f ms", best_ms(lambda: cut_strips(frame, pose)))
    logger.info("  network                  %6.1f ms", best_ms(lambda: reader.net.read(strips, views)))
    logger.info("  odds of each place       %6.1f ms", best_ms(lambda: reader.judge(scores, pose)))
    memory = BoardMemory()
    reader.learn(memory, frame, pose, KnownCheckers(START, (0, 0), 0.02))
    logger.info("  one that is known        %6.1f ms", best_ms(lambda: reader.read(frame, pose, memory=memory)))
    logger.info("  one after a play         %6.1f ms", best_ms(lambda: reader.read(played, pose, memory=memory)))
    doubtful = picture(STACKED)
    logger.info("  one that looks again     %6.1f ms", best_ms(lambda: reader.read(doubtful, pose)))
    close = CloseLook()
    logger.info("a close look at one stack  %6.1f ms", best_ms(lambda: close.likelihood(frame, pose, [5])))
    logger.info("  at four                  %6.1f ms", best_ms(lambda: close.likelihood(frame, pose, FOUR)))
    zones, sets = ZoneNet(), np.array([[220, 225, 230], [40, 40, 45]], np.float32)
    logger.info("  beside the board         %6.1f ms", best_ms(lambda: zones.look(frame, pose, sets)))
    thrown = renderer.render((), (_flat(3, -0.1, 0.02), _flat(5, -0.15, -0.03))).frame
    dice = DiceReader()
    logger.info("two dice, beside that      %6.1f ms", best_ms(lambda: dice.read(thrown, pose)))
    cube = CubeReader()
    lying = DieOnTable(Die(CUBE, flat_pose(6, CUBE, (0.0, 0.0, style.dims.bar_height), 0.3)))
    turned = renderer.render((), (lying,)).frame
    logger.info("looking for a cube: none   %6.1f ms", best_ms(lambda: cube.read(frame, pose)))
    logger.info("  one that is there        %6.1f ms", best_ms(lambda: cube.read(turned, pose)))
    logger.info("has the board moved        %6.1f ms", best_ms(lambda: watch.check(frame)))
    logger.info("is the scene quiet         %6.1f ms", best_ms(lambda: scene.update(frame, 0)))
    logger.info("memory of this process     %6.0f MB", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    if not (importlib.util.find_spec("torch") and importlib.util.find_spec("onnx")):
        logger.info("torch and onnx are not installed: no comparison with a YOLOv8n-sized network")
        sys.exit(0)
    with tempfile.TemporaryDirectory() as folder:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        session = onnxruntime.InferenceSession(str(yolo_sized(Path(folder))), options)
        blank = {"x": np.zeros((1, 3, 640, 640), np.float32)}
        yolo = best_ms(lambda: session.run(None, blank))
    logger.info("YOLOv8n-sized at 640 px    %6.1f ms: a look takes %.2f of it", yolo, look / yolo)


if __name__ == "__main__":
    main()
