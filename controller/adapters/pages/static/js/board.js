// The board as a picture: static wood and felt below, checkers, dice and cube that move above.

import { BAR, BAR_X, CHECKER, EDGE, FIELD, FRAME, MIDDLE, POINT, SIZE, TRAY, TRAY_X, barAt, checkerAt, isTop, offAt, ownNumber, placeX, spread, surfaceAt } from "./places.js";

const NS = "http://www.w3.org/2000/svg";
const DIE = 84;
const COLOURS = ["white", "black"];
const PIPS = { 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };

/** An SVG element with attributes and children. */
export function draw(name, attributes = {}, ...children) {
  const element = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

const stop = (offset, colour) => draw("stop", { offset, "stop-color": colour });

function paints() {
  const radial = (id, ...stops) => draw("radialGradient", { id, cx: "38%", cy: "32%", r: "75%" }, ...stops);
  return draw(
    "defs",
    {},
    draw("linearGradient", { id: "wood", x1: 0, y1: 0, x2: 1, y2: 1 }, stop(0, "#7a4a26"), stop(0.35, "#5d3519"), stop(0.6, "#70431f"), stop(1, "#43240f")),
    draw("linearGradient", { id: "bar", x1: 0, x2: 1 }, stop(0, "#3c200e"), stop(0.5, "#6b3f1e"), stop(1, "#3c200e")),
    draw("radialGradient", { id: "felt", cx: "50%", cy: "50%", r: "75%" }, stop(0, "#2c6650"), stop(1, "#1b4335")),
    radial("white", stop(0, "#fffaf0"), stop(0.6, "#f1e3c6"), stop(1, "#cfb78c")),
    radial("black", stop(0, "#5b4a45"), stop(0.6, "#2b2120"), stop(1, "#120d0c")),
    radial("ivory", stop(0, "#ffffff"), stop(1, "#e4d8bf")),
    radial("onyx", stop(0, "#4a4550"), stop(1, "#1c1920")),
    draw(
      "filter",
      { id: "grain", x: 0, y: 0, width: "100%", height: "100%" },
      draw("feTurbulence", { type: "fractalNoise", baseFrequency: "0.012 0.22", numOctaves: 3, seed: 7 }),
      draw("feColorMatrix", { values: "0 0 0 0 0.1  0 0 0 0 0.04  0 0 0 0 0  0.9 0 0 0 -0.34" }),
      draw("feComposite", { in2: "SourceGraphic", operator: "in" }),
    ),
  );
}

function tablePicture(plain) {
  const { x, y, width, height } = FIELD;
  const half = 6 * POINT;
  const grain = (attributes) => (plain ? [] : [draw("rect", { ...attributes, filter: "url(#grain)" })]);
  const wood = (attributes) => [draw("rect", { ...attributes, fill: "url(#wood)" }), ...grain(attributes)];
  const points = [];
  for (let place = 1; place <= 24; place += 1) {
    const [rim, tip] = isTop(place) ? [y, y + 490] : [y + height, y + height - 490];
    const centre = placeX(place);
    points.push(draw("path", { d: `M${centre - 48} ${rim}L${centre} ${tip}L${centre + 48} ${rim}Z`, class: place % 2 ? "point light" : "point dark" }));
  }
  const hinge = (at) => draw("rect", { x: BAR_X - 9, y: at, width: 18, height: 70, rx: 4, class: "hinge" });
  return draw(
    "g",
    {},
    ...wood({ x: 0, y: 0, width: SIZE.width, height: SIZE.height, rx: 22 }),
    draw("rect", { x, y, width: half, height, fill: "url(#felt)" }),
    draw("rect", { x: x + half + BAR, y, width: half, height, fill: "url(#felt)" }),
    ...points,
    draw("rect", { x: x + half, y: 8, width: BAR, height: SIZE.height - 16, fill: "url(#bar)" }),
    hinge(y + 210),
    hinge(y + height - 280),
    ...[x, x + half + BAR].map((left) => draw("rect", { x: left, y, width: half, height, class: "inlay" })),
    ...[y, MIDDLE + 130].map((top) => draw("rect", { x: TRAY_X - TRAY / 2, y: top, width: TRAY, height: height / 2 - 130, rx: 8, class: "tray" })),
  );
}

function checkerPicture(colour) {
  const r = CHECKER / 2;
  return draw(
    "g",
    { class: `checker ${colour}` },
    draw("circle", { r: r + 1, cx: 3, cy: 5, class: "shade" }),
    draw("circle", { r, fill: `url(#${colour})`, class: "rim" }),
    draw("circle", { r: r * 0.72, class: "groove" }),
    draw("circle", { r: r * 0.45, class: "groove" }),
    draw("circle", { r: r + 2, class: "fresh-ring" }),
  );
}

function dieChildren(value) {
  const s = DIE;
  const spots = PIPS[value] ?? [];
  return [
    draw("rect", { x: -s / 2 + 4, y: -s / 2 + 6, width: s, height: s, rx: 17, class: "shade" }),
    draw("rect", { x: -s / 2, y: -s / 2, width: s, height: s, rx: 17, class: "face" }),
    ...spots.map((spot) => draw("circle", { cx: ((spot % 3) - 1) * 23, cy: (Math.floor(spot / 3) - 1) * 23, r: 8.5, class: "pip" })),
    ...(value ? [] : [draw("text", { class: "unknown", y: 20 }, "?")]),
  ];
}

/** Draws one board into `host`; `show` again whenever something changed. `plain`: small, without the wood's grain. */
export class BoardView {
  constructor(host, { plain = false } = {}) {
    this.pieces = { white: [], black: [] }; // {element, slot}
    this.numbers = new Map();
    this.fixed = draw("svg", { viewBox: `0 0 ${SIZE.width} ${SIZE.height}`, class: "fixed", "aria-hidden": "true" }, paints(), tablePicture(plain));
    this.labels = draw("g", { class: "numbers" });
    for (let place = 1; place <= 24; place += 1) {
      const label = draw("text", { x: placeX(place), y: isTop(place) ? FRAME - 13 : SIZE.height - 13 });
      this.numbers.set(place, label);
      this.labels.append(label);
    }
    this.off = draw("g", { class: "off" });
    this.checkers = draw("g");
    this.badges = draw("g", { class: "badges" });
    this.dice = draw("g", { class: "dice" });
    this.cube = draw("g", { class: "cube" });
    this.over = draw("g", { class: "over" });
    this.svg = draw(
      "svg",
      { viewBox: `0 0 ${SIZE.width} ${SIZE.height}`, class: "moving", role: "img" },
      paints(), this.labels, this.off, this.checkers, this.badges, this.cube, this.dice, this.over,
    );
    host.classList.add("board");
    host.replaceChildren(this.fixed, this.svg);
  }

  /** Show a state message; `match` tells the numbering and the cube. */
  show(state, match) {
    this.showNumbers(state?.side, match?.game);
    if (state) {
      this.showPosition(state.position);
      this.showDice(state);
    }
    this.showCube(match?.cube);
  }

  /** Show only checkers, as the correction editor and the hypotheses do. */
  showPosition({ points, bar, off }) {
    COLOURS.forEach((colour, c) => {
      const sign = c === 0 ? 1 : -1;
      const slots = [];
      points.forEach((signed, i) => {
        const count = Math.max(0, sign * signed);
        for (let k = 0; k < count; k += 1) slots.push({ key: `p${i + 1}.${k}`, at: checkerAt(i + 1, k, count) });
      });
      for (let k = 0; k < bar[c]; k += 1) slots.push({ key: `bar.${k}`, at: barAt(colour, k, bar[c]) });
      for (let k = 0; k < off[c]; k += 1) slots.push({ key: `off.${k}`, at: offAt(colour, k), off: true });
      this.settle(colour, slots);
    });
    this.badges.replaceChildren(...points.flatMap((signed, i) => this.badge(signed, i + 1)));
    this.off.replaceChildren(
      ...COLOURS.flatMap((colour, c) =>
        Array.from({ length: off[c] }, (_, k) => {
          const { x, y } = offAt(colour, k);
          return draw("rect", { x: x - 50, y: y - EDGE / 2, width: 100, height: EDGE, rx: 7, class: `edge ${colour}` });
        }),
      ),
    );
    this.svg.dataset.position = points.join(",");
  }

  /** Frame the points where this position differs from `before`. */
  markChanges(before, { points }) {
    const changed = points.flatMap((signed, i) => (signed === before.points[i] ? [] : [i + 1]));
    this.over.replaceChildren(
      ...changed.map((place) => {
        const y = isTop(place) ? FIELD.y : MIDDLE + 40;
        return draw("rect", { x: placeX(place) - POINT / 2, y, width: POINT, height: FIELD.height / 2 - 40, rx: 12, class: "changed" });
      }),
    );
  }

  // Keep each checker that need not move, let the others travel from where they are.
  settle(colour, slots) {
    const wanted = new Map(slots.map((slot) => [slot.key, slot]));
    const staying = new Map();
    const free = [];
    for (const piece of this.pieces[colour]) {
      if (wanted.has(piece.key) && !staying.has(piece.key)) staying.set(piece.key, piece);
      else free.push(piece);
    }
    const first = this.pieces[colour].length === 0;
    const arrivals = slots.filter((slot) => !staying.has(slot.key));
    const moved = arrivals.length > 0;
    for (const slot of arrivals) {
      const piece = free.pop() ?? { element: checkerPicture(colour) };
      piece.element.style.transform ||= `translate(${slot.at.x}px, ${slot.at.y}px)`; // a new one appears in place
      piece.key = slot.key;
      this.checkers.append(piece.element); // on top of its new column
      staying.set(slot.key, piece);
    }
    for (const gone of free) gone.element.remove();
    if (moved && !first) this.checkers.getBoundingClientRect(); // or the browser would skip the journey
    const fresh = new Set(first || arrivals.length > 4 ? [] : arrivals.map((slot) => slot.key));
    this.pieces[colour] = slots.map((slot) => {
      const piece = staying.get(slot.key);
      piece.element.style.transform = `translate(${slot.at.x}px, ${slot.at.y}px)`;
      piece.element.classList.toggle("borne-off", Boolean(slot.off));
      if (moved) piece.element.classList.toggle("fresh", fresh.has(slot.key) && !slot.off);
      return piece;
    });
    if (moved && !first) for (const other of this.pieces[colour === "white" ? "black" : "white"]) other.element.classList.remove("fresh");
  }

  // The number on a tall column; the same number stays the same element, a new one waits for the checkers to arrive.
  badge(signed, place) {
    const count = Math.abs(signed);
    if (count <= 5) return [];
    const key = `${place}:${signed}`;
    const standing = [...this.badges.children].find((text) => text.dataset.key === key);
    if (standing) return [standing];
    const { x, y } = checkerAt(place, count - 1, count);
    return [draw("text", { x, y: y + 15, class: signed > 0 ? "on-white" : "on-black", "data-key": key }, String(count))];
  }

  showDice({ dice, roll, side, phase }) {
    const home = side === "black" ? 0.24 : 0.76;
    const lying = dice.length ? dice : (roll ?? []).map((value, i) => ({ value, u: home + (i - 0.5) * 0.09, v: 0.5, state: "flat" }));
    const shown = phase === "game_over" || phase === "match_over" ? [] : lying;
    const onBoard = (share) => Math.min(1.03, Math.max(-0.03, share));
    const spots = spread(shown.map(({ u, v }) => surfaceAt(onBoard(u), onBoard(v))), DIE * 1.2);
    const before = [...this.dice.children];
    this.dice.replaceChildren(...shown.map((die, i) => this.die(die, side, spots[i], before[i])));
  }

  // The same die seen again stays the same element, where it lay: camera noise must not make it flicker or wander.
  die({ value, u, v, state }, side, { x, y }, before) {
    const look = `die ${side ?? "white"} ${state}`;
    const face = String(value ?? "?");
    if (before?.dataset.value === face && Math.hypot(before.dataset.x - x, before.dataset.y - y) < DIE / 4) {
      before.setAttribute("class", look);
      return before;
    }
    const turn = ((u * 733 + v * 419) % 50) - 25;
    const transform = `translate(${x} ${y}) rotate(${turn})`;
    return draw("g", { class: look, transform, "data-value": face, "data-x": x, "data-y": y }, ...dieChildren(value));
  }

  showCube(cube) {
    if (!cube) {
      this.cube.replaceChildren();
      return;
    }
    const held = cube.offered_by ? 0 : { white: 74, black: -74 }[cube.owner] ?? 0;
    const face = cube.value === 1 ? 64 : cube.value;
    const s = 88;
    this.cube.replaceChildren(
      draw("rect", { x: TRAY_X - s / 2 + 3, y: MIDDLE + held - s / 2 + 5, width: s, height: s, rx: 12, class: "shade" }),
      draw("rect", { x: TRAY_X - s / 2, y: MIDDLE + held - s / 2, width: s, height: s, rx: 12, class: cube.offered_by ? "face offered" : "face" }),
      draw("text", { x: TRAY_X, y: MIDDLE + held + 17 }, String(face)),
    );
  }

  showNumbers(side, game) {
    for (const [place, label] of this.numbers) label.textContent = ownNumber(place, side, game);
  }
}
