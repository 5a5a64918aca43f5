"""The web side without a browser: pages, texts, sign-in, orders, evidence."""

import re
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from controller.adapters.mqtt.commands import Reply
from controller.adapters.mqtt.messages import Texts
from controller.adapters.mqtt.wire import BoardTopics
from controller.adapters.pages import bounded_http
from controller.adapters.pages.server import Pages, PagesError
from controller.adapters.pages.sign_in import SignIn
from controller.adapters.pages.site import STATIC, Place
from controller.locale import Lang, catalogue
from controller.ports.updates import Command

PIN = "271828"


class Referee:
    """Remembers the orders and where they were obeyed; refuses to undo."""

    def __init__(self) -> None:
        self.orders: list[Command] = []
        self.threads: set[str] = set()

    def obey(self, command: Command) -> Reply:
        self.orders.append(command)
        self.threads.add(threading.current_thread().name)
        if command.order.verb == "take":
            return Reply(done=False, texts=Texts(en="Not written.", ru="Не записано."), written=False)
        if command.order.verb == "undo":
            return Reply(done=False, texts=Texts(en="Nothing to take back.", ru="Нечего отменять."))
        return Reply(done=True, texts=Texts(en="Done.", ru="Сделано."))


@pytest.fixture(scope="module")
def referee() -> Referee:
    return Referee()


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory, referee: Referee) -> Iterator[Pages]:
    folder = tmp_path_factory.mktemp("web")
    (folder / "evidence").mkdir()
    (folder / "evidence" / "r1.jpg").write_bytes(b"\xff\xd8jpeg")
    (folder / "secret.txt").write_text("not for you")
    place = Place(BoardTopics("club", "7"), "ws://{host}:9001/mqtt", folder / "evidence", Lang.RU, name="Table 7")
    with Pages(place, SignIn(PIN), referee.obey, port=0) as serving:
        yield serving


@pytest.fixture
def visitor(pages: Pages) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=pages.url) as client:
        yield client


@pytest.fixture
def arbiter(visitor: httpx.Client) -> httpx.Client:
    assert visitor.post("/api/session", json={"pin": PIN}).json()["open"]
    return visitor


def test_the_page_knows_its_board_and_broker(visitor: httpx.Client) -> None:
    config = visitor.get("/api/config").json()
    assert config["prefix"] == "nardy/v1/club/7"
    assert config["broker"] == "ws://{host}:9001/mqtt"
    assert config["lang"] == "ru"
    assert config["name"] == "Table 7"


@pytest.mark.parametrize("page", ["/", "/arbiter"])
def test_a_page_needs_nothing_from_elsewhere(visitor: httpx.Client, page: str) -> None:
    reply = visitor.get(page)
    assert "default-src 'self'" in reply.headers["content-security-policy"]
    links = re.findall(r'(?:src|href)="([^"]+)"', reply.text)
    assert links
    for link in links:
        assert link.startswith("/static/")
        assert visitor.get(link).status_code == 200


@pytest.mark.parametrize("lang", list(Lang))
def test_the_texts_are_the_catalogue_and_nothing_else(visitor: httpx.Client, lang: Lang) -> None:
    texts = visitor.get(f"/texts/{lang.value}.json").json()
    assert texts == {key: say for key, say in catalogue(lang).items() if key.startswith("page.")}


def test_a_language_nobody_wrote_is_not_found(visitor: httpx.Client) -> None:
    assert visitor.get("/texts/xx.json").status_code == 404


def test_every_text_the_pages_ask_for_is_in_the_catalogue() -> None:
    sources = [
        path.read_text("utf-8")
        for path in STATIC.rglob("*")
        if path.suffix in {".js", ".html"} and path.parent.name != "vendor"
    ]
    asked = {key for source in sources for key in re.findall(r'(?:say\("|data-text="|data-label=")([\w.]+)"', source)}
    assert len(asked) > 40
    assert {f"page.{key}" for key in asked} <= catalogue(Lang.EN).keys()


def test_an_order_without_the_pin_is_not_obeyed(visitor: httpx.Client, referee: Referee) -> None:
    before = len(referee.orders)
    reply = visitor.post("/api/command", json={"verb": "pause"})
    assert reply.status_code == 401
    assert reply.json() == {
        "done": False,
        "texts": {"en": "Enter the arbiter's PIN first.", "ru": "Сначала введите PIN арбитра."},
    }
    assert len(referee.orders) == before


