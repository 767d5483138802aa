import type { Attempt, ClaimedDelivery, Outcome, SentAttempt } from "../domain/delivery.js";
import type { Result } from "../domain/refusal.js";
import { delayAfterMs } from "../domain/webhook.js";
import type { Clock } from "./ports.js";

/** The queue of deliveries; any number of workers may share it. */
export interface DeliveryQueue {
  /** Turns due notices into deliveries, one for every webhook that subscribed; answers how many notices it took. */
  expandDue(now: Date): Promise<Result<number>>;
  /**
   * Takes due deliveries until the lease ends: the oldest of each webhook and dispatch only, so that their order holds.
   * Before them those to be sent once more, whatever is before them. None of the webhooks named in `busy`.
   */
  claim(now: Date, leasedUntil: Date, limit: number, busy: readonly string[]): Promise<readonly ClaimedDelivery[]>;
  record(delivery: ClaimedDelivery, attempt: Attempt, outcome: Outcome): Promise<void>;
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

/** Sends a delivery once and records what came of it; the wait for the next attempt counts from the end of this one. */
export const attemptDelivery = async (ports: DeliveryPorts, delivery: ClaimedDelivery): Promise<Outcome> => {
  const { ok, ...attempt } = await ports.send(delivery);
  const outcome: Outcome = ok ? { state: "delivered" } : afterFailure(ports, delivery);
  await ports.queue.record(delivery, attempt, outcome);
  return outcome;
};

const afterFailure = ({ clock, random }: DeliveryPorts, { failures, isResend }: ClaimedDelivery): Outcome => {
  if (isResend) return { state: "unchanged" };
  const delayMs = delayAfterMs(failures + 1, random());
  if (delayMs === null) return { state: "failed" };
  return { state: "pending", nextAttemptAt: new Date(clock.now().getTime() + delayMs) };
};
