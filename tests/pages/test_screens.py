"""What people look for on the screens: who has to act, who won, which checker went where, a desk that keeps still."""

import pytest
from recorded_match import Scene, clock, game_over, match, refused, scenes
from screen import PHONE, TV, Screen, until

from controller.adapters.mqtt.messages import CubeShown, DieShown, RulingMessage, StateMessage, Texts
from controller.clock import Millis
from controller.referee.orders import SetClock

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SURE = "#sure button[value=yes]"


def size_of(screen: Screen, css: str) -> float:
    pixels = screen.run("return parseFloat(getComputedStyle(document.querySelector(arguments[0])).fontSize)", css)
    assert isinstance(pixels, int | float)
    return pixels


def desk(screen: Screen, size: tuple[int, int] = TV) -> None:
    screen.open(f"{screen.stage.pages.arbiter_url}?lang=en", size)
    screen.enter()
    screen.shows(next(scenes("long")))


def test_one_clock_is_set_at_a_time_and_no_old_time_comes_back(screen: Screen) -> None:
    desk(screen)
    screen.one("[data-tab=clock]").click()
    field, button = "[data-clock=white] input", "[data-clock=white] button:not(.step)"
    screen.one(field).send_keys("7:00")
    screen.one(button).click()
    assert screen.text("#sure-words") == "White: 10:00 → 7:00?"
    screen.one(SURE).click()
    screen.ordered(1)
    assert screen.stage.orders[0].order == SetClock(white_ms=Millis(420_000))
    screen.stage.play(Scene("set", (clock(None, 420_000, 600_000),)))
    until(lambda: screen.one(field).get_attribute("placeholder") == "7:00")
    screen.one(field).click()
    assert screen.one(field).get_attribute("value") == ""
    assert not screen.one(button).is_enabled()  # a second tap puts nothing back
    assert screen.one("[data-clock=black] input").get_attribute("value") == ""


def test_a_clock_is_set_by_steps_from_where_it_stands(screen: Screen) -> None:
    desk(screen)
    screen.one("[data-tab=clock]").click()
    plus_ten, minute_less = "[data-clock=black] .step:nth-of-type(3)", "[data-clock=black] .step:nth-of-type(1)"
    screen.one(minute_less).click()
    screen.one(plus_ten).click()
    screen.one("[data-clock=black] button:not(.step)").click()
    assert screen.text("#sure-words") == "Black: 10:00 → 9:10?"
    screen.one(SURE).click()
    screen.ordered(1)
    assert screen.stage.orders[0].order == SetClock(black_ms=Millis(550_000))


def test_what_is_no_time_is_named_and_leaves_the_field(screen: Screen) -> None:
    desk(screen)
    screen.one("[data-tab=clock]").click()
    screen.one("[data-clock=white] input").send_keys("7:99")
    screen.one("[data-clock=white] button:not(.step)").click()
    until(lambda: "7:99" in screen.text("#answer"))
    assert screen.one("[data-clock=white] input").get_attribute("value") == ""
    assert screen.stage.orders == []


def test_the_result_of_a_game_stays_until_the_next_throw(screen: Screen) -> None:
    screen.open(f"{screen.stage.pages.url}?lang=en")
    over = game_over()
    result = over.contents[1].model_copy(update={"match_over": False})
    start, throw, *_ = scenes("long")
    screen.shows(Scene("over", (*over.contents[:1], result, *over.contents[2:])))
    setup = StateMessage(
        phase="setup",
        position=start.contents[2].position,  # type: ignore[attr-defined]
        waiting_for=Texts(en="Set up the start position", ru="Расставьте шашки"),
    )
    opening = Scene("opening", (match("long", game_number=5), setup, setup.model_copy(update={"phase": "opening"})))
    screen.shows(opening)
    until(lambda: screen.text("#awaited strong") == "Первый игрок wins the game")
    assert screen.text("#awaited .how") == "mars, double · 2 points"
    assert screen.text("#awaited .standing b") == "5 – 3"
    screen.shows(throw)
    until(lambda: "wins" not in screen.text("#awaited"))


def test_backgammon_and_nardy_have_their_own_words_for_how_a_game_was_won(screen: Screen) -> None:
    screen.open(f"{screen.stage.pages.url}?lang=en")
    over = game_over()
    for game, words in (
        ("short", "gammon · 2 points"),
        ("hyper", "gammon · 2 points"),
        ("long", "mars, double · 2 points"),
    ):
        contents = tuple(match(game) if content.topic == "match" else content for content in over.contents)
        screen.shows(Scene("over", (match(game), *contents)))
        until(lambda words=words: screen.text("#awaited .how") == words)


def test_each_checker_follows_its_own_step_of_the_notation(screen: Screen) -> None:
    screen.open(f"{screen.stage.pages.url}?lang=en")
    start, throw, play, *_ = scenes("short")
    screen.shows(start)
    screen.shows(throw)
    at = """
        const checkers = [...document.querySelectorAll("#board .checker.white")];
        return Object.fromEntries(checkers.map((e, i) => (e.dataset.mark ??= i, [e.dataset.mark, e.dataset.place])));
    """
    before = screen.run(at)
    screen.shows(play)  # 8/5 6/5
    after = screen.run(at)
    assert isinstance(before, dict)
    assert isinstance(after, dict)
    moved = sorted(
        (before[mark].split(".")[0], after[mark].split(".")[0]) for mark in before if before[mark] != after[mark]
    )
    assert moved == [("p6", "p5"), ("p8", "p5")]


