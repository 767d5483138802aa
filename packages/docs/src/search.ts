import type { PageGroup } from "./page.js";

/** What the search finds: a section of a page. Names are short, since every reader who searches loads all of them. */
export interface SearchEntry {
  readonly id: number;
  /** Address below the folder of the site, with the anchor. */
  readonly at: string;
  readonly page: string;
  readonly heading: string;
  readonly text: string;
}

export const searchEntries = (groups: readonly PageGroup[]): readonly SearchEntry[] =>
  groups
    .flatMap(({ title, pages, isFolded }) =>
      pages.flatMap(({ address, label, sections }) =>
        sections.map(({ id, level, text, body }) => ({
          at: level === 1 ? address : `${address}#${id}`,
          page: isFolded ? `${title}: ${label}` : label,
          heading: text,
          text: body,
        })),
      ),
    )
    .map((entry, id) => ({ id, ...entry }));
