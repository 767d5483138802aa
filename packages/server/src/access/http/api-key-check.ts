import type { IncomingMessage } from "node:http";
import type { FastifyInstance } from "fastify";
import type { Clock } from "../../platform/clock.js";
import { bearerOf } from "../../platform/http/bearer.js";
import { placeOf } from "../../platform/http/client-place.js";
import { BEARER, type HttpError, Unproven } from "../../platform/http/error-replies.js";
import { requestValue } from "../../platform/http/request-value.js";
import { routeOf } from "../../platform/http/route-of.js";
import { setCaller } from "../caller/caller.js";
import { setLoggedKey } from "../caller/request-log.js";
import { applyRate, tooManyRequests } from "../caller/request-rate.js";
import type { WindowsOf } from "../caller/shared-limits.js";
import type { RateVerdict, RateWindows } from "../domain/rate-limit.js";
import { isKeyCaller, type KeyCaller, type RefusedKey } from "../operations/caller.js";

export interface KeyCheckSettings {
  /** Name of the header that carries the key (G7). */
  readonly keyHeader: string;
  /** Whether the header is that of an earlier version: `Authorization: Bearer`. */
  readonly isBearer?: boolean;
  /** Requests per minute and key: GET /dispatches, and all others together (G9). */
  readonly rateLimitDispatches: number;
  readonly rateLimit: number;
}

export interface KeyCheckPorts {
  authenticate(apiKey: string): Promise<KeyCaller | RefusedKey | null>;
  /** The caller of a key that was valid a moment ago, without a look; undefined: ask `authenticate`. */
  recently?(apiKey: string): KeyCaller | undefined;
  readonly clock: Clock;
}

/** GET /dispatches has a limit of its own (G9). */
export const countPoll = (rates: RateWindows, who: string, limit: number, now: Date): RateVerdict =>
  rates.count(`${who} polls`, limit, now.getTime());

/** Requests by key. */
export const keyRates = (windowsOf: WindowsOf): RateWindows => windowsOf("keys");

const early = requestValue<{ readonly caller: KeyCaller; readonly verdict: RateVerdict }, IncomingMessage>();

/**
 * Counts a request whose key was checked before the check of keys sees it. That one takes its word: a look would wait for a database
 * that has just not answered.
 */
export const countEarly = (
  rates: RateWindows,
  { raw, caller }: { readonly raw: IncomingMessage; readonly caller: KeyCaller },
  limit: number,
  now: Date,
): RateVerdict => {
  const verdict = rates.count(caller.keyId, limit, now.getTime());
  early.set(raw, { caller, verdict });
  return verdict;
};

const MAX_FAILURES_A_MINUTE = 100;

/** Checks key and rate of every request of `app`, before its body is read (G3). */
export const checkApiKeys = (
  app: FastifyInstance,
  settings: KeyCheckSettings,
  ports: KeyCheckPorts & { readonly windowsOf: WindowsOf },
): void => {
  const rates = keyRates(ports.windowsOf);
  const failures = ports.windowsOf("wrong keys");
  const header = settings.keyHeader.toLowerCase();
  const { isBearer = false } = settings;
  const challenge = isBearer ? BEARER : `ApiKey realm="Curtail", header="${header}"`;
  const notValid = (known: RefusedKey | null) =>
    new Unproven(challenge, `Permission denied: ${known === null && isBearer ? bearerKey : whyRefused(known)}`);
  const denied = (verdict: RateVerdict, known: RefusedKey | null): HttpError =>
    verdict.allowed
      ? notValid(known)
      : tooManyRequests(verdict, "too many requests without a valid key came from this address");

  app.addHook("onRequest", async (request, reply) => {
    const key = isBearer ? bearerOf(request) : request.headers[header];
    const checked = early.get(request.raw);
    const caller =
      checked?.caller ?? (typeof key === "string" && key.trim() !== "" ? await ports.authenticate(key) : null);
    if (caller !== null) setLoggedKey(request, caller);
    const now = ports.clock.now();
    const place = placeOf(request.ip);
    if (!isKeyCaller(caller)) throw denied(failures.count(place, MAX_FAILURES_A_MINUTE, now.getTime()), caller);
    const isPoll = request.method === "GET" && routeOf(request)?.endsWith("/dispatches") === true;
    const who = caller.isShared === true ? `${caller.keyId} ${place}` : caller.keyId;
    const known = caller.isShared === true ? { ...caller, place } : caller;
    setCaller(request, known, async () => {
      const found = await ports.authenticate(String(key));
      if (!isKeyCaller(found)) throw notValid(found);
    });
    // After authentication, so that the log shows which account's requests were refused.
    const verdict = isPoll
      ? countPoll(rates, who, settings.rateLimitDispatches, now)
      : (checked?.verdict ?? rates.count(who, settings.rateLimit, now.getTime()));
    applyRate(reply, verdict, "this key");
  });
};

/** Sent only to the holder of a real key; an unknown key gets no reason. */
const whyRefused = (known: RefusedKey | null): string => {
  if (known === null) return "a valid API key is needed.";
  switch (known.refused) {
    case "revoked":
      return "this API key was revoked; send the key that replaced it, or issue a new one.";
    case "expired":
      return "this API key has expired; issue a new one.";
    case "account_disabled":
      return "the account of this API key is disabled; ask the operator.";
    case "environment":
      return known.environment === "production" ? productionKey : sandboxKey;
  }
};

const bearerKey = "a valid API key is needed: send it as Authorization: Bearer KEY.";
const productionKey =
  "this is a production API key, and this is the sandbox's address; send a sandbox key, or use the address of production.";
const sandboxKey =
  "this is a sandbox API key, and this is production's address; send a production key, or use the address of the sandbox.";
