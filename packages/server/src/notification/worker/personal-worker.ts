import { Batcher } from "../../platform/batcher.js";
import type { LoopClock } from "../../platform/clock.js";
import type { FaultLog } from "../../platform/log.js";
import type { Carrier } from "../../platform/timetable.js";
import { LEASE_MS } from "../../platform/worker/lease.js";
import { type Lease, LeasedWorker } from "../../platform/worker/leased-worker.js";
import { isRefusedRecord } from "../../platform/worker/recording.js";
import type { PersonalChannel } from "../domain/notice-preferences.js";
import {
  attemptPersonalNotice,
  type ClaimedPersonalNotice,
  type PersonalNoticeQueue,
  type PersonalPorts,
  type PersonalRecord,
} from "../operations/send-personal-notices.js";

/** Encrypting a push message takes about a millisecond; more at once would hold up other requests of the process. */
const CLAIMED_AT_ONCE = 64;
/** Answered notices that wait to be recorded are not in flight, but are limited too. */
const MAX_UNDER_WAY = 2048;
const GATHER_MS = 100;

export interface PersonalWorkerPorts extends Omit<PersonalPorts, "clock"> {
  readonly queue: Pick<PersonalNoticeQueue, "claim" | "record">;
  readonly clock: LoopClock;
  readonly channel: PersonalChannel;
  readonly maxInFlight: number;
}

/**
 * Claims due notices to persons, sends them and records the outcomes, until stopped. One for each channel, apart from those
 * of webhooks and of mails to contacts: none waits for another's dead receivers.
 */
export class PersonalWorker {
  private readonly leased: LeasedWorker<ClaimedPersonalNotice>;
  private readonly recorder: Batcher<PersonalRecord>;
  /** Number of those not answered yet, and of each push service. */
  private inFlight = 0;
  private readonly byHost = new Map<string, number>();

  constructor(
    private readonly ports: PersonalWorkerPorts,
    private readonly log: FaultLog,
  ) {
    const { clock, queue } = ports;
    this.leased = new LeasedWorker({
      clock,
      log,
      look: (lease) => this.look(lease),
      onError: (error) => log.error({ err: error }, "notices to persons could not be fetched; retrying"),
      onEnd: () => this.leased.wake(),
    });
    this.recorder = new Batcher<PersonalRecord>({
      work: (records) => this.leased.record(() => queue.record(records.map((record) => this.underItsLease(record)))),
      gather: (signal) => clock.sleep(GATHER_MS, signal),
      keyOf: ({ notice }) => notice.id,
      isItemAtFault: isRefusedRecord,
    });
  }

  /** For the timetable. */
  get carrier(): Carrier {
    return this.leased;
  }

  start(): void {
    this.leased.start();
  }

  /** Call when there may be something new to send. */
  wake(): void {
    this.leased.wake();
  }

  /** Stops claiming and waits for those being sent. */
  stop(): Promise<void> {
    return this.leased.stop();
  }

  private async look(lease: Lease): Promise<boolean> {
    const { channel, maxInFlight, queue } = this.ports;
    const limit = Math.min(CLAIMED_AT_ONCE, maxInFlight - this.inFlight, MAX_UNDER_WAY - this.leased.count);
    if (limit <= 0) return false;
    const startedMs = performance.now();
    const { claimed, hasMore } = await queue.claim({ ...lease, channel, limit, busyHosts: this.busyHosts() });
    const find = oncePerKey(this.ports.find);
    this.leased.take(claimed, (notice) => {
      this.count(notice.host, 1);
      return this.carryOut(notice, { ...this.ports, find }, startedMs);
    });
    return hasMore;
  }

  /** A dead push service must leave room for the others. */
  private busyHosts(): string[] {
    const most = this.ports.maxInFlight / 2;
    return [...this.byHost].flatMap(([host, count]) => (count >= most ? [host] : []));
  }

  private async carryOut(notice: ClaimedPersonalNotice, ports: PersonalPorts, claimedMs: number): Promise<void> {
    // A process suspended for this long has lost it to another.
    const { id, userId, host } = notice;
    if (performance.now() - claimedMs > LEASE_MS) return this.count(host, -1);
    try {
      const outcome = await attemptPersonalNotice(ports, notice).finally(() => this.count(host, -1));
      await this.recorder.add({ notice, outcome });
      if (outcome.state !== "sent" && outcome.error !== null)
        this.log.warn({ notice: id, userId, error: outcome.error }, "a notice to a person could not be sent");
    } catch (error) {
      // Its outcome, whatever it was, is not recorded: the lease ends, and it is sent again.
      this.log.error({ err: error, notice: id, userId }, "a notice to a person could not be sent or recorded");
    }
  }

  private count(host: string | null, step: 1 | -1): void {
    // Looks that found no room try again.
    if (step === -1 && this.inFlight === this.ports.maxInFlight) this.leased.wake();
    this.inFlight += step;
    if (host === null) return;
    const count = (this.byHost.get(host) ?? 0) + step;
    if (count === 0) this.byHost.delete(host);
    else this.byHost.set(host, count);
  }

  private underItsLease(record: PersonalRecord): PersonalRecord {
    return { ...record, notice: this.leased.held(record.notice) };
  }
}

/** Those claimed together share a read: many people see the same dispatch. */
const oncePerKey = (find: PersonalPorts["find"]): PersonalPorts["find"] => {
  const found = new Map<string, ReturnType<PersonalPorts["find"]>>();
  return (accountId, dispatchId) => {
    const key = `${accountId} ${dispatchId}`;
    const known = found.get(key) ?? find(accountId, dispatchId);
    found.set(key, known);
    return known;
  };
};
