import { ATTEMPT_MS } from "../../platform/attempt.js";
import type { LoopClock } from "../../platform/clock.js";
import type { Lease } from "../../platform/lease.js";
import type { FaultLog } from "../../platform/log.js";
import { AttemptPlaces, type Place, placeLimits } from "../../platform/outbound/attempt-places.js";
import { Polling } from "../../platform/polling.js";
import { type Carrier, RARELY_MS } from "../../platform/timetable.js";
import { TurnByTurn } from "../../platform/turns.js";
import { LEASE_MS } from "../../platform/worker/lease.js";
import { LeasedWorker, leaseFrom } from "../../platform/worker/leased-worker.js";
import { PacedWorker, type Step } from "../../platform/worker/paced-worker.js";
import type { AttemptRecord, ClaimedDelivery } from "../domain/delivery.js";
import { MAX_IN_FLIGHT_PER_WEBHOOK } from "../domain/webhook.js";
import { attemptDelivery, type DeliveryPorts, type DeliveryWork } from "../operations/deliver-notices.js";
import { AttemptRecorder } from "./attempt-recorder.js";

/** Requests in flight of a killed worker count against their webhook for at most this long. */
const LONGEST_ATTEMPT_MS = ATTEMPT_MS + 1000;
/** Answered deliveries that wait to be recorded do not count as in flight, but are limited too. */
const MAX_UNDER_WAY = 2 * placeLimits.inFlight;
const CLAIMED_AT_ONCE = 1024;
/** Of webhooks that hang, by one look. */
const WEBHOOKS_BEHIND = 32;
const PUT_BEHIND_AT_ONCE = 500;
/** Of the time, for each of the two loops of what is behind: thousands that hang leave the rest to the others. */
const BEHIND_SHARE = 0.5;
/** Which webhooks hang is known here alone, and asks nothing of the database. */
const HUNG_POLL_MS = 1000;

