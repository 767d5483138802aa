import { curtailColumns } from "./guess-curtail.js";
import { headerDigest } from "./header-digest.js";
import type { KeptProfile } from "./kept-profile.js";
import type { StatedMapping } from "./mapping.js";
import { sampleOf } from "./table-sample.js";

type Place = Required<Pick<StatedMapping, "skip_lines" | "header_lines">>;

/** The headers that the first lines of a file have, where they are guessed or a profile says that they are. */
export const headersIn = (lines: readonly string[]) => {
  const found = new Map<string, Header | null>();
  const at = (place: StatedMapping): Header | null => {
    const key = JSON.stringify(place);
    const header = found.get(key);
    if (header !== undefined) return header;
    const read = headerAt(lines, place);
    found.set(key, read);
    return read;
  };
  return {
    /** Where the header of the profile is, below titles of any number; null: the file does not have it. */
    placeOf({ header, mapping }: KeptProfile): Place | null {
      if (header === null) return null;
      const guessed = at({});
      if (guessed?.digest === header) return guessed.place;
      const { skip_lines, header_lines, delimiter } = mapping;
      if (skip_lines === undefined || header_lines === undefined) return null;
      const stated = at({ skip_lines, header_lines, ...(delimiter === undefined ? {} : { delimiter }) });
      return stated?.digest === header ? stated.place : null;
    },
  };
};

interface Header {
  readonly digest: string;
  readonly place: Place;
}

/** null: there is no table, or no line with names above it. Files without names are alike in nothing but their columns. */
const headerAt = (lines: readonly string[], place: StatedMapping): Header | null => {
  const sample = curtailColumns(lines, place)?.sample ?? sampleOf(lines, place);
  if (sample === null || sample.headerLines === 0) return null;
  return {
    digest: headerDigest(sample),
    place: { skip_lines: sample.skipLines, header_lines: sample.headerLines },
  };
};
