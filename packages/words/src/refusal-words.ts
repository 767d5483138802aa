import { knownSentences, saidIn } from "./sentences.js";
import { type Catalogue, type Words, wordsIn } from "./words.js";

/** Says what the API refuses, which is English; null for what is not known. */
export type SayRefusal = (message: string) => string | null;

/** Writes a moment (RFC 3339) as its reader does. */
type Moment = (iso: string) => string;

/** @param texts the catalogue of refusals, which pages load apart from other words */
export const refusalsIn = (words: Words, texts: Catalogue, moment: Moment = (iso) => iso): SayRefusal => {
  const known = knownSentences(Object.keys(texts));
  const own = wordsIn(words.language, words.locale, texts);
  const say: SayRefusal = (message) => {
    const said = saidIn(own, known, message, written);
    return said === message ? null : said;
  };
  const written = {
    // A refusal within another one.
    fault: (message: string) => say(message) ?? message,
    environment: (name: string) => environmentsIn(words)[name] ?? name,
    at: moment,
    start: moment,
    end: moment,
    latest: moment,
  };
  return say;
};

const environmentsIn = (words: Words): Readonly<Record<string, string>> => ({
  production: words.say("production", {}, "environment"),
  sandbox: words.say("sandbox", {}, "environment"),
});
