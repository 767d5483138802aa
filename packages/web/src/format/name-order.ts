import { DATE_LOCALE } from "./locale.js";

const collator = new Intl.Collator(DATE_LOCALE, { numeric: true });

/** Order of names as people count: Site 1, Site 2, Site 10. */
export const byName = (a: string, b: string): number => collator.compare(a, b);
