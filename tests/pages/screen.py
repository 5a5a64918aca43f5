"""What one person sees and does on a page in a real browser."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from recorded_match import Scene

if TYPE_CHECKING:
    from selenium.webdriver import Chrome
    from selenium.webdriver.remote.webelement import WebElement
    from stage import Stage

PIN = "314159"
TV, PHONE, TABLET = (1920, 1080), (390, 844), (1024, 768)


def until(true: Callable[[], object], timeout_s: float = 15.0) -> None:
    deadline = time.monotonic() + timeout_s
    while not true():
        assert time.monotonic() < deadline, "the page never showed it"
        time.sleep(0.05)


class Screen:
    """What one person sees and does on a page."""

    def __init__(self, driver: "Chrome", stage: "Stage") -> None:
        self.driver = driver
        self.stage = stage

    def open(self, url: str, size: tuple[int, int] = TV) -> None:
        from stage import sized  # noqa: PLC0415 - needs selenium

        self.driver.get("about:blank")
        self.driver.delete_all_cookies()
        self.driver.get_log("browser")
        sized(self.driver, *size)
        self.driver.get(url)

    def resize(self, size: tuple[int, int]) -> None:
        from stage import sized  # noqa: PLC0415 - needs selenium

        sized(self.driver, *size)

    def all(self, css: str) -> "list[WebElement]":
        return self.driver.find_elements("css selector", css)

    def one(self, css: str) -> "WebElement":
        return self.driver.find_element("css selector", css)

    def text(self, css: str) -> str:
        return " ".join(self.run("return [...document.querySelectorAll(arguments[0])].map(e => e.innerText)", css))

    def run(self, script: str, *arguments: object) -> object:
        return self.driver.execute_script(script, *arguments)

    def points(self) -> str:
        """The position drawn on the live board."""
        return str(self.run("return document.querySelector('#board .moving')?.dataset.position ?? ''"))

    def shows(self, scene: Scene) -> None:
        """Play a scene and wait until its position is drawn."""
        self.stage.play(scene)
        state = next(content for content in scene.contents if content.topic == "state")
        until(lambda: self.points() == ",".join(map(str, state.position.points)))  # type: ignore[attr-defined]

    def enter(self) -> None:
        until(lambda: self.one("#login").is_displayed())
        self.one("[name=pin]").send_keys(PIN)
        self.one("#login button").click()
        until(lambda: self.one("#desk").is_displayed())

    def ordered(self, count: int = 1) -> None:
        until(lambda: len(self.stage.orders) == count)
