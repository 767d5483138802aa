import { quote } from "./quote.js";
import { invalid, type Refusal } from "./refusal.js";

/** A name as people compare it (G70): composed, spaces of every kind as one, without case. */
export const foldedName = (name: string): string => name.normalize("NFC").replace(/\s+/gu, " ").trim().toLowerCase();

/** An identifier as people compare it: as a name, and without the leading zeros that spreadsheets drop. */
export const foldedIdentifier = (identifier: string): string =>
  foldedName(identifier).replace(/(?<!\p{N})0+(?=\p{N})/gu, "");

/** The first of the others that is almost the same text; null if there is none, or the very same text is among them. */
export const nearTo = (fold: (text: string) => string, others: readonly string[], text: string): string | null => {
  if (others.includes(text)) return null;
  const folded = fold(text);
  return others.find((other) => fold(other) === folded) ?? null;
};

/** Almost the same text as another one, which is there already. */
export interface NearMatch {
  /** What the text is: `a name`, `a customer_location_id`. */
  readonly what: string;
  readonly text: string;
  readonly other: string;
}

/** The name of one of several that is almost the same as a new one. */
export const nearName = (name: string, names: readonly string[]): NearMatch | null => {
  const other = nearTo(foldedName, names, name);
  return other === null ? null : { what: "a name", text: name, other };
};

/** The names of the others, where one of all is its own. */
export const withoutOwn = (names: readonly string[], own: string): string[] => {
  const at = names.indexOf(own);
  return names.filter((_, index) => index !== at);
};

/**
 * Asks before something is created, or gets a name, that may be there already under another spelling (G70).
 * @param act what is done to what: `create this account`, `change this site`
 */
export const refuseNear = (act: string, near: NearMatch | null, isConfirmed: boolean): Refusal | null =>
  near === null || isConfirmed
    ? null
    : invalid(
        `Send confirm_near_match: true to ${act}: there is one with ${near.what} that is almost the same, ` +
          `"${quote(near.other)}" for "${quote(near.text)}". Nothing was ${act.startsWith("create") ? "created" : "changed"}.`,
      );
