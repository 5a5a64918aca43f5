// Setting one player's clock: what stands in the field is either typed now, or the running clock and a step from it.

import { clockText } from "./clock.js";
import { node } from "./panel.js";
import { say } from "./texts.js";

const STEPS = [["-60000", "−1:00"], ["-10000", "−0:10"], ["field", ""], ["10000", "+0:10"], ["60000", "+1:00"]];

/** m:ss of a reserve, whole seconds. */
export function minutesText(ms) {
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** Milliseconds of "7", "7:5" or "7:05"; null when it is no time. */
export function readMinutes(text) {
  const found = /^\s*(\d{1,3})(?::([0-5]?\d))?\s*$/.exec(text);
  return found ? (Number(found[1]) * 60 + Number(found[2] ?? 0)) * 1000 : null;
}

/**
 * One side's form. `reserve()` is the clock at this moment in milliseconds, or null;
 * `set(words, order)` asks and then sends what `order()` gives; `refuse(words)` shows why nothing was sent.
 */
export class ClockForm {
  constructor(form, side, { reserve, set, refuse }) {
    this.side = side;
    this.reserve = reserve;
    this.step = 0;
    this.field = node("input", "");
    Object.assign(this.field, { name: side, inputMode: "numeric", maxLength: 6, autocomplete: "off" });
    this.field.setAttribute("aria-label", say("group.clock_of", { side: say(side) }));
    this.button = node("button", "", say("order.set"));
    form.append(node("span", `disc ${side}`), ...STEPS.map(([by, words]) => (by === "field" ? this.field : this.stepper(Number(by), words))), this.button);
    this.field.addEventListener("input", () => {
      this.step = 0;
      this.tick();
    });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const [from, to, typed] = [this.reserve(), this.target(), this.field.value];
      const step = this.step;
      this.clear();
      if (to === null) return refuse(say("order.no_time", { typed }));
      const order = () => ({ verb: "set_clock", [`${side}_ms`]: Math.round(step ? this.stepped(step) : to) });
      set(say("sure.set_clock", { side: say(side), from: from === null ? "?" : minutesText(from), to: minutesText(to) }), order);
    });
    this.tick();
  }

  stepper(by, words) {
    const button = node("button", "step", words);
    button.type = "button";
    button.addEventListener("click", () => {
      const typed = this.step ? null : readMinutes(this.field.value);
      if (typed === null) this.step += by;
      else this.field.value = minutesText(Math.max(0, typed + by));
      this.tick();
    });
    return button;
  }

  stepped(step) {
    return Math.max(0, (this.reserve() ?? 0) + step);
  }

  target() {
    return this.step ? this.stepped(this.step) : readMinutes(this.field.value);
  }

  /** Forget what was entered; the clock as it stands shines through the empty field. */
  clear() {
    this.step = 0;
    this.field.value = "";
    this.tick();
  }

  /** Follow the running clock. */
  tick() {
    const now = this.reserve();
    this.field.placeholder = now === null ? "" : clockText(now);
    if (this.step) this.field.value = minutesText(this.stepped(this.step));
    this.button.disabled = !this.field.value;
  }
}
