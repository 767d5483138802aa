import MiniSearch from "minisearch";

/** As the site's search file has it. */
interface Entry {
  readonly id: number;
  readonly at: string;
  readonly page: string;
  readonly heading: string;
  readonly text: string;
}

export interface Found {
  readonly at: string;
  readonly page: string;
  readonly heading: string;
  readonly excerpt: readonly { readonly text: string; readonly isHit: boolean }[];
}

export type Finder = (query: string) => readonly Found[];

const MAX_FOUND = 20;
const EXCERPT_BEFORE = 50;
const EXCERPT_CHARACTERS = 180;

/** Finds sections by words, their beginnings, and words with a typing error. */
export const newFinder = (entries: readonly Entry[]): Finder => {
  const index = new MiniSearch<Entry>({
    fields: ["heading", "page", "text"],
    storeFields: [],
    searchOptions: {
      prefix: true,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      combineWith: "AND",
      boost: { heading: 4, page: 2 },
      // Guides before the generated reference, which has every word.
      boostDocument: (id) => (/^(decisions|api|sdk)\//.test(entries[Number(id)]?.at ?? "") ? 0.4 : 1),
    },
  });
  index.addAll(entries);
  return (query) =>
    index
      .search(query)
      .toSorted((one, other) => placeOf(entries[Number(one.id)], query) - placeOf(entries[Number(other.id)], query))
      .slice(0, MAX_FOUND)
      .flatMap(({ id, terms }) => {
        const entry = entries[Number(id)];
        return entry === undefined ? [] : [{ ...entry, excerpt: excerptOf(entry.text, terms) }];
      });
};

/** A reader with a question wants a guide: the record of decisions comes last, unless the words of a title were typed. */
const placeOf = ({ at, heading }: Pick<Entry, "at" | "heading"> = { at: "", heading: "" }, query: string): number => {
  const typed = query.trim().toLowerCase();
  const isNamed = typed.split(/\s+/).length >= 3 && heading.toLowerCase().includes(typed);
  return at.startsWith("decisions/") && !isNamed ? 1 : 0;
};

const excerptOf = (text: string, terms: readonly string[]): Found["excerpt"] => {
  const pattern = new RegExp(
    `(${terms.map((term) => term.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&")).join("|")})`,
    "giu",
  );
  const hit = text.search(pattern);
  const start = hit <= EXCERPT_BEFORE ? 0 : text.indexOf(" ", hit - EXCERPT_BEFORE) + 1;
  return wholeWords(text, start)
    .split(pattern)
    .map((part, index) => ({ text: part, isHit: index % 2 === 1 }));
};

/** Begins and ends with a whole word, and says that there is more. */
const wholeWords = (text: string, start: number): string => {
  if (text.length - start <= EXCERPT_CHARACTERS) return text.slice(start);
  return `${text.slice(start, text.lastIndexOf(" ", start + EXCERPT_CHARACTERS))} …`;
};
