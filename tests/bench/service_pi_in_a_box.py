"""The referee itself in the Pi in a box: camera, buttons on GPIO, reeds on a serial board, its page and its feed.

    python -m tests.bench.service_pi_in_a_box [FOLDER]

Inside, ``nardy-referee doctor`` looks at everything first. Then ``nardy-referee run`` watches a real /dev/video0 (the
kernel's vivid test camera) through the aarch64 wheel of OpenCV, the clock buttons through gpiozero and lgpio, and the
emulated microcontroller through the kernel's ftdi_sio. A visitor inside asks its page for /api/config, signs in as the
arbiter, begins a game and listens to the clock on the feed. Outside, this script presses the buttons: the clocks inside
have to move. The test camera shows bars and no board, so the arbiter enters what was thrown.

FOLDER keeps what is downloaded (about 330 MB). Two minutes on an idle machine, many more on a busy one; no part of the
test suite.
"""

import sys
import tomllib
from pathlib import Path

from tests.bench.pi_machine import BLACK, BOOT_S, PAUSE, PIN_MODULES, WHITE, Box, Load, prove

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))["project"]
WHEELS = (*PROJECT["dependencies"], "lgpio>=0.2.2")
SETTINGS = f"""
[board]
id = "box"
corners = [[560, 420], [80, 420], [80, 60], [560, 60]]
[camera]
source = "/dev/video0"
size = [640, 480]
[bridge]
port = "/dev/ttyUSB0"
rig = "full"
[buttons]
white = {WHITE}
black = {BLACK}
pause = {PAUSE}
[pages]
arbiter_pin = "271828"
[journal]
path = "/tmp/referee.sqlite"
"""
GUEST = """
import json, platform, subprocess, sys, time
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import HTTPCookieProcessor, Request, build_opener
import paho.mqtt.client as mqtt

began = time.monotonic()
SETTINGS, PAGE = sys.argv[1] if sys.argv[1:] else "/referee.toml", "http://127.0.0.1:8080"

def reported(*words):
    # One write a line: the feed reports from a thread of its own.
    sys.stdout.write(" ".join(map(str, ("REPORT", *words))) + "\\n")
    sys.stdout.flush()

if not sys.argv[1:]:
    for device in ("/dev/ttyUSB0", "/dev/video0", "/dev/gpiochip0"):
        while not Path(device).exists():
            time.sleep(0.2)
    reported("devices", platform.machine(), Path("/sys/class/video4linux/video0/name").read_text().strip(),
         Path("/sys/class/tty/ttyUSB0/device/driver").resolve().name)
# First the doctor: everything is fitted, and nobody has the ports yet.
slow = "from controller.doctor import examination; examination.ANSWER_US = 60_000_000; examination.PICTURE_S = 600; "
doctor = [sys.executable, "-c", slow + "from controller.cli import main; main()", "doctor", "--config", SETTINGS]
seen = subprocess.run(doctor, stdout=subprocess.PIPE, text=True)
for line in seen.stdout.splitlines():
    reported("doctor", line)
reported("doctor ended", seen.returncode)
# A Pi starts its broker and its pages in a second; an emulated one on a busy machine needs minutes.
patient = "from controller.adapters.mqtt import broker; from controller.adapters.pages import server; " \\
          "broker.READY_S = server.START_S = 600; from controller.cli import main; main()"
service = subprocess.Popen([sys.executable, "-c", patient, "run", "--config", SETTINGS])
browser = build_opener(HTTPCookieProcessor(CookieJar()))

def ask(path, body=None):
    data = None if body is None else json.dumps(body).encode()
    try:
        with browser.open(Request(PAGE + path, data, {"Content-Type": "application/json"}), timeout=300) as answer:
            return answer.status, json.load(answer)
    except HTTPError as refused:
        return refused.code, json.load(refused)

while True:
    try:
        reported("config", *ask("/api/config"), round(time.monotonic() - began, 1), "s")
        break
    except URLError:
        if service.poll() is not None:
            reported("the service ended:", service.returncode)
            sys.exit(1)
        time.sleep(1)

def on_message(client, _, message):
    kind = message.topic.rsplit("/", 1)[-1]
    said = json.loads(message.payload)
    if kind == "clock":
        reported("clock", {key: said[key] for key in ("running", "white_ms", "black_ms")}, bool(said["paused"]))
    elif kind == "health":
        reported("health", {each: one["state"] for each, one in said.get("devices", {}).items()} or said)
    elif kind == "event":
        reported("event", said["kind"], said["texts"]["en"])

feed = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2)
feed.on_message = on_message
feed.on_connect = lambda client, *_: client.subscribe("nardy/v1/#")
feed.connect("127.0.0.1", 1883)
feed.loop_start()
reported("session", *ask("/api/session", {"pin": "271828"}))
reported("start", *ask("/api/command", {"verb": "start"}))
reported("roll", *ask("/api/command", {"verb": "set_roll", "roll": [6, 2]}))
reported("begun")
reported("the service ended:", service.wait())
"""
LOAD = Load("service", GUEST, WHEELS, modules=(*PIN_MODULES, "vivid"), files={"referee.toml": SETTINGS})


def play(box: Box) -> None:
    """Do things outside and see that they are reported inside.

    Raises TimeoutError when one is not.
    """
    box.wait_for("REPORT devices aarch64 vivid.* ftdi_sio", BOOT_S)
    for found in ("board +Board .* answers", "reeds +All open", "buttons +Connected, none is pressed"):
        box.wait_for(f"REPORT doctor ok +{found}", BOOT_S)
    box.wait_for("REPORT doctor ended 0")
    box.wait_for("REPORT config 200 .*'board': 'box'", BOOT_S)
    box.wait_for("REPORT health .*'camera': 'ok', 'reeds': 'ok', 'buttons': 'ok'", BOOT_S)
    box.wait_for("REPORT begun", BOOT_S)
    # White has thrown 6-2 and plays it; his press gives Black the time, and the board lights Black's lamp.
    box.press(WHITE)
    box.wait_for("REPORT clock .*'running': 'black'")
    box.wait_lit("black_turn")
    # The serial board's own button counts like those on the pins. The clock stays stopped from here on: the test camera
    # shows no play, so the referee asks, and an open question goes on stopping the time.
    box.do(lambda board: board.press("pause"))
    box.wait_for("REPORT clock .*'running': None.* True")
    box.do(lambda board: board.watchdog())
    # Where this machine is busy the board's half second until the watchdog bites is more than three inside: silence.
    box.wait_for("board lost .(restarted|stopped).")
    box.wait_for("REPORT health .*'reeds': 'ok'")


if __name__ == "__main__":
    sys.exit(prove(sys.argv[1:], LOAD, play))
