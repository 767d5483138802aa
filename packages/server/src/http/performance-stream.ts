import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { DispatchTracker } from "../operations/dispatch-tracker.js";
import type { LivePerformance } from "../operations/live-performance.js";

/** Below the time after which an idle connection is cut. */
const HEARTBEAT_MS = 5000;

/** What a reader of a stream is to see of a dispatch. */
export interface Watched {
  readonly live: LivePerformance;
  readonly dispatchId: string;
  /** Everything, or with only the sites that changed after a revision; null where none that it may see did. */
  readonly toWire: (tracker: DispatchTracker, since: number | null) => object | null;
  /** Whether whoever began the stream may go on: a session or key may have ended meanwhile. */
  readonly mayGoOn: () => Promise<boolean>;
}

/** Serves live changes as server-sent events: `snapshot` first, then `change` with the sites that changed. */
export const serveStream = (
  app: FastifyInstance,
  watch: (request: FastifyRequest, dispatchId: string) => Promise<Watched>,
): void => {
  const open = new Set<PerformanceStream>();
  app.addHook("preClose", async () => {
    for (const stream of open) stream.end();
  });
  app.get<{ Params: { id: string } }>(
    "/dispatches/:id/performance/stream",
    async (request, reply: FastifyReply): Promise<void> => {
      const watched = await watch(request, request.params.id);
      reply.hijack();
      // Gone meanwhile: it would never be told to close.
      if (reply.raw.destroyed) return;
      const stream = new PerformanceStream(reply.raw, watched, request.log);
      open.add(stream);
      reply.raw.on("close", () => open.delete(stream));
      stream.begin(request.headers["last-event-id"]);
    },
  );
};

/** What a reader has: a revision of one reading of the dispatch. */
interface Seen {
  readonly tracker: string;
  readonly revision: number;
}

class PerformanceStream {
  private seen: Seen | null = null;
  /** What is told first is how things are now: nothing before that has been read. */
  private isPrepared = false;

  constructor(
    private readonly response: ServerResponse,
    private readonly watched: Watched,
    private readonly log: Pick<FastifyBaseLogger, "error">,
  ) {}

  begin(lastEventId: string | string[] | undefined): void {
    const { live, dispatchId } = this.watched;
    this.seen = seenFrom(lastEventId);
    this.response.writeHead(200, {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
      // Proxies that gather answers would hold events back.
      "x-accel-buffering": "no",
    });
    const stopListening = live.listen(dispatchId, () => this.tell());
    const heartbeat = setInterval(() => void this.beat(), HEARTBEAT_MS);
    this.response.on("drain", () => this.tell());
    this.response.on("close", () => {
      clearInterval(heartbeat);
      stopListening();
    });
    this.response.flushHeaders();
    void this.prepare();
  }

  end(): void {
    this.response.end();
  }

  /** Reading a dispatch that nobody followed takes a while; the reader's connection is kept by heartbeats. */
  private async prepare(): Promise<void> {
    try {
      await this.watched.live.whole(this.watched.dispatchId);
      this.isPrepared = true;
      this.tell();
    } catch (error) {
      this.fail(error);
    }
  }

  /** Whoever connects again has it read again. */
  private fail(error: unknown): void {
    if (this.response.writableEnded || this.response.destroyed) return;
    const reference = randomUUID();
    this.log.error({ err: error, reference }, "a stream ended: its dispatch could not be read");
    const data = {
      message: `this dispatch could not be read; connect again to have it read again. Reference ${reference}`,
    };
    this.write(`event: failed\ndata: ${JSON.stringify(data)}\n\n`);
    this.end();
  }

  /** Ends with the session or key that began it. */
  private async beat(): Promise<void> {
    if (await this.watched.mayGoOn()) this.write(": still here\n\n");
    else this.end();
  }

  /** A slow reader gets nothing until it took what it has; then everything since, as one event. */
  private tell(): void {
    const tracker = this.watched.live.tracker(this.watched.dispatchId);
    if (!this.isPrepared || tracker === null || !this.takesMore()) return;
    if (this.seen?.tracker === tracker.id && this.seen.revision === tracker.revision) return;
    const event = this.eventOf(tracker);
    if (event !== null) this.write(event);
    this.seen = { tracker: tracker.id, revision: tracker.revision };
  }

  private eventOf(tracker: DispatchTracker): string | null {
    const { seen } = this;
    const since = seen?.tracker === tracker.id && seen.revision <= tracker.revision ? seen.revision : null;
    const data = this.watched.toWire(tracker, since);
    if (data === null) return null;
    const name = since === null ? "snapshot" : "change";
    return `id: ${tracker.id}.${tracker.revision}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
  }

  private write(text: string): void {
    if (this.takesMore()) this.response.write(text);
  }

  private takesMore(): boolean {
    const { writableEnded, writableNeedDrain, destroyed } = this.response;
    return !writableEnded && !writableNeedDrain && !destroyed;
  }
}

const seenFrom = (lastEventId: string | string[] | undefined): Seen | null => {
  const [, tracker, revision] = /^(\w{1,50})\.(\d{1,15})$/.exec(String(lastEventId)) ?? [];
  return tracker === undefined ? null : { tracker, revision: Number(revision) };
};
