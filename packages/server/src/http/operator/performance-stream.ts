import type { ServerResponse } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { notFound } from "../../domain/refusal.js";
import type { DispatchTracker } from "../../operations/dispatch-tracker.js";
import type { LivePerformance } from "../../operations/live-performance.js";
import { refused } from "../error-replies.js";
import { operatorPerformanceToWire, operatorSiteToWire } from "../wire/performance.js";
import { mayGoOn } from "./actor.js";
import type { OperatorPorts } from "./operator-ports.js";

/** Below the time after which an idle connection is cut. */
const HEARTBEAT_MS = 5000;

/** Live changes as server-sent events: `snapshot` first, then `change` with the sites that changed. */
export const performanceStreamRoute = (app: FastifyInstance, { live }: OperatorPorts): void => {
  const open = new Set<PerformanceStream>();
  app.addHook("preClose", async () => {
    for (const stream of open) stream.end();
  });
  app.get<{ Params: { id: string } }>("/dispatches/:id/performance/stream", async (request, reply) => {
    const { id } = request.params;
    if ((await live.current(id)) === null) throw refused(notFound("dispatch"));
    reply.hijack();
    const stream = new PerformanceStream(reply.raw, live, id);
    open.add(stream);
    reply.raw.on("close", () => open.delete(stream));
    stream.begin(request);
  });
};

/** What a reader has: a revision of one reading of the dispatch. */
interface Seen {
  readonly tracker: string;
  readonly revision: number;
}

class PerformanceStream {
  private seen: Seen | null = null;

  constructor(
    private readonly response: ServerResponse,
    private readonly live: LivePerformance,
    private readonly dispatchId: string,
  ) {}

  begin(request: FastifyRequest): void {
    this.seen = seenFrom(request.headers["last-event-id"]);
    this.response.writeHead(200, {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
      // Proxies that gather answers would hold events back.
      "x-accel-buffering": "no",
    });
    const stopListening = this.live.listen(this.dispatchId, () => this.tell());
    const heartbeat = setInterval(() => void this.beat(request), HEARTBEAT_MS);
    this.response.on("drain", () => this.tell());
    this.response.on("close", () => {
      clearInterval(heartbeat);
      stopListening();
    });
    this.response.flushHeaders();
    this.tell();
  }

  end(): void {
    this.response.end();
  }

  /** Ends with the session that began it. */
  private async beat(request: FastifyRequest): Promise<void> {
    if (await mayGoOn(request)) this.write(": still here\n\n");
    else this.end();
  }

  /** A slow reader gets nothing until it took what it has; then everything since, as one event. */
  private tell(): void {
    const tracker = this.live.tracker(this.dispatchId);
    if (tracker === null || this.response.writableNeedDrain) return;
    if (this.seen?.tracker === tracker.id && this.seen.revision === tracker.revision) return;
    this.write(eventOf(tracker, this.seen));
    this.seen = { tracker: tracker.id, revision: tracker.revision };
  }

  private write(text: string): void {
    if (!this.response.writableEnded && !this.response.writableNeedDrain) this.response.write(text);
  }
}

const eventOf = (tracker: DispatchTracker, seen: Seen | null): string => {
  const whole = operatorPerformanceToWire(tracker.report());
  const isChange = seen?.tracker === tracker.id && seen.revision <= tracker.revision;
  const data = isChange ? { ...whole, sites: tracker.changedSince(seen.revision).map(operatorSiteToWire) } : whole;
  const name = isChange ? "change" : "snapshot";
  return `id: ${tracker.id}.${tracker.revision}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
};

const seenFrom = (lastEventId: string | string[] | undefined): Seen | null => {
  const [, tracker, revision] = /^(\w{1,50})\.(\d{1,15})$/.exec(String(lastEventId)) ?? [];
  return tracker === undefined ? null : { tracker, revision: Number(revision) };
};
