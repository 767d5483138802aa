import type { AnsweredAttempt } from "../../platform/attempt.js";
import { delayAfterMs } from "../../platform/attempt.js";
import type { Clock } from "../../platform/clock.js";
import type { Claim as LeaseClaim, Sent } from "../../platform/lease.js";
import type { ClaimedDelivery, DeliveryOutcome } from "../domain/delivery.js";

/** Which deliveries a worker creates and claims, and for how long. */
export interface DeliveryClaim extends Omit<LeaseClaim, "lapsedBefore"> {
  /** Webhooks that do not answer: their deliveries are created last, and are behind. */
  readonly hung: readonly string[];
}

export interface DueClaim extends DeliveryClaim, LeaseClaim {
  /** A lease that ends before this was taken so long ago that its request is over, even if its worker died. */
  readonly inFlightUntil: Date;
  /** Limit of requests in flight per webhook, including those of other workers. */
  readonly perWebhook: number;
  /** Webhooks that took their last attempt: they come before the others. */
  readonly reliable: readonly string[];
}

/** For webhooks that hang: one delivery each. */
export interface BehindClaim extends Omit<DueClaim, "hung" | "reliable" | "perWebhook"> {
  /** The webhook at which the claim before ended; null to begin with the first. */
  readonly after: string | null;
}

export interface Expanded {
  readonly claimed: readonly ClaimedDelivery[];
  /** Number of deliveries created but not claimed, without those that are behind. */
  readonly left: number;
  readonly hasMore: boolean;
}

export interface ClaimedBehind {
  readonly claimed: readonly ClaimedDelivery[];
  /** Where the next claim goes on; null after the last webhook. */
  readonly reached: string | null;
}

/** What is due in it: `expandDue`, `claim`, `expandBehind`, `claimBehind`. */
export type DeliveryWork = "notices" | "deliveries" | "noticesBehind" | "deliveriesBehind";

/**
 * The queue of deliveries, shared by any number of workers. Only the oldest delivery per webhook and dispatch is handed
 * out, which preserves their order.
 */
export interface DeliveryQueue {
  /**
   * Turns due notices into deliveries, one per subscribed webhook, in batches, except for webhooks that hang. Claims
   * the first deliveries of webhooks that have no others pending.
   */
  expandDue(claim: DeliveryClaim): Promise<Expanded>;
  /** Turns a notice into deliveries for a batch of those that hang, once it has them for all others. */
  expandBehind(claim: Pick<DeliveryClaim, "now" | "hung">): Promise<Omit<Expanded, "claimed">>;
  /** Claims due deliveries that are not behind. Resent deliveries come first, ahead of all others. */
  claim(claim: DueClaim): Promise<readonly ClaimedDelivery[]>;
  /**
   * Puts due deliveries behind whose webhooks hang: `claim` passes over them. Call it again until fewer than `limit`
   * are moved; returns their number.
   */
  putBehind(claim: Omit<DueClaim, "leasedUntil" | "inFlightUntil" | "perWebhook" | "reliable">): Promise<number>;
  /** Claims the oldest due delivery of each of the next `limit` webhooks that are behind and have none in flight. */
  claimBehind(claim: BehindClaim): Promise<ClaimedBehind>;
  /**
   * Records all or none; each delivery occurs at most once. A failure under a lease that another worker took over is
   * stored as an attempt and changes nothing else. Recording again after a lost answer changes nothing. A webhook that
   * answers again has its next deliveries behind no longer, as many as may be in flight.
   */
  record(sent: ReadonlyArray<Sent<ClaimedDelivery, DeliveryOutcome>>): Promise<void>;
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
): Promise<DeliveryOutcome> => {
  const { ok, ...sent } = await ports.send(delivery);
  const attempt = { ...sent, isResend: delivery.isResend };
  const made = { at: sent.at, attempt };
  if (ok) return { state: "delivered", modification: null, kept: {}, ...made };
  const failed = { error: sent.error, ...made };
  if (delivery.isResend) return { state: "unchanged", ...failed };
  const delayMs = delayAfterMs(delivery.failures + 1, ports.random());
  if (delayMs === null) return { state: "failed", reason: "attempts_failed", ...failed };
  return { state: "pending", nextAttemptAt: new Date(ports.clock.now().getTime() + delayMs), ...failed };
};
