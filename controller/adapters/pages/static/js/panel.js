// What both pages show beside the board: players, clocks, score, ruling, last moves, alarms.

import { clockText, reservesAt } from "./clock.js";
import { counted, say, spoken, wonAs } from "./texts.js";

const SIDES = ["white", "black"];
const LOW_MS = 30_000;
const OVER = ["game_over", "match_over"];
const NOTICE_MS = 10_000;

/** An HTML element with a class and text or children. */
export function node(name, className, ...children) {
  const element = document.createElement(name);
  if (className) element.className = className;
  element.append(...children);
  return element;
}

const rollText = (roll) => (roll ? `${roll[0]}-${roll[1]}` : "");
const tone = { accepted: "good", valid: "good", refused: "bad", re_roll: "warn", please_look: "warn" };
const sign = { accepted: "✓", valid: "✓", refused: "✕", re_roll: "↻", please_look: "?" };

/** Everything known about the board; each message replaces its part. */
export class Panel {
  constructor() {
    this.latest = {};
    this.alive = null;
    for (const side of SIDES) this.buildPlayer(side);
  }

  buildPlayer(side) {
    const card = document.getElementById(`player-${side}`);
    this[side] = {
      card,
      name: node("span", "name"),
      pips: node("span", "pips"),
      score: node("span", "score"),
      clock: node("span", "clock"),
      delay: node("i"),
      flag: node("span", "flag"),
    };
    const { name, pips, score, clock, delay, flag } = this[side];
    score.setAttribute("aria-label", say("score"));
    card.append(
      node("div", "who", node("span", `disc ${side}`), name),
      node("div", "points", score),
      node("div", "time", clock, flag, node("div", "delay", delay)),
      pips,
    );
  }

  /** Take one message in and redraw what depends on it. */
  take(topic, content) {
    this.latest[topic] = content;
    if (topic === "event" && ["device", "cube", "checkers", "resignation"].includes(content?.kind)) this.notice(content);
    this.drawPlayers();
    this.drawTitle();
    this.drawAwaited();
    this.drawRuling();
    this.drawPlays();
    this.drawAlarm();
  }

  /** Show for a while what has happened to a device or the cube, unless something is still wrong. */
  notice(happened) {
    this.happened = happened;
    clearTimeout(this.forget);
    this.forget = setTimeout(() => {
      this.happened = null;
      this.drawAlarm();
    }, NOTICE_MS);
  }

  link(alive) {
    this.alive = alive;
    this.drawAwaited();
    this.drawAlarm();
  }

  name(side) {
    return this.latest.match?.players[side] || say(side);
  }

  drawPlayers() {
    const { match, state } = this.latest;
    for (const side of SIDES) {
      const { card, name, pips, score } = this[side];
      name.textContent = this.name(side);
      score.textContent = match ? match.score[side] : "0";
      const count = state?.pips?.[side === "white" ? 0 : 1];
      pips.textContent = count === undefined ? "" : counted("pips", count);
      card.classList.toggle("turn", state?.side === side && !["game_over", "match_over"].includes(state.phase));
    }
  }

  /** Redraw the clocks; call several times a second. */
  tick(utcMs) {
    const { clock } = this.latest;
    const timed = clock?.timed ?? Boolean(clock);
    document.body.classList.toggle("no-clock", !timed);
    if (!timed) return;
    const left = reservesAt(clock, utcMs);
    for (const side of SIDES) {
      const { card, clock: face, delay, flag } = this[side];
      const text = clockText(left[side]);
      if (face.textContent !== text) face.textContent = text;
      const running = clock.running === side;
      card.classList.toggle("running", running);
      card.classList.toggle("low", left[side] < LOW_MS);
      flag.textContent = clock.flag === side ? say("flag") : "";
      const share = running && clock.delay_ms ? left.delay / clock.delay_ms : 0;
      delay.style.transform = `scaleX(${Math.min(1, share)})`;
    }
  }

  drawTitle() {
    const { match } = this.latest;
    const parts = match
      ? [
          match.length ? say("to_points", { points: match.length }) : say("unlimited"),
          say("game", { number: match.game_number }),
          match.crawford ? say("crawford") : "",
        ]
      : [];
    document.getElementById("title").textContent = match ? spoken(match.ruleset.title) : say("title");
    document.getElementById("terms").textContent = parts.filter(Boolean).join(" · ");
  }

  /** A finished game is shown until the next throw. */
  finished() {
    const { result, match, state, ruling } = this.latest;
    if (!result || !state || (match && result.match !== match.match)) return null;
    if (OVER.includes(state.phase)) return result;
    const thrown = ruling?.subject === "throw" && ruling.seq > result.seq;
    const before = match?.game_number > result.game_number && state.turn <= 1 && !state.roll;
    return before && !thrown ? result : null;
  }

