import { baselineReasons } from "@curtail/contract/lists/baseline-reasons";
import { knownSentences, saidIn } from "./sentences.js";
import type { Words } from "./words.js";

const known = knownSentences(baselineReasons.map(({ text }) => text));

/** Why there is no baseline, which is stored in English. */
export const baselineReason = (words: Words, stored: string): string => saidIn(words, known, stored);
