import { type Catalogue, type Language, pageWords, type Words } from "@curtail/words/page";
import type { SayRefusal } from "@curtail/words/refusal-words";
import { dayAndClock } from "../format/time.js";

/** By language, each in a file of its own; English needs none. */
const catalogues = import.meta.glob<Catalogue>("../../../words/catalogues/*/refusals.json", { import: "default" });

const sayNothing: SayRefusal = () => null;

let loaded: { readonly language: Language; readonly say: SayRefusal } = { language: "en", say: sayNothing };

/**
 * Loads how refusals are said in the language of the page: when the first one is to be shown, or ahead of that. Where
 * that fails, they are said in English, and the next one loads it again.
 */
export const loadRefusals = async (words: Words = pageWords()): Promise<void> => {
  if (words.language === loaded.language) return;
  try {
    loaded = { language: words.language, say: await loadedFor(words) };
  } catch {}
};

const loadedFor = async (words: Words): Promise<SayRefusal> => {
  const load = catalogues[`../../../words/catalogues/${words.language}/refusals.json`];
  if (load === undefined) return sayNothing;
  const [texts, { refusalsIn }] = await Promise.all([load(), import("@curtail/words/refusal-words")]);
  return refusalsIn(words, texts, dayAndClock);
};

/** A refusal of the API in the language of the page; null if it is not known, not loaded, or the page is English. */
export const saidRefusal: SayRefusal = (message) => loaded.say(message);

/** The same; what is not said stays as it is. */
export const refusalWords = (message: string): string => saidRefusal(message) ?? message;
