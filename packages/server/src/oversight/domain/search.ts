import { DAY_MS } from "../../platform/period.js";

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

/** No zone is further than this from UTC. */
const FARTHEST_MS = 15 * 3_600_000;

/** When dispatches start whose day begins with the text, in whatever zone: `2026`, `2026-0`, `2026-06-1`. null: no day does. */
export const startsOf = (needle: string): { readonly from: Date; readonly to: Date } | null => {
  const year = /^\d{4}(?![^-])/.exec(needle)?.[0];
  if (year === undefined) return null;
  const days = Array.from({ length: 366 }, (_, day) => Date.parse(`${year}-01-01T00:00:00Z`) + day * DAY_MS);
  const found = days.filter((ms) => new Date(ms).toISOString().startsWith(needle));
  const [first, last] = [found[0], found.at(-1)];
  if (first === undefined || last === undefined) return null;
  return { from: new Date(first - FARTHEST_MS), to: new Date(last + DAY_MS + FARTHEST_MS) };
};

/** The best matches of a kind are put first by the database; here the kinds follow each other. */
export const byKind = (found: readonly Found[]): readonly Found[] =>
  foundKinds.flatMap((kind) => found.filter((each) => each.kind === kind));
