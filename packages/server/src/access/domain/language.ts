import { isLanguage, type Language, type Words } from "../../platform/words.js";

/** What somebody who is written to chose, as stored: it may name a language that is no more. null: nothing. */
export interface LanguageChoice {
  readonly own: string | null;
  /** Of the account. */
  readonly account: string | null;
}

/** The language of a person: the own choice, else that of the account, else that of the service. */
export const languageOf = ({ own, account }: LanguageChoice, setting: Language): Language =>
  [own, account].find(isLanguage) ?? setting;

/** One that we still have. */
export const knownLanguage = (stored: string | null): Language | null => (isLanguage(stored) ? stored : null);

/** The words for somebody; without a choice, those of the service. */
export type WordsFor = (choice?: LanguageChoice) => Words;
