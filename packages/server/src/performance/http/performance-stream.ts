import { randomUUID } from "node:crypto";
import type { FastifyBaseLogger } from "fastify";
import type { EventFeed, EventSink, ServerEvent } from "../../platform/http/event-stream.js";
import type { DispatchTracker, PartlyMeasured } from "../operations/live/dispatch-tracker.js";
import type { LivePerformance } from "../operations/live/live-performance.js";
import { NoRoom } from "../operations/live/measuring-memory.js";

/** What a reader sees of a dispatch. */
export interface Watched {
  readonly live: LivePerformance;
  readonly dispatchId: string;
  /** Everything, or only the sites changed after a revision; null if no visible one did. */
  readonly toWire: (tracker: DispatchTracker, since: number | null) => object | null;
  /** What is measured while the others are read: the totals, and the sites after the first so many; null if none is visible. */
  readonly partToWire: (part: PartlyMeasured, after: number) => object | null;
  /** The last event of the reader's previous stream. */
  readonly lastEventId: string | string[] | undefined;
  readonly log: Pick<FastifyBaseLogger, "error">;
}

/** The first part of a dispatch that is sent: as many sites as are read together. */
const FIRST_PART_SITES = 16;
/** Parts that follow it, at most: so many totals and curves, however many sites there are. */
const LATER_PARTS = 5;

/**
 * Sends live changes: while the dispatch is read, `preparing` with what is measured; then `snapshot`, then `change` with the changed sites; `failed` if the dispatch cannot be read.
 */
export const sendPerformance = (watched: Watched, sink: EventSink): EventFeed => {
  const reader = new PerformanceReader(watched, sink);
  const stop = watched.live.listen(watched.dispatchId, () => reader.tell());
  void reader.prepare();
  return { resume: () => reader.tell(), stop };
};

const NO_ROOM =
  "other dispatches use all the memory for live measurement; connect again later, or request single sites";

/** What the reader has: a revision of one reading of the dispatch. */
interface Seen {
  readonly tracker: string;
  readonly revision: number;
}

class PerformanceReader {
  private seen: Seen | null;
  /** The first event is the current state, so that earlier changes need not be sent. */
  private isPrepared = false;
  /** Sites of the parts that were sent before. */
  private partSites = 0;

  constructor(
    private readonly watched: Watched,
    private readonly sink: EventSink,
  ) {
    this.seen = seenFrom(watched.lastEventId);
  }

  /** Reading a dispatch that nobody followed takes a while; heartbeats keep the reader's connection. */
  async prepare(): Promise<void> {
    try {
      await this.watched.live.whole(this.watched.dispatchId);
      this.isPrepared = true;
      this.tell();
    } catch (error) {
      this.fail(error);
    }
  }

  /** A slow reader gets nothing until it caught up, then everything since as one event. */
  tell(): void {
    if (!this.sink.canTake) return;
    if (!this.isPrepared) return this.tellPart();
    const tracker = this.watched.live.tracker(this.watched.dispatchId);
    if (tracker === null) return this.end(NO_ROOM);
    if (this.seen?.tracker === tracker.id && this.seen.revision === tracker.revision) return;
    const event = this.eventOf(tracker);
    if (event !== null) this.sink.send(event);
    this.seen = { tracker: tracker.id, revision: tracker.revision };
  }

  private tellPart(): void {
    const part = this.watched.live.part(this.watched.dispatchId);
    if (part === null || part.isFinal || !this.isPartDue(part)) return;
    const data = this.watched.partToWire(part, this.partSites);
    this.partSites = part.results.length;
    if (data !== null) this.sink.send({ name: "preparing", data });
  }

  private isPartDue({ dispatch: { sites }, results }: PartlyMeasured): boolean {
    const next = this.partSites === 0 ? FIRST_PART_SITES : this.partSites + Math.ceil(sites.length / LATER_PARTS);
    return results.length >= next && results.length < sites.length;
  }

  /** A new connection starts a new read. */
  private fail(error: unknown): void {
    if (!this.sink.canTake) return;
    if (error instanceof NoRoom) return this.end(NO_ROOM);
    const reference = randomUUID();
    this.watched.log.error({ err: error, reference }, "a stream ended: its dispatch could not be read");
    this.end(`this dispatch could not be read; connect again to retry. Reference ${reference}`);
  }

  private end(message: string): void {
    this.sink.send({ name: "failed", data: { message } });
    this.sink.end();
  }

  private eventOf(tracker: DispatchTracker): ServerEvent | null {
    const { seen } = this;
    const since = seen?.tracker === tracker.id && seen.revision <= tracker.revision ? seen.revision : null;
    const data = this.watched.toWire(tracker, since);
    if (data === null) return null;
    return { id: `${tracker.id}.${tracker.revision}`, name: since === null ? "snapshot" : "change", data };
  }
}

const seenFrom = (lastEventId: string | string[] | undefined): Seen | null => {
  const [, tracker, revision] = /^(\w{1,50})\.(\d{1,15})$/.exec(String(lastEventId)) ?? [];
  return tracker === undefined ? null : { tracker, revision: Number(revision) };
};