  /** What is awaited, and of whom: [kind, large words, smaller words]. */
  awaited() {
    const { state, clock, match, status } = this.latest;
    if (this.alive === false || ["offline", "stopped"].includes(status?.status)) return ["lost", say("awaited.lost"), say("awaited.lost_why")];
    const words = spoken(state?.waiting_for);
    if (state?.phase === "deciding") return ["question", words, clock?.paused ? spoken(clock.paused) : ""];
    const halted = clock?.paused || state?.phase === "paused";
    if (halted && !OVER.includes(state?.phase)) return ["pause", say("awaited.pause"), spoken(clock?.paused)];
    const { offered_by: from, answer_by: by } = match?.cube ?? {};
    if (from) return ["offer", this.name(by ?? (from === "white" ? "black" : "white")), say("awaited.offer")];
    if (["setup", "game_over"].includes(state?.phase)) return ["setup", words, ""];
    return ["play", words, ""];
  }

  drawAwaited() {
    const box = document.getElementById("awaited");
    const result = this.finished();
    const [kind, large, small] = this.awaited();
    const shows = result && !["lost", "question", "pause"].includes(kind) ? "result" : kind;
    box.className = `awaited ${shows}`;
    document.body.dataset.awaits = shows;
    box.hidden = !large && !result;
    if (shows === "result") {
      box.replaceChildren(...this.resultCard(result), node("span", "small", OVER.includes(this.latest.state.phase) && result.match_over ? "" : large));
      return;
    }
    const cube = this.latest.match?.cube;
    const parts = [node("div", "words", node("strong", "", large), node("span", "small", small))];
    if (shows === "offer") parts.unshift(node("span", "cube-face", String(cube.offered_value ?? cube.value * 2)));
    box.replaceChildren(...parts);
  }

  resultCard({ winner, kind, points, score, match_over: matchOver }) {
    const who = winner ? this.name(winner) : "";
    const head = winner ? say(matchOver ? "result.match_won" : "result.game_won", { winner: who }) : say("result.draw");
    const how = winner ? [say(`result.${wonAs(kind, this.latest.match?.game)}`), counted("result.points", points)].join(" · ") : "";
    const standing = node("span", "standing", node("span", "", this.name("white")), node("b", "", `${score.white} – ${score.black}`), node("span", "", this.name("black")));
    return [node("strong", "", head), node("span", "how", how), standing];
  }

  drawRuling() {
    const { ruling } = this.latest;
    const box = document.getElementById("ruling");
    box.className = `ruling ${tone[ruling?.verdict] ?? ""}`;
    box.dataset.verdict = ruling?.verdict ?? "";
    // A reason belongs to the referee's own ruling: the arbiter's word has taken its place.
    const overruled = ruling?.decided_by === "arbiter";
    const explained = ruling && (ruling.reason || tone[ruling.verdict] !== "good") && !(overruled && tone[ruling.verdict] === "good");
    const reason = explained ? spoken(ruling.texts) : overruled ? say("case.by_arbiter") : "";
    const legal = ruling?.verdict === "refused" && ruling.would_be_legal.length ? say("case.legal", { plays: ruling.would_be_legal.slice(0, 3).join("  ·  ") }) : "";
    box.replaceChildren(
      node("span", "mark", sign[ruling?.verdict] ?? ""),
      node("div", "words", node("strong", "", ruling ? this.rulingLine(ruling) : ""), node("span", "reason", reason)),
      node("span", "legal", legal),
    );
  }

  rulingLine({ verdict, subject, side, roll, notation }) {
    const who = side ? this.name(side) : "";
    const what = subject === "throw" ? rollText(roll) : [rollText(roll), notation].filter(Boolean).join(": ");
    return [say(`verdict.${verdict}`), [who, what].filter(Boolean).join(" ")].filter(Boolean).join(" · ");
  }

  drawPlays() {
    const list = document.getElementById("plays");
    const plays = this.latest.state?.last_plays ?? [];
    list.replaceChildren(
      ...[...plays].reverse().map(({ turn, side, roll, notation, verdict }) => {
        const line = node(
          "li",
          tone[verdict] ?? "",
          node("span", "turn", String(turn)),
          node("span", `disc ${side}`),
          node("span", "roll", rollText(roll)),
          node("span", "notation", notation || say("no_play")),
        );
        if (verdict !== "accepted") line.append(node("span", "note", sign[verdict]));
        return line;
      }),
    );
  }

  drawAlarm() {
    const box = document.getElementById("alarm");
    const { status, health } = this.latest;
    let words = "";
    let kind = "";
    if (this.alive === false) words = say("alarm.link");
    else if (status?.status === "offline") words = say("alarm.offline");
    else if (status?.status === "stopped") words = say("alarm.stopped");
    else if (health) {
      const devices = Object.entries(health.devices);
      const lost = devices.filter(([, { state }]) => state === "lost");
      words = lost.map(([name, { texts }]) => spoken(texts) || say("alarm.lost", { device: say(`device.${name}`) })).join(" · ");
      // A weak sensor is the arbiter's affair; a camera that sees no board is everybody's.
      const blind = health.devices.camera?.state === "weak" ? health.devices.camera.texts : null;
      if (!words && (blind || this.happened)) {
        words = spoken(blind ?? this.happened.texts);
        kind = blind ? "weak" : "news";
      }
    }
    box.className = `alarm ${kind}`;
    box.textContent = words;
    box.hidden = !words;
    document.body.classList.toggle("alarmed", Boolean(words));
  }
}
