export interface Locales {
  /** `05:37 PM` would be a mixture of two habits: `5:37 PM`, but `05:37`. */
  readonly hour: "numeric" | "2-digit";
  /** English words in the order of the person's region. */
  readonly dates: string;
  /** The person's separators, in Latin digits. */
  readonly numbers: string;
}

const INTERNATIONAL = "en-GB";

/** How to write dates and numbers for somebody whose browser has this language; the pages' words are English. */
export const localesOf = (language: string): Locales => {
  try {
    const { language: spoken, region } = new Intl.Locale(language).maximize();
    const regional = new Intl.DateTimeFormat(`en-${region}`).resolvedOptions().locale;
    const hours = new Intl.DateTimeFormat(language, { hour: "numeric" }).resolvedOptions().hourCycle ?? "h23";
    // Browsers that do not know English of the region would write it as in the United States.
    const dates = regional.includes("-") ? regional : `${INTERNATIONAL}-u-hc-${hours}`;
    return { dates, hour: hours.startsWith("h1") ? "numeric" : "2-digit", numbers: `${spoken}-${region}-u-nu-latn` };
  } catch {
    return { dates: INTERNATIONAL, hour: "2-digit", numbers: INTERNATIONAL };
  }
};

/** Those of this browser. */
export const {
  dates: DATE_LOCALE,
  hour: HOUR,
  numbers: NUMBER_LOCALE,
} = localesOf(globalThis.document === undefined ? INTERNATIONAL : navigator.language);
