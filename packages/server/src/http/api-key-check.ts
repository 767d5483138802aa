import type { FastifyInstance, FastifyRequest } from "fastify";
import { type RateVerdict, RateWindows } from "../domain/rate-limit.js";
import { tooMany } from "../domain/refusal.js";
import type { Caller, Clock } from "../operations/ports.js";
import { HttpError, refused } from "./error-replies.js";

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
    if (caller === null) throw denied(failures.count(request.ip, MAX_FAILURES_A_MINUTE, nowMs));
    const isPoll = request.method === "GET" && request.routeOptions.url?.endsWith("/dispatches") === true;
    const limit = isPoll ? settings.rateLimitDispatches : settings.rateLimit;
    const who = caller.isShared === true ? `${caller.keyId} ${request.ip}` : caller.keyId;
    const verdict = windows.count(`${who} ${isPoll}`, limit, nowMs);
    reply.header("x-ratelimit-limit", verdict.limit);
    reply.header("x-ratelimit-remaining", verdict.remaining);
    reply.header("x-ratelimit-reset", verdict.resetSeconds);
    if (!verdict.allowed) throw tooManyRequests(verdict, `this key has sent ${limit} requests within a minute`);
    callers.set(request, caller);
  });
};

const denied = (verdict: RateVerdict): HttpError =>
  verdict.allowed
    ? new HttpError(401, "Permission denied: a valid API key is needed.")
    : tooManyRequests(verdict, "too many requests without a valid key came from this address");

const tooManyRequests = ({ resetSeconds }: RateVerdict, why: string): HttpError => refused(tooMany(why, resetSeconds));
