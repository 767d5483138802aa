import { setImmediate } from "node:timers/promises";
import { ATTEMPT_MS } from "../../platform/attempt.js";
import type { LoopClock } from "../../platform/clock.js";
import { AttemptPlaces, placeLimits } from "../../platform/outbound/attempt-places.js";
import { Polling } from "../../platform/polling.js";
import { LEASE_MS } from "../../platform/worker/lease.js";
import { type Lease, LeasedWorker, leaseFrom } from "../../platform/worker/leased-worker.js";
import type { AttemptRecord, ClaimedDelivery } from "../domain/delivery.js";
import { MAX_IN_FLIGHT_PER_WEBHOOK } from "../domain/webhook.js";
import { attemptDelivery, type DeliveryPorts } from "../operations/deliver-notices.js";
import { AttemptRecorder } from "./attempt-recorder.js";

/** Requests in flight of a killed worker count against their webhook for at most this long. */
const LONGEST_ATTEMPT_MS = ATTEMPT_MS + 1000;
/** Answered deliveries that wait to be recorded do not count as in flight, but are limited too. */
const MAX_UNDER_WAY = 2 * placeLimits.inFlight;
const CLAIMED_AT_ONCE = 1024;

const inFlightUntil = ({ leasedUntil }: Lease): Date => new Date(leasedUntil.getTime() - LONGEST_ATTEMPT_MS);

export interface WorkerLog {
  error(details: object, message: string): void;
  warn(details: object, message: string): void;
}

/** Called for every recorded attempt. */
export interface AttemptObserver {
  observeAttempt(result: AttemptResult): void;
}

export interface AttemptResult {
  readonly ok: boolean;
  /** Time from the notice to the start of the attempt; null unless it is the first. */
  readonly firstAfterSeconds: number | null;
}

/**
 * Creates and claims due deliveries, sends them and records the outcomes, until stopped. Notices have their own loop, and so
 * has what is behind: the attempts of a live receiver never wait for sorting what is pending for dead ones.
 */
export class DeliveryWorker {
  private readonly expanding: Polling;
  private readonly lagging: Polling;
  private readonly leased: LeasedWorker<ClaimedDelivery>;
  private readonly recorder: AttemptRecorder;
  private readonly places: AttemptPlaces;

  constructor(
    private readonly ports: DeliveryPorts & { readonly clock: LoopClock },
    private readonly log: WorkerLog,
    private readonly observer: AttemptObserver,
  ) {
    const { clock } = ports;
    this.leased = new LeasedWorker({
      clock,
      log,
      look: (lease, isExpected) => this.claim(lease, isExpected),
      onError: (error) => log.error({ err: error }, "deliveries could not be fetched; retrying"),
    });
    this.expanding = new Polling({
      look: (isExpected) => this.expand(isExpected),
      onError: (error) => this.leased.lookFailed(error),
      clock,
    });
    this.lagging = new Polling({
      look: () => this.claimBehind(),
      onError: (error) => this.leased.lookFailed(error),
      clock,
    });
    // Looks that found no room try again.
    this.places = new AttemptPlaces(() => this.leased.wake());
    this.recorder = new AttemptRecorder(async (records) => {
      await this.leased.record(() => ports.queue.record(records.map((record) => this.underItsLease(record))));
      // The next ones of the same webhooks and dispatches may be sent now.
      this.leased.wake();
      if (records.some(({ outcome }) => outcome.state === "delivered")) this.lagging.wake();
    }, clock);
  }

  start(): void {
    this.expanding.start();
    this.leased.start();
    this.lagging.start();
  }

  /** Call when there may be something new to send. */
  wake(): void {
    this.expanding.wake();
    this.leased.wake();
  }

  /** Call when a notice is due. */
  wakeForNotice(): void {
    this.expanding.wake();
  }

  /** Stops claiming and waits for requests in flight. */
  stop(): Promise<void> {
    return this.leased.stop([this.expanding, this.lagging]);
  }

  /** true if there may be more at once. */
  private async expand(isExpected: boolean): Promise<boolean> {
    const startedMs = performance.now();
    const now = this.ports.clock.now();
    if (!isExpected && !(await this.ports.queue.hasNotice(now))) return false;
    const { claimed, left, hasMore } = await this.ports.queue.expandDue({
      now,
      leasedUntil: leaseFrom(now),
      limit: this.room(),
      hung: this.places.hung,
      barsHung: this.places.barsHung,
    });
    this.take(claimed, startedMs);
    if (left > 0) this.leased.wake();
    return hasMore;
  }

  private async claim(lease: Lease, isExpected: boolean): Promise<boolean> {
    if (!isExpected && !(await this.ports.queue.hasDue(lease))) return false;
    const { isCrowded } = this.places;
    // Only while the rest is reserved: what was made before it was known, or by another process, is not behind.
    const hung = this.places.barsHung ? this.places.hung : [];
    const perWebhook = isCrowded ? 1 : MAX_IN_FLIGHT_PER_WEBHOOK;
    const startedMs = performance.now();
    const claim = { ...lease, limit: this.room(), perWebhook, inFlightUntil: inFlightUntil(lease), hung };
    const claimed = await this.ports.queue.claim(claim);
    this.take(claimed, startedMs);
    return claimed.length > 0;
  }

  private async claimBehind(): Promise<boolean> {
    const limit = this.places.barsHung ? 0 : this.room();
    if (limit === 0 || !(await this.ports.queue.hasBehind())) return false;
    const startedMs = performance.now();
    const lease = this.leased.lease();
    const claimed = await this.ports.queue.claimBehind({ ...lease, limit, inFlightUntil: inFlightUntil(lease) });
    this.take(claimed, startedMs);
    return claimed.length === limit;
  }

  private room(): number {
    return Math.max(0, Math.min(CLAIMED_AT_ONCE, this.places.room, MAX_UNDER_WAY - this.leased.count));
  }

  /** Sent in the next turn of the event loop, after the next query to the database. */
  private take(claimed: readonly ClaimedDelivery[], startedMs: number): void {
    const turn = setImmediate();
    this.leased.take(claimed, (delivery) => {
      const leave = this.places.take(delivery.webhookId);
      return turn.then(() => this.send(delivery, startedMs, leave));
    });
  }

  private underItsLease(record: AttemptRecord): AttemptRecord {
    const delivery = this.leased.held(record.delivery);
    return delivery === record.delivery ? record : { ...record, delivery };
  }

  private async send(delivery: ClaimedDelivery, claimedMs: number, leave: () => void): Promise<void> {
    // A process suspended for this long has lost it to another.
    if (performance.now() - claimedMs > LEASE_MS) return leave();
    try {
      const record = await attemptDelivery(this.ports, delivery).finally(leave);
      const isFirst = delivery.failures === 0 && !delivery.isResend;
      const waitedMs = record.attempt.at.getTime() - delivery.noticedAt.getTime();
      const recorded = this.recorder.add(record);
      // Sending takes precedence over recording; once nothing is in flight, outcomes are recorded at once.
      if (this.places.isEmpty) this.recorder.flush();
      await recorded;
      this.observer.observeAttempt({
        ok: record.outcome.state === "delivered",
        firstAfterSeconds: isFirst ? waitedMs / 1000 : null,
      });
    } catch (error) {
      // Its outcome, whatever it was, is not recorded: the lease ends, and it is sent again with the same id.
      const { id, webhookId, dispatchId } = delivery;
      this.log.error({ err: error, delivery: id, webhookId, dispatchId }, "an attempt could not be recorded");
    }
  }
}
