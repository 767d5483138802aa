import type { FastifyInstance } from "fastify";
import type { RateVerdict } from "../domain/rate-limit.js";
import type { Clock } from "../operations/clock.js";
import type { KeyCaller } from "../operations/ports.js";
import { setCaller } from "./caller.js";
import { placeOf } from "./client-place.js";
import { type HttpError, Unproven } from "./error-replies.js";
import { heedRate, sweptWindows, tooManyRequests } from "./request-rate.js";

export interface KeyCheckSettings {
  /** Name of the header that carries the key (G7). */
  readonly keyHeader: string;
  /** Requests a minute and key: GET /dispatches, and everything else together (G9). */
  readonly rateLimitDispatches: number;
  readonly rateLimit: number;
}

export interface KeyCheckPorts {
  authenticate(apiKey: string): Promise<KeyCaller | null>;
  readonly clock: Clock;
}

const MAX_FAILURES_A_MINUTE = 100;

/** Checks key and rate of every request of `app`, before its body is read (G3). */
export const checkApiKeys = (app: FastifyInstance, settings: KeyCheckSettings, ports: KeyCheckPorts): void => {
  const windows = sweptWindows(app, ports.clock);
  const failures = sweptWindows(app, ports.clock);
  const header = settings.keyHeader.toLowerCase();
  const notValid = () =>
    new Unproven(`ApiKey realm="Curtail", header="${header}"`, "Permission denied: a valid API key is needed.");
  const denied = (verdict: RateVerdict): HttpError =>
    verdict.allowed
      ? notValid()
      : tooManyRequests(verdict, "too many requests without a valid key came from this address");

  app.addHook("onRequest", async (request, reply) => {
    const key = request.headers[header];
    const caller = typeof key === "string" && key.trim() !== "" ? await ports.authenticate(key) : null;
    const nowMs = ports.clock.now().getTime();
    const place = placeOf(request.ip);
    if (caller === null) throw denied(failures.count(place, MAX_FAILURES_A_MINUTE, nowMs));
    const isPoll = request.method === "GET" && request.routeOptions.url?.endsWith("/dispatches") === true;
    const limit = isPoll ? settings.rateLimitDispatches : settings.rateLimit;
    const who = caller.isShared === true ? `${caller.keyId} ${place}` : caller.keyId;
    const known = caller.isShared === true ? { ...caller, place } : caller;
    setCaller(request, known, async () => {
      if ((await ports.authenticate(String(key))) === null) throw notValid();
    });
    // After the caller is known, so that the log has whose requests are refused.
    heedRate(reply, windows.count(`${who} ${isPoll}`, limit, nowMs), "this key");
  });
};
