// The board as a picture: static wood and felt below, checkers, dice and cube that move above.

import { differences, journeys } from "./plays.js";
import { BAR, BAR_X, CHECKER, EDGE, FIELD, FRAME, MIDDLE, POINT, SIZE, TRAY, TRAY_X, barAt, checkerAt, isTop, offAt, ownNumber, placeX, spread, surfaceAt } from "./places.js";

const NS = "http://www.w3.org/2000/svg";
const DIE = 84;
const COLOURS = ["white", "black"];
const STEP_MS = 450; // one step of one checker
const OVER = ["game_over", "match_over"];
const other = (colour) => (colour === "white" ? "black" : "white");
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

/** A die by itself, as a picture. */
export function dieFace(value) {
  return draw("svg", { viewBox: "-48 -48 96 96", class: "die-face", "aria-hidden": "true" }, draw("g", { class: "die plain" }, ...dieChildren(value)));
}

/**
 * Draws one board into `host`; `show` again whenever something changed. `plain`: small, without the wood's grain.
 * `numbers`: "both" players' own numbers of each point, which never change, or the "mover"'s alone.
 */
export class BoardView {
  constructor(host, { plain = false, numbers = plain ? "mover" : "both" } = {}) {
    this.pieces = { white: [], black: [] }; // {element, key, at}
    this.numbering = numbers;
    this.played = null; // the last play that was shown
    this.numbers = new Map();
    this.fixed = draw("svg", { viewBox: `0 0 ${SIZE.width} ${SIZE.height}`, class: "fixed", "aria-hidden": "true" }, paints(), tablePicture(plain));
    this.labels = draw("g", { class: "numbers" });
    for (let place = 1; place <= 24; place += 1) {
      const [x, y] = [placeX(place), isTop(place) ? FRAME - 13 : SIZE.height - 13];
      const both = this.numbering === "both";
      const label = draw("text", { x: both ? x - 23 : x, y, class: "of-white" });
      const theirs = draw("text", { x: x + 24, y, class: "of-black" });
      this.numbers.set(place, [label, theirs]);
      this.labels.append(label, ...(both ? [draw("rect", { x: x + 3, y: y - 26, width: 42, height: 32, rx: 9, class: "black-plate" }), theirs] : []));
    }
    this.off = draw("g", { class: "off" });
    this.checkers = draw("g");
    this.badges = draw("g", { class: "badges" });
    this.dice = draw("g", { class: "dice" });
    this.cube = draw("g", { class: "cube" });
    this.marks = draw("g", { class: "marks" });
    this.over = draw("g", { class: "over" });
    this.svg = draw(
      "svg",
      { viewBox: `0 0 ${SIZE.width} ${SIZE.height}`, class: "moving", role: "img" },
      paints(), this.labels, this.off, this.checkers, this.badges, this.cube, this.marks, this.dice, this.over,
    );
    host.classList.add("board");
    host.replaceChildren(this.fixed, this.svg);
  }

  /** Show a state message; `match` gives the numbering and the cube, `ruling` a void throw's dice and a refused play. */
  show(state, match, ruling = null) {
    this.showNumbers(state?.side, match?.game);
    if (state) {
      this.showPosition(state.position, this.newPlay(state, match));
      this.showDice(state, ruling);
    }
    this.showRefused(state, match, ruling);
    this.showCube(match?.cube);
  }

  // The last play of the list when it was not shown before; what was played before the page opened is not played again.
  newPlay({ last_plays: plays }, match) {
    const last = plays.at(-1);
    const name = `${match?.game_number ?? 0}:${last?.turn ?? 0}:${last?.notation ?? ""}`;
    const known = this.played === null || this.played === name;
    this.played = name;
    return known || !last?.notation ? null : { ...last, game: match?.game };
  }

