// The case before the arbiter: what was seen, what the rule says, which hypotheses explain it.

import { BoardView } from "./board.js";
import { node } from "./panel.js";
import { say, spoken } from "./texts.js";

/** Draw the ruling's evidence into `host`; `decide(verb, hypothesis)` is called by its buttons. */
export function drawCase(host, ruling, game, decide) {
  if (!ruling) {
    host.replaceChildren();
    delete host.dataset.ruling;
    return;
  }
  host.dataset.ruling = ruling.id;
  host.replaceChildren(
    ...[reason(ruling), pictures(ruling), boards(ruling, game), hypotheses(ruling, game, decide), buttons(ruling, decide)].filter(Boolean),
  );
}

function reason({ clause, source, would_be_legal: legal, decided_by: by }) {
  const lines = [
    clause ? say("case.clause", { clause: clause.en ? spoken(clause) : clause, source: source ?? "" }) : "",
    legal.length ? say("case.legal", { plays: legal.slice(0, 6).join("  ·  ") }) : "",
    by === "arbiter" ? say("case.by_arbiter") : "",
  ].filter(Boolean);
  return lines.length ? node("div", "reason", ...lines.map((line) => node("p", "", line))) : null;
}

function pictures({ pictures: taken, subject }) {
  if (!taken.length) return null;
  const shown = (each) => picture(each, each.die ? "close-up" : "");
  return node(
    "div",
    `pictures ${subject}`,
    ...taken.filter(({ die }) => !die).map(shown),
    node("div", "dice-seen", ...taken.filter(({ die }) => die).map(shown)),
  );
}

function picture({ url, texts }, look) {
  const link = node("a", look);
  const image = node("img", "");
  image.src = url;
  image.alt = spoken(texts) || say("case.picture");
  image.loading = "lazy";
  link.href = url;
  link.target = "_blank";
  link.append(image);
  if (texts) link.append(node("span", "", spoken(texts)));
  return link;
}

function small(position, before, side, game, caption) {
  const host = node("div", "");
  const view = new BoardView(host, { plain: true });
  view.showNumbers(side, game);
  view.showPosition(position);
  if (before) view.markChanges(before, position);
  return node("figure", "small", node("figcaption", "", caption), host);
}

function boards({ before, seen, side }, game) {
  const shown = [before && small(before, null, side, game, say("case.before")), seen && small(seen, before, side, game, say("case.seen"))].filter(Boolean);
  return shown.length ? node("div", "boards", ...shown) : null;
}

function hypotheses({ hypotheses: ranked, verdict, side, before }, game, decide) {
  if (!ranked.length) return null;
  return node(
    "ol",
    "hypotheses",
    ...ranked.map((hypothesis, i) => {
      const percent = `${Math.round(hypothesis.probability * 100)} %`;
      const bar = node("i", "");
      bar.style.width = `${hypothesis.probability * 100}%`;
      const words = node(
        "div",
        "about",
        node("strong", "", hypothesis.notation ?? (hypothesis.roll ? hypothesis.roll.join("-") : say("no_play"))),
        node("span", "share", percent),
        node("span", hypothesis.legal ? "legal" : "illegal", say(hypothesis.legal ? "case.is_legal" : "case.is_illegal")),
        node("div", "odds", bar),
      );
      if (hypothesis.texts) words.append(node("p", "", spoken(hypothesis.texts)));
      const line = node("li", "", words);
      if (hypothesis.position) line.prepend(small(hypothesis.position, before, side, game, ""));
      if (verdict === "please_look") line.append(button(say("case.this_one"), "main", () => decide("confirm", i)));
      return line;
    }),
  );
}

function buttons({ verdict, subject }, decide) {
  const offers = {
    please_look: [["refuse", "", "case.none"]],
    accepted: [["refuse", "", "case.overrule_refuse"]],
    valid: [["refuse", "", "case.overrule_void"]],
    refused: [["confirm", "", "case.overrule_accept"]],
    re_roll: [["confirm", "", "case.overrule_valid"]],
  }[verdict];
  const none = subject === "throw" && verdict === "please_look" ? "case.none_throw" : null;
  return node("p", "row", ...offers.map(([verb, look, key]) => button(say(none ?? key), look, () => decide(verb, 0))));
}

function button(words, look, onClick) {
  const element = node("button", look, words);
  element.type = "button";
  element.addEventListener("click", onClick);
  return element;
}
