import type { Language } from "@curtail/contract/lists/languages";
import IntlMessageFormat from "intl-messageformat";

/** Translations by `keyOf` the English text. */
export type Catalogue = Readonly<Record<string, string>>;

export type Values = Readonly<Record<string, string | number>>;

type Tag<T> = (inside: readonly (string | T)[]) => T;

/** What is said in one language. A text is English, in the form of ICU messages: `{name}`, `{n, plural, one {# site} other {# sites}}`. */
export interface Words {
  readonly language: Language;
  /** With its region, for `Intl`. */
  readonly locale: string;
  /** `context` tells texts apart that are equal in English only: `say("Open", {}, "verb")`. */
  readonly say: (text: string, values?: Values, context?: string) => string;
  /** With values and `<tags>` that are no text: the elements of a page. */
  readonly sayParts: <T extends object>(
    text: string,
    values: Readonly<Record<string, string | number | T | Tag<T>>>,
  ) => readonly (string | T)[];
}

/** Marks a text that is said elsewhere: in a table, or before the language is known. */
export const english = (text: string): string => text;

export const keyOf = (text: string, context?: string): string =>
  context === undefined ? text : `${text} [${context}]`;

/** A text without these is said as it is. */
const IS_PLAIN = /^[^{}'<]*$/;

/** A dispatch is announced, and a key shown, whatever is wrong with a translation: then in English. Tests find those that are. */
const translated = <T>(said: string | undefined, text: string, format: (text: string) => T): T => {
  if (said === undefined) return format(text);
  try {
    return format(said);
  } catch {
    return format(text);
  }
};

/** Words of a language; what its catalogue lacks is said in English. */
export const wordsIn = (language: Language, locale: string, catalogue: Catalogue): Words => {
  const formats = new Map<string, IntlMessageFormat>();
  const formatOf = (text: string, ignoreTag: boolean): IntlMessageFormat => {
    const key = `${ignoreTag}${text}`;
    const known = formats.get(key) ?? new IntlMessageFormat(text, locale, {}, { ignoreTag });
    formats.set(key, known);
    return known;
  };
  const formatted = (text: string, values: Values | undefined): string =>
    IS_PLAIN.test(text) ? text : String(formatOf(text, true).format(values));
  return {
    language,
    locale,
    say: (text, values, context) => {
      const said = catalogue[keyOf(text, context)];
      return translated(said, text, (each) => formatted(each, values));
    },
    sayParts: (text, values) => {
      const parts = translated(catalogue[text], text, (each) => formatOf(each, false).format(values as never));
      return (Array.isArray(parts) ? parts : [parts]) as never;
    },
  };
};
