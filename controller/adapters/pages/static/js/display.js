// The display: a board, two players, the ruling. Reads MQTT and says nothing.

import { BoardView } from "./board.js";
import { Link, loadConfig } from "./link.js";
import { Panel } from "./panel.js";
import { chooseLang, loadTexts, offerLangs, say } from "./texts.js";

const TICK_MS = 100;

const config = await loadConfig();
await loadTexts(chooseLang(config.langs, config.lang));
offerLangs(document.getElementById("langs"), config.langs);
document.title = `${config.name} · ${say("title")}`;

const panel = new Panel();
const board = new BoardView(document.getElementById("board"), {
  numbers: new URLSearchParams(location.search).get("numbers") === "mover" ? "mover" : "both",
});
const link = new Link(
  config,
  (topic, content) => {
    panel.take(topic, content);
    if (["state", "match", "ruling"].includes(topic)) board.show(panel.latest.state, panel.latest.match, panel.latest.ruling);
  },
  (alive) => panel.link(alive),
);
setInterval(() => panel.tick(link.utcMs()), TICK_MS);
