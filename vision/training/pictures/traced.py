"""The same scenes as ``vision.synthetic.scene``, path-traced by Blender's Cycles (``bpy``, extra ``render``).

Slower by a factor of twenty than the drawn ones, and true where those are not: light goes through dice, glances off
lacquer and is thrown back by felt. Only making training pictures imports this module.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import bpy
import cv2
import numpy as np
import numpy.typing as npt

from vision.board.geometry import Frame
from vision.synthetic import finish, texture
from vision.synthetic.board import paint_surface, table_picture
from vision.synthetic.clutter import Hand, draw_hand
from vision.synthetic.cube_faces import paint_faces
from vision.synthetic.dice_shape import Camera, DieLook, face_values, project
from vision.synthetic.pieces import CheckerOnTable, top_albedo
from vision.synthetic.scene import DieOnTable, RenderedPicture
from vision.synthetic.style import CheckerLook, Style
from vision.synthetic.viewpoint import outer_corners, pinhole, position_m, surface_corners, to_pixels
from vision.training.pictures.carving import carve
from vision.training.pictures.traced_bodies import MARK, Mesh, box, checker_mesh, cube_mesh, die_mesh, rectangle

SAMPLES: Final = 10
TOPS: Final = 4
"""Different checkers of a set."""
SURFACE_PX: Final = 1800


class TracedRenderer:
    """Traces one set under one light and camera; stands in for ``scene.Renderer``. ``size`` is (width, height)."""

    def __init__(self, style: Style, camera: Camera, size: tuple[int, int] = (1280, 720), seed: int = 0) -> None:
        self.style = style
        self.camera = camera
        self.size = size
        self._rng = np.random.default_rng(seed)
        self._lens_free = pinhole(camera)
        self._dice: dict[int, Any] = {}
        bpy.ops.wm.read_factory_settings(use_empty=True)
        self._scene = bpy.context.scene
        self._moving: list[Any] = []
        _settings(self._scene, size, self._rng)
        _aim(self._scene, self._lens_free, size)
        _frame_in(self._scene, style, self._lens_free, size)
        _light(self._scene, style, self._lens_free, self._rng)
        self._build_board()
        self._sets = {True: self._checkers(style.light_set), False: self._checkers(style.dark_set)}

    @property
    def corners_px(self) -> npt.NDArray[np.float32]:
        """The surface's corners p1, p12, p13, p24 in the picture, shape (4, 2)."""
        return project(self.camera, surface_corners(self.style.dims))

    def render(
        self,
        checkers: Sequence[CheckerOnTable],
        dice: Sequence[DieOnTable] = (),
        hand: Hand | None = None,
        *,
        seed: int = 0,
    ) -> RenderedPicture:
        """Return the picture of these things on the board."""
        for body in self._moving:
            bpy.data.objects.remove(body)
        self._moving = []
        rng = np.random.default_rng(seed)
        for checker in checkers:
            meshes = self._sets[checker.light]
            body = self._put(meshes[int(rng.integers(len(meshes)))])
            body.location = (checker.x_m, checker.y_m, checker.z_m)
            wobble = rng.normal(0, 0.008, 2)
            body.rotation_mode = "ZYX"  # turned about its own axis first, leaned last
            body.rotation_euler = (checker.lean_rad + wobble[0], wobble[1], rng.uniform(0, 2 * np.pi))
        for die in dice:
            body = self._put(self._die(die.die.look))
            place = np.eye(4)
            place[:3, :3] = die.die.pose.rotation
            place[:3, 3] = die.die.pose.x_m, die.die.pose.y_m, die.die.pose.z_m
            body.matrix_world = place.T.tolist()
        frame = self._trace(seed)
        light = self.style.light
        covered = draw_hand(frame, self._lens_free, light, hand) if hand is not None else None
        frame = finish.bend(finish.light_up(frame, light), self.camera)
        if covered is not None and np.any(self.camera.distortion):
            pictured = np.repeat(covered[..., None], 3, 2).astype(np.uint8) * 255
            covered = np.asarray(finish.bend(pictured, self.camera)[..., 0] > 127)
        return RenderedPicture(frame, covered)

    def _trace(self, seed: int) -> Frame:
        self._scene.cycles.seed = seed % (1 << 31)
        with tempfile.TemporaryDirectory() as folder, _quiet():
            file = Path(folder) / "traced.png"
            self._scene.render.filepath = str(file)
            bpy.ops.render.render(write_still=True)
            frame = cv2.imread(str(file))
        return np.ascontiguousarray(frame, np.uint8)

    def _put(self, mesh: Any) -> Any:
        body = bpy.data.objects.new("thing", mesh)
        self._scene.collection.objects.link(body)
        self._moving.append(body)
        return body

    def _build_board(self) -> None:
        style, rng = self.style, self._rng
        dims, look = style.dims, style.board
        x, y, wide, high = dims.half_width, dims.half_depth, dims.rim_width, max(dims.rim_height, 0.0005)
        floor = -float(rng.uniform(0.004, 0.02))
        rough = float(np.clip(rng.normal(0.75 - look.gloss, 0.15), 0.15, 1.0))
        table = table_picture(rng, style)
        _stand(rectangle(1.5, 1.5, floor), [_painted(table, rough=float(rng.uniform(0.3, 1.0)))], 1.5, 1.5)
        surface = paint_surface(dims, look)
        surface = np.asarray(
            cv2.resize(surface, None, fx=SURFACE_PX / surface.shape[1], fy=SURFACE_PX / surface.shape[1])
        )
        relief = None
        if look.form == "carved" or (look.material == "wood" and rng.random() < 0.3):
            relief = carve(rng, dims, SURFACE_PX)
        elif look.material in {"felt", "leather"} or rng.random() < 0.3:
            size = (surface.shape[0] // 2, surface.shape[1] // 2)
            relief = texture.noise(rng, size, (1.5, 1.5)) * np.float32(rng.uniform(0, 0.0002))
        _stand(rectangle(x, y, 0.0), [_painted(surface, rough=rough, relief=relief)], x, y)
        wood = np.clip(texture.wood(rng, (600, 600), look.rim, rng.uniform(0.2, 1.0)), 0, 255).astype(np.uint8)
        rim = _painted(wood, rough=rough)
        outer = max(dims.box_end(1), dims.box_end(-1))
        for sign in (-1, 1):
            end = dims.box_end(sign)
            for inner in [x, end - wide] if dims.has_tray(sign) else [x]:
                low, far = sorted((sign * inner, sign * (inner + wide)))
                _stand(box((low, -y, floor), (far, y, high)), [rim], outer, y + wide)
            near, far = sorted((sign * y, sign * (y + wide)))
            _stand(box((-dims.box_end(-1), near, floor), (dims.box_end(1), far, high)), [rim], outer, y + wide)
            if dims.has_tray(sign):
                low, far = sorted((sign * (x + wide), sign * (x + wide + dims.tray)))
                _stand(box((low, -y, floor), (far, y, 0.0)), [_plain(look.field, rough)], outer, y)
                for before, after in pairwise(dims.compartments):
                    _stand(box((low, before[1], 0.0), (far, after[0], high)), [rim], outer, y)
        if dims.bar_height > 0.002 and dims.bar > 0.002:
            bar = box((-dims.bar / 2, -y, 0.0), (dims.bar / 2, y, dims.bar_height))
            _stand(bar, [_painted(surface, rough=rough)], x, y)

    def _checkers(self, look: CheckerLook) -> list[Any]:
        dims, rng = self.style.dims, self._rng
        mesh = checker_mesh(look, dims.checker / 2, dims.thickness)
        rough = float(np.clip(0.65 - 0.6 * look.gloss + rng.normal(0, 0.08), 0.04, 1.0))
        coat = float(rng.random() < 0.3)
        wall = _plain(look.wall, rough, coat=coat)
        reach = 0.525 * dims.checker  # the painted top is 1.05 diameters wide
        return [
            _mesh(mesh, [_painted(top_albedo(look, 160, rng), rough=rough, coat=coat), wall], reach, reach)
            for _ in range(TOPS)
        ]

    def _die(self, look: DieLook) -> Any:
        key = id(look)
        if key not in self._dice and look.texts is not None:
            self._dice[key] = _mesh(cube_mesh(look), _texts(look, look.texts), look.size_m, look.size_m)
        if key not in self._dice:
            rough = float(np.clip(0.6 - 0.55 * look.gloss + self._rng.normal(0, 0.08), 0.03, 1.0))
            body = _plain(look.body, rough, clear=look.material == "translucent", grain=look.grain, rng=self._rng)
            pips = _plain(look.pips, 0.5)
            mesh = die_mesh(look)
            if look.one is not None:
                mesh = _own_one(mesh, look)
            mats = [body, pips] if look.one is None else [body, pips, _plain(look.one, 0.5)]
            self._dice[key] = _mesh(mesh, mats, look.size_m, look.size_m)
        return self._dice[key]


def _own_one(mesh: Mesh, look: DieLook) -> Mesh:
    """Give the single pip a material of its own."""
    share = len(mesh.materials) // 6
    materials = mesh.materials.copy()
    one = face_values(look).index(1)
    part = materials[one * share : (one + 1) * share]
    part[part == MARK] = 2
    return replace(mesh, materials=materials)


def _texts(look: DieLook, texts: tuple[str, ...]) -> list[Any]:
    """Materials of a doubling cube's six faces."""
    faces = paint_faces(texts, look.lettering, look.body, look.pips)
    rough = float(np.clip(0.6 - 0.55 * look.gloss, 0.05, 1.0))
    engraved = look.lettering.depth > 0
    return [
        _painted(
            faces.colours[value - 1], rough=rough, relief=-faces.depth[value - 1] * look.size_m if engraved else None
        )
        for value in face_values(look)
    ]


def _settings(scene: Any, size: tuple[int, int], rng: np.random.Generator) -> None:
    scene.render.engine = "CYCLES"
    cycles = scene.cycles
    cycles.device, cycles.samples, cycles.use_denoising = "CPU", SAMPLES, False
    cycles.use_adaptive_sampling, cycles.adaptive_threshold, cycles.adaptive_min_samples = True, 0.08, 6
    cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces, cycles.transmission_bounces = 4, 1, 2, 4
    cycles.caustics_reflective = cycles.caustics_refractive = False
    cycles.sample_clamp_indirect = 2.0
    cycles.pixel_filter_type = "BLACKMAN_HARRIS"
    render = scene.render
    render.resolution_x, render.resolution_y = size
    render.image_settings.file_format = "PNG"
    render.image_settings.compression = 0
    render.use_persistent_data = True
    render.threads_mode, render.threads = "FIXED", 1
    scene.view_settings.view_transform = str(rng.choice(["Standard", "AgX", "Filmic"], p=[0.6, 0.2, 0.2]))
    scene.view_settings.exposure = float(rng.normal(0.1, 0.25))


def _aim(scene: Any, camera: Camera, size: tuple[int, int]) -> None:
    lens = bpy.data.cameras.new("camera")
    lens.sensor_fit, lens.sensor_width = "HORIZONTAL", 36.0
    lens.lens = float(camera.matrix[0, 0]) * 36.0 / size[0]
    lens.clip_start = 0.01
    # Here pixel centres lie at whole numbers, in Blender at halves.
    lens.shift_x = (size[0] / 2 - float(camera.matrix[0, 2]) - 0.5) / size[0]
    lens.shift_y = (float(camera.matrix[1, 2]) + 0.5 - size[1] / 2) / size[0]
    body = bpy.data.objects.new("camera", lens)
    place = np.eye(4)
    place[:3, :3] = camera.rotation.T @ np.diag([1.0, -1.0, -1.0])
    place[:3, 3] = position_m(camera)
    body.matrix_world = place.T.tolist()
    scene.collection.objects.link(body)
    scene.camera = body


def _frame_in(scene: Any, style: Style, camera: Camera, size: tuple[int, int]) -> None:
    """Trace only what shows the box and a strip of table; the rest stays black."""
    seen = to_pixels(camera, outer_corners(style.dims)) / size
    strip = 0.06 * (seen.max(0) - seen.min(0))
    low, high = np.clip(seen.min(0) - strip, 0, 1), np.clip(seen.max(0) + strip, 0, 1)
    render = scene.render
    render.use_border = True
    render.border_min_x, render.border_max_x = float(low[0]), float(high[0])
    render.border_min_y, render.border_max_y = 1 - float(high[1]), 1 - float(low[1])


def _light(scene: Any, style: Style, camera: Camera, rng: np.random.Generator) -> None:
    """Hang one lamp or window as the style has it, now and then a second and a lamp that tops mirror; and the room."""
    light = style.light
    world = bpy.data.worlds.new("room")
    scene.world = world
    world.use_nodes = True
    room = world.node_tree.nodes["Background"]
    room.inputs[1].default_value = max(0.08, light.ambient * 0.8)
    tint = np.clip(rng.normal(1, 0.05, 3), 0.8, 1.2)
    room.inputs[0].default_value = (*tint, 1.0)
    if rng.random() < 0.7:  # walls and ceiling differ, and polished things show it
        _uneven(world, rng)
    lamps = [(np.array(light.direction), light.diffuse * 0.9)]
    if rng.random() < 0.4:
        lamps.append((np.append(rng.normal(0, 0.7, 2), 1.0), rng.uniform(0.05, 0.4)))
    if rng.random() < 0.35:
        spot = rng.uniform(-1, 1, 3) * (style.dims.half_width, style.dims.half_depth, 0)
        view = position_m(camera) - spot
        lamps.append((np.array([-view[0], -view[1], view[2]]), rng.uniform(0.05, 0.5)))
    for towards, strength in lamps:
        away = float(rng.uniform(0.7, 3.0))
        place = towards / np.linalg.norm(towards) * away
        lamp = bpy.data.lights.new("lamp", "AREA")
        lamp.shape = str(rng.choice(["SQUARE", "RECTANGLE", "DISK"]))
        lamp.size = float(np.clip(light.softness_m * 40 * rng.uniform(0.5, 2), 0.03, 1.2)) * away / 1.5
        lamp.size_y = lamp.size * float(rng.uniform(0.3, 3))
        lamp.energy = float(strength * np.pi**2 * away**2)
        body = bpy.data.objects.new("lamp", lamp)
        body.matrix_world = _look_down(place).T.tolist()
        body.visible_camera = False
        scene.collection.objects.link(body)


def _uneven(world: Any, rng: np.random.Generator) -> None:
    tree = world.node_tree
    noise = tree.nodes.new("ShaderNodeTexNoise")
    noise.inputs["Scale"].default_value = float(rng.uniform(0.5, 3))
    ramp = tree.nodes.new("ShaderNodeValToRGB")
    dark, bright = rng.uniform(0.1, 0.8), rng.uniform(0.9, 2.0)
    ramp.color_ramp.elements[0].color = (dark, dark, dark, 1)
    ramp.color_ramp.elements[1].color = (bright, bright * 0.97, bright * 0.93, 1)
    ramp.color_ramp.elements[0].position, ramp.color_ramp.elements[1].position = 0.35, 0.65
    where = tree.nodes.new("ShaderNodeTexCoord")
    tree.links.new(where.outputs["Generated"], noise.inputs["Vector"])
    tree.links.new(noise.outputs[0], ramp.inputs[0])
    tree.links.new(ramp.outputs[0], tree.nodes["Background"].inputs[0])


def _look_down(place: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Pose (4, 4) at ``place`` whose -z axis points at the origin."""
    back = place / np.linalg.norm(place)
    side = np.cross([0.0, 1.0, 0.0], back)
    side = side / np.linalg.norm(side) if np.linalg.norm(side) > 1e-3 else np.array([1.0, 0.0, 0.0])
    pose = np.eye(4)
    pose[:3, :3] = np.stack([side, np.cross(back, side), back], 1)
    pose[:3, 3] = place
    return pose


def _mesh(mesh: Mesh, materials: Sequence[Any], x: float, y: float) -> Any:
    """Hand a mesh to Blender; textures cover -x..x and -y..y of its own frame."""
    made = bpy.data.meshes.new("mesh")
    count = len(mesh.faces)
    made.vertices.add(len(mesh.places))
    made.vertices.foreach_set("co", mesh.places.astype(np.float32).ravel())
    made.loops.add(4 * count)
    made.loops.foreach_set("vertex_index", mesh.faces.ravel())
    made.polygons.add(count)
    made.polygons.foreach_set("loop_start", np.arange(0, 4 * count, 4, dtype=np.int32))
    made.polygons.foreach_set("material_index", mesh.materials)
    made.polygons.foreach_set("use_smooth", np.full(count, not mesh.sharp))
    for material in materials:
        made.materials.append(material)
    shown = mesh.places[mesh.faces.ravel(), :2] / (2 * x, 2 * y) + 0.5 if mesh.pictured is None else mesh.pictured
    made.uv_layers.new().data.foreach_set("uv", shown.astype(np.float32).ravel())
    made.update(calc_edges=True)
    return made


def _stand(mesh: Mesh, materials: Sequence[Any], x: float, y: float) -> None:
    body = bpy.data.objects.new("fixed", _mesh(mesh, materials, x, y))
    bpy.context.scene.collection.objects.link(body)


def _linear(colour: Sequence[float]) -> tuple[float, float, float, float]:
    """BGR 0..255 as the eye sees it to Blender's linear RGBA."""
    blue, green, red = (float(np.clip(c / 255, 0, 1) ** 2.2) for c in colour)
    return red, green, blue, 1.0


def _material(rough: float, coat: float) -> tuple[Any, Any]:
    material = bpy.data.materials.new("material")
    material.use_nodes = True
    shader = material.node_tree.nodes["Principled BSDF"]
    shader.inputs["Roughness"].default_value = rough
    shader.inputs["Coat Weight"].default_value = coat
    return material, shader


def _plain(
    colour: Sequence[float],
    rough: float,
    *,
    coat: float = 0.0,
    clear: bool = False,
    grain: float = 0.0,
    rng: np.random.Generator | None = None,
) -> Any:
    material, shader = _material(rough, coat)
    shader.inputs["Base Color"].default_value = _linear(colour)
    if clear:
        shader.inputs["Transmission Weight"].default_value = 0.85
        shader.inputs["IOR"].default_value = 1.4
        # Seen through, a colour is met twice.
        shader.inputs["Base Color"].default_value = _linear([255 * (c / 255) ** 0.5 for c in colour])
    if grain > 0 and rng is not None:
        tree = material.node_tree
        noise = tree.nodes.new("ShaderNodeTexNoise")
        noise.inputs["Scale"].default_value = float(rng.uniform(60, 400))
        noise.inputs["Distortion"].default_value = float(rng.uniform(0, 4))
        ramp = tree.nodes.new("ShaderNodeValToRGB")
        low = [c * (1 - 1.2 * grain) for c in colour]
        high = [min(255, c * (1 + 0.8 * grain) + 40 * grain) for c in colour]
        ramp.color_ramp.elements[0].color, ramp.color_ramp.elements[1].color = _linear(low), _linear(high)
        where = tree.nodes.new("ShaderNodeTexCoord")
        tree.links.new(where.outputs["Object"], noise.inputs["Vector"])
        tree.links.new(noise.outputs[0], ramp.inputs[0])
        tree.links.new(ramp.outputs[0], shader.inputs["Base Color"])
    return material


def _painted(
    picture: npt.NDArray[np.floating] | Frame,
    *,
    rough: float,
    coat: float = 0.0,
    relief: npt.NDArray[np.float32] | None = None,
) -> Any:
    """Return a material that shows a picture (BGR, its top row towards +y) and, bumped, a relief in metres."""
    material, shader = _material(rough, coat)
    tree = material.node_tree
    shown = tree.nodes.new("ShaderNodeTexImage")
    shown.image = _image(np.clip(picture, 0, 255)[..., ::-1] / 255)
    tree.links.new(shown.outputs[0], shader.inputs["Base Color"])
    if relief is not None:
        low, high = float(relief.min()), float(relief.max()) + 1e-9
        heights = tree.nodes.new("ShaderNodeTexImage")
        heights.image = _image(np.repeat(((relief - low) / (high - low))[..., None], 3, 2), colour=False)
        bump = tree.nodes.new("ShaderNodeBump")
        bump.inputs["Distance"].default_value = high - low
        tree.links.new(heights.outputs[0], bump.inputs["Height"])
        tree.links.new(bump.outputs[0], shader.inputs["Normal"])
    return material


def _image(picture: npt.NDArray[np.floating], *, colour: bool = True) -> Any:
    height, width = picture.shape[:2]
    image = bpy.data.images.new("picture", width, height, float_buffer=not colour)
    if not colour:
        image.colorspace_settings.name = "Non-Color"
    pixels = np.ones((height, width, 4), np.float32)
    pixels[..., :3] = picture[::-1]
    image.pixels.foreach_set(pixels.ravel())
    image.update()
    return image


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Keep Blender from printing each picture on the standard output."""
    kept = os.dup(1)
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(silent)
        os.close(kept)
