import type { operator, ReplyOf } from "@curtail/contract";
import { byName } from "../format/name-order.js";

type Evidence = operator.Evidence;
type Dispatch = Pick<ReplyOf<typeof operator.getAnyDispatch>, "sites">;

/** A dispatched account, with the evidence of its notifications. */
export interface Told {
  readonly accountId: string;
  readonly name: string;
  readonly sites: number;
  /** Oldest first. */
  readonly evidence: readonly Evidence[];
  /** Of the latest change, by any channel; null: not known yet, or nobody is notified of the dispatch. */
  readonly isNotified: boolean | null;
}

interface Knowledge {
  readonly evidence: readonly Evidence[];
  readonly names: ReadonlyMap<string, string>;
  /** null: not known yet, or nobody is notified. */
  readonly notNotified: ReadonlySet<string> | null;
}

/** Every dispatched account by name, including those without evidence yet. */
export const toldAccounts = ({ sites }: Dispatch, { evidence, names, notNotified }: Knowledge): Told[] => {
  const counts = new Map<string, number>();
  for (const { account_id } of sites) counts.set(account_id, (counts.get(account_id) ?? 0) + 1);
  const byAccount = groupedByAccount(evidence);
  return [...counts]
    .map(([accountId, count]) => ({
      accountId,
      name: names.get(accountId) ?? accountId,
      sites: count,
      evidence: byAccount.get(accountId) ?? [],
      isNotified: notNotified === null ? null : !notNotified.has(accountId),
    }))
    .toSorted((a, b) => byName(a.name, b.name));
};

/** The latest event of each channel before the end. */
export const lastByChannel = ({ evidence }: Told): readonly Evidence[] => {
  const last = new Map<Evidence["channel"], Evidence>();
  for (const each of evidence) {
    if (each.what !== "notified" && each.detail.after_end !== true) last.set(each.channel, each);
  }
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
