"""The pages in a real browser over a real broker: what a spectator and an arbiter see and can do."""

import os
import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from recorded_match import (
    LONG_START,
    Scene,
    bearing_off,
    clock,
    cocked_throw,
    game_over,
    match,
    please_look,
    refused,
    scenes,
)
from screen import PHONE, TABLET, TV, Screen, until

from controller.adapters.mqtt.messages import DeviceHealth, EventMessage, HealthMessage, StateMessage, Texts
from controller.clock import Millis
from controller.referee.events import Device
from controller.referee.orders import (
    Confirm,
    Correct,
    Face,
    HypothesisNumber,
    Pause,
    Resign,
    RulingNumber,
    SetClock,
    SetRoll,
)
from controller.rules import Kind, Position, Side

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_the_display_follows_the_game(screen: Screen) -> None:
    screen.open(f"{screen.stage.pages.url}?lang=en")
    start, throw, play, *_ = scenes("long")
    screen.shows(start)
    assert len(screen.all("#board .checker.white")) == len(screen.all("#board .checker.black")) == 15
    assert screen.text("#player-white .name") == "Первый игрок"
    assert (screen.text("#player-white .score"), screen.text("#player-black .score")) == ("2", "3")
    assert screen.text("#terms") == "match to 5 · game 4"
    screen.shows(throw)
    until(lambda: [die.get_attribute("data-value") for die in screen.all("#board .die.white")] == ["6", "3"])
    assert "6-3" in screen.text("#ruling strong")
    screen.shows(play)
    until(lambda: screen.text("#plays .notation") == "24/18 24/21")
    assert screen.text("#ruling").startswith("✓\nAccepted · Первый игрок 6-3: 24/18 24/21")
    assert len(screen.all("#board .checker.white.fresh")) == 2
    assert screen.all("#board .die") == []
    assert "turn" in str(screen.one("#player-black").get_attribute("class"))


def test_a_die_seen_again_a_little_aside_does_not_flicker(screen: Screen) -> None:
    screen.open(f"{screen.stage.pages.url}?lang=en")
    _, throw, *_ = scenes("long")
    screen.shows(throw)
    until(lambda: len(screen.all("#board .die")) == 2)
    first = screen.all("#board .die")
    state = next(content for content in throw.contents if isinstance(content, StateMessage))
    aside = tuple(die.model_copy(update={"u": die.u + 0.004}) for die in state.dice)
    screen.stage.play(Scene("again", (state.model_copy(update={"dice": aside, "turn": 9}),)))
    screen.stage.play(Scene("mark", (match("long", game_number=9),)))
    until(lambda: "game 9" in screen.text("#terms"))
    assert screen.all("#board .die") == first


def test_a_late_spectator_sees_the_whole_board_at_once(screen: Screen) -> None:
    for scene in list(scenes("short"))[:7]:
        screen.stage.play(scene)
    assert screen.stage.feed.wait_sent(5)
    screen.open(screen.stage.pages.url)
    until(lambda: len(screen.all("#plays li")) == 3)
    assert len(screen.all("#board .checker")) == 30


def test_the_running_clock_counts_down_and_the_other_stands(screen: Screen) -> None:
    screen.open(screen.stage.pages.url)
    screen.stage.play(Scene("clock", (match("long"), clock("white", 75_000, 90_000, delay_ms=0, delay_ms_left=0))))
    until(lambda: screen.text("#player-white .clock") == "1:14")
    until(lambda: screen.text("#player-white .clock") == "1:13")
    screen.run("const real = performance.now.bind(performance); performance.now = () => real() + 40_000;")
    until(lambda: screen.text("#player-white .clock") in {"0:33", "0:32", "0:31"})
    assert screen.text("#player-black .clock") == "1:30"


