import { Agent, Client, type Dispatcher, Pool } from "undici";
import type { AddressPolicy } from "../attempt.js";
import type { Admit, Resolve } from "./address-guard.js";
import { type ClientIdentity, type Connect, guardedConnect } from "./guarded-connect.js";
import { hostResolver } from "./resolve-host.js";
import { type Answer, type Progress, WebhookExchange } from "./webhook-exchange.js";

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
  /** Sends one request; follows no redirect. Throws network errors and AttemptTimeout. */
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
  if (!keepsConnections) return dialEachTime(factory);
  const agent = new Agent({ factory: (origin) => new Pool(origin, { factory }) });
  return {
    post: async (request, progress) => post(agent, request, progress),
    close: async () => agent.close(),
  };
};

const dialEachTime = (factory: (origin: string) => Dispatcher): WebhookClient => ({
  async post(request, progress) {
    const client = factory(request.url.origin);
    try {
      return await post(client, request, progress);
    } finally {
      // The outcome is known: do not wait for the connection to close, or to be established.
      void client.destroy();
    }
  },
  close: async () => {},
});

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
      timer = setTimeout(() => exchange.cut(new AttemptTimeout()), timeoutMs);
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

/** undici exposes the connection of a request, but not the address of a response. */
class TracedClient extends Client {
  readonly #dialled: { address: string | null };

  constructor(connect: Connect, origin: string | URL) {
    const dialled: { address: string | null } = { address: null };
    super(origin, { connect: traced(connect, dialled), keepAliveMaxTimeout: KEEP_ALIVE_MS });
    this.#dialled = dialled;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    if ("progress" in options) (options as TracedOptions).progress.address = () => this.#dialled.address;
    return super.dispatch(options, handler);
  }
}

const traced =
  (connect: Connect, dialled: { address: string | null }): Connect =>
  (target, callback) => {
    dialled.address = null;
    connect(target, (...[error, socket]) => {
      if (error !== null || socket === null) return callback(error ?? new Error("neither socket nor error"), null);
      dialled.address = socket.remoteAddress ?? null;
      callback(null, socket);
    });
  };
