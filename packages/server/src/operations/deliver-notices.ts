import type { Attempt, ClaimedDelivery, Outcome } from "../domain/delivery.js";
import type { Result } from "../domain/refusal.js";
import { delayAfterMs } from "../domain/webhook.js";
import type { Clock } from "./ports.js";

/** The queue of deliveries; any number of workers may share it. */
export interface DeliveryQueue {
  /** Turns due notices into deliveries, one for every webhook that subscribed; answers how many notices it took. */
  expandDue(now: Date): Promise<Result<number>>;
  /**
   * Takes due deliveries until the lease ends: the oldest of each webhook and dispatch only, so that their order holds.
   * None of the webhooks named in `busy`.
   */
  claim(now: Date, leasedUntil: Date, limit: number, busy: readonly string[]): Promise<readonly ClaimedDelivery[]>;
  record(delivery: ClaimedDelivery, attempt: Attempt, outcome: Outcome): Promise<void>;
}

/** One request to a webhook; never throws for what the network or the receiver does. */
export type SendDelivery = (delivery: ClaimedDelivery) => Promise<Attempt & { readonly ok: boolean }>;

export interface DeliveryPorts {
  readonly queue: DeliveryQueue;
  readonly clock: Clock;
  readonly send: SendDelivery;
  /** From 0 to below 1: scatters the retries. */
  readonly random: () => number;
}

/** Sends a delivery once and records what came of it; the wait for the next attempt counts from the end of this one. */
export const attemptDelivery = async (
  { queue, clock, send, random }: DeliveryPorts,
  delivery: ClaimedDelivery,
): Promise<Outcome> => {
  const { ok, ...attempt } = await send(delivery);
  const delayMs = ok ? null : delayAfterMs(delivery.failures + 1, random());
  const outcome: Outcome =
    delayMs === null
      ? { state: ok ? "delivered" : "failed" }
      : { state: "pending", nextAttemptAt: new Date(clock.now().getTime() + delayMs) };
  await queue.record(delivery, attempt, outcome);
  return outcome;
};