def test_the_clock_arithmetic_of_the_page(screen: Screen) -> None:
    screen.open(screen.stage.pages.url)
    read = """
        const done = arguments[arguments.length - 1];
        import("/static/js/clock.js").then(({ reservesAt, clockText }) => {
            const clock = { running: "white", white_ms: 60000, black_ms: 50000, delay_ms: 8000, delay_ms_left: 5000,
                            asof_utc: "2026-11-30T12:00:00Z" };
            const at = (s) => reservesAt(clock, Date.parse(clock.asof_utc) + s * 1000);
            done([at(3), at(7), at(100), reservesAt({ ...clock, running: null }, Date.now()),
                  [0, 1, 999, 9999, 10000, 10001, 59001, 60000, 3600000].map(clockText)]);
        });"""
    inside, beyond, empty, halted, faces = screen.driver.execute_async_script(read)
    assert inside == {"white": 60000, "black": 50000, "delay": 2000}
    assert beyond == {"white": 58000, "black": 50000, "delay": 0}
    assert empty == {"white": 0, "black": 50000, "delay": 0}
    assert halted == {"white": 60000, "black": 50000, "delay": 5000}
    assert faces == ["0:00", "0.1", "1.0", "10.0", "0:10", "0:11", "1:00", "1:00", "1:00:00"]


@pytest.mark.parametrize(("game", "black_at_p1"), [("long", "13"), ("short", "24")])
def test_the_numbers_are_those_of_the_player_to_move(screen: Screen, game: str, black_at_p1: str) -> None:
    screen.open(f"{screen.stage.pages.url}?numbers=mover")
    at_p1 = "return document.querySelectorAll('#board .numbers text')[0].textContent"
    start, white_throws, black_to_throw, *_ = scenes(game)
    screen.shows(start)
    screen.shows(white_throws)
    until(lambda: screen.run(at_p1) == "1")
    screen.shows(black_to_throw)
    until(lambda: screen.run(at_p1) == black_at_p1)


def test_a_refusal_shows_the_reason_and_strikes_the_play_out(screen: Screen) -> None:
    screen.open(f"{screen.stage.pages.url}?lang=en")
    screen.stage.play(Scene("match", (match("long"),)))
    screen.shows(refused())
    until(lambda: "Two checkers were taken from the head" in screen.text("#ruling"))
    assert screen.one("#ruling").get_attribute("data-verdict") == "refused"
    assert screen.text("#plays li.bad .notation") == "24/18 24/19"


def test_borne_off_checkers_the_bar_and_a_cocked_die_are_drawn(screen: Screen) -> None:
    screen.open(screen.stage.pages.url)
    screen.shows(bearing_off())
    until(lambda: len(screen.all("#board .edge.white")) == len(screen.all("#board .edge.black")) == 6)
    assert len(screen.all("#board .checker.white:not(.borne-off)")) == 9
    assert screen.one("#board .die.cocked").get_attribute("data-value") == "?"


def test_the_end_of_the_match_is_announced_in_russian(screen: Screen) -> None:
    screen.open(f"{screen.stage.pages.url}?lang=ru")
    screen.shows(game_over())
    until(lambda: screen.text("#awaited strong") == "Победа в матче: Первый игрок")
    assert screen.text("#awaited .how") == "марс · 2 очка"
    assert screen.text("#awaited .standing b") == "5 – 3"
    assert screen.text("#title") == "Длинные нарды, правила ФНР"
    assert screen.run("return document.title").endswith(" · Судья нард")
    assert screen.run("return document.querySelector('.plays h2').textContent") == "Последние ходы"
    assert screen.run("return document.documentElement.lang") == "ru"


def test_the_page_says_when_the_broker_is_gone_and_goes_on_when_it_is_back(screen: Screen) -> None:
    start, throw, play, *_ = scenes("long")
    screen.open(f"{screen.stage.pages.url}?lang=en")
    screen.shows(start)
    assert not screen.one("#alarm").is_displayed()
    broker = screen.stage.broker._child
    assert broker is not None
    os.kill(broker.pid, signal.SIGKILL)
    screen.stage.play(throw)
    until(lambda: screen.text("#alarm") == "Connection lost. Reconnecting …")
    until(lambda: not screen.one("#alarm").is_displayed())
    screen.shows(play)
    until(lambda: screen.text("#plays .notation") == "24/18 24/21")


def test_the_page_says_when_the_referee_is_switched_off(screen: Screen) -> None:
    screen.open(f"{screen.stage.pages.url}?lang=en")
    screen.shows(next(scenes("long")))
    screen.stage.feed.stop()
    until(lambda: screen.text("#alarm") == "The referee has been switched off.")


