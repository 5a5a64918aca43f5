// The arbiter's panel: the live board, the case, the orders.

import { BoardView } from "./board.js";
import { drawCase } from "./case.js";
import { reservesAt } from "./clock.js";
import { Editor } from "./editor.js";
import { Link, loadConfig } from "./link.js";
import { enter, order, session, sure } from "./orders.js";
import { Panel, node } from "./panel.js";
import { chooseLang, loadTexts, say, spoken } from "./texts.js";

const TICK_MS = 100;
const at = (id) => document.getElementById(id);

const config = await loadConfig();
await loadTexts(chooseLang(config.langs, config.lang));
document.title = `${config.name} · ${say("arbiter.title")}`;

const panel = new Panel();
const board = new BoardView(at("board"));
const editor = new Editor(board, showEditor);
let link = null;

async function send(command) {
  return order({ ...command, id: newId() }, showLogin);
}

// crypto.randomUUID is missing on plain http away from localhost.
function newId() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function ask(words, command) {
  const note = await sure(words);
  return note === null ? false : send({ ...command, note });
}

// --- sign-in ---

function showLogin() {
  at("login").hidden = false;
  at("desk").hidden = true;
  at("login").pin.focus();
}

async function showDesk() {
  const { open, live } = await session();
  if (!open) return showLogin();
  at("login").hidden = true;
  at("desk").hidden = false;
  link ??= new Link(config, receive, (alive) => panel.link(alive), live);
}

at("login").addEventListener("submit", async (event) => {
  event.preventDefault();
  const words = await enter(at("login").pin.value);
  at("login-words").textContent = words;
  at("login").reset();
  if (words) return;
  if (link) location.reload(); // a referee that was started again has new keys
  else showDesk();
});

// --- what is received ---

function receive(topic, content) {
  panel.take(topic, content);
  const { state, match, ruling } = panel.latest;
  if ((topic === "state" || topic === "match") && at("editor").hidden) board.show(state, match);
  if (topic === "ruling" || topic === "match") drawCase(at("case"), ruling, match?.game, decide);
  if (topic === "health") drawDevices(content);
  showWhatApplies();
}

function drawDevices(health) {
  at("devices").replaceChildren(
    ...Object.entries(health?.devices ?? {}).map(([name, { state, texts }]) => {
      const line = node("li", state, say(`device.${name}`));
      line.title = spoken(texts) || say(`state.${state}`);
      if (state === "weak" && texts) line.append(node("span", "why", spoken(texts)));
      return line;
    }),
  );
}

function showWhatApplies() {
  const { state, match, clock } = panel.latest;
  const halted = state?.phase === "paused" || Boolean(clock?.paused);
  const between = ["setup", "game_over"].includes(state?.phase);
  const offered = match?.cube?.offered_by;
  const shown = { pause: !halted && !between, resume: halted, start: between, double: !offered, take: Boolean(offered), beaver: Boolean(match?.cube?.beaver), pass: Boolean(offered), kestum: Boolean(match?.kestum) && state?.phase === "to_throw" };
  for (const button of document.querySelectorAll("[data-order]")) {
    if (button.dataset.order in shown) button.hidden = !shown[button.dataset.order];
  }
  at("cube").hidden = !match?.cube;
  for (const disc of document.querySelectorAll("[data-form=set_roll] .disc")) disc.hidden = state?.phase !== "opening";
  offerKinds(match?.resign_kinds ?? []);
  const score = document.forms.namedItem("set_score") ?? document.querySelector("[data-form=set_score]");
  if (match && !score.contains(document.activeElement)) {
    score.white.value = match.score.white;
    score.black.value = match.score.black;
  }
}

// What can be conceded differs from ruleset to ruleset.
function offerKinds(kinds) {
  const select = document.querySelector("[data-form=resign] [name=kind]");
  if ([...select.options].map(({ value }) => value).join() === kinds.join()) return;
  select.replaceChildren(...kinds.map((kind) => new Option(say(`kind.${kind}`), kind)));
}

