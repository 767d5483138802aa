import type { Clock } from "../../platform/clock.js";
import { byKind, type Found, needleOf, startsOf } from "../domain/search.js";

/** When dispatches start whose day begins with a text. */
type Days = NonNullable<ReturnType<typeof startsOf>>;

export interface SearchReader {
  /** Objects of all accounts, at most `MOST_OF_A_KIND` of each kind. */
  everywhere(needle: string, days: Days | null): Promise<readonly Found[]>;
  /** Sites, meters and notified dispatches of an account. */
  ofAccount(
    accountId: string,
    text: { readonly needle: string; readonly days: Days | null },
    now: Date,
  ): Promise<readonly Found[]>;
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
  const days = startsOf(needle);
  return byKind(
    accountId === null
      ? await search.everywhere(needle, days)
      : await search.ofAccount(accountId, { needle, days }, clock.now()),
  );
};
