import type { StatedMapping } from "./mapping.js";
import { profiles } from "./profiles.js";

/** A mapping under a name, for all files of its layout. */
export interface KeptProfile {
  readonly name: string;
  /** Digest of the header of its files, as `TableReading.header`; null: it is used only by its name. */
  readonly header: string | null;
  readonly mapping: StatedMapping;
}

/** The profile that a table was read by. */
export interface UsedProfile {
  readonly name: string;
  /** `header`: the file has its header; `name`: it was stated. */
  readonly chosenBy: "header" | "name";
  /** Other kept profiles with the header of the file, newest first. */
  readonly others: readonly string[];
}

/** A layout that ships, as a profile; null if there is none of this name. Its files may have any number of titles. */
export const shippedProfile = (name: string): KeptProfile | null => {
  const found = profiles.find((each) => each.name === name.trim().toLowerCase());
  if (found === undefined) return null;
  const { skip_lines: _skip, header_lines: _header, ...mapping } = found.mapping;
  return { name: found.name, header: null, mapping };
};
