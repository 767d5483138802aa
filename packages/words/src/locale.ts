import type { Language } from "@curtail/contract/lists/languages";

/** English of no region: days before months, 24 hours. */
const REGIONS: Readonly<Record<Language, string>> = { en: "en-GB", es: "es-ES", de: "de-DE", fr: "fr-FR" };

/** The locale of a text: for a reader who asks for `de-AT`, German has Austrian numbers; English never has German ones. */
export const localeOf = (language: Language, asked: readonly string[]): string => {
  const regional = asked.map(regionalOf).find((locale) => locale?.startsWith(`${language}-`));
  return regional ?? REGIONS[language];
};

/** `en` is of the country where most people speak it; null for a region that `Intl` does not know. */
const regionalOf = (asked: string): string | null => {
  try {
    const { language, region } = new Intl.Locale(asked).maximize();
    const { locale } = new Intl.DateTimeFormat(`${language}-${region}`).resolvedOptions();
    return locale.includes("-") ? locale : null;
  } catch {
    return null;
  }
};
