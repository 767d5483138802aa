import type { AnsweredAttempt, Outcome } from "../../platform/attempt.js";
import { delayAfterMs } from "../../platform/attempt.js";
import type { Clock } from "../../platform/clock.js";
import type { AttemptRecord, ClaimedDelivery } from "../domain/delivery.js";

/** Which deliveries a worker creates and claims, and for how long. */
export interface Claim {
  readonly now: Date;
  readonly leasedUntil: Date;
  readonly limit: number;
  /** Webhooks that do not answer: their deliveries are created last, and then are behind. */
  readonly hung: readonly string[];
  /** Whether their deliveries are not claimed now. */
  readonly barsHung: boolean;
}

/** For webhooks that hang: one delivery each. */
export interface BehindClaim extends Pick<Claim, "now" | "leasedUntil" | "limit"> {
  /** Leases that ended before this are over. */
  readonly lapsedBefore: Date;
  /** A lease that ends before this was taken so long ago that its request is over, even if its worker died. */
  readonly inFlightUntil: Date;
}

export interface DueClaim extends BehindClaim, Pick<Claim, "hung"> {
  /** Limit of requests in flight per webhook, including those of other workers. */
  readonly perWebhook: number;
}

export interface Expanded {
  readonly claimed: readonly ClaimedDelivery[];
  /** Number of deliveries created but not claimed yet. */
  readonly left: number;
  readonly hasMore: boolean;
}

/**
 * The queue of deliveries, shared by any number of workers. Only the oldest delivery per webhook and dispatch is handed
 * out, which preserves their order.
 */
export interface DeliveryQueue {
  /** Whether `expandDue` may have something to do; reads one index. */
  hasNotice(now: Date): Promise<boolean>;
  /** Whether any delivery is behind. */
  hasBehind(): Promise<boolean>;
  /** Whether `claim` may have something to do. */
  hasDue(lease: Pick<DueClaim, "now" | "lapsedBefore">): Promise<boolean>;
  /**
   * Turns due notices into deliveries, one per subscribed webhook, in batches: those of webhooks that hang come
   * last. Claims the first deliveries of webhooks that have no others pending.
   */
  expandDue(claim: Claim): Promise<Expanded>;
  /** Claims due deliveries that are not behind. Resent deliveries come first, ahead of all others. */
  claim(claim: DueClaim): Promise<readonly ClaimedDelivery[]>;
  /** Claims the oldest due delivery of each webhook that hung at its last attempt and has none in flight. */
  claimBehind(claim: BehindClaim): Promise<readonly ClaimedDelivery[]>;
  /**
   * Records all or none; each delivery occurs at most once. A failure under a lease that another worker took over is
   * stored as an attempt and changes nothing else. Recording again after a lost answer changes nothing.
   */
  record(records: readonly AttemptRecord[]): Promise<void>;
}

/** One request to a webhook; never throws for failures of the network or the receiver. */
export type SendDelivery = (delivery: ClaimedDelivery) => Promise<AnsweredAttempt>;

export interface DeliveryPorts {
  readonly queue: DeliveryQueue;
  readonly clock: Clock;
  readonly send: SendDelivery;
  /** In [0, 1): spreads the retries. */
  readonly random: () => number;
}

/** Makes one attempt and returns the outcome; the delay of the next attempt counts from the end of this one. */
export const attemptDelivery = async (
  ports: Omit<DeliveryPorts, "queue">,
  delivery: ClaimedDelivery,
): Promise<AttemptRecord> => {
  const { ok, ...attempt } = await ports.send(delivery);
  const outcome: Outcome = ok ? { state: "delivered" } : afterFailure(ports, delivery);
  return { delivery, attempt, outcome };
};

const afterFailure = (
  { clock, random }: Pick<DeliveryPorts, "clock" | "random">,
  { failures, isResend }: ClaimedDelivery,
): Outcome => {
  if (isResend) return { state: "unchanged" };
  const delayMs = delayAfterMs(failures + 1, random());
  if (delayMs === null) return { state: "failed" };
  return { state: "pending", nextAttemptAt: new Date(clock.now().getTime() + delayMs) };
};
