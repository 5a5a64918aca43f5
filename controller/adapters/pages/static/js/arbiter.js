// The arbiter's panel: the live board, the case, the orders.

import { BoardView } from "./board.js";
import { drawCase } from "./case.js";
import { reservesAt } from "./clock.js";
import { Editor } from "./editor.js";
import { Link, loadConfig } from "./link.js";
import { ClockForm } from "./desk_clock.js";
import { RollPad } from "./desk_roll.js";
import { enter, leave, order, session, showAnswer, sure } from "./orders.js";
import { Panel, node } from "./panel.js";
import { chooseLang, loadTexts, offerLangs, say, spoken, wonAs } from "./texts.js";

const TICK_MS = 100;
const at = (id) => document.getElementById(id);

const config = await loadConfig();
await loadTexts(chooseLang(config.langs, config.lang));
document.title = `${config.name} · ${say("arbiter.title")}`;
offerLangs(at("langs"), config.langs);

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

// `command` may be a function: what it gives is sent as things stand when the answer is yes.
async function ask(words, command, needsReason = false) {
  const note = await sure(words, needsReason);
  return note === null ? false : send({ ...(typeof command === "function" ? command() : command), note });
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

at("sign-out").addEventListener("click", async () => {
  await leave();
  location.reload(); // what the panel was sent goes with it
});

// --- what is received ---

function receive(topic, content) {
  panel.take(topic, content);
  const { state, match, ruling } = panel.latest;
  if (["state", "match", "ruling"].includes(topic) && at("editor").hidden) board.show(state, match, ruling);
  if (topic === "ruling" || topic === "match") showEvidence(ruling, match?.game);
  if (topic === "health") drawDevices(content);
  showWhatApplies();
}

// Evidence is open while a question waits; otherwise whoever wants it opens it.
function showEvidence(ruling, game) {
  const fresh = ruling?.id !== at("case").dataset.ruling || !ruling;
  drawCase(at("case"), ruling, game, decide);
  at("evidence").hidden = !ruling;
  if (fresh) at("evidence").open = ruling?.verdict === "please_look";
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
  const untimed = clock?.timed === false;
  const shown = { pause: !halted, resume: halted, kestum: Boolean(match?.kestum), draw: Boolean(match?.draw), introduce_clock: untimed };
  const applies = {
    pause: !between,
    start: between,
    double: Boolean(match?.cube) && !offered,
    take: Boolean(offered),
    beaver: Boolean(match?.cube?.beaver),
    pass: Boolean(offered),
    kestum: state?.phase === "to_throw",
    set_turn: !between && state?.phase !== "match_over",
  };
  // A button that means nothing now stays in its place, greyed out.
  for (const button of document.querySelectorAll("[data-order]")) {
    const verb = button.dataset.order;
    if (verb in shown) button.hidden = !shown[verb];
    if (verb in applies) button.disabled = !applies[verb];
  }
  document.querySelector("[data-tab=cube]").hidden = !match?.cube;
  for (const form of document.querySelectorAll("[data-clock]")) form.hidden = untimed;
  pad.draw();
  offerKinds(match?.resign_kinds ?? [], match?.game);
  const score = document.querySelector("[data-form=set_score]");
  if (match && !score.contains(document.activeElement)) {
    score.white.value = match.score.white;
    score.black.value = match.score.black;
  }
  const length = document.querySelector("[data-form=set_length]");
  length.hidden = !match?.length;
  if (match && !length.contains(document.activeElement)) length.points.value = match.length;
  offer(document.querySelector("[data-form=set_cube] [name=value]"), match?.cube_faces ?? [], String);
  for (const button of document.querySelectorAll("[data-form=answer_claim] button")) button.disabled = !state?.claim;
  at("claimed").textContent = spoken(state?.claim?.texts);
  const allowed = match?.breaks_allowed ? `/${match.breaks_allowed}` : "";
  at("counted").textContent = ["white", "black"]
    .map((side) => say("order.counted", { side: say(side), warnings: match?.warnings[side] ?? 0, breaks: `${match?.breaks[side] ?? 0}${allowed}` }))
    .join(" · ");
}

// Fill a list anew only when what it offers has changed, so that a choice under way stays.
function offer(select, values, words) {
  if ([...select.options].map(({ value }) => value).join() === values.join()) return;
  select.replaceChildren(...values.map((value) => new Option(words(value), value)));
}

// What can be conceded differs from ruleset to ruleset.
function offerKinds(kinds, game) {
  const words = (kind) => say(`kind.${wonAs(kind, game)}`);
  for (const select of document.querySelectorAll("[name=kind]")) offer(select, kinds, words);
}

function decide(verb, hypothesis) {
  const ruling = panel.latest.ruling;
  const command = verb === "confirm" ? { verb, ruling: ruling.id, hypothesis } : { verb, ruling: ruling.id };
  return ruling.verdict === "please_look" ? send(command) : ask(say("case.overrule_sure"), command);
}

// --- orders ---

const pad = new RollPad(at("faces"), at("faces-words"), {
  set: (roll) => send({ verb: "set_roll", roll }),
  opening: () => panel.latest.state?.phase === "opening",
});

const clockForms = ["white", "black"].map(
  (side) =>
    new ClockForm(document.querySelector(`[data-clock=${side}]`), side, {
      reserve: () => (panel.latest.clock?.timed && link ? reservesAt(panel.latest.clock, link.utcMs())[side] : null),
      set: ask,
      refuse: (words) => showAnswer(words, false),
    }),
);

for (const tab of document.querySelectorAll("[data-tab]")) {
  tab.addEventListener("click", () => {
    for (const other of document.querySelectorAll("[data-tab]")) other.setAttribute("aria-selected", other === tab);
    for (const sheet of document.querySelectorAll("[data-sheet]")) sheet.classList.toggle("shown", sheet.dataset.sheet === tab.dataset.tab);
    for (const form of clockForms) form.clear();
  });
}

const CLAIMS = ["play", "throw", "ruling", "clock", "flag", "no_contact", "cube", "score", "conduct", "other"];
offer(document.querySelector("[name=about]"), CLAIMS, (about) => say(`claim.${about}`));

const commands = {
  set_score: (form) => ({ score: { white: Number(form.white.value), black: Number(form.black.value) } }),
  set_length: (form) => ({ points: Number(form.points.value) }),
  set_cube: (form) => ({ value: Number(form.value.value), owner: form.owner.value || null }),
  resign: (form) => ({ side: form.side.value, kind: form.kind.value }),
  award_game: (form) => ({ side: form.side.value, kind: form.kind.value }),
  warn: (form) => ({ side: form.side.value }),
  take_break: (form) => ({ side: form.side.value }),
  penalise: (form) => ({ side: form.side.value, points: Number(form.points.value) }),
  late: (form) => ({ side: form.side.value, by_ms: Number(form.minutes.value) * 60_000 }),
  claim: (form) => ({ side: form.side.value, about: form.about.value }),
  answer_claim: (_, button) => ({ granted: button.dataset.granted === "yes" }),
};

/** What is asked before an order: its own question, or the words of its button with the side. */
function question(verb, button, side) {
  const undone = spoken(panel.latest.state?.undo);
  if (verb === "undo" && undone) return say("sure.undo", { what: undone });
  const own = say(`sure.${verb}`);
  if (verb !== "undo" && own !== `sure.${verb}`) return own;
  const order = button.textContent.trim();
  return say("sure.order", { order: side ? `${say(side)}: ${order}` : order });
}

for (const form of document.querySelectorAll("[data-form]")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const button = event.submitter;
    const verb = button.dataset.verb ?? form.dataset.form;
    const command = { verb, ...commands[verb](form, button) };
    const why = "why" in form.dataset || "why" in button.dataset;
    if ("ask" in form.dataset) ask(question(verb, button, command.side), command, why);
    else send(command);
  });
}

