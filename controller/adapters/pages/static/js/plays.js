// A written play as steps over the drawn board.

import { ownNumber } from "./places.js";

/** Key of the mover's own point `name` ("bar", "off" or a number): "bar", "off" or "p1".."p24". */
function placeKey(name, side, game) {
  if (name === "bar" || name === "off") return name;
  for (let place = 1; place <= 24; place += 1) if (ownNumber(place, side, game) === Number(name)) return `p${place}`;
  return null;
}

/**
 * The journeys of "24/21/20 7/5*(2)": one list of place keys a checker, in the order of the notation;
 * null when it cannot be read.
 */
export function journeys(notation, side, game) {
  const found = [];
  for (const word of notation.trim().split(/\s+/)) {
    const [, path, times] = /^([^()]+)(?:\((\d)\))?$/.exec(word) ?? [];
    if (!path) return null;
    const stops = path.split("/").map((stop) => placeKey(stop.replace("*", "").toLowerCase(), side, game));
    if (stops.length < 2 || stops.includes(null)) return null;
    for (let i = 0; i < Number(times ?? 1); i += 1) found.push(stops);
  }
  return found;
}

/** What `side` moved from `before` to `seen`: pairs of place keys, farthest first, fitted to the dice where they fit. */
export function differences(before, seen, side, game, roll) {
  const sign = side === "black" ? -1 : 1;
  const own = (signed) => Math.max(0, sign * signed);
  const c = side === "black" ? 1 : 0;
  const [left, reached] = [[], []];
  const note = (key, number, change) => {
    for (let i = 0; i < Math.abs(change); i += 1) (change < 0 ? left : reached).push({ key, number });
  };
  note("bar", 25, seen.bar[c] - before.bar[c]);
  for (let place = 1; place <= 24; place += 1) note(`p${place}`, ownNumber(place, side, game), own(seen.points[place - 1]) - own(before.points[place - 1]));
  note("off", 0, seen.off[c] - before.off[c]);
  left.sort((a, b) => b.number - a.number);
  reached.sort((a, b) => b.number - a.number);
  const steps = [...(roll ?? []), ...(roll ? [roll[0] + roll[1]] : [])];
  return left.flatMap(({ key, number }) => {
    const fits = reached.findIndex((target) => steps.includes(number - target.number));
    const [target] = reached.splice(Math.max(0, fits), 1);
    return target ? [[key, target.key]] : [];
  });
}
