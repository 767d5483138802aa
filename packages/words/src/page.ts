// The words of the page that a browser shows. Its language stays while it is open: another one loads the page anew.
import type { Language } from "@curtail/contract/lists/languages";
import { localeOf } from "./locale.js";
import { type Catalogue, type Words, wordsIn } from "./words.js";

export { LANGUAGES, type Language, languages } from "@curtail/contract/lists/languages";
export { type Catalogue, english, type Words } from "./words.js";

/** A script that the HTML names before all others leaves the catalogue here; English has none. */
interface Given {
  readonly language: Language;
  readonly texts: Catalogue;
}

declare global {
  var curtailWords: Given | undefined;
}

const givenWords = (): Words => {
  const { language, texts } = globalThis.curtailWords ?? { language: "en", texts: {} };
  const asked = globalThis.document === undefined ? [] : navigator.languages;
  return wordsIn(language, localeOf(language, asked), texts);
};

let words = givenWords();

/** For builds and tests, which have no HTML. */
export const speak = (other: Words): void => {
  words = other;
};

export const pageWords = (): Words => words;

/** The English of what was said, for addresses that are the same in each language. */
const englishTexts = new Map<string, string>();

export const say: Words["say"] = (text, values, context) => {
  const said = words.say(text, values, context);
  if (said !== text && values === undefined) englishTexts.set(said, text);
  return said;
};

/** The English text of a label without values. */
export const englishOf = (said: string): string => englishTexts.get(said) ?? said;
