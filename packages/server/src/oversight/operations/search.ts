import type { Clock } from "../../platform/clock.js";
import { byKind, type Found, needleOf } from "../domain/search.js";

export interface SearchReader {
  /** Objects of all accounts, at most `MOST_OF_A_KIND` of each kind. */
  everywhere(needle: string): Promise<readonly Found[]>;
  /** Sites, meters and notified dispatches of an account. */
  ofAccount(accountId: string, needle: string, now: Date): Promise<readonly Found[]>;
}

export interface SearchPorts {
  readonly search: SearchReader;
  readonly clock: Clock;
}

/** Finds objects by a text; those of an account, or of all for operators. */
export const searchFor = async (
  { search, clock }: SearchPorts,
  text: string,
  accountId: string | null,
): Promise<readonly Found[]> => {
  const needle = needleOf(text);
  if (needle === null) return [];
  return byKind(
    accountId === null ? await search.everywhere(needle) : await search.ofAccount(accountId, needle, clock.now()),
  );
};
