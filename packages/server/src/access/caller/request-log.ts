import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { answeredMessageOf } from "../../platform/http/error-replies.js";
import { requestValue } from "../../platform/http/request-value.js";
import { routeOf } from "../../platform/http/route-of.js";
import { isUnknownAddress } from "../../platform/http/unknown-address.js";
import { isError, keptAddress, keptPath, shownRoute, UNKNOWN_ROUTE } from "../domain/request-log.js";
import type { KeyCaller, RefusedKey } from "../operations/caller.js";
import type { AnsweredRequest } from "../operations/log-requests.js";

/** The owner of a request by its key: valid, formerly valid, or valid in the other environment. */
type LoggedKey = Pick<KeyCaller, "accountId" | "keyId" | "environment">;

const keys = requestValue<LoggedKey>();

/** Sets whose log the request belongs to; a key shared by many belongs to none. */
export const setLoggedKey = (request: FastifyRequest, key: KeyCaller | RefusedKey): void => {
  if (!("isShared" in key)) keys.set(request, key);
};

const leftOut = requestValue<true>();

/** Keeps a request out of the log, unless it fails. */
export const leaveOutOfLog = (request: FastifyRequest): void => leftOut.set(request, true);

interface KnownRequest {
  readonly key: LoggedKey;
  readonly route: string;
}

/** Reports every response to a request with a known key; other requests belong to no account. */
export const logRequests = (app: FastifyInstance, note: (request: AnsweredRequest) => void): void => {
  // Cached rather than computed per request.
  const routes = new Map<string, string>();
  const shown = (route: string): string => {
    const known = routes.get(route) ?? shownRoute(route);
    routes.set(route, known);
    return known;
  };
  app.addHook("onResponse", (request, reply, done) => {
    const key = keys.get(request);
    const route = routeOf(request);
    if (key !== undefined && route !== undefined) noteKnown(request, reply, { key, route });
    done();
  });
  const noteKnown = (request: FastifyRequest, reply: FastifyReply, { key, route }: KnownRequest): void => {
    const status = reply.statusCode;
    if (leftOut.get(request) === true && !isError(status)) return;
    note({
      ...answeredOf(request, reply, key),
      route: shown(route),
      path: () => keptPath(route, request.params as Record<string, string>, queryNamesOf(request)),
      message: isError(status) ? answeredMessageOf(request) : null,
    });
  };
};

/** What is logged of any request with a known key. */
const answeredOf = (
  { method }: FastifyRequest,
  { statusCode: status, elapsedTime: durationMs }: FastifyReply,
  { accountId, keyId, environment }: Pick<AnsweredRequest, "accountId" | "keyId" | "environment">,
) => ({ accountId, keyId, environment, method, status, durationMs });

/** Concurrent lookups of keys sent to unknown addresses; requests beyond that are not logged. */
const MAX_LOOK_UPS = 4;

interface Lookups {
  /** The key that a request was sent with, if any. */
  readonly keyOf: (request: FastifyRequest) => unknown;
  readonly find: (apiKey: string) => Promise<KeyCaller | RefusedKey | null>;
}

/** Reports requests of known keys to unknown addresses; the key is checked after the response (G3). */
export const logUnknownAddresses = (
  app: FastifyInstance,
  { keyOf, find }: Lookups,
  note: (request: AnsweredRequest) => void,
): void => {
  let lookUps = 0;
  app.addHook("onResponse", (request, reply, done) => {
    if (isUnknownAddress(request)) void noteUnknown(request, reply);
    done();
  });
  const noteUnknown = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const apiKey = keyOf(request);
    if (typeof apiKey !== "string" || lookUps >= MAX_LOOK_UPS) return;
    lookUps++;
    try {
      const key = await find(apiKey);
      if (key === null || "isShared" in key) return;
      note({
        ...answeredOf(request, reply, key),
        route: UNKNOWN_ROUTE,
        path: () => keptAddress(request.url, queryNamesOf(request)),
        message: answeredMessageOf(request),
      });
    } catch (error) {
      request.log.warn({ err: error }, "a request to an unknown address was answered but could not be logged");
    } finally {
      lookUps--;
    }
  };
};

/** From the URL: a request may be refused before its query is parsed. */
const queryNamesOf = ({ url }: FastifyRequest): string[] => {
  const start = url.indexOf("?");
  return start < 0 ? [] : [...new URLSearchParams(url.slice(start + 1)).keys()];
};
