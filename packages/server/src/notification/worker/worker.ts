import { ATTEMPT_MS, HUNG_MS } from "../../platform/attempt.js";
import type { LoopClock } from "../../platform/clock.js";
import type { Lease, Look } from "../../platform/lease.js";
import type { FaultLog } from "../../platform/log.js";
import { AttemptPlaces, placeLimits } from "../../platform/outbound/attempt-places.js";
import type { Places } from "../../platform/places.js";
import { Polling } from "../../platform/polling.js";
import { type Carrier, RARELY_MS } from "../../platform/timetable.js";
import { TurnByTurn } from "../../platform/turns.js";
import { leaseFrom } from "../../platform/worker/leased-worker.js";
import { PacedWorker, type Step } from "../../platform/worker/paced-worker.js";
import { type Sending, SendingWorker } from "../../platform/worker/sending-worker.js";
import type { ClaimedDelivery, DeliveryOutcome } from "../domain/delivery.js";
import { MAX_IN_FLIGHT_PER_WEBHOOK } from "../domain/webhook.js";
import { attemptDelivery, type DeliveryPorts, type DeliveryWork } from "../operations/deliver-notices.js";

/** Requests in flight of a killed worker count against their webhook for at most this long. */
const LONGEST_ATTEMPT_MS = ATTEMPT_MS + 1000;
/** Answered deliveries that wait to be recorded do not count as in flight, but are limited too. */
const MAX_UNDER_WAY = 2 * placeLimits.inFlight;
/** Covers most attempts of a dispatch to a thousand webhooks; a commit for each took longer than sending them. */
const GATHER_MS = 200;
/** Of webhooks that hang, by one look. */
const WEBHOOKS_BEHIND = 32;
const PUT_BEHIND_AT_ONCE = 500;
/** Of the time, for each of the two loops of what is behind: thousands that hang leave the rest to the others. */
const BEHIND_SHARE = 0.5;
/** Notices whose deliveries wait for places to be claimed at once are made without them after this time. */
const ROOM_MS = 100;
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
  private readonly sending: SendingWorker<ClaimedDelivery, DeliveryOutcome>;
  private readonly expanding: Polling;
  private readonly lagging: PacedWorker<Step>;
  private readonly trailing: PacedWorker<Step>;
  private readonly starts = new TurnByTurn();
  private readonly places: AttemptPlaces;
  /** For those that are claimed as soon as they are made. */
  private readonly fresh: Places<ClaimedDelivery>;
  /** The webhook at which the last look at those that hang ended. */
  private reachedBehind: string | null = null;
  private areAnyBehind = false;
  /** Whether a notice has deliveries that are not made yet. */
  private hasUnmade = false;

  constructor(
    private readonly ports: DeliveryPorts & { readonly clock: LoopClock },
    log: FaultLog,
    private readonly observer: AttemptObserver,
  ) {
    const { clock } = ports;
    // Looks that found no room try again.
    this.places = new AttemptPlaces(
      () => this.sending.wake(),
      () => {
        if (this.hasUnmade) this.expanding.wake();
      },
    );
    this.fresh = this.placesOf("fresh");
    this.sending = new SendingWorker(this.deliveries(), { clock, log });
    const onError = (error: unknown): void => {
      this.hasUnmade = false;
      this.sending.lookFailed(error);
    };
    const look = (): Promise<boolean> => this.expand();
    const everyMs = (): number => (this.hasUnmade ? ROOM_MS : RARELY_MS);
    this.expanding = new Polling({ look, onError, clock, everyMs, restsFirst: true });
    const paced = (step: () => Promise<Step>, idleMs: number): PacedWorker<Step> =>
      new PacedWorker({ step, clock, share: BEHIND_SHARE, idleMs, restsFirst: true, onError });
    this.lagging = paced(() => this.catchUp(), HUNG_POLL_MS);
    this.trailing = paced(() => this.expandBehind(), RARELY_MS);
  }

  start(): void {
    for (const each of [this.expanding, this.sending, this.lagging, this.trailing]) each.start();
    // Opens the connections of both: a new one has to read the catalogs first, for which a notice would wait.
    this.expanding.wake();
    this.sending.wake();
  }

  /** Call when a notice was committed: it may be due, and a claim need not wait for what else is. */
  wake(): void {
    this.expanding.wake();
  }

  /** For the timetable. */
  get carriers(): Readonly<Record<DeliveryWork, Carrier>> {
    const { sending, expanding, trailing, lagging } = this;
    const catchUp = (): void => {
      this.areAnyBehind = true;
      lagging.wake();
    };
    return { notices: expanding, deliveries: sending, noticesBehind: trailing, deliveriesBehind: { wake: catchUp } };
  }

  /** Stops claiming and waits for requests in flight. */
  stop(): Promise<void> {
    return this.sending.stop([this.expanding, this.lagging, this.trailing]);
  }

  private deliveries(): Sending<ClaimedDelivery, DeliveryOutcome> {
    const { ports, places, starts } = this;
    return {
      what: "deliveries",
      inFlight: this.placesOf("due"),
      underWay: MAX_UNDER_WAY,
      claim: (lease, room) => this.claim(lease, room),
      // In the next turns of the event loop, a few in each: receivers that took the last attempt before all others.
      begin: ({ webhookId }, begin) => starts.run(begin, places.isReliable(webhookId)),
      send: (delivery) => attemptDelivery(ports, delivery),
      isTaken: ({ attempt }) => attempt.error === null,
      record: {
        gatherMs: GATHER_MS,
        all: (sent) => ports.queue.record(sent),
        // Those of receivers that answer do not wait for those that hung, nor do their next deliveries.
        isLate: ({ attempt }) => attempt.durationMs >= HUNG_MS,
      },
      report: (delivery, outcome) => this.report(delivery, outcome),
      facts: ({ id, webhookId, dispatchId }) => ({ delivery: id, webhookId, dispatchId }),
    };
  }

  /** What was claimed as soon as it was made takes no places of what was due, nor the other way round. */
  private placesOf(kind: "fresh" | "due"): Places<ClaimedDelivery> {
    const { places } = this;
    const isBetweenBatches = (): boolean => this.hasUnmade;
    return {
      get room() {
        return kind === "fresh" ? places.freshRoom : places.room;
      },
      // While more are made, what was sent is recorded together with them.
      get isEmpty() {
        return places.isEmpty && !isBetweenBatches();
      },
      take: ({ webhookId }) => places.take(webhookId, kind),
    };
  }

  private async claim(lease: Lease, limit: number): Promise<Look<ClaimedDelivery>> {
    const { isCrowded, hung, reliable } = this.places;
    const perWebhook = isCrowded ? 1 : MAX_IN_FLIGHT_PER_WEBHOOK;
    const claim = { ...lease, limit, perWebhook, inFlightUntil: inFlightUntil(lease), hung, reliable };
    const claimed = await this.ports.queue.claim(claim);
    return { claimed, hasMore: claimed.length > 0 };
  }

  /** true if there may be more at once. */
  private async expand(): Promise<boolean> {
    const startedMs = performance.now();
    const now = this.ports.clock.now();
    const claim = { now, leasedUntil: leaseFrom(now), limit: this.sending.room(this.fresh), hung: this.places.hung };
    const { claimed, left, hasMore } = await this.ports.queue.expandDue(claim);
    this.sending.take(claimed, startedMs, this.fresh);
    if (left > 0) this.sending.wake();
    if (claim.hung.length > 0) this.trailing.wake();
    this.hasUnmade = hasMore;
    return hasMore && this.places.hasFreshRoom;
  }

  /** For webhooks that hang: their deliveries of notices that all others have. */
  private async expandBehind(): Promise<Step> {
    const { clock, queue } = this.ports;
    const { left, hasMore } = await queue.expandBehind({ now: clock.now(), hung: this.places.hung });
    if (left > 0) this.sending.wake();
    // A later notice of its dispatch may have waited for it.
    if (hasMore) this.expanding.wake();
    return { isDone: !hasMore };
  }

  /** What `claim` passes over because its webhook hangs is put behind here, and claimed after it. */
  private async catchUp(): Promise<Step> {
    const { queue } = this.ports;
    const [lease, { hung }] = [this.sending.lease(), this.places];
    const moved = hung.length === 0 ? 0 : await queue.putBehind({ ...lease, hung, limit: PUT_BEHIND_AT_ONCE });
    const isDone = (moved === 0 && !this.areAnyBehind) || (await this.claimBehind());
    this.areAnyBehind = !isDone;
    return { isDone: isDone && moved < PUT_BEHIND_AT_ONCE };
  }

  /** Returns whether it has been at all webhooks. */
  private async claimBehind(): Promise<boolean> {
    const limit = this.places.barsHung ? 0 : Math.min(this.sending.room(), WEBHOOKS_BEHIND);
    if (limit === 0) return true;
    const startedMs = performance.now();
    const lease = this.sending.lease();
    const claim = { ...lease, limit, inFlightUntil: inFlightUntil(lease), after: this.reachedBehind };
    const { claimed, reached } = await this.ports.queue.claimBehind(claim);
    this.reachedBehind = reached;
    this.sending.take(claimed, startedMs);
    return reached === null;
  }

  private report({ failures, isResend, noticedAt }: ClaimedDelivery, { state, attempt }: DeliveryOutcome): void {
    const isFirst = failures === 0 && !isResend;
    this.observer.observeAttempt({
      ok: state === "delivered",
      firstAfterSeconds: isFirst ? (attempt.at.getTime() - noticedAt.getTime()) / 1000 : null,
    });
  }
}
