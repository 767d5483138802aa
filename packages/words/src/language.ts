import { LANGUAGES, type Language } from "@curtail/contract/lists/languages";

export const isLanguage = (name: unknown): name is Language => LANGUAGES.some((language) => language === name);

/** More than any browser sends; the rest is not read. */
const MAX_CHOICES = 20;

/** The first of ours among what a browser asks for: `Accept-Language` (RFC 9110, section 12.5.4); null if it asks for none of them. */
export const languageFor = (accepted: string): Language | null => {
  const choices = accepted.slice(0, 500).split(",", MAX_CHOICES).map(choiceOf);
  const wanted = choices.filter(({ language, weight }) => isLanguage(language) && weight > 0);
  // The sort is stable: of equal ones, the first.
  const [first] = wanted.sort((a, b) => b.weight - a.weight);
  return isLanguage(first?.language) ? first.language : null;
};

const choiceOf = (choice: string): { readonly language: string | undefined; readonly weight: number } => {
  const [range = "", ...parameters] = choice.split(";").map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
  return { language: range.split("-")[0], weight: weight === undefined ? 1 : Number(weight) || 0 };
};
