// The clock between two messages: counted on from the moment the message speaks of.

/** Reserves and delay left at `utcMs`, in milliseconds. */
export function reservesAt(clock, utcMs) {
  const left = { white: clock.white_ms, black: clock.black_ms, delay: clock.delay_ms_left };
  if (!clock.running) return left;
  const passed = Math.max(0, utcMs - Date.parse(clock.asof_utc));
  left.delay = Math.max(0, clock.delay_ms_left - passed);
  left[clock.running] = Math.max(0, left[clock.running] - Math.max(0, passed - clock.delay_ms_left));
  return left;
}

/** m:ss as players read it: the last second shows 0:01, zero only when nothing is left; tenths under ten seconds. */
export function clockText(ms) {
  if (ms > 0 && ms < 10_000) return (Math.ceil(ms / 100) / 10).toFixed(1);
  const seconds = Math.ceil(ms / 1000);
  const pad = (n) => String(n).padStart(2, "0");
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return h ? `${h}:${pad(m)}:${pad(s)}` : `${m}:${pad(s)}`;
}
