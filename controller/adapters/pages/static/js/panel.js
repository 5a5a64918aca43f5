// What both pages show beside the board: players, clocks, score, ruling, last moves, alarms.

import { clockText, reservesAt } from "./clock.js";
import { say, spoken } from "./texts.js";

const SIDES = ["white", "black"];
const LOW_MS = 30_000;
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
    if (topic === "event" && ["device", "cube", "checkers"].includes(content?.kind)) this.notice(content);
    this.drawPlayers();
    this.drawTitle();
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
      pips.textContent = count === undefined ? "" : say("pips", { count });
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

  drawRuling() {
    const { ruling, state, result, clock } = this.latest;
    const box = document.getElementById("ruling");
    const over = result && ["game_over", "match_over"].includes(state?.phase);
    const shown = over ? null : ruling;
    box.className = `ruling ${over ? "good" : (tone[shown?.verdict] ?? "")}`;
    box.dataset.verdict = over ? "result" : (shown?.verdict ?? "");
    const mark = over ? "★" : (sign[shown?.verdict] ?? "");
    const line = over ? spoken(result.texts) : shown ? this.rulingLine(shown) : "";
    const reason = shown && (shown.reason || tone[shown.verdict] !== "good") ? spoken(shown.texts) : "";
    const next = clock?.paused ? say("paused", { why: spoken(clock.paused) }) : spoken(state?.waiting_for);
    box.replaceChildren(
      node("span", "mark", mark),
      node("div", "words", node("strong", "", line), node("span", "reason", reason)),
      node("span", "next", next),
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
  }
}
