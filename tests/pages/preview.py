"""Look at the pages: ``python tests/pages/preview.py FOLDER`` puts screenshots of every scene and size there."""

import sys
import tempfile
import time
from pathlib import Path

from recorded_match import bearing_off, game_over, please_look, refused, scenes
from stage import chromium, sized, stage

SIZES = {"tv": (1920, 1080), "phone": (390, 844), "tablet": (1024, 768)}


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as store, stage(Path(store)) as on, chromium() as driver:
        driver.get(on.pages.url)
        shown = [
            *list(scenes())[:8:7],
            *list(scenes("short"))[6:8],
            refused(),
            please_look(),
            bearing_off(),
            game_over(),
        ]
        for scene in shown:
            on.play(scene)
            time.sleep(1.5)
            for name, (width, height) in SIZES.items():
                sized(driver, width, height)
                time.sleep(0.2)
                driver.save_screenshot(str(folder / f"{name}-{scene.name.replace(' ', '-')}.png"))
        for entry in driver.get_log("browser"):
            sys.stderr.write(f"{entry['level']}: {entry['message']}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
