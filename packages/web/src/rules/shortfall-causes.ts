/** A site of a running dispatch, as far as it explains what the dispatch lacks. */
export interface LackingSite {
  readonly account_id: string;
  readonly commitment_kw: number | null;
  /** null: unknown. */
  readonly delivered_kw: number | null;
}

export type Cause = "not_notified" | "no_readings" | "others";

export interface CausePart {
  readonly cause: Cause;
  readonly kw: number;
  /** How many accounts or, without readings, sites have it. */
  readonly count: number;
}

const order: readonly Cause[] = ["not_notified", "no_readings", "others"];

/**
 * What a dispatch lacks, by cause; the parts add up to it. A site counts for its first cause. What other sites deliver beyond
 * their commitments offsets it, so that a cause gets no more than what is left.
 *
 * @param shortKw what the dispatch lacks
 * @param notNotified ids of accounts
 */
export const shortfallCauses = (
  sites: readonly LackingSite[],
  notNotified: ReadonlySet<string>,
  shortKw: number,
): readonly CausePart[] => {
  const lacks = new Map<Cause, { kw: number; members: Set<string | LackingSite> }>(
    order.map((cause) => [cause, { kw: 0, members: new Set() }]),
  );
  for (const site of sites) {
    const kw = Math.max(0, (site.commitment_kw ?? 0) - (site.delivered_kw ?? 0));
    const cause = causeOf(site, notNotified);
    const part = lacks.get(cause);
    if (part === undefined || (kw === 0 && cause !== "others")) continue;
    part.kw += kw;
    part.members.add(cause === "no_readings" ? site : site.account_id);
  }
  let leftKw = Math.max(0, shortKw);
  const parts = order.map((cause) => {
    const { kw = 0, members } = lacks.get(cause) ?? {};
    // What is left belongs to the others, also if rounding or a site without a commitment leaves more than they lack.
    const part = cause === "others" ? leftKw : Math.min(kw, leftKw);
    leftKw -= part;
    return { cause, kw: part, count: members?.size ?? 0 };
  });
  return parts.filter(({ kw }) => kw > 0);
};

const causeOf = ({ account_id, delivered_kw }: LackingSite, notNotified: ReadonlySet<string>): Cause => {
  if (notNotified.has(account_id)) return "not_notified";
  return delivered_kw === null ? "no_readings" : "others";
};
