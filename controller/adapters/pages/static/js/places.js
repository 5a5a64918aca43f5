// Where things are on the drawn board, in its own units: a point is 100 wide.

export const POINT = 100;
export const CHECKER = 92;
export const FRAME = 46;
export const BAR = 108;
export const TRAY = 124;
export const FIELD = { x: FRAME, y: FRAME, width: 12 * POINT + BAR, height: 1180 };
export const SIZE = { width: FIELD.x + FIELD.width + FRAME + TRAY + 26, height: FIELD.height + 2 * FRAME };
export const MIDDLE = FIELD.y + FIELD.height / 2;
export const BAR_X = FIELD.x + 6 * POINT + BAR / 2;
export const TRAY_X = FIELD.x + FIELD.width + FRAME + TRAY / 2;
export const EDGE = 29; // a borne-off checker seen from the side

const STACK = 520; // the highest a column may grow

/** Centre line of place p1..p24: p1 bottom right, p12 bottom left, p13 top left, p24 top right. */
export function placeX(place) {
  const column = place <= 12 ? 12 - place : place - 13; // 0 at the left
  return FIELD.x + column * POINT + POINT / 2 + (column >= 6 ? BAR : 0);
}

export const isTop = (place) => place >= 13;

/** Centre of checker `index` (0 at the rim) in a column of `count`. */
export function checkerAt(place, index, count) {
  const gap = Math.min(CHECKER, (STACK - CHECKER) / Math.max(1, count - 1));
  const away = CHECKER / 2 + 3 + index * gap;
  return { x: placeX(place), y: isTop(place) ? FIELD.y + away : FIELD.y + FIELD.height - away };
}

/** Centre of checker `index` on the bar; white waits above the middle, black below. */
export function barAt(colour, index, count) {
  const gap = Math.min(CHECKER, 420 / Math.max(1, count));
  const away = CHECKER * 0.75 + index * gap;
  return { x: BAR_X, y: colour === "white" ? MIDDLE - away : MIDDLE + away };
}

/** Centre of borne-off checker `index`, lying on its edge in the tray. */
export function offAt(colour, index) {
  const away = EDGE / 2 + 6 + index * (EDGE + 1);
  return { x: TRAY_X, y: colour === "white" ? FIELD.y + FIELD.height - away : FIELD.y + away };
}

/** The mover's own number of a place: players count 24 to 1 along their own way. */
export function ownNumber(place, side, game) {
  if (side !== "black") return place;
  const sameWayRound = game === "long" || game === "khachapuri";
  return sameWayRound ? ((place + 11) % 24) + 1 : 25 - place;
}

/** A point of the playing surface (u to the right, v up) in drawing units. */
export function surfaceAt(u, v) {
  return { x: FIELD.x + u * FIELD.width, y: FIELD.y + (1 - v) * FIELD.height };
}

/** Move spots that lie closer than `least` apart, each pair along its own line: drawn dice are larger than real ones. */
export function spread(spots, least) {
  const moved = spots.map(({ x, y }) => ({ x, y }));
  for (let round = 0; round < 4; round += 1) {
    for (let i = 0; i < moved.length; i += 1) {
      for (let j = i + 1; j < moved.length; j += 1) {
        const [dx, dy] = [moved[j].x - moved[i].x, moved[j].y - moved[i].y];
        const apart = Math.hypot(dx, dy);
        if (apart >= least) continue;
        const [ux, uy] = apart > 1 ? [dx / apart, dy / apart] : [1, 0];
        const push = (least - apart) / 2;
        moved[i].x -= ux * push;
        moved[i].y -= uy * push;
        moved[j].x += ux * push;
        moved[j].y += uy * push;
      }
    }
  }
  return moved;
}
