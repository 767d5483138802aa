// Sentences that the service composed in English and stored: they are recognized with their values, and said in another language.
import type { Words } from "./words.js";

interface Known {
  readonly text: string;
  readonly pattern: RegExp;
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^$()|[\]\\]/g, "\\$&");

const patternOf = (text: string): RegExp => new RegExp(`^${escaped(text).replaceAll(/\{(\w+)\}/g, "(?<$1>.+)")}$`);

/** A pattern of a text that stands within another, without names for its values. */
export const pieceOf = (text: string): string => escaped(text).replaceAll(/\{\w+\}/g, "[^;]+");

/** Of two that fit a sentence, the one that says more comes first; names of values say nothing. */
export const knownSentences = (texts: readonly string[]): readonly Known[] =>
  texts.toSorted((a, b) => wordsOf(b) - wordsOf(a)).map((text) => ({ text, pattern: patternOf(text) }));

const wordsOf = (text: string): number => text.replaceAll(/\{\w+\}/g, "").length;

/** How the values of a sentence are written, by name; a value without an entry stays as it is. */
type Written = Readonly<Record<string, (value: string) => string>>;

/** Says a sentence that is known; what a newer service composed stays as it is. */
export const saidIn = (words: Words, known: readonly Known[], sentence: string, written: Written = {}): string => {
  for (const { text, pattern } of known) {
    const found = pattern.exec(sentence);
    if (found !== null) return words.say(text, inWords(found.groups ?? {}, written));
  }
  return sentence;
};

const inWords = (values: Readonly<Record<string, string>>, written: Written) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, written[name]?.(value) ?? value]));
