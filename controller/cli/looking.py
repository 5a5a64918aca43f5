"""The thread in which the camera is watched: frames go to the eyes, silence is told."""

import threading
from collections.abc import Iterator

from controller.adapters.camera import CameraAdapter
from controller.clock import Millis
from controller.ports import Time
from controller.referee.events import Device, DeviceChanged
from controller.service.runtime import Service
from vision.camera.source import TimedFrame

SILENT_CAMERA_MS = 3_000
"""A camera that keeps us waiting longer is lost."""
SLOW_LOOK_MS = 60_000
"""So long a machine may take to read a picture; a small one that is busy with something else needs seconds."""
WATCHED_EACH_S = 0.5


class CameraThread(threading.Thread):
    """Carries frames from the camera to the eyes, and tells when the camera falls silent."""

    def __init__(
        self,
        service: Service,
        eyes: CameraAdapter,
        shots: Iterator[TimedFrame],
        clock: Time,
        stop: threading.Event,
    ) -> None:
        super().__init__(name="camera", daemon=True)
        self._service = service
        self._eyes = eyes
        self._shots = shots
        self._clock = clock
        self._stop_asked = stop
        self._due_at = clock.now_ms() + SILENT_CAMERA_MS
        self._lost = False

    def run(self) -> None:
        """Look until the frames end, which for a recording ends the match."""
        watch = threading.Thread(target=self._watch, name="camera watch", daemon=True)
        watch.start()
        began_ms: int | None = None
        for frame, shot_at in self._shots:
            # A recording has its own time, which begins now, and is seen at its pace. A live frame is dated by our own
            # clock when it is taken, and due when it comes.
            began_ms = self._clock.now_ms() - shot_at if began_ms is None else began_ms
            now = Millis(began_ms + shot_at)
            if self._stop_asked.wait(max(0, now - self._clock.now_ms()) / 1000):
                return
            if self._lost:
                self._lost = False
                self._service.post(DeviceChanged(now, Device.CAMERA, up=True))
            self._due_at = self._clock.now_ms() + SLOW_LOOK_MS
            before = self._service.state.phase
            self._eyes.see(frame, now, wanted=self._service.wants_looks, post=self._service.post)
            self._eyes.learn_from(before, self._service.state)
            self._due_at = self._clock.now_ms() + SILENT_CAMERA_MS
        self._service.stop()

    def _watch(self) -> None:
        while not self._stop_asked.wait(WATCHED_EACH_S):
            now = self._clock.now_ms()
            if not self._lost and now > self._due_at:
                self._lost = True
                self._service.post(DeviceChanged(now, Device.CAMERA, up=False, why="no_frame"))
