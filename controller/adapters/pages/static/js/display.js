// The display: a board, two players, the ruling. Reads MQTT and says nothing.

import { BoardView } from "./board.js";
import { Link, loadConfig } from "./link.js";
import { Panel } from "./panel.js";
import { chooseLang, loadTexts, say } from "./texts.js";

const TICK_MS = 100;

const config = await loadConfig();
await loadTexts(chooseLang(config.langs, config.lang));
document.title = `${config.name} · ${say("title")}`;

const panel = new Panel();
const board = new BoardView(document.getElementById("board"));
const link = new Link(
  config,
  (topic, content) => {
    panel.take(topic, content);
    if (topic === "state" || topic === "match") board.show(panel.latest.state, panel.latest.match);
  },
  (alive) => panel.link(alive),
);
setInterval(() => panel.tick(link.utcMs()), TICK_MS);
