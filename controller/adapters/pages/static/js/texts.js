// Words for people: one catalogue, the service's own, fetched once per page.

let words = {};
let current = "en";

/** Choose the language: ?lang= first, then what this browser speaks, then the board's own. */
export function chooseLang(langs, fallback) {
  const asked = new URLSearchParams(location.search).get("lang");
  const preferred = navigator.languages.map((tag) => tag.split("-")[0]);
  return [asked, ...preferred, fallback].find((lang) => langs.includes(lang)) ?? fallback;
}

/** Load the catalogue of `lang` and fill every element that names a text. */
export async function loadTexts(lang) {
  current = lang;
  const response = await fetch(`/texts/${lang}.json`);
  if (!response.ok) throw new Error(`no texts for ${lang}: ${response.status}`);
  words = await response.json();
  document.documentElement.lang = lang;
  for (const element of document.querySelectorAll("[data-text]")) element.textContent = say(element.dataset.text);
  for (const element of document.querySelectorAll("[data-label]")) element.setAttribute("aria-label", say(element.dataset.label));
}

/** The text `page.<key>.<form>` with `count` in it, in the form that the language has for that number. */
export function counted(key, count) {
  return say(`${key}.${new Intl.PluralRules(current).select(count)}`, { count });
}

/** Links to the same page in each language. */
export function offerLangs(host, langs) {
  host.replaceChildren(
    ...langs.map((lang) => {
      const link = document.createElement("a");
      const there = new URL(location.href);
      there.searchParams.set("lang", lang);
      link.href = there.href;
      link.lang = lang;
      link.hreflang = lang;
      link.textContent = lang.toUpperCase();
      if (lang === current) link.setAttribute("aria-current", "true");
      return link;
    }),
  );
}

const BACKGAMMON = ["short", "nackgammon", "hyper"];
const NAMED_APART = ["oin", "mars", "koks"];

/** The key of how a game was won: backgammon has words of its own. */
export function wonAs(kind, game) {
  return NAMED_APART.includes(kind) && BACKGAMMON.includes(game) ? `backgammon.${kind}` : kind;
}

/** The text `page.<key>` with its blanks filled; an unknown key shows itself. */
export function say(key, values = {}) {
  const pattern = words[`page.${key}`] ?? key;
  return pattern.replace(/\{(\w+)\}/g, (blank, name) => values[name] ?? blank);
}

/** The half of a message's {en, ru} pair that this page speaks. */
export function spoken(texts) {
  return texts ? texts[current] : "";
}
