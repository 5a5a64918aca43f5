// Correct the position: tap a place or use the keys, on the board itself.

import { draw } from "./board.js";
import { BAR, BAR_X, FIELD, FRAME, MIDDLE, POINT, SIZE, TRAY, TRAY_X, isTop, placeX } from "./places.js";
import { say } from "./texts.js";

const MOST = 15;
// Around the board as the arrows travel: p1 .. p24, then the bar and the trays.
const PLACES = [...Array.from({ length: 24 }, (_, i) => `p${i + 1}`), "bar-white", "bar-black", "off-white", "off-black"];

const copy = ({ points, bar, off }) => ({ points: [...points], bar: [...bar], off: [...off] });
const total = ({ points, bar, off }, c) => points.reduce((sum, n) => sum + Math.max(0, c === 0 ? n : -n), 0) + bar[c] + off[c];

/** Edits a copy of a position on a board view; `onChange` after each step. */
export class Editor {
  constructor(view, onChange) {
    this.view = view;
    this.onChange = onChange;
    this.tool = "white";
    this.spots = new Map();
  }

  open(position) {
    this.start = copy(position);
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
    this.position = copy(position);
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
    element.addEventListener("click", () => {
      this.step(name, this.tool === "none" ? -1 : 1);
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

  // Put or take checkers; putting a colour on the other's point replaces them.
  step(name, by) {
    const within = (n) => Math.min(MOST, Math.max(0, n));
    const [kind, colour] = name.split("-");
    if (colour) {
      const c = colour === "white" ? 0 : 1;
      this.position[kind][c] = within(this.position[kind][c] + by);
    } else {
      const i = Number(kind.slice(1)) - 1;
      const now = this.position.points[i];
      const sign = by < 0 || this.tool === "none" ? Math.sign(now) : this.tool === "black" ? -1 : 1;
      const kept = Math.sign(now) === sign ? Math.abs(now) : 0;
      this.position.points[i] = sign * within(kept + by);
    }
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
