import type { operator } from "@curtail/contract";
import type { Dispatch } from "../dispatch.js";

type Evidence = operator.Evidence;

/** An account that a dispatch calls, and what happened between the two. */
export interface Told {
  readonly accountId: string;
  readonly name: string;
  readonly sites: number;
  /** Oldest first. */
  readonly evidence: readonly Evidence[];
  /** How often the dispatch was changed. */
  readonly modification: number;
}

/** Every account that is called, by name, also those of whom there is nothing yet. */
export const toldAccounts = (
  { sites, modification_number }: Dispatch,
  evidence: readonly Evidence[],
  names: ReadonlyMap<string, string>,
): Told[] => {
  const counts = new Map<string, number>();
  for (const { account_id } of sites) counts.set(account_id, (counts.get(account_id) ?? 0) + 1);
  const byAccount = groupedByAccount(evidence);
  return [...counts]
    .map(([accountId, count]) => ({
      accountId,
      name: names.get(accountId) ?? accountId,
      sites: count,
      evidence: byAccount.get(accountId) ?? [],
      modification: modification_number,
    }))
    .toSorted((a, b) => a.name.localeCompare(b.name));
};

const taking: readonly Evidence["what"][] = ["delivered", "polled", "fetched", "acknowledged"];

/** Whether the account has taken note since it could see the latest change. */
export const hasAnswered = ({ evidence }: Told): boolean => {
  const latest = evidence.filter(({ what }) => what === "notified").at(-1);
  return evidence.some(
    ({ what, channel, at }) => channel !== "mail" && taking.includes(what) && (latest === undefined || at >= latest.at),
  );
};

/** The last thing that happened on each channel. */
export const lastByChannel = ({ evidence }: Told): readonly Evidence[] => {
  const last = new Map<Evidence["channel"], Evidence>();
  for (const each of evidence) if (each.what !== "notified") last.set(each.channel, each);
  return [...last.values()];
};

const groupedByAccount = (evidence: readonly Evidence[]): ReadonlyMap<string, readonly Evidence[]> => {
  const groups = new Map<string, Evidence[]>();
  for (const each of evidence) {
    const known = groups.get(each.account_id);
    if (known === undefined) groups.set(each.account_id, [each]);
    else known.push(each);
  }
  return groups;
};
