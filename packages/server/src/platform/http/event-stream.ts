import type { Server, ServerResponse } from "node:http";
import type { Endpoint } from "@curtail/contract";
import { HEARTBEAT_SECONDS } from "@curtail/contract/constants";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { LoopClock } from "../clock.js";
import { once, onceFor } from "../once.js";
import { Polling } from "../polling.js";
import { isRefusal, type Result, tooMany } from "../refusal.js";
import { Tally } from "../tally.js";
import { refused } from "./error-replies.js";
import { storable } from "./query.js";
import { headersSoFar } from "./response-headers.js";

/** Shorter than the idle timeout of connections. */
const HEARTBEAT_MS = HEARTBEAT_SECONDS * 1000;

export interface ServerEvent {
  /** What a reader resumes from; "": it cannot. */
  readonly id?: string;
  readonly name: string;
  readonly data: object;
}

/** Takes the events of one reader. */
export interface EventSink {
  /** false while the reader is behind on what was sent, and after it left. */
  readonly canTake: boolean;
  send(event: ServerEvent): void;
  end(): void;
}

/** The events of one reader, from its connection on. */
export interface EventFeed {
  /** The reader caught up: send what could not be sent meanwhile. */
  resume(): void;
  stop(): void;
}

export interface EventSource {
  /** The person, key or account that reads; the number of open streams is limited for each. */
  readonly reader: string;
  /** Whether the stream may continue: the session or key may have ended meanwhile. */
  readonly mayContinue: () => Promise<boolean>;
  /** How long the reader waits before it connects again; its own default if absent. */
  readonly retryMs?: number;
  begin(sink: EventSink): EventFeed;
}

/** Times the heartbeats of streams. */
type Heartbeat = Pick<LoopClock, "sleep">;

/** Serves server-sent events until the reader leaves, its access ends or the service stops. */
export const serveEvents = (
  app: FastifyInstance,
  clock: Heartbeat,
  { path }: Pick<Endpoint, "path">,
  open: (request: FastifyRequest) => Promise<Result<EventSource>>,
): void => {
  const streams = new Set<EventStream>();
  let isClosing = false;
  app.addHook("preClose", async () => {
    isClosing = true;
    for (const stream of streams) stream.end();
  });
  app.route({
    method: "GET",
    url: path.replaceAll(/\{(\w+)\}/g, ":$1"),
    // Nothing would end the stream of a HEAD.
    exposeHeadRoute: false,
    preValidation: async (request) => {
      request.params = storable(request.params as Record<string, string>);
    },
    handler: async (request, reply): Promise<void> => {
      const source = await open(request);
      if (isRefusal(source)) throw refused(source);
      const release = takeStream(app.server, source.reader);
      if (isRefusal(release)) throw refused(release);
      reply.raw.once("close", release);
      reply.hijack();
      // Hooks do not see that the answer has begun: from now on a silent connection is an idle one.
      request.raw.socket.setTimeout(app.server.timeout);
      // The client may have left meanwhile.
      if (reply.raw.destroyed) return release();
      const stream = new EventStream(reply.raw, source, headersSoFar(reply), clock);
      streams.add(stream);
      reply.raw.on("close", () => streams.delete(stream));
      stream.begin();
      if (isClosing) stream.end();
    },
  });
};

const MAX_STREAMS = 20;
const FREE_AGAIN_SECONDS = 5;

const TOO_MANY_STREAMS = `${MAX_STREAMS} event streams are already open, the maximum per user, key or account; close one`;

/** Open streams by reader, shared by all routes of a listener. */
const openStreams = onceFor((_server: Server) => new Tally());

/** Counts one more of a reader, until the returned function is called. */
const takeStream = (server: Server, reader: string): Result<() => void> => {
  const open = openStreams(server);
  if (open.of(reader) >= MAX_STREAMS) return tooMany(TOO_MANY_STREAMS, FREE_AGAIN_SECONDS);
  open.add(reader, 1);
  return once(() => open.add(reader, -1));
};

class EventStream implements EventSink {
  constructor(
    private readonly response: ServerResponse,
    private readonly source: EventSource,
    private readonly headers: Readonly<Record<string, string>>,
    private readonly clock: Heartbeat,
  ) {}

  get canTake(): boolean {
    const { writableEnded, writableNeedDrain, destroyed } = this.response;
    return !writableEnded && !writableNeedDrain && !destroyed;
  }

  begin(): void {
    this.response.writeHead(200, {
      ...this.headers,
      "content-type": "text/event-stream; charset=utf-8",
      // Proxies that buffer answers would hold events back.
      "x-accel-buffering": "no",
    });
    this.response.flushHeaders();
    const { retryMs } = this.source;
    if (retryMs !== undefined) this.write(`retry: ${retryMs}\n\n`);
    const feed = this.source.begin(this);
    const heartbeat = new Polling({
      look: () => this.beat(),
      // Whether the reader may go on is asked again at the next beat.
      onError: () => {},
      clock: this.clock,
      everyMs: HEARTBEAT_MS,
      restsFirst: true,
    });
    heartbeat.start();
    this.response.on("drain", () => feed.resume());
    this.response.on("close", () => {
      void heartbeat.stop();
      feed.stop();
    });
  }

  send({ id, name, data }: ServerEvent): void {
    this.write(`${id === undefined ? "" : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  end(): void {
    this.response.end();
  }

  /** Ends with the session or key that opened it. */
  private async beat(): Promise<void> {
    if (await this.source.mayContinue()) this.write(": still here\n\n");
    else this.end();
  }

  private write(text: string): void {
    if (this.canTake) this.response.write(text);
  }
}