for (const button of document.querySelectorAll("[data-order]")) {
  button.addEventListener("click", () => {
    const { order: verb, side, what } = button.dataset;
    const command = { verb, ...(side && { side }), ...(what && { what }) };
    if ("ask" in button.dataset) ask(question(verb, button, side), command, "why" in button.dataset);
    else send(command);
  });
}

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
  board.show(panel.latest.state, panel.latest.match, panel.latest.ruling);
}

function showEditor(words = "") {
  at("edit-words").textContent = words || say("edit.drag");
  at("edit-words").classList.toggle("wrong", Boolean(words));
  at("edit-undo").disabled = !editor.steps.length;
  const { now, start } = editor.totals();
  const parts = ["white", "black"].map((side, c) => {
    const part = node("span", now[c] === start[c] ? "" : "wrong", node("span", `disc ${side}`), ` ${say("edit.count", { now: now[c], all: start[c] })}`);
    return part;
  });
  at("totals").replaceChildren(...parts);
  document.querySelector(`[name=tool][value=${editor.tool}]`).checked = true;
}

for (const tool of document.querySelectorAll("[name=tool]")) tool.addEventListener("change", () => editor.choose(tool.value));
at("edit-open").addEventListener("click", openEditor);
at("edit-cancel").addEventListener("click", closeEditor);
at("edit-undo").addEventListener("click", () => editor.undo());
at("edit-reset").addEventListener("click", () => editor.load(editor.start));
at("edit-seen").addEventListener("click", () => editor.load(panel.latest.ruling.seen));
at("edit-save").addEventListener("click", async () => {
  const command = { verb: "correct", position: editor.position, turn: at("edit-turn").value || null };
  if (await send(command)) closeEditor();
});

setInterval(() => {
  if (!link) return;
  panel.tick(link.utcMs());
  for (const form of clockForms) form.tick();
}, TICK_MS);
await showDesk();
