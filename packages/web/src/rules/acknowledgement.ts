import type { operator, ReplyOf } from "@curtail/contract";
import { byName } from "../format/name-order.js";

type Evidence = operator.Evidence;
type Dispatch = Pick<ReplyOf<typeof operator.getAnyDispatch>, "sites" | "modification_number">;

/** A dispatched account, with the evidence of its notifications. */
export interface Told {
  readonly accountId: string;
  readonly name: string;
  readonly sites: number;
  /** Oldest first. */
  readonly evidence: readonly Evidence[];
  /** Number of changes of the dispatch. */
  readonly modification: number;
}

/** Every dispatched account by name, including those without evidence yet. */
export const notifiedAccounts = (
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
    .toSorted((a, b) => byName(a.name, b.name));
};

/**
 * Whether the account acknowledged the latest change before the end: a webhook accepted it, a VEN acknowledged it, or the
 * account read it, or an operator phoned it. The same rule decides who is emailed. An email that was handed over proves nothing.
 */
export const hasAnswered = ({ evidence, modification }: Told): boolean => {
  const isLatest = ({ detail }: Evidence) => detail.modification_number === modification;
  // A call counts for the changes before it, too.
  const isAtLeast = ({ detail }: Evidence) => (detail.modification_number ?? -1) >= modification;
  const changedAt = evidence.find((each) => each.what === "notified" && each.channel === "rest" && isLatest(each))?.at;
  const deliveries = new Set(
    evidence.flatMap(({ what, at, detail: { delivery_id } }) =>
      what === "notified" && (changedAt === undefined || at >= changedAt) ? [delivery_id] : [],
    ),
  );
  return evidence.some((each) => {
    const { channel, what, detail } = each;
    if (channel === "webhook") return what === "delivered" && deliveries.has(detail.delivery_id);
    const isRead = channel === "rest" && (what === "polled" || what === "fetched" || what === "viewed");
    if (channel === "phone") return isAtLeast(each);
    return (isRead || what === "acknowledged") && isLatest(each) && detail.after_end !== true;
  });
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
