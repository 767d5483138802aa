// The door to what people read: rules get the words of their reader as an argument, as they do time.
import type { Words } from "@curtail/words";
import { readCatalogue } from "@curtail/words/catalogues";
import { refusalsIn } from "@curtail/words/refusal-words";
import { onceFor } from "./once.js";

export { english, isLanguage, LANGUAGES, type Language, languageFor, type Words } from "@curtail/words";
export { serviceWords } from "@curtail/words/catalogues";
export { statementWords } from "@curtail/words/statement-words";

/** Makes something once for each language: a format takes longer to make than to use ten times. */
export const perWords = <T>(make: (words: Words) => T): ((words: Words) => T) => onceFor(make);

const refusals = perWords((words) => refusalsIn(words, readCatalogue(words.language, ["refusals"])));

/** Says a refusal, which is English, to a person; null if its words are not known. */
export const saidRefusal = (words: Words, message: string): string | null => refusals(words)(message);
