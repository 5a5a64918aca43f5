"""The bridge in the Pi in a box: real gpiozero and lgpio on a real gpiochip, pyserial on a real ttyUSB0.

    python -m tests.bench.bridge_pi_in_a_box [FOLDER]

This script pulls the pins and lays magnets on the chain of the emulated microcontroller, which runs the real firmware.
What the bridge reports inside has to be what was done outside. FOLDER keeps the downloads (about 90 MB) for the next
run. Half a minute on an idle machine once unpacked, many minutes on a busy one; no part of the test suite.
"""

import sys

from firmware_bridge.messages import ResetCause
from tests.bench.pi_machine import BLACK, BOOT_S, PAUSE, WHITE, Box, Load, prove

RIG = f"""
name = "box"
controller = "pi"
[buttons]
white = "GPIO{WHITE}"
black = "GPIO{BLACK}"
pause = "GPIO{PAUSE}"
"""
GUEST = """
import queue, sys, time
from pathlib import Path
began = time.monotonic()
import gpiozero
from firmware_bridge.link import BoardLink, Pump
from firmware_bridge.pins import PinPanel
from firmware_bridge.rig import Rig
panel = PinPanel(Rig.load(Path("/rig.toml")))
factory = gpiozero.Device.pin_factory
print("REPORT factory", type(factory).__name__, factory.board_info.description, round(time.monotonic() - began, 1))
reported = queue.Queue()
while not Path("/dev/ttyUSB0").exists():
    time.sleep(0.2)
print("REPORT driver", Path("/sys/class/tty/ttyUSB0/device/driver").resolve().name)
link = BoardLink("/dev/ttyUSB0", expected=Rig.load("full").expected())
pumps = [Pump(panel, reported.put), Pump(link, reported.put)]
print("REPORT ready")
end = time.monotonic() + 1200
while time.monotonic() < end:
    print("REPORT", reported.get())
"""
LOAD = Load("bridge", GUEST, ("cobs", "gpiozero", "lgpio", "pyserial", "pydantic"), files={"rig.toml": RIG})


def play(box: Box) -> None:
    """Do things outside and see that they are reported inside.

    Raises TimeoutError when one is not.
    """
    box.wait_for("REPORT factory LGPIOFactory Raspberry Pi 4B", BOOT_S)
    box.wait_for("REPORT driver ftdi_sio", BOOT_S)
    box.wait_for("REPORT LinkBack.*slots=160", BOOT_S)
    box.do(lambda board: board.set_slots([3, 77, 159]))
    box.wait_for(r"REPORT ReedFrame.*occupied=\(3, 77, 159\)")
    box.do(lambda board: board.press("black"))
    box.wait_for("REPORT ButtonPress.*button='black', count=1, session=[01]")
    for line, button in ((WHITE, "white"), (BLACK, "black"), (PAUSE, "pause")):
        box.press(line)
        box.wait_for(f"REPORT ButtonPress.*button='{button}', count=.*session=0")
    box.do(lambda board: board.watchdog())
    # Where this machine is busy the board's half second until the watchdog bites is more than three inside: silence.
    box.wait_for("REPORT LinkLost.*(RESTARTED|STOPPED)")
    box.wait_for(f"REPORT LinkBack.*reset_cause={ResetCause.WATCHDOG:d},")
    box.wait_for(r"REPORT ReedFrame.*occupied=\(3, 77, 159\)")


if __name__ == "__main__":
    sys.exit(prove(sys.argv[1:], LOAD, play))
