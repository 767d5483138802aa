import { pageWords } from "@curtail/words/page";
import { DATE_LOCALE } from "./locale.js";

// In English without a comma before the last "and", in whichever region it is read.
const lists = new Intl.ListFormat(pageWords().language === "en" ? "en-GB" : DATE_LOCALE);

/** `a`, `a and b`, `a, b and c`. */
export const joined = (words: readonly string[]): string => lists.format(words);
