import { createHash } from "node:crypto";
import { ErrorResponse, type Participant, type Site } from "@curtail/client";
import type { KeptProfile, ReadOptions, Table } from "@curtail/meter-data";
import { usageFault } from "../admin-io.js";
import { harmless } from "../human-form.js";

/** What a file of meter data needs to know of its account. */
export interface FileAccount {
  readonly sites: readonly Site[];
  /** Mappings that the account keeps, newest first. */
  readonly kept: readonly KeptProfile[];
}

/** More than an account may have. */
const PAGE = 500;

export const fileAccountOf = async (
  participant: Participant,
  settings: { readonly signal?: AbortSignal } = {},
): Promise<FileAccount> => {
  const { sites } = await participant.listSites(settings);
  return { sites, kept: await keptBy(participant, settings) };
};

const keptBy = async (
  participant: Participant,
  settings: { readonly signal?: AbortSignal },
): Promise<readonly KeptProfile[]> => {
  try {
    const { items } = await participant.listMappingProfiles({ limit: PAGE }, settings);
    return items.toReversed();
  } catch (error) {
    // Neither the sandbox nor an earlier version of the service has them.
    if (error instanceof ErrorResponse && error.status === 404) return [];
    throw error;
  }
};

/** In place of the name of a profile: none is used. */
const NONE = "none";

/** The profiles that a file may be read by. Throws a `CommandFailure` for a name that there is not. */
export const profileOptions = async (
  asked: string | undefined,
  kept: readonly KeptProfile[],
): Promise<Pick<ReadOptions, "profile" | "kept">> => {
  if (asked === undefined) return { kept };
  const name = folded(asked);
  if (name === NONE) return {};
  const { shippedProfile } = await import("@curtail/meter-data");
  const found = kept.find((each) => folded(each.name) === name) ?? shippedProfile(name);
  if (found === null) {
    const names = kept.map((each) => `"${harmless(each.name)}"`).join(", ");
    throw usageFault(
      `there is no mapping profile "${harmless(asked)}"; ${names === "" ? "the account keeps none" : `the account keeps ${names}`}. Name one of them or a layout that comes with Curtail, or ${NONE} to have the columns guessed`,
    );
  }
  return { profile: found };
};

/** As the service compares names. */
const folded = (name: string): string => name.normalize("NFC").replace(/\s+/gu, " ").trim().toLowerCase();

/** Words about the profile by which a file is read. */
export const profileNotes = (table: Table | null): string[] => {
  const used = table?.profile ?? null;
  if (used === null) return [];
  const why = used.chosenBy === "header" ? ", which has its header" : "";
  const others = used.others.map((each) => `"${harmless(each)}"`).join(", ");
  const older =
    others === "" ? "" : `; ${others} with the same header ${used.others.length === 1 ? "is" : "are"} older`;
  return [`the file is read by the mapping profile "${harmless(used.name)}"${why}${older}`];
};

/** Keeps the mapping that a file was read by. */
export const keepMapping = async (
  participant: Participant,
  table: Table,
  { name, replace }: { readonly name: string; readonly replace: boolean },
): Promise<void> => {
  const { mapping, header } = table;
  // Files without names in a header are alike in nothing but the number of their columns.
  const known = mapping.header_lines === 0 ? null : header;
  await participant.saveMappingProfile({ name, header: known, mapping, replace });
};

/** Tells apart how a file was read: its progress counts for readings that were made in the same way. */
export const readAs = (table: Table | null): string =>
  table === null || table.profile === null
    ? ""
    : createHash("sha256").update(JSON.stringify(table.mapping)).digest("hex").slice(0, 16);
