// Correct the position: drag a checker, tap a place or use the keys, on the board itself.

import { draw } from "./board.js";
import { BAR, BAR_X, FIELD, FRAME, MIDDLE, POINT, SIZE, TRAY, TRAY_X, isTop, placeX } from "./places.js";
import { say } from "./texts.js";

const MOST = 15;
// Around the board as the arrows travel: p1 .. p24, then the bar and the trays.
const PLACES = [...Array.from({ length: 24 }, (_, i) => `p${i + 1}`), "bar-white", "bar-black", "off-white", "off-black"];

const copy = ({ points, bar, off }) => ({ points: [...points], bar: [...bar], off: [...off] });
const total = ({ points, bar, off }, c) => points.reduce((sum, n) => sum + Math.max(0, c === 0 ? n : -n), 0) + bar[c] + off[c];

/** Edits a copy of a position on a board view; `onChange(words)` after each step, with words when it could not be done. */
export class Editor {
  constructor(view, onChange) {
    this.view = view;
    this.onChange = onChange;
    this.tool = "white";
    this.spots = new Map();
    this.steps = []; // positions before each step, for undo
  }

  open(position) {
    this.start = copy(position);
    this.position = null;
    this.steps = [];
    this.view.svg.setAttribute("role", "group"); // an img would hide the places from a screen reader
    this.view.over.replaceChildren(...PLACES.map((name) => this.spot(name)));
    this.load(position);
  }

  close() {
    this.view.svg.setAttribute("role", "img");
    this.view.over.replaceChildren();
    this.spots.clear();
  }

  load(position) {
    if (this.spots.size && this.position) this.steps.push(this.position);
    this.position = copy(position);
    this.redraw();
  }

  /** Take the last step back. */
  undo() {
    if (!this.steps.length) return;
    this.position = this.steps.pop();
    this.redraw();
  }

  totals() {
    return { now: [total(this.position, 0), total(this.position, 1)], start: [total(this.start, 0), total(this.start, 1)] };
  }

  spot(name) {
    const box = spotBox(name);
    const element = draw("rect", { ...box, rx: 10, class: "spot", tabindex: name === "p1" ? 0 : -1, role: "spinbutton", "data-place": name });
    element.setAttribute("aria-valuemin", 0);
    element.setAttribute("aria-valuemax", MOST);
    element.addEventListener("pointerdown", (event) => {
      element.releasePointerCapture(event.pointerId);
      this.held = name;
    });
    element.addEventListener("pointerup", () => {
      const from = this.held;
      this.held = null;
      if (from === name) this.step(name, this.tool === "none" ? -1 : 1);
      else if (from) this.drag(from, name);
      this.focus(name);
    });
    element.addEventListener("keydown", (event) => this.key(event, name));
    this.spots.set(name, element);
    return element;
  }

  key(event, name) {
    const at = PLACES.indexOf(name);
    const actions = {
      ArrowUp: () => this.step(name, 1),
      "+": () => this.step(name, 1),
      ArrowDown: () => this.step(name, -1),
      "-": () => this.step(name, -1),
      Delete: () => this.step(name, -MOST),
      0: () => this.step(name, -MOST),
      ArrowRight: () => this.focus(PLACES[(at + 1) % PLACES.length]),
      ArrowLeft: () => this.focus(PLACES[(at + PLACES.length - 1) % PLACES.length]),
      w: () => this.choose("white"),
      b: () => this.choose("black"),
      Enter: () => this.step(name, this.tool === "none" ? -1 : 1),
      " ": () => this.step(name, this.tool === "none" ? -1 : 1),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  choose(tool) {
    this.tool = tool;
    this.onChange();
  }

  focus(name) {
    for (const [other, element] of this.spots) element.setAttribute("tabindex", other === name ? 0 : -1);
    this.spots.get(name).focus();
  }

  // Signed checkers of a place: +n white, -n black.
  signed(name) {
    const [kind, colour] = name.split("-");
    if (!colour) return this.position.points[Number(kind.slice(1)) - 1];
    return colour === "white" ? this.position[kind][0] : -this.position[kind][1];
  }

  put(name, signed) {
    const [kind, colour] = name.split("-");
    if (colour) this.position[kind][colour === "white" ? 0 : 1] = Math.abs(signed);
    else this.position.points[Number(kind.slice(1)) - 1] = signed;
  }

  // Put or take checkers. A colour never goes onto the other's: those are dragged or taken away first.
  step(name, by) {
    const [, colour] = name.split("-");
    const now = this.signed(name);
    const putting = (colour ?? (this.tool === "none" ? null : this.tool)) === "black" ? -1 : 1;
    const sign = by < 0 || (this.tool === "none" && !colour) ? Math.sign(now) : putting;
    if (now && sign !== Math.sign(now)) return this.onChange(say("edit.other_colour"));
    const count = Math.min(MOST, Math.max(0, Math.abs(now) + by));
    if (count !== Math.abs(now)) this.change(() => this.put(name, sign * count));
  }

  // Move one checker; a single one of the other colour goes to the bar, two or more block the way.
  drag(from, to) {
    const [moved, there] = [Math.sign(this.signed(from)), this.signed(to)];
    if (!moved) return;
    const [kind, owner] = to.split("-");
    const colour = moved > 0 ? "white" : "black";
    const target = owner ? `${kind}-${colour}` : to; // whose half of the bar or whose tray is plain from the checker
    const hit = !owner && there === -moved;
    if (!owner && there * moved < 0 && !hit) return this.onChange(say("edit.other_colour"));
    this.change(() => {
      this.put(from, this.signed(from) - moved);
      if (hit) {
        const bar = `bar-${moved > 0 ? "black" : "white"}`;
        this.put(bar, this.signed(bar) - moved);
        this.put(to, 0);
      }
      this.put(target, this.signed(target) + moved);
    });
  }

  change(step) {
    this.steps.push(copy(this.position));
    step();
    this.redraw();
  }

  redraw() {
    this.view.showPosition(this.position);
    for (const [name, element] of this.spots) {
      const [kind, colour] = name.split("-");
      const signed = colour ? this.position[kind][colour === "white" ? 0 : 1] : this.position.points[Number(kind.slice(1)) - 1];
      const whose = colour ?? (signed > 0 ? "white" : signed < 0 ? "black" : "");
      const words = [colour ? say(`edit.${kind}`) : kind, whose ? say(whose) : "", String(Math.abs(signed))].filter(Boolean).join(" ");
      element.setAttribute("aria-valuenow", Math.abs(signed));
      element.setAttribute("aria-label", words);
    }
    this.onChange();
  }
}

function spotBox(name) {
  const half = FIELD.height / 2;
  const [kind, colour] = name.split("-");
  if (kind === "bar") return { x: BAR_X - BAR / 2, y: colour === "white" ? FIELD.y : MIDDLE, width: BAR, height: half };
  if (kind === "off") return { x: TRAY_X - TRAY / 2, y: colour === "white" ? MIDDLE + 130 : FIELD.y, width: TRAY, height: half - 130 };
  const place = Number(kind.slice(1));
  return { x: placeX(place) - POINT / 2, y: isTop(place) ? 0 : MIDDLE + 20, width: POINT, height: half + FRAME - 20 };
}
