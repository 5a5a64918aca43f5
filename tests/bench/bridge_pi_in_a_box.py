"""A Raspberry Pi in a box: the bridge on an emulated arm64 machine with real drivers, the firmware on the other end.

    python tests/bench/bridge_pi_in_a_box.py [FOLDER]

qemu-system-aarch64 boots Debian's own arm64 kernel with a device tree that calls itself a Raspberry Pi 4B. Inside,
Debian's arm64 Python with gpiozero and lgpio watches a real /dev/gpiochip0 for the clock buttons, and pyserial a real
/dev/ttyUSB0 (the kernel's ftdi_sio). Outside, this script pulls the pins through QEMU's test socket and lays magnets on
the chain of the emulated microcontroller, which runs the real firmware. What the bridge tells inside has to be what was
done outside.

FOLDER keeps what is downloaded (about 60 MB) for the next run. A quarter of a minute on an idle machine once
unpacked, many minutes on a busy one; no part of the test suite.
"""

import logging
import queue
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from firmware_bridge import emulator
from firmware_bridge.rig import Rig

logger = logging.getLogger("pi")

PROJECT = Path(__file__).parents[2]
TOOLS = ("qemu-system-aarch64", "dtc", "cpio", "apt-get", "dpkg", "depmod", "gzip")
KERNEL = "linux-image-arm64"
PACKAGES = (
    "busybox-static", "libc6", "libcrypt1", "libexpat1", "libffi8", "libgcc-s1", "liblzma5", "libpython3.11-minimal",
    "libpython3.11-stdlib", "libssl3", "libuuid1", "python3.11-minimal", "zlib1g",
)  # fmt: skip
WHEELS = ("gpiozero", "lgpio", "pyserial", "pydantic")
MODULES = ("xhci-pci", "usbserial", "ftdi_sio", "gpio-pl061")
PI_4B_REVISION = "0x00b03112"
MACHINE = ("-cpu", "cortex-a72", "-smp", "2", "-m", "1024", "-nographic", "-nic", "none")
WHITE, BLACK, PAUSE = 2, 3, 4
"""Lines of the gpiochip; QEMU's has eight."""
BOOT_S, STEP_S = 900.0, 120.0
MOST_MS = 20.0
"""The emulated board lives on in steps of at most this."""

RIG = f"""
name = "box"
controller = "pi"
[buttons]
white = "GPIO{WHITE}"
black = "GPIO{BLACK}"
pause = "GPIO{PAUSE}"
"""
INIT = """#!/bin/busybox sh
/bin/busybox --install -s /bin
mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t devtmpfs dev /dev; mkdir -p /tmp /run
for module in MODULES; do modprobe $module; done
cd /tmp
export PYTHONPATH=/sp:/project LG_WD=/tmp PYTHONUNBUFFERED=1
export LD_LIBRARY_PATH=/usr/lib/aarch64-linux-gnu:/lib/aarch64-linux-gnu
/usr/bin/python3.11 /guest.py
echo GUEST-ENDED $?
poweroff -f
"""
GUEST = """
import queue, sys, time
from pathlib import Path
began = time.monotonic()
import gpiozero
from firmware_bridge.link import BoardLink
from firmware_bridge.pins import PinPanel
from firmware_bridge.pump import Pump
from firmware_bridge.rig import Rig
panel = PinPanel(Rig.load(Path("/rig.toml")))
factory = gpiozero.Device.pin_factory
print("TOLD factory", type(factory).__name__, factory.board_info.description, round(time.monotonic() - began, 1))
told = queue.Queue()
while not Path("/dev/ttyUSB0").exists():
    time.sleep(0.2)
print("TOLD driver", Path("/sys/class/tty/ttyUSB0/device/driver").resolve().name)
link = BoardLink("/dev/ttyUSB0", expected=Rig.load(Path("/full.toml")).expected())
pumps = [Pump(panel, told.put), Pump(link, told.put)]
print("TOLD ready")
end = time.monotonic() + 1200
while time.monotonic() < end:
    print("TOLD", told.get())
"""


def missing() -> str | None:
    """Return what keeps this lane from running here, or None."""
    if absent := [tool for tool in TOOLS if shutil.which(tool) is None]:
        return f"no {absent[0]}: apt install qemu-system-arm device-tree-compiler cpio kmod"
    return emulator.missing()


def run(*command: str | Path, cwd: Path | None = None) -> str:
    """Run a command and return what it says."""
    return subprocess.run(list(map(str, command)), cwd=cwd, check=True, capture_output=True, text=True).stdout


