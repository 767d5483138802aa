import { baselineReasons } from "@curtail/contract/lists/baseline-reasons";
import { changeSentences, lineSentences } from "@curtail/contract/lists/statement-sentences";
import { baselineReason } from "./baseline-words.js";
import { knownSentences, pieceOf, saidIn } from "./sentences.js";
import type { Words } from "./words.js";

/** Writes an exact decimal, such as `1234.50`, as its reader does. */
type Decimal = (value: string) => string;

const known = knownSentences([...lineSentences, ...changeSentences].map(({ text }) => text));

/** What follows a semicolon within a reason, which parts no sentences. */
const continuations = baselineReasons.flatMap(({ text }) => text.split("; ").slice(1));
const between = new RegExp(`; (?!${continuations.map(pieceOf).join("|")})`);

const writtenIn = (words: Words, decimal: Decimal) => {
  const amount: Decimal = (value) => (value === "unknown" ? words.say("unknown") : decimal(value));
  const version: Decimal = (value) => (value === "none" ? words.say("none", {}, "amount") : value);
  const reason = (value: string): string => baselineReason(words, value);
  return {
    reason,
    kwh: amount,
    most: amount,
    price: version,
    next: version,
    from: version,
    to: version,
    share: decimal,
  };
};

/** What a line of a statement is for, or what changed in it; both are stored in English. */
export const statementWords = (words: Words, stored: string, decimal: Decimal): string => {
  const [, how, rest] = /^(added|removed): (.*)$/.exec(stored) ?? [];
  if (rest === undefined) {
    const written = writtenIn(words, decimal);
    return stored
      .split(between)
      .map((sentence) => saidIn(words, known, sentence, written))
      .join("; ");
  }
  const said = statementWords(words, rest, decimal);
  return how === "added"
    ? words.say("added: {words}", { words: said })
    : words.say("removed: {words}", { words: said });
};
