import type { Endpoint } from "./endpoint.js";

/** What sets an earlier version of the participants' interface apart from the current one. */
export interface DatedVersion {
  /** Its date: the first path segment, `2020-12-30`. */
  readonly date: string;
  /** Words of the current version, singular and plural, with those in their place: in paths, members, schemas and texts. */
  readonly words: Readonly<Record<string, string>>;
  /** The operations that it has, as the current version declares them. */
  readonly endpoints: readonly Endpoint[];
}

/** Says a name or a text in the words of a version. */
export type Wording = (text: string) => string;

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** In names: `site_id`, `/sites/{site_id}`, `DispatchSite`, `listSites`. Words that merely contain one stay. */
export const wordingOf = ({ words }: DatedVersion): Wording => {
  const inPlaceOf = new Map(
    Object.entries(words).flatMap(([word, earlier]) => [
      [word, earlier] as const,
      [capital(word), capital(earlier)] as const,
    ]),
  );
  // The longest first, so that a plural is not taken for its singular.
  const lower = Object.keys(words).toSorted((a, b) => b.length - a.length);
  const [small, large] = [lower.join("|"), lower.map(capital).join("|")];
  const pattern = new RegExp(`(?<![A-Za-z-])(?:${small})(?![A-Za-z])|(?:${large})(?![a-z])`, "g");
  return (text) => text.replaceAll(pattern, (word) => inPlaceOf.get(word) ?? word);
};

/** The same for sentences: what is between quotation marks was sent by somebody, and stays. */
export const sentenceWordingOf = (version: DatedVersion): Wording => {
  const worded = wordingOf(version);
  return (text) =>
    text
      .split(/("[^"]*")/)
      .map((part, index) => (index % 2 === 0 ? worded(part) : part))
      .join("");
};
