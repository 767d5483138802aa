import type { Socket } from "node:net";
import { Agent, Client, type Dispatcher, Pool } from "undici";
import type { AddressPolicy } from "../attempt.js";
import { TurnByTurn } from "../turns.js";
import type { Admit, Resolve } from "./address-guard.js";
import { type ClientIdentity, type Connect, guardedConnect } from "./guarded-connect.js";
import { InterimResponses } from "./interim-responses.js";
import { networkErrorCode } from "./network-error.js";
import { hostResolver } from "./resolve-host.js";
import { type Answer, type Connection, type Progress, WebhookExchange } from "./webhook-exchange.js";

export interface WebhookPost {
  /** Default: POST. A GET has no body. */
  readonly method?: "GET" | "POST";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  /** Including resolving, connecting and reading. */
  readonly timeoutMs: number;
}

export interface WebhookClient {
  /** Sends one request, at most twice if a reused connection was closed; follows no redirect. Throws network errors and AttemptTimeout. */
  post(request: WebhookPost, progress: Progress): Promise<Answer>;
  /** Waits for open requests and pending connections: at most the time of one attempt. */
  close(): Promise<void>;
}

export interface WebhookClientOptions {
  readonly resolve?: Resolve;
  readonly ca?: string | undefined;
  readonly identity?: ClientIdentity;
  /** Whether a connection is reused for the next request to its host; default true. */
  readonly keepsConnections?: boolean;
  readonly admit?: Admit;
}

export class AttemptTimeout extends Error {
  readonly code = "ETIMEDOUT";
}

/** A receiver's Keep-Alive header may shorten this but not lengthen it: notices are rare and receivers many. */
const KEEP_ALIVE_MS = 4000;

/**
 * Sends over connections that passed the address guard. A reused one was checked when it was dialled; the policy does
 * not change while the client lives. Many webhooks may share a relay's host: a request takes an idle connection or
 * dials a new one, and never waits for another's. The caller bounds their number.
 */
export const webhookClient = (policy: AddressPolicy, options: WebhookClientOptions = {}): WebhookClient => {
  const { resolve = hostResolver(), ca, identity, admit, keepsConnections = true } = options;
  const connect = guardedConnect({ policy, resolve, ca, identity, admit });
  const factory = (origin: string | URL): Dispatcher => new TracedClient(connect, origin);
  if (!keepsConnections)
    return { post: (request, progress) => postAlone(factory, request, progress), close: async () => {} };
  const agent = new Agent({ factory: (origin) => new Pool(origin, { factory }) });
  return {
    async post(request, progress) {
      const startedMs = performance.now();
      try {
        return await post(agent, request, progress);
      } catch (error) {
        if (!wasClosedMeanwhile(error, progress)) throw error;
        const timeoutMs = request.timeoutMs - (performance.now() - startedMs);
        return postAlone(factory, { ...request, timeoutMs }, progress);
      }
    },
    close: async () => agent.close(),
  };
};

/**
 * The receiver closed an idle connection just as we reused it (RFC 9112, 9.3.1). Every request here may be repeated: it
 * carries an id or replaces its predecessor.
 */
const wasClosedMeanwhile = (error: unknown, { connection, status }: Progress): boolean =>
  connection?.isReused === true && status === null && networkErrorCode(error) === "connection_reset";

/** Sends over a connection of its own. */
const postAlone = async (
  factory: (origin: string) => Dispatcher,
  request: WebhookPost,
  progress: Progress,
): Promise<Answer> => {
  const client = factory(request.url.origin);
  try {
    return await post(client, request, progress);
  } finally {
    // The outcome is known: do not wait for the connection to close, or to be established.
    void client.destroy();
  }
};

/** Attempts that hang end by thousands at once, and each closes a connection. */
const cuts = new TurnByTurn();

/** undici's own timeouts start once connected, however long resolving and dialling take. */
const post = async (
  dispatcher: Dispatcher,
  { method = "POST", url, headers, body, timeoutMs }: WebhookPost,
  progress: Progress,
): Promise<Answer> => {
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<Answer>((resolve, reject) => {
      const exchange = new WebhookExchange(progress, { resolve, reject });
      timer = setTimeout(() => cuts.run(() => exchange.cut(new AttemptTimeout())), timeoutMs);
      const target: TracedOptions = {
        origin: url.origin,
        path: url.pathname + url.search,
        method,
        headers,
        body: method === "GET" ? null : body,
        progress,
      };
      dispatcher.dispatch(target, exchange);
    });
  } finally {
    clearTimeout(timer);
  }
};

interface TracedOptions extends Dispatcher.DispatchOptions {
  readonly progress: Progress;
}

/** undici exposes neither the connection of a request nor the address of a response. */
class TracedClient extends Client {
  readonly #line: Line;

  constructor(connect: Connect, origin: string | URL) {
    const line = new Line();
    super(origin, { connect: traced(connect, line), keepAliveMaxTimeout: KEEP_ALIVE_MS });
    this.#line = line;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    if ("progress" in options) (options as TracedOptions).progress.connection = this.#line;
    return super.dispatch(options, handler);
  }
}

/** The current connection of a client, which sends one request at a time. */
class Line implements Connection {
  address: string | null = null;
  private requests = 0;
  private responses: InterimResponses | null = null;

  get isReused(): boolean {
    return this.requests > 1;
  }

  begin(): void {
    this.requests += 1;
    this.responses?.expect();
  }

  dialling(): void {
    this.address = null;
    this.requests = 0;
    this.responses = null;
  }

  connected(socket: Socket): void {
    this.address = socket.remoteAddress ?? null;
    this.responses = new InterimResponses(socket);
  }
}

const traced =
  (connect: Connect, line: Line): Connect =>
  (target, callback) => {
    line.dialling();
    connect(target, (...[error, socket]) => {
      if (error !== null || socket === null) return callback(error ?? new Error("neither socket nor error"), null);
      line.connected(socket);
      callback(null, socket);
    });
  };
