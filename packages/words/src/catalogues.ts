// Catalogues as files, for what runs in Node.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Language } from "@curtail/contract/lists/languages";
import { localeOf } from "./locale.js";
import { type Catalogue, type Words, wordsIn } from "./words.js";

/** Who reads a text: pages of one side, both, whoever is refused something, or people outside the pages (emails, messages to phones, calendars, lists of the contract). */
export const PARTS = ["shared", "operators", "participants", "refusals", "messages"] as const;

export type Part = (typeof PARTS)[number];

const folder = (): string =>
  join(dirname(createRequire(import.meta.url).resolve("@curtail/words/package.json")), "catalogues");

/** Texts of some parts by key; none in English, which is in the code. */
export const readCatalogue = (language: Language, parts: readonly Part[]): Catalogue => {
  if (language === "en") return {};
  const texts = parts.map((part) => JSON.parse(readFileSync(join(folder(), language, `${part}.json`), "utf8")));
  return Object.assign({}, ...texts);
};

const known = new Map<Language, Words>();

/** What the service itself says: also texts that pages say, too, which are in their parts. */
export const serviceWords = (language: Language): Words => {
  const words = known.get(language) ?? wordsIn(language, localeOf(language, []), readCatalogue(language, PARTS));
  known.set(language, words);
  return words;
};