const inFlightUntil = ({ leasedUntil }: Lease): Date => new Date(leasedUntil.getTime() - LONGEST_ATTEMPT_MS);

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
  private readonly lagging: PacedWorker<Step>;
  private readonly trailing: PacedWorker<Step>;
  private readonly starts = new TurnByTurn();
  /** The webhook at which the last look at those that hang ended. */
  private reachedBehind: string | null = null;
  private areAnyBehind = false;
  private readonly leased: LeasedWorker<ClaimedDelivery>;
  private readonly recorder: AttemptRecorder;
  private readonly places: AttemptPlaces;

  constructor(
    private readonly ports: DeliveryPorts & { readonly clock: LoopClock },
    private readonly log: FaultLog,
    private readonly observer: AttemptObserver,
  ) {
    const { clock } = ports;
    this.leased = new LeasedWorker({
      clock,
      log,
      look: (lease) => this.claim(lease),
      onError: (error) => log.error({ err: error }, "deliveries could not be fetched; retrying"),
    });
    this.expanding = new Polling({
      look: () => this.expand(),
      onError: (error) => this.leased.lookFailed(error),
      clock,
      everyMs: RARELY_MS,
      restsFirst: true,
    });
    const paced = (step: () => Promise<Step>, idleMs: number): PacedWorker<Step> =>
      new PacedWorker({
        step,
        clock,
        share: BEHIND_SHARE,
        idleMs,
        restsFirst: true,
        observe: () => {},
        onError: (error) => this.leased.lookFailed(error),
      });
    this.lagging = paced(() => this.catchUp(), HUNG_POLL_MS);
    this.trailing = paced(() => this.expandBehind(), RARELY_MS);
    // Looks that found no room try again.
    this.places = new AttemptPlaces(() => this.leased.wake());
    this.recorder = new AttemptRecorder(async (records) => {
      await this.leased.record(() => ports.queue.record(records.map((record) => this.underItsLease(record))));
      // The next ones of the same webhooks and dispatches may be sent now.
      this.leased.wake();
    }, clock);
  }

  start(): void {
    this.expanding.start();
    this.leased.start();
    this.lagging.start();
    this.trailing.start();
  }

  /** Call when a notice was committed: it may be due, and a claim need not wait for what else is. */
  wake(): void {
    this.expanding.wake();
  }

  /** For the timetable. */
  get carriers(): Readonly<Record<DeliveryWork, Carrier>> {
    const { leased, expanding, trailing, lagging } = this;
    const catchUp = (): void => {
      this.areAnyBehind = true;
      lagging.wake();
    };
    return { notices: expanding, deliveries: leased, noticesBehind: trailing, deliveriesBehind: { wake: catchUp } };
  }

  /** Stops claiming and waits for requests in flight. */
  stop(): Promise<void> {
    return this.leased.stop([this.expanding, this.lagging, this.trailing]);
  }

  /** true if there may be more at once. */
  private async expand(): Promise<boolean> {
    const startedMs = performance.now();
    const now = this.ports.clock.now();
    const leasedUntil = leaseFrom(now);
    const claim = { now, leasedUntil, limit: this.within(this.places.freshRoom), hung: this.places.hung };
    const { claimed, left, hasMore } = await this.ports.queue.expandDue(claim);
    this.take(claimed, startedMs, "fresh");
    if (left > 0) this.leased.wake();
    if (claim.hung.length > 0) this.trailing.wake();
    return hasMore;
  }

  private async claim(lease: Lease): Promise<boolean> {
    const { isCrowded, hung, reliable } = this.places;
    const perWebhook = isCrowded ? 1 : MAX_IN_FLIGHT_PER_WEBHOOK;
    const startedMs = performance.now();
    const claim = {
      ...lease,
      limit: this.within(this.places.room),
      perWebhook,
      inFlightUntil: inFlightUntil(lease),
      hung,
      reliable,
    };
    const claimed = await this.ports.queue.claim(claim);
    this.take(claimed, startedMs);
    return claimed.length > 0;
  }

  /** For webhooks that hang: their deliveries of notices that all others have. */
  private async expandBehind(): Promise<Step> {
    const { clock, queue } = this.ports;
    const { left, hasMore } = await queue.expandBehind({ now: clock.now(), hung: this.places.hung });
    if (left > 0) this.leased.wake();
    // A later notice of its dispatch may have waited for it.
    if (hasMore) this.expanding.wake();
    return { isDone: !hasMore };
  }

  /** What `claim` passes over because its webhook hangs is put behind here, and claimed after it. */
  private async catchUp(): Promise<Step> {
    const { queue } = this.ports;
    const [lease, { hung }] = [this.leased.lease(), this.places];
    const moved = hung.length === 0 ? 0 : await queue.putBehind({ ...lease, hung, limit: PUT_BEHIND_AT_ONCE });
    const isDone = (moved === 0 && !this.areAnyBehind) || (await this.claimBehind());
    this.areAnyBehind = !isDone;
    return { isDone: isDone && moved < PUT_BEHIND_AT_ONCE };
  }

  /** Returns whether it has been at all webhooks. */
  private async claimBehind(): Promise<boolean> {
    const limit = this.places.barsHung ? 0 : Math.min(this.within(this.places.room), WEBHOOKS_BEHIND);
    if (limit === 0) return true;
    const startedMs = performance.now();
    const lease = this.leased.lease();
    const claim = { ...lease, limit, inFlightUntil: inFlightUntil(lease), after: this.reachedBehind };
    const { claimed, reached } = await this.ports.queue.claimBehind(claim);
    this.reachedBehind = reached;
    this.take(claimed, startedMs);
    return reached === null;
  }

  private within(room: number): number {
    return Math.max(0, Math.min(CLAIMED_AT_ONCE, room, MAX_UNDER_WAY - this.leased.count));
  }

  /** Sent in the next turns of the event loop, a few in each: receivers that took the last attempt before all others. */
  private take(claimed: readonly ClaimedDelivery[], startedMs: number, kind: "fresh" | "due" = "due"): void {
    this.leased.take(claimed, (delivery) => {
      const place = this.places.take(delivery.webhookId, kind);
      return new Promise((resolve) => {
        const start = (): void => resolve(this.send(delivery, startedMs, place));
        this.starts.run(start, this.places.isReliable(delivery.webhookId));
      });
    });
  }

  private async attempt(delivery: ClaimedDelivery, place: Place): Promise<AttemptRecord> {
    let isTaken = false;
    try {
      const record = await attemptDelivery(this.ports, delivery);
      isTaken = record.attempt.error === null;
      return record;
    } finally {
      place.leave(isTaken);
    }
  }

  private underItsLease(record: AttemptRecord): AttemptRecord {
    const delivery = this.leased.toRecord(record.delivery);
    return delivery === record.delivery ? record : { ...record, delivery };
  }

  private async send(delivery: ClaimedDelivery, claimedMs: number, place: Place): Promise<void> {
    // A process suspended for this long has lost it to another.
    if (performance.now() - claimedMs > LEASE_MS) return place.leave(true);
    place.begin();
    try {
      const record = await this.attempt(delivery, place);
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
