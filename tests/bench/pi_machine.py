"""A Raspberry Pi in a box: an emulated arm64 machine with real drivers, the emulated firmware on its USB port.

qemu-system-aarch64 boots Debian's own arm64 kernel with a device tree that calls itself a Raspberry Pi 4B. A small
initrd brings the modules; Debian's arm64 Python, the aarch64 wheels and the project lie on a disk. The gpiochip is
pulled from outside through QEMU's test socket; its serial adapter ends in the emulated microcontroller.
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
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from firmware_bridge import emulator
from firmware_bridge.clocks import Micros, monotonic_us
from firmware_bridge.rig import Rig

logger = logging.getLogger("pi")

PROJECT = Path(__file__).parents[2]
PACKAGES = ("controller", "vision", "firmware_bridge")
TOOLS = ("qemu-system-aarch64", "dtc", "cpio", "mke2fs", "apt-get", "dpkg", "depmod", "gzip")
KERNEL = "linux-image-arm64"
DEBS = (
    "busybox-static", "libc6", "libcrypt1", "libexpat1", "libffi8", "libgcc-s1", "liblzma5", "libpython3.11-minimal",
    "libpython3.11-stdlib", "libsqlite3-0", "libssl3", "libstdc++6", "libuuid1", "libbz2-1.0", "media-types",
    "python3.11-minimal", "zlib1g",
)  # fmt: skip
DISK_MODULES = ("virtio_pci", "virtio_blk", "crc32c_generic", "ext4")
PIN_MODULES = ("xhci-pci", "usbserial", "ftdi_sio", "gpio-pl061")
PI_4B_REVISION = "0x00b03112"
MACHINE = ("-cpu", "cortex-a72", "-smp", "2", "-m", "1536", "-nographic", "-nic", "none")
WHITE, BLACK, PAUSE = 2, 3, 4
"""Lines of the gpiochip; QEMU's has eight."""
BOOT_S, STEP_S = 3600.0, 300.0
MOST_US = 20_000
"""The emulated board lives on in steps of at most this."""

INIT = """#!/bin/busybox sh
/bin/busybox --install -s /bin
mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t devtmpfs dev /dev
for module in MODULES; do modprobe $module; done
mount -t ext4 -o ro /dev/vda /disk
for place in proc sys dev; do mount -o move /$place /disk/$place; done
mount -t tmpfs tmp /disk/tmp; mount -t tmpfs run /disk/run
export PYTHONPATH=/venv/lib/sp:/project LG_WD=/tmp PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 HOME=/tmp
export LD_LIBRARY_PATH=/usr/lib/aarch64-linux-gnu:/lib/aarch64-linux-gnu
ifconfig lo 127.0.0.1 up
chroot /disk /usr/bin/python3.11 /guest.py
echo GUEST-ENDED $?
poweroff -f
"""


@dataclass(frozen=True, slots=True)
class Load:
    """What one proof puts into the machine."""

    name: str
    guest: str
    """The Python program that runs inside; what it reports it prints as lines that begin with REPORT."""
    wheels: tuple[str, ...]
    modules: tuple[str, ...] = PIN_MODULES
    files: dict[str, str] = field(default_factory=dict)
    """Further files by their path inside."""


def missing() -> str | None:
    """Return what keeps this lane from running here, or None."""
    if absent := [tool for tool in TOOLS if shutil.which(tool) is None]:
        return f"no {absent[0]}: apt install qemu-system-arm device-tree-compiler cpio kmod e2fsprogs"
    return emulator.missing()


def run(*command: str | Path, cwd: Path | None = None) -> str:
    """Run a command and return what it says."""
    return subprocess.run(list(map(str, command)), cwd=cwd, check=True, capture_output=True, text=True).stdout


def fetch(folder: Path, load: Load) -> None:
    """Download Debian's arm64 packages and the aarch64 wheels of ``load`` into ``folder``, once."""
    debs, sp = folder / "debs", folder / f"sp-{load.name}"
    if not debs.exists():
        _fetch_debs(folder, debs)
    if not sp.exists():
        platforms = [f"manylinux{kind}_aarch64" for kind in ("2014", "_2_17", "_2_28", "_2_34")]
        half = sp.with_suffix(".half")
        shutil.rmtree(half, ignore_errors=True)
        run(
            sys.executable, "-m", "pip", "install", "-q", "--target", half, "--only-binary=:all:",
            "--python-version", "3.11", "--implementation", "cp",
            *(word for platform in platforms for word in ("--platform", platform)), *load.wheels,
        )  # fmt: skip
        half.rename(sp)


