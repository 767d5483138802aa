import type { Lease, Leased, Look, Sent } from "../lease.js";
import { CountedPlaces, type Place, type Places } from "../places.js";
import { Polling } from "../polling.js";
import { LEASE_MS } from "./lease.js";
import { LeasedWorker, leaseFrom, type SendingPorts } from "./leased-worker.js";
import { OutcomeRecorder, type Together } from "./outcome-recorder.js";

/** How the items of one queue are sent. */
export interface Sending<T extends Leased, O> {
  /** For the log, in the plural. */
  readonly what: string;
  /** Most that are sent at the same time; or their places, which wake the worker when there is room again. */
  readonly inFlight: number | Places<T>;
  /** The same with those that wait to be recorded; unless said, as many. */
  readonly underWay?: number;
  /** Claims `room` items at most. Also called without room, to drop what is needless. */
  readonly claim: (lease: Lease, room: number) => Promise<Look<T>>;
  /** Begins to send one that has its place: thousands that begin at once would hold up the event loop. Unless said, at once. */
  readonly begin?: (item: T, begin: () => void) => void;
  /** Never throws for failures of the network or the receiver. */
  readonly send: (item: T) => Promise<O>;
  /** Whether the receiver took it, for its place. */
  readonly isTaken?: (outcome: O) => boolean;
  /** Each outcome by itself, or those of some time together. */
  readonly record: ((sent: Sent<T, O>) => Promise<void>) | Together<T, O>;
  /** Extends leases of what takes longer than one; returns those that are still held. */
  readonly renew?: (items: readonly T[], leasedUntil: Date) => Promise<readonly string[]>;
  /** Called for every recorded outcome. */
  readonly report?: (item: T, outcome: O) => void;
  /** For the log. */
  readonly facts: (item: T) => object;
}

const RENEW_MS = LEASE_MS / 3;

/** Claims due items of a queue, sends them and records the outcomes, until stopped. */
export class SendingWorker<T extends Leased, O> extends LeasedWorker<T> {
  private readonly renewing: Polling | undefined;
  private readonly record: (sent: Sent<T, O>) => Promise<void>;
  private readonly places: Places<T>;
  /** What is being sent, by id. */
  private readonly inFlight = new Map<string, T>();
  private renewal: Promise<void> = Promise.resolve();
  private isWoken = false;

  constructor(
    private readonly sending: Sending<T, O>,
    ports: SendingPorts,
  ) {
    super(ports);
    const { inFlight, renew } = sending;
    // Looks that found no room try again.
    this.places = typeof inFlight === "number" ? new CountedPlaces(inFlight, () => this.wakeOnce()) : inFlight;
    this.renewing = renew && this.renewingBy(renew);
    this.record = this.recorder();
  }

  override start(): void {
    super.start();
    this.renewing?.start();
  }

  override async stop(beside: ReadonlyArray<{ stop(): Promise<void> }> = []): Promise<void> {
    await super.stop(beside);
    await this.renewing?.stop();
  }

  /** How many may be claimed now: for as many as there are places, unless too many wait to be recorded. */
  room(places: Pick<Places<T>, "room"> = this.places): number {
    const { inFlight, underWay = inFlight } = this.sending;
    const free = typeof underWay === "number" ? underWay - this.count : places.room;
    return Math.max(0, Math.min(places.room, free));
  }

  /** Sends what was claimed; a loop beside this one says when it began to claim, by the clock of the process. */
  take(claimed: readonly T[], startedMs: number, places: Pick<Places<T>, "take"> = this.places): void {
    const { begin = (_, now) => now() } = this.sending;
    this.hold(claimed, (item) => {
      const place = places.take(item);
      return new Promise((resolve) => begin(item, () => resolve(this.carryOut(item, startedMs, place))));
    });
  }

  protected async look(lease: Lease): Promise<boolean> {
    const room = this.room();
    const startedMs = performance.now();
    const { claimed, hasMore } = await this.sending.claim(lease, room);
    this.take(claimed, startedMs);
    return hasMore ?? (room > 0 && claimed.length >= room);
  }

  protected reportFailedLook(error: unknown): void {
    this.ports.log.error({ err: error }, `${this.sending.what} could not be fetched; retrying`);
  }

  /** The next to the same recipient may be sent now. */
  protected ended(): void {
    this.wakeOnce();
  }

  private async carryOut(item: T, claimedMs: number, place: Place): Promise<void> {
    // A process suspended for this long has lost it to another.
    if (performance.now() - claimedMs > LEASE_MS) return place.leave(true);
    const { what, report, facts } = this.sending;
    place.begin();
    try {
      const outcome = await this.send(item, place);
      await this.record({ item, outcome });
      report?.(item, outcome);
    } catch (error) {
      // Its outcome, whatever it was, is not recorded: the lease ends, and it is sent again with the same id.
      this.ports.log.error({ err: error, ...facts(item) }, `one of the ${what} could not be sent or recorded`);
    }
  }

  private async send(item: T, place: Place): Promise<O> {
    let isTaken = false;
    this.inFlight.set(item.id, item);
    try {
      const outcome = await this.sending.send(item);
      isTaken = this.sending.isTaken?.(outcome) ?? true;
      return outcome;
    } finally {
      this.inFlight.delete(item.id);
      place.leave(isTaken);
      // So that the record names the current lease.
      if (this.renewing !== undefined) await this.renewal.catch(() => {});
    }
  }

  /** What ends in one turn of the event loop wakes it once, which finds all the room. */
  private wakeOnce(): void {
    if (this.isWoken) return;
    this.isWoken = true;
    setImmediate(() => {
      this.isWoken = false;
      this.wake();
    });
  }

  private recorder(): (sent: Sent<T, O>) => Promise<void> {
    const { record } = this.sending;
    if (typeof record === "function") return (sent) => this.recordAtLast(() => record(this.underItsLease(sent)));
    const all: typeof record.all = (sent) =>
      this.recordAtLast(() => record.all(sent.map((each) => this.underItsLease(each))));
    const recorder = new OutcomeRecorder<T, O>({ ...record, all }, this.ports.clock);
    return (sent) => {
      const recorded = recorder.add(sent);
      // Sending takes precedence over recording; once nothing is in flight, outcomes are recorded at once.
      if (this.places.isEmpty) recorder.flush();
      return recorded;
    };
  }

  private underItsLease(sent: Sent<T, O>): Sent<T, O> {
    return { ...sent, item: this.toRecord(sent.item) };
  }

  private renewingBy(renew: NonNullable<Sending<T, O>["renew"]>): Polling {
    const { clock, log } = this.ports;
    return new Polling({
      look: async () => {
        this.renewal = this.renew(renew);
        await this.renewal;
        return false;
      },
      onError: (error) => log.warn({ err: error }, `leases of ${this.sending.what} could not be renewed; retrying`),
      clock,
      everyMs: RENEW_MS,
    });
  }

  private async renew(renew: NonNullable<Sending<T, O>["renew"]>): Promise<void> {
    const items = [...this.inFlight.values()].map((item) => this.held(item));
    if (items.length === 0) return;
    const leasedUntil = leaseFrom(this.ports.clock.now());
    for (const id of await renew(items, leasedUntil)) this.renewed(id, leasedUntil);
  }
}
