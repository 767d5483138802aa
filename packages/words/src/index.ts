export { LANGUAGES, type Language, languages } from "@curtail/contract/lists/languages";
export { isLanguage, languageFor } from "./language.js";
export { type Catalogue, english, keyOf, type Values, type Words, wordsIn } from "./words.js";