def test_an_order_with_the_pin_is_obeyed_and_answered(arbiter: httpx.Client, referee: Referee) -> None:
    reply = arbiter.post("/api/command", json={"verb": "set_roll", "roll": [6, 5], "id": "x1"})
    assert (reply.status_code, reply.json()) == (
        200,
        {"done": True, "id": "x1", "texts": {"en": "Done.", "ru": "Сделано."}},
    )
    assert referee.orders[-1].order.verb == "set_roll"
    assert "pages" not in referee.threads  # a referee that thinks must not hold up the web server


def test_an_order_that_the_journal_lacks_is_neither_done_nor_refused(arbiter: httpx.Client) -> None:
    reply = arbiter.post("/api/command", json={"verb": "take"})
    assert (reply.status_code, reply.json()["done"]) == (202, False)


def test_a_refusal_of_the_referee_comes_back_in_words(arbiter: httpx.Client) -> None:
    reply = arbiter.post("/api/command", json={"verb": "undo"})
    assert (reply.status_code, reply.json()["done"]) == (409, False)
    assert reply.json()["texts"]["ru"] == "Нечего отменять."


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b'{"verb": "dance"}', b'{"verb": "set_roll", "roll": [7, 0]}', b"x" * 100_000]
)
def test_an_order_that_cannot_be_read_is_refused_in_words(arbiter: httpx.Client, body: bytes) -> None:
    reply = arbiter.post("/api/command", content=body)
    assert reply.status_code == 422
    assert reply.json()["texts"]["en"].startswith("This order cannot be read: ")


def test_a_wrong_pin_is_reported(visitor: httpx.Client) -> None:
    for body in ({"pin": "000000"}, {"pin": 271828}, {}, ["271828"]):
        reply = visitor.post("/api/session", json=body)
        assert (reply.status_code, reply.json()["texts"]["en"]) == (403, "Wrong PIN.")
        assert not visitor.get("/api/session").json()["open"]
        visitor.post("/api/session", json={"pin": PIN})  # keeps signing in from being locked
        visitor.cookies.clear()


def test_signing_out_ends_the_session_for_every_copy_of_its_cookie(arbiter: httpx.Client, pages: Pages) -> None:
    copied = dict(arbiter.cookies)
    assert arbiter.delete("/api/session").json() == {"open": False, "live": None}
    with httpx.Client(base_url=pages.url, cookies=copied) as copy:
        assert not copy.get("/api/session").json()["open"]
        assert copy.post("/api/command", json={"verb": "pause"}).status_code == 401


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://elsewhere.example"},
        {"origin": "null"},
        {"origin": "http://localhost:1"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"host": "rebound.example", "origin": "http://rebound.example"},
        {"host": "[", "origin": "http://["},
    ],
    ids=str,
)
@pytest.mark.parametrize(("method", "address"), [("POST", "session"), ("DELETE", "session"), ("POST", "command")])
def test_another_site_can_order_nothing_through_the_arbiters_browser(
    arbiter: httpx.Client, referee: Referee, method: str, address: str, headers: dict[str, str]
) -> None:
    before = len(referee.orders)
    reply = arbiter.request(method, f"/api/{address}", json={"verb": "pause", "pin": PIN}, headers=headers)
    assert reply.status_code == 403
    assert "another site" in reply.json()["texts"]["en"]
    assert len(referee.orders) == before
    assert arbiter.get("/api/session").json()["open"]


@pytest.mark.parametrize("host", ["192.168.1.20:8080", "[fd00::7]:8080", "nardy.local", "table7", "club.example"])
def test_the_arbiter_may_come_by_an_address_or_a_name_of_the_club(tmp_path: Path, referee: Referee, host: str) -> None:
    place = Place(BoardTopics("club", "7"), "", tmp_path, names=("club.example",))
    with (
        Pages(place, SignIn(PIN), referee.obey, port=0) as serving,
        httpx.Client(base_url=serving.url, headers={"host": host, "origin": f"http://{host}"}) as client,
    ):
        assert client.post("/api/session", json={"pin": PIN}).json()["open"]