function decide(verb, hypothesis) {
  const ruling = panel.latest.ruling;
  const command = verb === "confirm" ? { verb, ruling: ruling.id, hypothesis } : { verb, ruling: ruling.id };
  return ruling.verdict === "please_look" ? send(command) : ask(say("case.overrule_sure"), command);
}

// --- orders ---

for (const select of document.querySelectorAll("[data-form=set_roll] select")) {
  select.append(...[1, 2, 3, 4, 5, 6].map((face) => new Option(face, face)));
}

const minutes = (text) => {
  const [m, s] = text.split(":").map(Number);
  return (m * 60 + s) * 1000;
};

function minutesText(ms) {
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

const commands = {
  set_roll: (form) => ({ roll: [Number(form.first.value), Number(form.second.value)] }),
  set_clock: (form) => ({ white_ms: minutes(form.white.value), black_ms: minutes(form.black.value) }),
  set_score: (form) => ({ score: { white: Number(form.white.value), black: Number(form.black.value) } }),
  resign: (form) => ({ side: form.side.value, kind: form.kind.value }),
};

for (const form of document.querySelectorAll("[data-form]")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const verb = form.dataset.form;
    const command = { verb, ...commands[verb](form) };
    if ("ask" in form.dataset) ask(say(`sure.${verb}`), command);
    else send(command);
  });
}

for (const button of document.querySelectorAll("[data-order]")) {
  button.addEventListener("click", () => {
    const { order: verb, side } = button.dataset;
    const command = side ? { verb, side } : { verb };
    if ("ask" in button.dataset) ask(say(`sure.${verb}`), command);
    else send(command);
  });
}

// The clock's fields fill themselves when first touched: a moving value could not be edited.
const clockForm = document.querySelector("[data-form=set_clock]");
let clockFilled = false;
clockForm.addEventListener("focusin", () => {
  const { clock } = panel.latest;
  if (!clock || clockFilled) return;
  clockFilled = true;
  const left = reservesAt(clock, link.utcMs());
  for (const side of ["white", "black"]) clockForm[side].value = minutesText(left[side]);
});
clockForm.addEventListener("submit", () => {
  clockForm.reset();
  clockFilled = false;
});

// --- correcting the position ---

function openEditor() {
  at("editor").hidden = false;
  at("edit-turn").value = "";
  editor.open(panel.latest.state?.position ?? { points: Array(24).fill(0), bar: [0, 0], off: [0, 0] });
  at("edit-seen").hidden = !panel.latest.ruling?.seen;
  at("editor").scrollIntoView({ block: "nearest" });
}

function closeEditor() {
  at("editor").hidden = true;
  editor.close();
  board.show(panel.latest.state, panel.latest.match);
}

function showEditor() {
  const { now, start } = editor.totals();
  const words = ["white", "black"].map((side, c) => {
    const part = node("span", now[c] === start[c] ? "" : "wrong", node("span", `disc ${side}`), ` ${say("edit.count", { now: now[c], all: start[c] })}`);
    return part;
  });
  at("totals").replaceChildren(...words);
  document.querySelector(`[name=tool][value=${editor.tool}]`).checked = true;
}

for (const tool of document.querySelectorAll("[name=tool]")) tool.addEventListener("change", () => editor.choose(tool.value));
at("edit-open").addEventListener("click", openEditor);
at("edit-cancel").addEventListener("click", closeEditor);
at("edit-reset").addEventListener("click", () => editor.load(editor.start));
at("edit-seen").addEventListener("click", () => editor.load(panel.latest.ruling.seen));
at("edit-save").addEventListener("click", async () => {
  const command = { verb: "correct", position: editor.position, turn: at("edit-turn").value || null };
  if (await send(command)) closeEditor();
});

setInterval(() => link && panel.tick(link.utcMs()), TICK_MS);
await showDesk();
