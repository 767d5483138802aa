import { serviceWords, type Words } from "../../src/platform/words.js";

const english = serviceWords("en");

/** A language in which each text is its English in brackets, with German numbers and dates: what is not said has none. */
export const pseudoWords: Words = {
  language: "de",
  locale: "de-DE",
  say: (text, values, context) => `⟦${english.say(text, values, context)}⟧`,
  sayParts: (text, values) => ["⟦", ...english.sayParts(text, values), "⟧"],
};

/** What of a text was not said, without these data. */
export const unsaid = (text: string, data: readonly string[]): string => {
  let rest = text;
  while (/⟦[^⟦⟧]*⟧/.test(rest)) rest = rest.replaceAll(/⟦[^⟦⟧]*⟧/g, "");
  for (const each of data) rest = rest.replaceAll(each, "");
  return rest.replaceAll(/[^\p{L}]/gu, "");
};
