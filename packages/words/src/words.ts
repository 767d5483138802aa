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

export const keyOf = (text: string, context?: string): string =>
  context === undefined ? text : `${text} [${context}]`;

/** A text without these is said as it is. */
const IS_PLAIN = /^[^{}'<]*$/;

/** Words of a language; what its catalogue lacks is said in English. */
export const wordsIn = (language: Language, locale: string, catalogue: Catalogue): Words => {
  const formats = new Map<string, IntlMessageFormat>();
  const formatOf = (text: string, ignoreTag: boolean): IntlMessageFormat => {
    const key = `${ignoreTag}${text}`;
    const known = formats.get(key) ?? new IntlMessageFormat(text, locale, {}, { ignoreTag });
    formats.set(key, known);
    return known;
  };
  return {
    language,
    locale,
    say: (text, values, context) => {
      const said = catalogue[keyOf(text, context)] ?? text;
      return IS_PLAIN.test(said) ? said : String(formatOf(said, true).format(values));
    },
    sayParts: (text, values) => {
      const parts = formatOf(catalogue[text] ?? text, false).format(values as never);
      return (Array.isArray(parts) ? parts : [parts]) as never;
    },
  };
};