@pytest.mark.parametrize("size", [TV, PHONE, TABLET], ids=["tv", "phone", "tablet"])
@pytest.mark.parametrize("lang", ["en", "ru"])
def test_everything_fits_the_screen_and_is_large_enough(screen: Screen, size: tuple[int, int], lang: str) -> None:
    screen.open(f"{screen.stage.pages.url}?lang={lang}", size)
    screen.stage.play(Scene("match", (match("long"),)))
    screen.shows(refused())
    until(lambda: screen.text("#player-white .clock"))
    width, height = size
    assert screen.run("return document.documentElement.scrollWidth") == width
    for css in ("#board", "#player-white", "#player-black", "#ruling", "#title"):
        box = screen.run("return document.querySelector(arguments[0]).getBoundingClientRect().toJSON()", css)
        assert isinstance(box, dict)
        assert box["left"] >= 0
        assert box["right"] <= width + 1
        assert box["top"] >= 0
        assert box["bottom"] <= height + 1
    # Shares of the screen's height: 0.025 of a 43-inch television is 13 mm, read at 5 m. On a phone 16 pixels do.
    least = {
        "#player-white .clock": 0.07,
        "#player-white .score": 0.07,
        "#ruling strong": 0.03,
        "#plays .notation": 0.025,
    }
    for css, share in least.items():
        pixels = screen.run("return parseFloat(getComputedStyle(document.querySelector(arguments[0])).fontSize)", css)
        assert isinstance(pixels, int | float)
        assert pixels >= (share * 1080 if size == TV else 16)


def test_a_wrong_pin_keeps_the_desk_closed(screen: Screen) -> None:
    screen.open(f"{screen.stage.pages.arbiter_url}?lang=en")
    until(lambda: screen.one("#login").is_displayed())
    screen.one("[name=pin]").send_keys("000000")
    screen.one("#login button").click()
    until(lambda: screen.text("#login-words") == "Wrong PIN.")
    assert not screen.one("#desk").is_displayed()