def _fetch_debs(folder: Path, debs: Path) -> None:
    half = debs.with_suffix(".half")
    for part in ("lists/partial", "archives/partial", "state"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    half.mkdir(exist_ok=True)
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
    run(*apt, "download", kernel.group(1), *DEBS, cwd=half)
    half.rename(debs)


def build(folder: Path, scratch: Path, load: Load) -> tuple[Path, Path, Path]:
    """Unpack what was fetched; return kernel, initrd and disk."""
    root, small = scratch / "root", scratch / "small"
    for place in ("disk", "proc", "sys", "dev", "bin"):
        (small / place).mkdir(parents=True)
    root.mkdir()
    for deb in sorted((folder / "debs").glob("*.deb")):
        run("dpkg", "-x", deb, root)
    # Where a wheel's list of files looks for its programs: two folders up.
    shutil.copytree(folder / f"sp-{load.name}", root / "venv" / "lib" / "sp", symlinks=True)
    shutil.move(root / "venv" / "lib" / "sp" / "bin", root / "venv" / "bin")
    for package in PACKAGES:
        skip = shutil.ignore_patterns("__pycache__", "build", "*.pt")
        shutil.copytree(PROJECT / package, root / "project" / package, ignore=skip)
    shutil.copytree(PROJECT / "hardware" / "rig", root / "project" / "firmware_bridge" / "rigs")
    for path, text in {"guest.py": load.guest, **load.files}.items():
        (root / path).write_text(text)
    for place in ("proc", "sys", "dev", "tmp", "run"):
        (root / place).mkdir(exist_ok=True)
    # The dynamic loader is looked for in /lib, which Debian's packages reach through a link.
    loader = next(root.rglob("ld-linux-aarch64.so.1"))
    if not (root / "lib" / loader.name).exists():
        shutil.copy(loader, root / "lib" / loader.name)
    if sys.version_info[:2] == (3, 11):
        # Compiling is what the emulated processor would do most slowly.
        for place in ("venv", "project", "usr/lib/python3.11"):
            quiet = [sys.executable, "-m", "compileall", "-qq", "--invalidation-mode", "unchecked-hash"]
            subprocess.run([*quiet, root / place], check=False, capture_output=True)
    shutil.copy(root / "bin" / "busybox", small / "bin" / "busybox")
    _move_modules(root, small, (*DISK_MODULES, *load.modules))
    (small / "init").write_text(INIT.replace("MODULES", " ".join((*DISK_MODULES, *load.modules))))
    (small / "init").chmod(0o755)
    kernel = scratch / "vmlinuz"
    shutil.move(next((root / "boot").glob("vmlinuz-*")), kernel)
    shutil.rmtree(root / "boot")
    initrd, disk = scratch / "initrd.gz", scratch / "disk.img"
    packed = f"find . | cpio -o -H newc --quiet | gzip -1 > {initrd}"
    subprocess.run(["/bin/sh", "-c", packed], cwd=small, check=True)
    run("mke2fs", "-q", "-t", "ext4", "-O", "^has_journal", "-d", root, disk, "1500M")
    shutil.rmtree(root)
    return kernel, initrd, disk


def _move_modules(root: Path, small: Path, wanted: tuple[str, ...]) -> None:
    modules = next((root / "lib" / "modules").iterdir())
    run("depmod", "-b", root, modules.name)
    names = {f"{name}.ko" for name in _needed(modules, wanted)}
    target = small / "lib" / "modules" / modules.name
    target.mkdir(parents=True)
    for module in modules.rglob("*.ko"):
        if module.name in names:
            shutil.copy(module, target / module.name)
    for index in modules.glob("modules.[bo]*"):
        shutil.copy(index, target / index.name)
    run("depmod", "-b", small, modules.name)
    shutil.rmtree(root / "lib" / "modules")


def _needed(modules: Path, wanted: tuple[str, ...]) -> set[str]:
    """Return the names of ``wanted`` and of everything they need, as they are called in files."""
    depends = {}
    for line in (modules / "modules.dep").read_text().splitlines():
        module, _, rest = line.partition(":")
        depends[Path(module).stem] = [Path(one).stem for one in rest.split()]
    asked = {name.replace("-", "_") for name in wanted}
    names = {name for name in depends if name.replace("-", "_") in asked}
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

    def __init__(self, folder: Path, kernel: Path, initrd: Path, disk: Path) -> None:
        self.board = emulator.Emulator(Rig.load("full"))
        self.lines: list[str] = []
        self._stop = threading.Event()
        self._actions: queue.Queue[Callable[[emulator.Emulator], None]] = queue.Queue()
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
                "-drive", f"file={disk},if=none,id=disk,format=raw,readonly=on", "-device", "virtio-blk-pci,drive=disk",
                "-append", "console=ttyAMA0 rdinit=/init quiet", "-qtest", f"unix:{pins}", "-qtest-log", "/dev/null",
                "-device", "qemu-xhci",
                "-chardev", f"serial,path={self.board.port},id=board", "-device", "usb-serial,chardev=board",
                "-monitor", "none",
            ],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
        )  # fmt: skip
        self._pins, _ = listener.accept()
        threading.Thread(target=self._listen, daemon=True).start()
        # A button that rests is pulled up.
        for line in (WHITE, BLACK, PAUSE):
            self.pin(line, 1)

    def do(self, action: Callable[[emulator.Emulator], None]) -> None:
        """Do something to the board between two of its milliseconds."""
        self._actions.put(action)

    def pin(self, line: int, level: int) -> None:
        """Set the level of a line of the gpiochip."""
        path = "/machine/unattached/device[7]"
        self._pins.sendall(f"set_irq_in {path} unnamed-gpio-in {line} {level}\n".encode())

    def press(self, line: int) -> None:
        """Press the button on a line of the gpiochip and let go."""
        self.pin(line, 0)
        time.sleep(0.3)
        self.pin(line, 1)

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
        msg = f"nothing like {pattern!r} was reported; the console ends with: {' | '.join(self.lines[-8:])}"
        raise TimeoutError(msg)

    def wait_lit(self, lamp: str) -> None:
        """Wait until the board lights a lamp.

        Raises TimeoutError.
        """
        levels: queue.Queue[str] = queue.Queue()
        end = time.monotonic() + STEP_S
        while time.monotonic() < end:
            self.do(lambda board: levels.put(board.lamp_level(lamp)))
            if levels.get() == "H":
                return
            time.sleep(0.05)
        msg = f"the lamp {lamp} stayed dark"
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
        # that actions get their turn and the line keeps its pace.
        life_us, seen_us = Micros(0), monotonic_us()
        while not self._stop.is_set():
            now_us = monotonic_us()
            life_us = Micros(life_us + min(MOST_US, now_us - seen_us))
            seen_us = now_us
            while not self._actions.empty():
                self._actions.get()(self.board)
            self.board.advance(life_us)
            time.sleep(0.005)


@contextmanager
def booted(folder: Path, load: Load) -> Iterator[Box]:
    """Build the disk, boot the machine and switch it off at the end."""
    with tempfile.TemporaryDirectory() as scratch:
        box = Box(Path(scratch), *build(folder, Path(scratch), load))
        try:
            yield box
        finally:
            box.close()


def prove(arguments: list[str], load: Load, play: Callable[[Box], None]) -> int:
    """Boot ``load``, play, and say how it went; return 2 when the lane cannot run here.

    The first argument is a folder that keeps what is downloaded for the next run.
    """
    logging.basicConfig(format="%(asctime)s %(message)s", datefmt="%H:%M:%S", level=logging.INFO)
    if reason := missing():
        logger.error("skipped: %s", reason)
        return 2
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(arguments[0] if arguments else scratch).resolve()
        folder.mkdir(exist_ok=True)
        fetch(folder, load)
        began = time.monotonic()
        with booted(folder, load) as box:
            play(box)
        logger.info("the Pi in the box reported everything, in %.0f s", time.monotonic() - began)
    return 0
