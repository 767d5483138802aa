import type { operator } from "@curtail/contract";

/** A dispatched account, as the harness created it. */
export interface Recipient {
  readonly accountId: string;
  readonly siteId: string;
  /** Name of its kind, for messages. */
  readonly kind: string;
  readonly isDisabled: boolean;
}

/** Evidence from outside the service that an account learned of a dispatch. */
export interface Success {
  readonly accountId: string;
  readonly dispatchId: string;
  readonly by: "webhook" | "chat" | "mail" | "poll" | "VEN";
}

/** An alarm that is not cleared. */
export interface StandingAlarm {
  readonly account_id: string | null;
  readonly message: string;
}

/** A dispatch of all recipients. */
export interface Dispatched {
  readonly id: string;
  /** Sites that its creation returned as excluded; null if no answer came. */
  readonly excludedSites: readonly string[] | null;
}

/** One item of the service's own evidence, from the operator API. */
export interface Claim {
  readonly account_id: string;
  readonly channel: operator.Evidence["channel"];
  readonly what: string;
  readonly detail: { readonly response_code?: string };
}

/** What is known of a run without asking the service. */
export interface Facts {
  readonly recipients: readonly Recipient[];
  readonly dispatches: readonly Dispatched[];
  readonly successes: readonly Success[];
  readonly alarms: readonly StandingAlarm[];
}

/** Broken promises, a sentence each: nobody was reached and there is no alarm, or a disabled account was reached. */
export const faults = (facts: Facts): string[] => {
  const reached = reachedIn(facts);
  return facts.recipients.flatMap((recipient) =>
    facts.dispatches.flatMap((dispatch) =>
      faultsOf(recipient, dispatch, reached.get(`${recipient.accountId} ${dispatch.id}`) ?? []).map(
        (fault) => `${recipient.accountId} (${recipient.kind}), ${dispatch.id}: ${fault}`,
      ),
    ),
  );
};

/** Successes that the evidence of a dispatch claims and nobody outside saw, a sentence each. */
export const unfounded = ({ successes }: Pick<Facts, "successes">, dispatchId: string, claims: readonly Claim[]) => {
  const seen = new Set(successes.map((success) => `${success.accountId} ${success.dispatchId} ${success.by}`));
  return claims.flatMap((claim) => {
    const by = claimedBy(claim);
    const isFounded = by === null || seen.has(`${claim.account_id} ${dispatchId} ${by}`);
    return isFounded ? [] : [`${claim.account_id}, ${dispatchId}: ${claim.channel} ${claim.what}, which nobody saw`];
  });
};

/** null: it claims no success. */
const claimedBy = ({ channel, what, detail }: Claim): Success["by"] | null => {
  switch (`${channel} ${what}`) {
    case "webhook delivered":
      return "webhook";
    case "chat delivered":
      return "chat";
    case "mail mailed":
      return "mail";
    case "rest polled":
    case "rest fetched":
      return "poll";
    case "openadr acknowledged":
      return detail.response_code === "200" ? "VEN" : null;
    default:
      return null;
  }
};

const faultsOf = (recipient: Recipient, { excludedSites }: Dispatched, by: readonly string[]): string[] => {
  if (!recipient.isDisabled) return by.length > 0 ? [] : ["neither a success nor an alarm"];
  const isExcluded = excludedSites === null || excludedSites.includes(recipient.siteId);
  return [...by.map((each) => `disabled, and there is ${each}`), ...(isExcluded ? [] : ["disabled and not excluded"])];
};

/** The successes of each account and dispatch, by `account dispatch`. */
const reachedIn = ({ successes, alarms, dispatches }: Facts): ReadonlyMap<string, string[]> => {
  const reached = new Map<string, string[]>();
  const note = (accountId: string, dispatchId: string, by: string): void => {
    const key = `${accountId} ${dispatchId}`;
    reached.set(key, [...new Set([...(reached.get(key) ?? []), by])]);
  };
  for (const { accountId, dispatchId, by } of successes) note(accountId, dispatchId, `a success by ${by}`);
  const known = new Set(dispatches.map(({ id }) => id));
  for (const { account_id: accountId, message } of alarms) {
    if (accountId === null) continue;
    for (const [id] of message.matchAll(/dis_\w+/g)) if (known.has(id)) note(accountId, id, "an alarm");
  }
  return reached;
};