def test_one_tap_decides_between_two_hypotheses(screen: Screen) -> None:
    (screen.stage.evidence / "r12.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"/>')
    picture = {"url": "evidence/r12.svg", "at_mono_ms": 5}
    screen.open(f"{screen.stage.pages.arbiter_url}?lang=en")
    screen.enter()
    screen.stage.play(Scene("match", (match("long"),)))
    screen.shows(please_look(pictures=(picture,)))
    until(lambda: len(screen.all(".hypotheses li")) == 2)
    assert screen.text(".hypotheses .share") == "61 % 36 %"
    until(lambda: screen.run("return document.querySelector('.pictures img').naturalWidth") == 40)
    screen.all(".hypotheses button")[1].click()
    screen.ordered()
    assert [command.order for command in screen.stage.orders] == [Confirm(RulingNumber(12), HypothesisNumber(1))]
    until(lambda: screen.text("#answer") == "Done.")


@pytest.mark.parametrize(
    ("lang", "words"),
    [("en", ["3 (99 %), flat", "cocked, the 3 uppermost"]), ("ru", ["3 (99 %), лежит ровно", "стоит криво, сверху 3"])],
)
def test_a_void_throw_shows_each_die_large_and_in_words(screen: Screen, lang: str, words: list[str]) -> None:
    for name, size in {"whole": (1280, 720), "first": (256, 256), "second": (256, 256)}.items():
        drawing = (
            '<svg xmlns="http://www.w3.org/2000/svg" width="{}" height="{}"><rect width="99%" height="99%"/></svg>'
        )
        (screen.stage.evidence / f"{name}.svg").write_text(drawing.format(*size))
    screen.open(f"{screen.stage.pages.arbiter_url}?lang={lang}", (1280, 800))
    screen.enter()
    screen.shows(cocked_throw(("evidence/whole.svg", "evidence/first.svg", "evidence/second.svg")))
    until(lambda: screen.one("#evidence").is_displayed())
    screen.one("#evidence summary").click()
    until(lambda: len(screen.all(".close-up img")) == 2)
    until(lambda: screen.run("return [...document.querySelectorAll('.pictures img')].every(i => i.naturalWidth > 0)"))
    assert screen.run("return [...document.querySelectorAll('.close-up')].map(e => e.innerText.trim())") == words
    whole, *close = (image.rect for image in screen.all(".pictures img"))
    assert all(each["x"] > whole["x"] + whole["width"] for each in close)
    screen.resize(PHONE)
    for image in screen.all(".pictures img"):
        assert image.rect["x"] + image.rect["width"] <= PHONE[0]
        assert image.rect["width"] >= 150
    # On a phone what the ruling is about comes before the whole picture.
    whole, *close = (image.rect for image in screen.all(".pictures img"))
    assert all(each["y"] + each["height"] <= whole["y"] for each in close)


def test_where_nobodys_time_is_counted_no_clock_is_shown(screen: Screen) -> None:
    screen.open(f"{screen.stage.pages.url}?lang=en")
    screen.stage.play(Scene("timed", (match("long"), clock(None, 60_000, 60_000))))
    until(lambda: screen.text("#player-white .time").startswith("1:00"))
    halted = Texts(en="Clock stopped", ru="Часы остановлены")
    screen.stage.play(Scene("untimed", (match("long"), clock(None, 0, 0, delay_ms=0, timed=False, paused=halted))))
    until(lambda: screen.run("return getComputedStyle(document.querySelector('.time')).display") == "none")
    assert "0:00" not in screen.text("body")
    assert "Clock stopped" in screen.text("#awaited")


def test_overruling_asks_first_and_carries_the_note(screen: Screen) -> None:
    screen.open(f"{screen.stage.pages.arbiter_url}?lang=en")
    screen.enter()
    screen.shows(refused())
    until(lambda: screen.one("#evidence").is_displayed())
    screen.one("#evidence summary").click()
    until(lambda: "Rule: 3.4 · FNR rules 2023" in screen.text("#case .reason"))
    assert "24/13" in screen.text("#case .reason")
    overrule = "#case > .row button"
    screen.one(overrule).click()
    screen.one("#sure button[value=no]").click()
    screen.one(overrule).click()
    screen.one("#sure input").send_keys("seen by both players")
    screen.one("#sure button[value=yes]").click()
    screen.ordered()
    command = screen.stage.orders[0]
    assert (command.order, command.note) == (Confirm(RulingNumber(9)), "seen by both players")


def test_the_position_is_corrected_by_taps_and_by_keys(screen: Screen) -> None:
    from selenium.webdriver import Keys  # noqa: PLC0415 - needs selenium

    screen.open(f"{screen.stage.pages.arbiter_url}?lang=en")
    screen.enter()
    screen.shows(next(scenes("long")))
    screen.one("#edit-open").click()
    screen.one("[name=tool][value=none]").find_element("xpath", "..").click()
    screen.one("[data-place=p24]").click()  # white: one taken away by a tap
    screen.one("[name=tool][value=white]").find_element("xpath", "..").click()
    screen.one("[data-place=p24]").send_keys(Keys.ARROW_LEFT)  # to p23
    screen.driver.switch_to.active_element.send_keys("w" + Keys.ARROW_UP)
    screen.one("[data-place=p12]").send_keys(Keys.ARROW_DOWN)  # black: one taken away by a key
    screen.one("[data-place=off-black]").send_keys(Keys.ARROW_UP)
    assert screen.text("#totals").split() == ["15", "of", "15", "15", "of", "15"]
    assert screen.one("[data-place=p23]").get_attribute("aria-label") == "p23 White 1"
    screen.one("#edit-turn").send_keys("Black")
    screen.one("#edit-save").click()
    screen.ordered()
    expected = [*LONG_START]
    expected[23], expected[22], expected[11] = 14, 1, -14
    corrected = Correct(Position(tuple(expected), off=(0, 1)), Side.BLACK)
    assert [command.order for command in screen.stage.orders] == [corrected]
    until(lambda: not screen.one("#editor").is_displayed())


def test_the_orders_of_the_desk_reach_the_referee(screen: Screen) -> None:
    screen.open(f"{screen.stage.pages.arbiter_url}?lang=ru")
    screen.enter()
    start, throw, *_ = scenes("long")
    screen.shows(start)
    screen.shows(throw)
    sure = "#sure button[value=yes]"
    screen.one("[data-order=pause]").click()
    screen.ordered(1)
    for face in (2, 5):
        screen.one(f"[data-face='{face}']").click()
    screen.ordered(2)
    screen.one("[data-tab=clock]").click()
    for orders, (side, time_text) in enumerate((("white", "4:05"), ("black", "12")), start=3):
        screen.one(f"[data-clock={side}] input").send_keys(time_text)
        screen.one(f"[data-clock={side}] button:not(.step)").click()
        screen.one(sure).click()
        screen.ordered(orders)
    screen.one("[data-tab=resign]").click()
    screen.one("[data-form=resign] button").click()
    screen.one(sure).click()
    screen.ordered(5)
    assert [command.order for command in screen.stage.orders] == [
        Pause(),
        # In an opening throw the first number is White's.
        SetRoll((Face(2), Face(5))),
        SetClock(white_ms=Millis(245_000)),
        SetClock(black_ms=Millis(720_000)),
        Resign(Side.WHITE, Kind.OIN),
    ]
    screen.one("[data-order=undo]").click()
    screen.one(sure).click()
    until(lambda: screen.text("#answer") == "Нечего отменять.")


def test_only_what_the_ruleset_knows_can_be_conceded(screen: Screen) -> None:
    screen.open(f"{screen.stage.pages.arbiter_url}?lang=ru")
    screen.enter()
    kinds = "[data-form=resign] [name=kind] option"
    screen.stage.play(Scene("match", (match("long"),)))
    until(lambda: [option.get_attribute("value") for option in screen.all(kinds)] == ["oin", "mars", "koks"])
    khachapuri = match("long").model_copy(update={"resign_kinds": ("difference",)})
    screen.stage.play(Scene("match", (khachapuri,)))
    until(lambda: screen.text(kinds) == "По числу оставшихся шашек")


@pytest.mark.parametrize("size", [TV, PHONE], ids=["tv", "phone"])
def test_a_bumped_board_is_reported_on_both_pages_and_forgotten_when_it_is_found(
    screen: Screen, size: tuple[int, int]
) -> None:
    ok = DeviceHealth(state="ok")
    words = Texts(en="Camera or board was bumped: looking for the board.", ru="Камеру или доску сдвинули: ищу доску.")
    found = Texts(en="The board has been found again.", ru="Доска снова найдена.")

    def health(camera: DeviceHealth) -> HealthMessage:
        return HealthMessage(devices={**{device.value: ok for device in Device}, "camera": camera})

    screen.open(f"{screen.stage.pages.url}?lang=ru", size)
    start, *_ = scenes("long")
    screen.shows(start)
    screen.stage.play(Scene("bump", (health(DeviceHealth(state="weak", texts=words)),)))
    until(lambda: screen.text("#alarm") == words.ru)
    assert "weak" in str(screen.one("#alarm").get_attribute("class"))
    screen.stage.play(Scene("found", (EventMessage(kind="device", at_mono_ms=1, texts=found), health(ok))))
    until(lambda: screen.text("#alarm") == found.ru)
    assert "news" in str(screen.one("#alarm").get_attribute("class"))


@pytest.mark.parametrize("size", [TV, PHONE, TABLET], ids=["tv", "phone", "tablet"])
def test_the_desk_fits_the_screen(screen: Screen, size: tuple[int, int]) -> None:
    screen.open(f"{screen.stage.pages.arbiter_url}?lang=ru", size)
    screen.enter()
    screen.stage.play(Scene("match", (match("long"),)))
    screen.shows(please_look())
    until(lambda: screen.all(".hypotheses li"))
    assert screen.run("return document.documentElement.scrollWidth") == size[0]
    cropped = "return [...document.querySelectorAll('button')].filter(b => b.scrollWidth > b.clientWidth + 1).length"
    assert screen.run(cropped) == 0
    box = screen.run("return document.querySelector('.quick').getBoundingClientRect().toJSON()")
    assert isinstance(box, dict)
    assert box["bottom"] <= size[1]


def test_the_arbiter_sees_the_match_at_once_while_viewers_wait(browser: "Chrome", tmp_path: Path) -> None:
    from stage import stage  # noqa: PLC0415 - needs selenium

    with stage(tmp_path, viewer_delay_ms=60_000) as delayed:
        screen = Screen(browser, delayed)
        screen.open(delayed.pages.arbiter_url)
        screen.enter()
        screen.shows(next(scenes("long")))
        screen.open(delayed.pages.url)
        time.sleep(2)
        assert screen.points() == ""


def test_a_page_left_open_finds_the_referee_that_was_started_again(browser: "Chrome", tmp_path: Path) -> None:
    from stage import stage  # noqa: PLC0415 - needs selenium

    start, _, play, *_ = scenes("long")
    with stage(tmp_path / "first") as first:
        port = int(first.pages.url.rstrip("/").rsplit(":", 1)[1])
        screen = Screen(browser, first)
        screen.open(first.pages.url)
        screen.shows(start)
    with stage(tmp_path / "second", pages_port=port) as second:  # its broker has another port
        screen.stage = second
        screen.shows(play)
