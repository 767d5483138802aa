/** What a search may find. */
const foundKinds = ["account", "site", "meter", "program", "dispatch", "user", "contact", "ven"] as const;
export type FoundKind = (typeof foundKinds)[number];

/** Results of each kind. */
export const MOST_OF_A_KIND = 5;

/** An object that a search found. */
export interface Found {
  readonly kind: FoundKind;
  readonly id: string;
  readonly name: string;
  /** Distinguishes it from others of the same name. */
  readonly detail: string | null;
  readonly accountId: string | null;
  readonly accountName: string | null;
  /** The site of a meter. */
  readonly siteId: string | null;
  readonly timezone: string | null;
  /** The start of a dispatch. */
  readonly start: Date | null;
}

/** The text to look for; null: nothing but spaces. */
export const needleOf = (text: string): string | null => {
  const needle = text.normalize("NFC").trim().replaceAll(/\s+/g, " ");
  return needle === "" ? null : needle;
};

/** The best matches of a kind are put first by the database; here the kinds follow each other. */
export const byKind = (found: readonly Found[]): readonly Found[] =>
  foundKinds.flatMap((kind) => found.filter((each) => each.kind === kind));
