import type { FastifyInstance, FastifyRequest } from "fastify";
import { countRequest, isIdle, type RateVerdict, type RateWindow, rateWindow } from "../domain/rate-limit.js";
import type { Caller, Clock } from "../operations/ports.js";
import { HttpError } from "./error-replies.js";

export interface KeyCheckSettings {
  /** Name of the header that carries the key (G7). */
  readonly keyHeader: string;
  /** Requests a minute and key: GET /dispatches, and everything else together (G9). */
  readonly rateLimitDispatches: number;
  readonly rateLimit: number;
}

export interface KeyCheckPorts {
  authenticate(apiKey: string): Promise<Caller | null>;
  readonly clock: Clock;
}

const MAX_FAILURES_A_MINUTE = 100;
const SWEEP_MS = 60_000;

const callers = new WeakMap<FastifyRequest, Caller>();

/** Who sent the request; every route behind the check has one. */
export const callerOf = (request: FastifyRequest): Caller => {
  const caller = callers.get(request);
  if (caller === undefined) throw new Error(`route ${request.routeOptions.url} is served without the key check`);
  return caller;
};

/** Checks key and rate of every request of `app`, before its body is read (G3). */
export const checkApiKeys = (app: FastifyInstance, settings: KeyCheckSettings, ports: KeyCheckPorts): void => {
  const windows = new RateWindows();
  const failures = new RateWindows();
  const header = settings.keyHeader.toLowerCase();
  const sweep = setInterval(() => {
    const nowMs = ports.clock.now().getTime();
    windows.sweep(nowMs);
    failures.sweep(nowMs);
  }, SWEEP_MS);
  app.addHook("onClose", async () => clearInterval(sweep));

  app.addHook("onRequest", async (request, reply) => {
    const key = request.headers[header];
    const caller = typeof key === "string" && key.trim() !== "" ? await ports.authenticate(key) : null;
    const nowMs = ports.clock.now().getTime();
    if (caller === null) throw denied(failures.count(request.ip, MAX_FAILURES_A_MINUTE, nowMs), reply);
    const isPoll = request.method === "GET" && request.routeOptions.url?.endsWith("/dispatches") === true;
    const limit = isPoll ? settings.rateLimitDispatches : settings.rateLimit;
    const verdict = windows.count(`${caller.keyId} ${isPoll}`, limit, nowMs);
    reply.header("x-ratelimit-limit", verdict.limit);
    reply.header("x-ratelimit-remaining", verdict.remaining);
    reply.header("x-ratelimit-reset", verdict.resetSeconds);
    if (!verdict.allowed) throw tooMany(verdict, reply, `this key has sent ${limit} requests within a minute`);
    callers.set(request, caller);
  });
};

interface HeaderReply {
  header(name: string, value: number): unknown;
}

const denied = (verdict: RateVerdict, reply: HeaderReply): HttpError =>
  verdict.allowed
    ? new HttpError(401, "Permission denied: a valid API key is needed.")
    : tooMany(verdict, reply, "too many requests without a valid key came from this address");

const tooMany = (verdict: RateVerdict, reply: HeaderReply, why: string): HttpError => {
  reply.header("retry-after", verdict.resetSeconds);
  return new HttpError(429, `${why}; wait ${verdict.resetSeconds} seconds`);
};

/** A sliding minute for each caller; those who stay away are forgotten. */
class RateWindows {
  private readonly windows = new Map<string, RateWindow>();

  count(name: string, limit: number, nowMs: number): RateVerdict {
    let window = this.windows.get(name);
    if (window === undefined) {
      window = rateWindow();
      this.windows.set(name, window);
    }
    return countRequest(window, limit, nowMs);
  }

  sweep(nowMs: number): void {
    for (const [name, window] of this.windows) if (isIdle(window, nowMs)) this.windows.delete(name);
  }
}
