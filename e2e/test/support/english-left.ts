import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";

type Catalogue = Readonly<Record<string, string>>;

const catalogueOf = (language: string): Catalogue =>
  Object.assign(
    {},
    ...["shared", "operators", "participants", "refusals", "messages"].map((part) => {
      const file = fileURLToPath(
        new URL(`../../../packages/words/catalogues/${language}/${part}.json`, import.meta.url),
      );
      return JSON.parse(readFileSync(file, "utf8")) as Catalogue;
    }),
  );

/** A text of a catalogue as it looks on a page: its values are anything, its plurals one of their branches. */
const patternsOf = (key: string): readonly string[] => {
  const text = key.replace(/ \[[^\]]*\]$/, "").replace(/<\/?[a-z]+>/g, "");
  if (/\{\w+, /.test(text)) return [];
  const [first = "", ...rest] = text.split(/\{\w+\}/);
  // Of a text that is nearly all values, anything would be an example.
  if (rest.length > 0 && text.replace(/\{\w+\}/g, "").replace(/[^a-z]/gi, "").length < 8) return [];
  return [`^${[first, ...rest].map((part) => part.replace(/[$()*+.?[\\\]^{|}]/g, "\\$&")).join(".+")}$`];
};

/** English texts that have another form in a language, as one expression for whole texts. */
export const englishTexts = (language: string): RegExp => {
  const patterns = Object.entries(catalogueOf(language)).flatMap(([key, said]) =>
    // What the demo calls its meters.
    key === "main [name of a meter]" || key.replace(/ \[[^\]]*\]$/, "") === said ? [] : patternsOf(key),
  );
  const own = new Set(Object.values(catalogueOf(language)).map((said) => `^${said}$`));
  return new RegExp(patterns.filter((pattern) => !own.has(pattern)).join("|"));
};

/** `1,234 kW` and `12.5 kW` are English; amounts of energy may have three decimals, and versions (2.0a) are no numbers. */
export const ENGLISH_NUMBER = /(?<![\d.,\w])(\d{1,3}(,\d{3})+ ?(kW|MW)\b(?!h)|\d+\.\d{1,2}(?= ?(kW|MW|kWh|MWh|%)))/;

interface Found {
  readonly text: string;
  readonly where: string;
}

/** What people read on a page or hear from it, but for code and what people wrote. */
export const readTexts = (page: Page): Promise<readonly Found[]> =>
  page.evaluate<readonly Found[]>(`(() => {
    const found = [];
    const isOwn = (element) => element.closest("code, pre, kbd, [translate=no], [lang]:not(html)") !== null;
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = node.data.trim();
      if (text !== "" && !isOwn(node.parentElement) && !["SCRIPT", "STYLE"].includes(node.parentElement.tagName))
        found.push({ text, where: node.parentElement.tagName });
    }
    for (const element of document.querySelectorAll("[aria-label], [title], [placeholder], [alt], [data-label]"))
      if (!isOwn(element))
        for (const name of ["aria-label", "title", "placeholder", "alt"]) {
          const text = element.getAttribute(name)?.trim();
          if (text) found.push({ text, where: element.tagName + " " + name });
        }
    found.push({ text: document.title.replace(/ · [^·]*$/, ""), where: "title" });
    return found;
  })()`);
