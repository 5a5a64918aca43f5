// Entering a throw in two taps: one die, then the other.

import { dieFace } from "./board.js";
import { node } from "./panel.js";
import { say } from "./texts.js";

/** Six faces in `host`; the second tap calls `set([first, second])`. `opening()` tells whether the first die is White's. */
export class RollPad {
  constructor(host, words, { set, opening }) {
    this.words = words;
    this.opening = opening;
    this.first = null;
    host.replaceChildren(
      ...[1, 2, 3, 4, 5, 6].map((face) => {
        const button = node("button", "face", dieFace(face));
        button.type = "button";
        button.dataset.face = face;
        button.setAttribute("aria-label", String(face));
        button.addEventListener("click", () => {
          if (this.first === null) {
            this.first = face;
          } else {
            set([this.first, face]);
            this.first = null;
          }
          this.draw();
        });
        return button;
      }),
    );
    this.cancel = node("button", "cancel", "✕");
    this.cancel.type = "button";
    this.cancel.setAttribute("aria-label", say("cancel"));
    this.cancel.addEventListener("click", () => {
      this.first = null;
      this.draw();
    });
    host.append(this.cancel);
    this.host = host;
    this.draw();
  }

  draw() {
    const whose = this.opening() ? "opening" : "turn";
    this.words.textContent = this.first === null ? say(`roll.first_${whose}`) : say(`roll.second_${whose}`, { first: this.first });
    this.cancel.disabled = this.first === null;
    for (const button of this.host.querySelectorAll(".face")) button.setAttribute("aria-pressed", Number(button.dataset.face) === this.first);
  }
}