def fetch(folder: Path) -> None:
    """Download Debian's arm64 packages and the aarch64 wheels into ``folder``, once."""
    debs, wheels = folder / "debs", folder / "wheels"
    if (folder / "fetched").exists():
        return
    for part in ("lists/partial", "archives/partial", "debs", "wheels", "state"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    (folder / "status").touch()
    (folder / "sources.list").write_text(
        "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian bookworm main\n"
    )
    options = [
        "APT::Architecture=arm64", "APT::Architectures::=arm64", f"Dir::State={folder / 'state'}",
        f"Dir::State::lists={folder / 'lists'}", f"Dir::State::status={folder / 'status'}",
        f"Dir::Cache::archives={folder / 'archives'}", f"Dir::Etc::sourcelist={folder / 'sources.list'}",
        "Dir::Etc::sourceparts=-", "APT::Sandbox::User=root",
    ]  # fmt: skip
    apt = ["apt-get", *(word for option in options for word in ("-o", option))]
    run(*apt, "update")
    depends = run("apt-cache", *apt[1:], "depends", KERNEL)
    kernel = re.search(r"Depends: (linux-image-\S+)", depends)
    if kernel is None:
        msg = f"{KERNEL} depends on no kernel: {depends}"
        raise RuntimeError(msg)
    run(*apt, "download", kernel.group(1), *PACKAGES, cwd=debs)
    platforms = [f"manylinux{kind}_aarch64" for kind in ("2014", "_2_17", "_2_28", "_2_34")]
    run(
        sys.executable, "-m", "pip", "download", "-q", "-d", wheels, "--only-binary=:all:", "--python-version", "3.11",
        *(word for platform in platforms for word in ("--platform", platform)), *WHEELS,
    )  # fmt: skip
    (folder / "fetched").touch()


def root_of(folder: Path, target: Path) -> Path:
    """Unpack what was fetched into a root file system at ``target``; return the kernel."""
    target.mkdir()
    for deb in sorted((folder / "debs").glob("*.deb")):
        run("dpkg", "-x", deb, target)
    for wheel in sorted((folder / "wheels").glob("*.whl")):
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(target / "sp")
    shutil.copytree(PROJECT / "firmware_bridge", target / "project" / "firmware_bridge")
    shutil.copy(PROJECT / "hardware" / "rig" / "full.toml", target / "full.toml")
    (target / "rig.toml").write_text(RIG)
    (target / "guest.py").write_text(GUEST)
    (target / "init").write_text(INIT.replace("MODULES", " ".join(MODULES)))
    (target / "init").chmod(0o755)
    for place in ("proc", "sys", "dev", "tmp", "run"):
        (target / place).mkdir(exist_ok=True)
    modules = next((target / "lib" / "modules").iterdir())
    run("depmod", "-b", target, modules.name)
    wanted = {f"{name}.ko" for name in needed(modules)}
    for module in modules.rglob("*.ko"):
        if module.name not in wanted:
            module.unlink()
    run("depmod", "-b", target, modules.name)
    # The dynamic loader is looked for in /lib, which Debian's packages reach through a link.
    loader = next(target.rglob("ld-linux-aarch64.so.1"))
    if not (target / "lib" / loader.name).exists():
        shutil.copy(loader, target / "lib" / loader.name)
    return shutil.move(next((target / "boot").glob("vmlinuz-*")), target.with_name("vmlinuz"))


def needed(modules: Path) -> set[str]:
    """Return the names of MODULES and of everything they need, as they are called in files."""
    depends = {}
    for line in (modules / "modules.dep").read_text().splitlines():
        module, _, rest = line.partition(":")
        depends[Path(module).stem] = [Path(one).stem for one in rest.split()]
    names = {name for name in depends for wanted in MODULES if name.replace("-", "_") == wanted.replace("-", "_")}
    return names | {one for name in names for one in depends[name]}


def device_tree(folder: Path) -> Path:
    """Return QEMU's own device tree, renamed to a Raspberry Pi 4B and without the kernel's hold on the pins."""
    blob, text = folder / "virt.dtb", folder / "virt.dts"
    run("qemu-system-aarch64", "-M", f"virt,dumpdtb={blob}", *MACHINE)
    run("dtc", "-q", "-I", "dtb", "-O", "dts", "-o", text, blob)
    source = text.read_text()
    source = re.sub(r"gpio-keys \{.*?\n\t\};", "", source, flags=re.DOTALL)
    system = f"system {{ linux,revision = <{PI_4B_REVISION}>; }};"
    text.write_text(source.rstrip().removesuffix("};") + f"\t{system}\n}};\n")
    run("dtc", "-q", "-I", "dts", "-O", "dtb", "-o", blob, text)
    return blob


class Box:
    """The running machine: its console, its pins, and the board on its USB port."""

    def __init__(self, folder: Path, kernel: Path, initrd: Path) -> None:
        self.board = emulator.Emulator(Rig.load("full"))
        self.lines: list[str] = []
        self._stop = threading.Event()
        self._deeds: queue.Queue[Callable[[emulator.Emulator], None]] = queue.Queue()
        self._life = threading.Thread(target=self._live, daemon=True)
        self._life.start()
        pins = folder / "pins"
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(pins))
        listener.listen()
        self.machine = subprocess.Popen(
            [
                "qemu-system-aarch64", "-M", "virt", *MACHINE,
                "-accel", "tcg,thread=multi", "-dtb", device_tree(folder), "-kernel", kernel, "-initrd", initrd,
                "-append", "console=ttyAMA0 rdinit=/init quiet", "-qtest", f"unix:{pins}", "-device", "qemu-xhci",
                "-chardev", f"serial,path={self.board.port},id=board", "-device", "usb-serial,chardev=board",
                "-monitor", "none",
            ],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        self._pins, _ = listener.accept()
        threading.Thread(target=self._listen, daemon=True).start()

    def do(self, deed: Callable[[emulator.Emulator], None]) -> None:
        """Do something to the board between two of its milliseconds."""
        self._deeds.put(deed)

    def pin(self, line: int, level: int) -> None:
        """Set the level of a line of the gpiochip."""
        path = "/machine/unattached/device[7]"
        self._pins.sendall(f"set_irq_in {path} unnamed-gpio-in {line} {level}\n".encode())

    def wait_for(self, pattern: str, seconds: float = STEP_S) -> str:
        """Return the first line from now on that matches, or that has already come and was not yet waited for.

        Raises TimeoutError with the end of the console.
        """
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for number, line in enumerate(self.lines):
                if re.search(pattern, line):
                    del self.lines[: number + 1]
                    return line
            if self.machine.poll() is not None:
                break
            time.sleep(0.05)
        msg = f"nothing like {pattern!r} was told; the console ends with: {' | '.join(self.lines[-8:])}"
        raise TimeoutError(msg)

    def close(self) -> None:
        """Switch everything off."""
        self.machine.kill()
        self.machine.wait()
        self._stop.set()
        self._life.join()
        self.board.close()

    def _listen(self) -> None:
        assert self.machine.stdout is not None
        for line in self.machine.stdout:
            logger.info("  %s", line.rstrip())
            self.lines.append(line.rstrip())

    def _live(self) -> None:
        # On a machine too busy to keep up the board's time runs slower than ours: it never hurries to catch up, so
        # that deeds get their turn and the line keeps its pace.
        life_ms, seen = 0.0, time.monotonic()
        while not self._stop.is_set():
            now = time.monotonic()
            life_ms += min(MOST_MS, (now - seen) * 1000)
            seen = now
            while not self._deeds.empty():
                self._deeds.get()(self.board)
            self.board.advance(life_ms)
            time.sleep(0.005)


@contextmanager
def booted(folder: Path) -> Iterator[Box]:
    """Build the root, boot the machine and switch it off at the end."""
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch) / "root"
        kernel = root_of(folder, root)
        initrd = Path(scratch) / "initrd.gz"
        packed = f"find . | cpio -o -H newc --quiet | gzip -1 > {initrd}"
        subprocess.run(["/bin/sh", "-c", packed], cwd=root, check=True)
        box = Box(Path(scratch), kernel, initrd)
        try:
            yield box
        finally:
            box.close()