def test_a_connection_that_asks_for_nothing_is_closed(pages: Pages, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded_http, "REQUEST_S", 0.3)
    address = ("127.0.0.1", int(pages.url.rsplit(":", 1)[1].strip("/")))
    half = b"GET / HTTP/1.1\r\nHost: localhost\r\n"
    with socket.create_connection(address, 5) as idle, socket.create_connection(address, 5) as slow:
        slow.sendall(half)
        assert (idle.recv(1), slow.recv(1)) == (b"", b"")
    assert httpx.get(pages.url).status_code == 200


def test_the_session_cookie_cannot_be_read_by_scripts_or_sent_by_other_sites(visitor: httpx.Client) -> None:
    cookie = visitor.post("/api/session", json={"pin": PIN}).headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie


def test_pictures_are_for_the_arbiter_and_only_those_of_the_evidence(visitor: httpx.Client) -> None:
    assert visitor.get("/evidence/r1.jpg").status_code == 401
    visitor.post("/api/session", json={"pin": PIN})
    assert visitor.get("/evidence/r1.jpg").content == b"\xff\xd8jpeg"
    for wrong in ("/evidence/none.jpg", "/evidence/..%2fsecret.txt", "/evidence/%2e%2e/secret.txt", "/evidence/"):
        assert visitor.get(wrong).status_code == 404


def test_a_taken_port_is_named_with_what_to_do(tmp_path: Path, referee: Referee) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(PagesError, match=rf"cannot serve the pages on 127\.0\.0\.1:{port}.*or 0 for any free one"):
            Pages(Place(BoardTopics("club", "7"), "", tmp_path), SignIn(), referee.obey, port=port).start()


def test_stopping_frees_the_port(tmp_path: Path, referee: Referee) -> None:
    serving = Pages(Place(BoardTopics("club", "7"), "", tmp_path), SignIn(), referee.obey, port=0)
    serving.start()
    url = serving.url
    assert httpx.get(url).status_code == 200
    serving.stop()
    with pytest.raises(httpx.ConnectError):
        httpx.get(url)


def test_an_order_may_be_obeyed_by_a_coroutine(tmp_path: Path) -> None:
    async def obey(command: Command) -> Reply:
        return Reply(done=True, texts=Texts(en=command.order.verb, ru=command.order.verb))

    with (
        Pages(Place(BoardTopics("club", "7"), "", tmp_path), SignIn(PIN), obey, port=0) as serving,
        httpx.Client(base_url=serving.url) as client,
    ):
        client.post("/api/session", json={"pin": PIN})
        assert client.post("/api/command", json={"verb": "take"}).json()["texts"]["en"] == "take"


@pytest.mark.parametrize(
    "body",
    [
        b"[" * 10_000,
        b"[" * 16_000_000,
        b'{"pin": "\\ud800"}',
        b'{"verb": "pause", "note": "\\ud800"}',
        b'{"verb": "\\ud800"}',
        b'{"pin": ' + b"9" * 5_000 + b"}",
        b"\xff\x00",
        b"",
    ],
    ids=lambda body: repr(body[:12]),
)
@pytest.mark.parametrize("address", ["/api/session", "/api/command"])
def test_a_body_that_nobody_should_send_costs_one_line(
    arbiter: httpx.Client, address: str, body: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    reply = arbiter.post(address, content=body)
    assert 400 <= reply.status_code < 500
    assert len(caplog.records) <= 2
    assert not any(record.exc_info for record in caplog.records)
    assert arbiter.get("/api/config").status_code == 200


@pytest.mark.parametrize("name", ["%00", "a" * 3_000, "a%00.jpg", "%ff", "..%2f..%2fetc%2fpasswd", "%0a"])
@pytest.mark.parametrize("folder", ["evidence", "static", "texts"])
def test_a_name_that_no_file_can_have_is_not_found(
    arbiter: httpx.Client, folder: str, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    assert arbiter.get(f"/{folder}/{name}").status_code == 404
    assert not any(record.exc_info for record in caplog.records)


def test_a_referee_that_does_not_answer_is_said_to_be_out_of_reach(tmp_path: Path) -> None:
    def silent(_: Command) -> Reply:
        raise TimeoutError

    place = Place(BoardTopics("club", "8"), "ws://{host}:9001/mqtt", tmp_path)
    with Pages(place, SignIn(PIN), silent, port=0) as serving, httpx.Client(base_url=serving.url) as client:
        client.post("/api/session", json={"pin": PIN})
        reply = client.post("/api/command", json={"verb": "pause"})
    assert (reply.status_code, reply.json()["done"]) == (503, False)
