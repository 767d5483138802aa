import type { FolderNote } from "./spool-folders.js";

/** The account of the key in use. */
export interface Account {
  readonly url: string;
  /** Ids of its sites and meters. */
  readonly ids: ReadonlySet<string>;
}

/** A folder with readings of an earlier key, and what is known of it. */
export interface KeptReadings {
  readonly note: FolderNote | null;
  /** Whether what it is named by, or the lack of any other address, shows that it is for the account's address. */
  readonly isOfAddress: boolean;
  /** Ids of sites and meters that its readings name. */
  readonly named: ReadonlySet<string>;
}

/** `perhaps`: nothing is known, or some of it speaks for the account and something against it. */
export type Whose = "the account's" | "perhaps" | "another's";

/**
 * Sites and meters belong to one account for ever, so they show whose readings are kept. A note of the service's answer
 * decides; without one, every reading must name a site or meter of the account.
 */
export const whoseReadings = ({ note, isOfAddress, named }: KeptReadings, { url, ids }: Account): Whose => {
  if (note !== null && note.url !== url) return "another's";
  if (note !== null && note.ids.length > 0) return note.ids.some((id) => ids.has(id)) ? "the account's" : "another's";
  const own = [...named].filter((id) => ids.has(id)).length;
  if (own === 0) return named.size === 0 ? "perhaps" : "another's";
  return own === named.size && (note !== null || isOfAddress) ? "the account's" : "perhaps";
};

/**
 * The sandbox shows everybody the same sites, so only the mark of the key shows whose readings are kept; who names
 * a folder may send what it has of these sites.
 */
export const whoseRehearsal = (
  { note, isNamed, named }: RehearsedReadings,
  { url, ids }: Account,
  mark: string,
): Whose => {
  if (note?.keys.includes(mark) === true) return "the account's";
  const isOfSandbox = (note?.url ?? url) === url && [...(note?.ids ?? []), ...named].every((id) => ids.has(id));
  return isNamed && isOfSandbox ? "perhaps" : "another's";
};

interface RehearsedReadings extends Pick<KeptReadings, "note" | "named"> {
  /** Whether a person has named the folder. */
  readonly isNamed: boolean;
}

/** Sites and meters that records name; those that are no readings name none, and are never sent. */
export const idsIn = async (records: AsyncIterable<{ readonly payload: Uint8Array }>): Promise<Set<string>> => {
  const ids = new Set<string>();
  for await (const { payload } of records)
    for (const member of ["meter_id", "site_id"]) {
      const id = membersOf(payload)[member];
      if (typeof id === "string") ids.add(id);
    }
  return ids;
};

const membersOf = (payload: Uint8Array): Readonly<Record<string, unknown>> => {
  try {
    return (JSON.parse(new TextDecoder().decode(payload)) ?? {}) as Record<string, unknown>;
  } catch {
    return {};
  }
};