def play(box: Box) -> None:
    """Do things outside and see that they are told inside.

    Raises TimeoutError when one is not.
    """
    # A button that rests is pulled up.
    for line in (WHITE, BLACK, PAUSE):
        box.pin(line, 1)
    box.wait_for("TOLD factory LGPIOFactory Raspberry Pi 4B", BOOT_S)
    box.wait_for("TOLD driver ftdi_sio", BOOT_S)
    box.wait_for("TOLD LinkBack.*slots=160", BOOT_S)
    box.do(lambda board: board.set_slots([3, 77, 159]))
    box.wait_for(r"TOLD ReedFrame.*occupied=\(3, 77, 159\)")
    box.do(lambda board: board.press("black"))
    box.wait_for("TOLD ButtonPress.*button='black', count=1, session=[01]")
    for line, button in ((WHITE, "white"), (BLACK, "black"), (PAUSE, "pause")):
        box.pin(line, 0)
        time.sleep(0.3)
        box.pin(line, 1)
        box.wait_for(f"TOLD ButtonPress.*button='{button}', count=.*session=0")
    box.do(lambda board: board.watchdog())
    box.wait_for("TOLD LinkLost.*RESTARTED")
    box.wait_for("TOLD LinkBack")
    box.wait_for(r"TOLD ReedFrame.*occupied=\(3, 77, 159\)")


def main(arguments: list[str]) -> int:
    """Boot, play, and say how it went; return 2 when the lane cannot run here."""
    logging.basicConfig(format="%(asctime)s %(message)s", datefmt="%H:%M:%S", level=logging.INFO)
    if reason := missing():
        logger.error("%s", reason)
        return 2
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(arguments[0] if arguments else scratch).resolve()
        folder.mkdir(exist_ok=True)
        fetch(folder)
        began = time.monotonic()
        with booted(folder) as box:
            play(box)
        logger.info("the Pi in the box told everything, in %.0f s", time.monotonic() - began)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