  /** Show only checkers, as the correction editor and the hypotheses do. */
  showPosition({ points, bar, off }, play = null) {
    const wanted = COLOURS.map((colour, c) => {
      const sign = c === 0 ? 1 : -1;
      const slots = [];
      points.forEach((signed, i) => {
        const count = Math.max(0, sign * signed);
        for (let k = 0; k < count; k += 1) slots.push({ key: `p${i + 1}.${k}`, at: checkerAt(i + 1, k, count) });
      });
      for (let k = 0; k < bar[c]; k += 1) slots.push({ key: `bar.${k}`, at: barAt(colour, k, bar[c]) });
      for (let k = 0; k < off[c]; k += 1) slots.push({ key: `off.${k}`, at: offAt(colour, k), off: true });
      return slots;
    });
    const travels = play ? this.follow(play, wanted) : [];
    COLOURS.forEach((colour, c) => this.settle(colour, wanted[c]));
    this.travel(travels);
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

  // Move each checker along its own step of the notation; [] unless that gives exactly the wanted places.
  follow({ notation, side, game }, wanted) {
    const paths = journeys(notation, side, game);
    if (!paths) return [];
    const columns = Object.fromEntries(COLOURS.map((colour) => [colour, new Map()]));
    const column = (colour, key) => columns[colour].get(key) ?? columns[colour].set(key, []).get(key);
    for (const colour of COLOURS) for (const piece of this.pieces[colour]) column(colour, piece.key.split(".")[0]).push(piece);
    const travels = new Map();
    const leg = (piece, colour, key, begins) => {
      if (!travels.has(piece)) travels.set(piece, { piece, colour, from: piece.at, legs: [] });
      travels.get(piece).legs.push({ key, height: column(colour, key).length, begins });
      column(colour, key).push(piece);
    };
    let begins = 0;
    for (const [start, ...stops] of paths) {
      const piece = column(side, start).pop();
      if (!piece) return [];
      stops.forEach((key, i) => {
        if (i) column(side, stops[i - 1]).splice(column(side, stops[i - 1]).indexOf(piece), 1);
        leg(piece, side, key, begins);
        begins += STEP_MS;
        const hit = key.startsWith("p") ? column(other(side), key).pop() : null;
        if (hit) leg(hit, other(side), "bar", begins);
      });
    }
    const keys = new Map(COLOURS.flatMap((colour) => [...columns[colour]].flatMap(([key, pieces]) => pieces.map((piece, k) => [piece, `${key}.${k}`]))));
    const right = COLOURS.every((colour, c) => {
      const have = new Set(this.pieces[colour].map((piece) => keys.get(piece)));
      return have.size === wanted[c].length && wanted[c].every(({ key }) => have.has(key));
    });
    if (!right) return [];
    for (const [piece, key] of keys) piece.key = key;
    return [...travels.values()];
  }

  // Fly the checkers over the points of their steps, one after the other.
  travel(travels) {
    if (!travels.length) return;
    for (const colour of COLOURS) for (const { element } of this.pieces[colour]) element.classList.remove("fresh");
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    for (const { piece, colour, from, legs } of travels) {
      const ends = legs.at(-1).begins + STEP_MS;
      const at = ({ x, y }) => `translate(${x}px, ${y}px)`;
      const stop = ({ key, height }, i) => (i === legs.length - 1 ? piece.at : this.stopAt(colour, key, height));
      const frames = [{ transform: at(from), offset: 0 }];
      let last = from;
      legs.forEach((leg, i) => {
        frames.push({ transform: at(last), offset: leg.begins / ends, easing: "cubic-bezier(0.4, 0, 0.3, 1)" });
        last = stop(leg, i);
        frames.push({ transform: at(last), offset: (leg.begins + STEP_MS) / ends });
      });
      const { element } = piece;
      element.dataset.path = legs.map(({ key }) => key).join(" ");
      this.checkers.append(element);
      if (!piece.key.startsWith("off")) element.classList.add("fresh");
      if (still) continue;
      element.style.transition = `opacity 0.2s ${ends}ms`;
      element.animate(frames, { duration: ends }).finished.then(() => (element.style.transition = ""), () => {});
    }
  }

  stopAt(colour, key, height) {
    if (key === "bar") return barAt(colour, height, height + 1);
    if (key === "off") return offAt(colour, height);
    return checkerAt(Number(key.slice(1)), height, height + 1);
  }

  // A refused play in red: where each checker stood and where it was put, until the next ruling.
  showRefused(state, match, ruling) {
    const shown = ruling?.verdict === "refused" && ruling.subject === "play" && ruling.before && ruling.seen && !OVER.includes(state?.phase);
    if (!shown) return this.marks.replaceChildren();
    const { before, seen, side, roll } = ruling;
    const sign = side === "black" ? -1 : 1;
    const taken = new Map();
    const put = new Map();
    const c = side === "black" ? 1 : 0;
    const count = (key) => (key === "bar" ? before.bar[c] : key === "off" ? before.off[c] : Math.max(0, sign * before.points[Number(key.slice(1)) - 1]));
    const next = (map, key) => map.set(key, (map.get(key) ?? 0) + 1).get(key);
    this.marks.replaceChildren(
      ...differences(before, seen, side, match?.game, roll).flatMap(([from, to]) => {
        const a = from.startsWith("p") ? checkerAt(Number(from.slice(1)), count(from) - next(taken, from), count(from)) : this.stopAt(side, from, 0);
        const b = this.stopAt(side, to, count(to) - 1 + next(put, to));
        const middle = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 + (a.y > MIDDLE ? -130 : 130) };
        return [
          draw("circle", { cx: a.x, cy: a.y, r: CHECKER / 2 - 3, class: "refused-from" }),
          draw("path", { d: `M${a.x} ${a.y}Q${middle.x} ${middle.y} ${b.x} ${b.y}`, class: "refused-way" }),
          draw("circle", { cx: b.x, cy: b.y, r: CHECKER / 2 - 3, class: "refused-to", "data-from": from, "data-to": to }),
          draw("path", { d: `M${b.x - 18} ${b.y - 18}l36 36m0 -36l-36 36`, class: "refused-cross" }),
        ];
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
      piece.at = slot.at;
      piece.element.dataset.place = slot.key;
      piece.element.classList.toggle("borne-off", Boolean(slot.off));
      if (moved) piece.element.classList.toggle("fresh", fresh.has(slot.key) && !slot.off);
      return piece;
    });
    if (moved && !first) for (const { element } of this.pieces[other(colour)]) element.classList.remove("fresh");
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

  showDice({ dice, roll, side, phase, turn }, ruling) {
    const home = side === "black" ? 0.24 : 0.76;
    const thrown = ruling?.verdict === "re_roll" && ["to_throw", "opening", "paused"].includes(phase) ? (ruling.dice ?? []) : [];
    const nominal = (roll ?? []).map((value, i) => ({ value, u: home + (i - 0.5) * 0.09, v: 0.5, state: "flat" }));
    const lying = dice.length ? dice : thrown.length ? thrown : nominal;
    const shown = OVER.includes(phase) ? [] : lying;
    const isVoid = lying === thrown;
    // In an opening throw each player has one die, in the half to their right.
    const opening = !side || (turn <= 1 && shown.length === 2 && shown[0].u < 0.5 !== shown[1].u < 0.5);
    const onBoard = (share) => Math.min(1.03, Math.max(-0.03, share));
    const spots = spread(shown.map(({ u, v }) => surfaceAt(onBoard(u), onBoard(v))), DIE * 1.2);
    const before = [...this.dice.children];
    this.dice.replaceChildren(
      ...shown.map((die, i) => this.die(die, `${opening ? (die.u < 0.5 ? "black" : "white") : side}${isVoid ? " void" : ""}`, spots[i], before)),
    );
  }

  // The same die seen again stays the same element, where it lay: camera noise must not make it flicker or wander.
  die({ value, u, v, state }, whose, { x, y }, before) {
    const look = `die ${whose} ${state}`;
    const face = String(value ?? "?");
    const near = ({ dataset }) => Math.hypot(dataset.x - x, dataset.y - y) < DIE / 4;
    const same = before.findIndex((element) => element.dataset.value === face && near(element));
    if (same >= 0) {
      const [kept] = before.splice(same, 1);
      kept.setAttribute("class", look);
      return kept;
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
    const face = cube.offered_by ? (cube.offered_value ?? cube.value * 2) : cube.value;
    const s = 88;
    this.cube.replaceChildren(
      draw("rect", { x: TRAY_X - s / 2 + 3, y: MIDDLE + held - s / 2 + 5, width: s, height: s, rx: 12, class: "shade" }),
      draw("rect", { x: TRAY_X - s / 2, y: MIDDLE + held - s / 2, width: s, height: s, rx: 12, class: cube.offered_by ? "face offered" : "face" }),
      draw("text", { x: TRAY_X, y: MIDDLE + held + 17 }, String(face)),
    );
  }

  showNumbers(side, game) {
    for (const [place, [label, theirs]] of this.numbers) {
      label.textContent = ownNumber(place, this.numbering === "both" ? "white" : side, game);
      theirs.textContent = ownNumber(place, "black", game);
    }
  }
}
