"""What a cheap camera does to light: lens bend, exposure, white balance, blur, noise, sharpening, JPEG."""

import cv2
import numpy as np

from vision.board.geometry import Frame
from vision.synthetic.dice_shape import Camera
from vision.synthetic.style import Light


def bend(frame: Frame, camera: Camera) -> Frame:
    """Apply the camera's lens distortion to a picture drawn without it."""
    if not np.any(camera.distortion):
        return frame
    height, width = frame.shape[:2]
    step = 16  # a coarse map, enlarged, bends just as smoothly
    columns, rows = np.meshgrid(np.arange(0, width + step, step), np.arange(0, height + step, step))
    seen = np.stack([columns.ravel(), rows.ravel()], 1).astype(np.float64)
    straight = cv2.undistortPoints(seen[:, None], camera.matrix, camera.distortion, P=camera.matrix)
    coarse = straight.reshape(*columns.shape, 2).astype(np.float32)
    grid = np.stack(np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32)), -1) / step
    full = cv2.remap(coarse, grid[..., 0], grid[..., 1], cv2.INTER_LINEAR)
    bent = cv2.remap(frame, full[..., 0], full[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    return np.asarray(bent, np.uint8)


def light_up(frame: Frame, light: Light) -> Frame:
    """Apply the lamp's colour and the slope of its brightness over the picture."""
    height, width = frame.shape[:2]
    x = 1 + light.slope[0] * (np.arange(width, dtype=np.float32) / width - 0.5)
    y = 1 + light.slope[1] * (np.arange(height, dtype=np.float32) / height - 0.5)
    gain = np.outer(y, x)[..., None] * np.array(light.tint, np.float32)
    return np.asarray(np.clip(frame * gain, 0, 255), np.uint8)


def speckle(frame: Frame, rng: np.random.Generator, spread: float) -> Frame:
    """Add sensor noise of ``spread`` grey levels."""
    height, width = frame.shape[:2]
    tile = rng.normal(0, spread, (height // 2 + 1, width // 2 + 1, 3)).astype(np.float32)
    full = np.tile(tile, (2, 2, 1))[:height, :width]
    return np.asarray(np.clip(frame + full, 0, 255), np.uint8)


def random_finish(frame: Frame, rng: np.random.Generator) -> Frame:
    """Run a picture through some camera nobody calibrated."""
    picture = frame
    if rng.random() < 0.5:
        gamma = float(np.exp(rng.normal(0, 0.2)))
        table = np.clip(255 * (np.arange(256) / 255) ** gamma, 0, 255).astype(np.uint8)
        picture = np.asarray(cv2.LUT(picture, table), np.uint8)
    if rng.random() < 0.4:
        picture = np.asarray(cv2.convertScaleAbs(picture, alpha=float(np.exp(rng.normal(0, 0.22)))), np.uint8)
    if rng.random() < 0.3:
        grey = cv2.cvtColor(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
        share = rng.uniform(0.5, 1.3)
        picture = np.asarray(
            np.clip(cv2.addWeighted(picture, share, grey, 1 - share, rng.normal(0, 6)), 0, 255), np.uint8
        )
    if rng.random() < 0.5:
        gain = 1 + rng.normal(0, 0.07, 3)
        picture = np.clip(picture * gain.astype(np.float32), 0, 255).astype(np.uint8)
    if rng.random() < 0.45:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), float(rng.uniform(0.4, 1.5))), np.uint8)
    if rng.random() < 0.7:
        picture = speckle(picture, rng, float(rng.uniform(0.5, 9) * rng.random()))
    if rng.random() < 0.3:
        soft = cv2.GaussianBlur(picture, (0, 0), 1.2)
        share = rng.uniform(0.2, 1.0)
        picture = np.asarray(cv2.addWeighted(picture, 1 + share, soft, -share, 0), np.uint8)
    if rng.random() < 0.7:
        _, packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(30, 96))])
        picture = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    return picture
