import type { Outcome, SentAttempt } from "../../platform/attempt.js";
import { delayAfterMs } from "../../platform/attempt.js";
import type { Clock } from "../../platform/clock.js";
import type { AttemptRecord, ClaimedDelivery } from "../domain/delivery.js";

/** Which deliveries a worker takes, and for how long they are its own. */
export interface Claim {
  readonly now: Date;
  readonly leasedUntil: Date;
  readonly limit: number;
}

export interface DueClaim extends Claim {
  /** Leases that ended by then are over. */
  readonly lapsedBefore: Date;
  /** How many of one webhook may be in flight, those of other workers included. */
  readonly perWebhook: number;
  /** A lease that ends before was taken so long ago that its request is over, even if its worker died. */
  readonly inFlightUntil: Date;
}

export interface Expanded {
  readonly claimed: readonly ClaimedDelivery[];
  /** How many were made and are to be claimed. */
  readonly left: number;
  readonly hasMore: boolean;
}

/**
 * The queue of deliveries; any number of workers may share it. Of a webhook and dispatch only the oldest is handed out,
 * so that their order holds.
 */
export interface DeliveryQueue {
  /**
   * Turns due notices into deliveries, one for every webhook that subscribed, bit by bit. Takes the first of those
   * whose webhooks have nothing else to wait for.
   */
  expandDue(claim: Claim): Promise<Expanded>;
  /** Claims due deliveries. Resent deliveries come first, ahead of all others. */
  claim(claim: DueClaim): Promise<readonly ClaimedDelivery[]>;
  /**
   * All of them or none. A delivery is named once at most. What failed under a lease that another worker took over is
   * kept as an attempt and changes nothing else; what is recorded a second time, since the answer was lost, changes
   * nothing.
   */
  record(records: readonly AttemptRecord[]): Promise<void>;
}

/** One request to a webhook; never throws for what the network or the receiver does. */
export type SendDelivery = (delivery: ClaimedDelivery) => Promise<SentAttempt>;

export interface DeliveryPorts {
  readonly queue: DeliveryQueue;
  readonly clock: Clock;
  readonly send: SendDelivery;
  /** From 0 to below 1: scatters the retries. */
  readonly random: () => number;
}

/** Sends a delivery once and says what comes of it; the wait for the next attempt counts from the end of this one. */
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
