"""Virtual cameras: where they hang, what they see."""

import cv2
import numpy as np
import numpy.typing as npt

from vision.synthetic.dice_shape import Camera, PinholeCamera
from vision.synthetic.style import BoardDims


def camera_at(
    position_m: tuple[float, float, float],
    target_m: tuple[float, float, float],
    focal_px: float,
    size: tuple[int, int],
    *,
    roll_deg: float = 0.0,
    distortion: tuple[float, float] = (0.0, 0.0),
) -> PinholeCamera:
    """Return a camera at ``position_m`` that looks at ``target_m``; ``size`` is (width, height) in pixels."""
    position = np.array(position_m, np.float64)
    ahead = np.array(target_m, np.float64) - position
    ahead /= np.linalg.norm(ahead)
    up = np.array([0.0, 0.0, 1.0]) if abs(ahead[2]) < 0.999 else np.array([0.0, 1.0, 0.0])
    right = np.cross(ahead, up)
    right /= np.linalg.norm(right)
    axes = np.stack([right, np.cross(ahead, right), ahead])
    turn = np.asarray(cv2.Rodrigues(np.array([0.0, 0.0, np.radians(roll_deg)]))[0], np.float64)
    rotation = turn @ axes
    matrix = np.array([(focal_px, 0, size[0] / 2), (0, focal_px, size[1] / 2), (0, 0, 1)], np.float64)
    lens = np.zeros(5)
    lens[:2] = distortion
    return PinholeCamera(matrix, rotation, -rotation @ position, lens)


def overhead_camera(
    dims: BoardDims, size: tuple[int, int], *, tilt_deg: float = 20.0, azimuth_deg: float = -90.0, fill: float = 0.86
) -> PinholeCamera:
    """Return a camera over the board whose box fills ``fill`` of the picture; azimuth -90 has p1..p12 near."""
    tilt, azimuth = np.radians(tilt_deg), np.radians(azimuth_deg)
    away = np.array([np.sin(tilt) * np.cos(azimuth), np.sin(tilt) * np.sin(azimuth), np.cos(tilt)])
    focal = 1.0 * max(size)
    distance = 1.2
    for _ in range(12):
        spot = away * distance
        camera = camera_at((spot[0], spot[1], spot[2]), (0.0, 0.0, 0.0), focal, size)
        reach = np.abs(to_pixels(camera, outer_corners(dims)) - np.array(size) / 2).max(0) / (np.array(size) / 2)
        distance *= float(reach.max()) / fill
    return camera


def random_camera(rng: np.random.Generator, dims: BoardDims, size: tuple[int, int]) -> PinholeCamera:
    """Goosenecks, shelves, ceilings, hands: tilt 0 to 62 degrees, any turn, the board mostly in view."""
    tilt = np.radians(rng.choice([rng.uniform(0, 15), rng.uniform(10, 45), rng.uniform(40, 62)], p=[0.3, 0.45, 0.25]))
    azimuth = np.radians(rng.choice([-90, 90, 0, 180], p=[0.5, 0.2, 0.15, 0.15]) + rng.normal(0, 18))
    away = np.array([np.sin(tilt) * np.cos(azimuth), np.sin(tilt) * np.sin(azimuth), np.cos(tilt)])
    focal = max(size) * float(np.exp(rng.normal(np.log(0.95), 0.25)))
    target = rng.normal(0, 0.02, 3) * np.array([1, 1, 0])
    fill, distance, roll = 1.06 - 0.3 * rng.random() ** 1.5, 1.2, rng.normal(0, 5)
    bend = (0.0, 0.0) if rng.random() < 0.5 else (float(rng.normal(-0.04, 0.05)), 0.0)
    if rng.random() < 0.3:
        roll = rng.uniform(-180, 180)
    for _ in range(8):
        spot = target + away * distance
        camera = camera_at(
            (spot[0], spot[1], spot[2]), (target[0], target[1], 0.0), focal, size, roll_deg=roll, distortion=bend
        )
        reach = np.abs(to_pixels(camera, outer_corners(dims)) - np.array(size) / 2).max(0) / (np.array(size) / 2)
        distance *= float(np.clip(reach.max() / fill, 0.4, 2.5))
    return camera


def position_m(camera: Camera) -> npt.NDArray[np.float64]:
    """Where the camera is, board frame, metres, shape (3,)."""
    return np.asarray(-camera.rotation.T @ camera.translation, np.float64)


def pinhole(camera: Camera) -> PinholeCamera:
    """Return the same camera with a perfect lens."""
    return PinholeCamera(camera.matrix, camera.rotation, camera.translation)


def plane_to_picture(camera: Camera, z_m: float) -> npt.NDArray[np.float64]:
    """Homography (3, 3) from (x, y, 1) metres on the plane at height ``z_m`` to pixels, lens left out."""
    columns = np.column_stack(
        [camera.rotation[:, 0], camera.rotation[:, 1], camera.rotation[:, 2] * z_m + camera.translation]
    )
    return np.asarray(camera.matrix @ columns, np.float64)


def to_pixels(camera: Camera, points_m: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Pixels (n, 2) of points (n, 3) in metres, lens left out; points behind the camera come out far away."""
    seen = np.asarray(points_m, np.float64).reshape(-1, 3) @ camera.rotation.T + camera.translation
    depth = np.maximum(seen[:, 2:], 1e-3)
    return np.asarray(seen[:, :2] / depth * camera.matrix[0, 0] + camera.matrix[:2, 2], np.float64)


def outer_corners(dims: BoardDims) -> npt.NDArray[np.float64]:
    """Corners of the box at rim height, shape (4, 3), metres."""
    right, left, y, z = dims.box_end(1), -dims.box_end(-1), dims.half_depth + dims.rim_width, dims.rim_height
    return np.array([(right, -y, z), (left, -y, z), (left, y, z), (right, y, z)])


def surface_corners(dims: BoardDims) -> npt.NDArray[np.float64]:
    """Corners p1, p12, p13, p24 of the playing surface, shape (4, 3), metres."""
    x, y = dims.half_width, dims.half_depth
    return np.array([(x, -y, 0.0), (-x, -y, 0.0), (-x, y, 0.0), (x, y, 0.0)])
