// Orders to the referee: HTTP with the arbiter's session; the words of the answer are shown.

import { say, spoken } from "./texts.js";

const SHOWN_MS = 6000;
let hideTimer = 0;

/** The arbiter's session: {open, live}, where `live` is the key to undelayed messages, or null. */
export async function session() {
  const response = await fetch("/api/session");
  return response.ok ? response.json() : { open: false, live: null };
}

/** Try a PIN; returns the words of the refusal, or "" when signed in. */
export async function enter(pin) {
  const response = await post("/api/session", { pin });
  return response.ok ? "" : spoken((await response.json()).texts);
}

/** End the session of this browser. */
export async function leave() {
  await fetch("/api/session", { method: "DELETE" });
}

/** Send one order and show the answer. Calls `onClosed` when the session is gone. */
export async function order(command, onClosed) {
  let response, reply;
  try {
    response = await post("/api/command", command);
    reply = await response.json();
  } catch {
    showAnswer(say("order.unreached"), false);
    return false;
  }
  showAnswer(spoken(reply.texts), reply.done);
  if (response.status === 401) onClosed();
  return reply.done;
}

function post(path, body) {
  return fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
}

/** Show the words of an answer for a while. */
export function showAnswer(words, done) {
  const box = document.getElementById("answer");
  box.textContent = words;
  box.className = `answer ${done ? "good" : "bad"}`;
  box.hidden = false;
  clearTimeout(hideTimer);
  hideTimer = setTimeout(() => (box.hidden = true), SHOWN_MS);
}

/** Ask "sure?" with room for a note, which some orders need; resolves to the note, or null for no. */
export function sure(words, needsReason = false) {
  const dialog = document.getElementById("sure");
  document.getElementById("sure-words").textContent = words;
  const note = dialog.querySelector("input");
  note.value = "";
  note.required = needsReason;
  document.getElementById("note-words").textContent = say(needsReason ? "reason" : "note");
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.querySelector("form").onsubmit = ({ submitter }) => resolve(submitter.value === "yes" ? note.value : null);
    dialog.oncancel = () => resolve(null);
  });
}