def test_a_hit_checker_goes_to_the_bar(screen: Screen) -> None:
    screen.open(f"{screen.stage.pages.url}?lang=en")
    points = [0] * 24
    points[7], points[4], points[23] = 2, -1, -2
    hit = [*points]
    hit[7], hit[4] = 1, 1
    lone = StateMessage(phase="to_play", turn=1, side="white", position={"points": points})  # type: ignore[arg-type]
    line = {"turn": 1, "side": "white", "roll": (3, 1), "notation": "8/5*", "verdict": "accepted"}
    done = StateMessage.model_validate(
        {
            "phase": "to_throw",
            "turn": 2,
            "side": "black",
            "position": {"points": hit, "bar": (0, 1)},
            "last_plays": [line],
        }
    )
    screen.shows(Scene("lone", (match("short"), lone)))
    screen.shows(Scene("hit", (done,)))
    assert screen.one("#board .checker.black[data-path]").get_attribute("data-path") == "bar"
    assert screen.one("#board .checker.white[data-path]").get_attribute("data-path") == "p5"


def test_a_refused_play_is_drawn_in_red_with_what_would_have_been_legal(screen: Screen) -> None:
    screen.open(f"{screen.stage.pages.url}?lang=en")
    screen.stage.play(Scene("match", (match("long"),)))
    screen.shows(refused())  # 24/18 24/19
    until(lambda: len(screen.all("#board .refused-to")) == 2)
    targets = {mark.get_attribute("data-to") for mark in screen.all("#board .refused-to")}
    assert targets == {"p18", "p19"}
    assert "24/13" in screen.text("#ruling .legal")


def test_a_void_throw_shows_its_dice(screen: Screen) -> None:
    screen.open(f"{screen.stage.pages.url}?lang=en")
    start, *_ = scenes("long")
    dice = (DieShown(value=3, u=0.7, v=0.5), DieShown(value=5, u=0.3, v=0.5))
    void = RulingMessage(id="1", subject="throw", verdict="re_roll", turn=1, side="white", dice=dice)
    state = start.contents[2].model_copy(update={"phase": "to_throw", "side": "white"})
    screen.shows(Scene("void", (void, state)))
    until(lambda: [die.get_attribute("data-value") for die in screen.all("#board .die.void")] == ["3", "5"])


@pytest.mark.parametrize("size", [TV, PHONE], ids=["tv", "phone"])
def test_a_pause_and_an_offered_cube_are_the_largest_words_beside_the_board(
    screen: Screen, size: tuple[int, int]
) -> None:
    screen.open(f"{screen.stage.pages.url}?lang=en", size)
    screen.shows(next(scenes("short")))
    cube = CubeShown(value=2, owner="white", offered_by="white", offered_value=4, answer_by="black")
    screen.stage.play(Scene("offer", (match("short", cube=cube),)))
    until(lambda: screen.text("#awaited strong") == "The Second Player")
    assert screen.text("#awaited .cube-face") == "4"
    assert "take or pass" in screen.text("#awaited")
    assert size_of(screen, "#awaited strong") > size_of(screen, "#ruling strong")
    halted = Texts(en="Clock stopped", ru="Часы остановлены")
    screen.stage.play(Scene("pause", (clock(None, 600_000, 600_000, paused=halted),)))
    until(lambda: screen.text("#awaited strong") == "PAUSED")
    assert "Clock stopped" in screen.text("#awaited")
    assert size_of(screen, "#awaited strong") >= size_of(screen, "#player-white .clock")


def test_the_buttons_of_the_desk_stay_where_they_are(screen: Screen) -> None:
    desk(screen, (1280, 720))
    place = "return ['.quick', '.orders'].map(css => document.querySelector(css).getBoundingClientRect().top)"
    before = screen.run(place)
    _, throw, play, *_ = scenes("long")
    screen.shows(throw)
    screen.shows(play)
    until(lambda: screen.one("#evidence").is_displayed())
    assert screen.one("#evidence").get_attribute("open") is None
    assert screen.run(place) == before
    screen.shows(refused())
    assert screen.run(place) == before


def test_a_tap_in_the_editor_wipes_no_point_and_a_drag_moves_one_checker(screen: Screen) -> None:
    from selenium.webdriver import ActionChains  # noqa: PLC0415 - needs selenium

    desk(screen)
    before = screen.points()
    screen.one("#edit-open").click()
    screen.one("[data-place=p12]").click()  # white onto fifteen black ones
    assert screen.points() == before
    drag = ActionChains(screen.driver)
    drag.drag_and_drop(screen.one("[data-place=p24]"), screen.one("[data-place=p20]")).perform()
    moved = screen.points().split(",")
    assert (moved[23], moved[19]) == ("14", "1")
    screen.one("#edit-undo").click()
    assert screen.points() == before


def test_the_numbers_of_both_players_stay_where_they_are(screen: Screen) -> None:
    screen.open(f"{screen.stage.pages.url}?lang=en")
    numbers = "return [...document.querySelectorAll('#board .numbers text')].map(e => e.textContent).join()"
    start, throw, play, *_ = scenes("short")
    screen.shows(start)
    before = screen.run(numbers)
    screen.shows(throw)
    screen.shows(play)
    assert screen.run(numbers) == before


def test_the_language_is_changed_on_the_page(screen: Screen) -> None:
    screen.open(f"{screen.stage.pages.url}?lang=en")
    until(lambda: screen.all("#langs a[lang=ru]"))
    screen.one("#langs a[lang=ru]").click()
    until(lambda: screen.run("return document.documentElement.lang") == "ru")
