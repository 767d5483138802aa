import { pageWords } from "@curtail/words/page";

interface Locales {
  /** `05:37 PM` would be a mixture of two habits: `5:37 PM`, but `05:37`. */
  readonly hour: "numeric" | "2-digit";
  readonly dates: string;
  /** In Latin digits. */
  readonly numbers: string;
}

/** How to write dates and numbers in a locale. */
export const localesOf = (locale: string): Locales => {
  const hours = new Intl.DateTimeFormat(locale, { hour: "numeric" }).resolvedOptions().hourCycle ?? "h23";
  return { dates: locale, hour: hours.startsWith("h1") ? "numeric" : "2-digit", numbers: `${locale}-u-nu-latn` };
};

/** Those of the page. */
export const { dates: DATE_LOCALE, hour: HOUR, numbers: NUMBER_LOCALE } = localesOf(pageWords().locale);
