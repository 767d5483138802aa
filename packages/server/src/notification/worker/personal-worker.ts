import type { MessageOutcome } from "../../dispatch/domain/message.js";
import type { MessageQueue } from "../../dispatch/operations/message-queue.js";
import type { LoopClock } from "../../platform/clock.js";
import type { FaultLog } from "../../platform/log.js";
import { SendingWorker } from "../../platform/worker/sending-worker.js";
import type { ClaimedPersonalNotice } from "../domain/personal-notice.js";
import { attemptPersonalNotice, type FindNoticed, type PersonalPorts } from "../operations/send-personal-notices.js";

const MAX_UNDER_WAY = 2048;
const GATHER_MS = 100;

export interface PersonalWorkerPorts extends Omit<PersonalPorts, "clock"> {
  readonly queue: MessageQueue<ClaimedPersonalNotice>;
  readonly clock: LoopClock;
  readonly maxInFlight: number;
}

/** Those claimed together share a read of their dispatch. */
type Shared = ClaimedPersonalNotice & { readonly find: FindNoticed };

/** One for each channel, apart from those of webhooks and of mails to contacts: none waits for another's dead receivers. */
export const personalWorker = (ports: PersonalWorkerPorts, log: FaultLog) => {
  const { maxInFlight, queue, clock } = ports;
  const hosts = new HostsInFlight(maxInFlight / 2);
  return new SendingWorker<Shared, MessageOutcome>(
    {
      what: "notices to persons",
      inFlight: maxInFlight,
      underWay: MAX_UNDER_WAY,
      async claim(lease, room) {
        if (room === 0) return { claimed: [] };
        const look = await queue.claim({ ...lease, limit: room, busyHosts: hosts.busy });
        const find = oncePerKey(ports.find);
        return { ...look, claimed: look.claimed.map((notice) => ({ ...notice, find })) };
      },
      send: ({ find, ...notice }) => hosts.during(notice.host, () => attemptPersonalNotice({ ...ports, find }, notice)),
      record: {
        gatherMs: GATHER_MS,
        all: (sent) => queue.record(sent),
      },
      report({ id, userId }, outcome) {
        if (outcome.state !== "delivered" && outcome.error !== null)
          log.warn({ notice: id, userId, error: outcome.error }, "a notice to a person could not be sent");
      },
      facts: ({ id, userId }) => ({ notice: id, userId }),
    },
    { clock, log },
  );
};

/** A dead push service must leave room for the others. */
class HostsInFlight {
  private readonly counts = new Map<string, number>();

  constructor(private readonly most: number) {}

  get busy(): string[] {
    return [...this.counts].flatMap(([host, count]) => (count >= this.most ? [host] : []));
  }

  async during<T>(host: string | null, run: () => Promise<T>): Promise<T> {
    if (host === null) return run();
    this.count(host, 1);
    return run().finally(() => this.count(host, -1));
  }

  private count(host: string, step: 1 | -1): void {
    const count = (this.counts.get(host) ?? 0) + step;
    if (count === 0) this.counts.delete(host);
    else this.counts.set(host, count);
  }
}

/** Many people see the same dispatch. */
const oncePerKey = (find: FindNoticed): FindNoticed => {
  const found = new Map<string, ReturnType<FindNoticed>>();
  return (accountId, dispatchId) => {
    const key = `${accountId} ${dispatchId}`;
    const known = found.get(key) ?? find(accountId, dispatchId);
    found.set(key, known);
    return known;
  };
};
