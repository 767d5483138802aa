import { allows, BASE_PATH, endpoints, type Scope } from "@curtail/openadr-3";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { applyRate, tooManyRequests } from "../../access/caller/request-rate.js";
import type { RateWindows } from "../../access/domain/rate-limit.js";
import type { Clock } from "../../platform/clock.js";
import { bearerOf } from "../../platform/http/bearer.js";
import { BODY_BYTES, setBodyLimit } from "../../platform/http/body-limits.js";
import { placeOf } from "../../platform/http/client-place.js";
import { HttpError } from "../../platform/http/error-replies.js";
import { requestValue } from "../../platform/http/request-value.js";
import { routeOf } from "../../platform/http/route-of.js";
import type { RefusedToken } from "../operations/authenticate-client.js";
import { isBusinessLogic, type Openadr3Caller } from "../operations/caller.js";
import { TokenNeeded } from "./problem.js";

export interface CallerCheckPorts {
  identify(token: string): Promise<Openadr3Caller | RefusedToken>;
  noteUsed(clientId: string): void;
  readonly clock: Clock;
  readonly rates: RateWindows;
  readonly failures: RateWindows;
  /** Requests per minute and client. */
  readonly rateLimit: number;
}

const callers = requestValue<Openadr3Caller>();

/** Who sent the request; set for every route that needs a token. */
export const openadr3CallerOf = (request: FastifyRequest): Openadr3Caller => {
  const caller = callers.get(request);
  if (caller === undefined) throw new Error(`route ${request.routeOptions.url} is served without a token`);
  return caller;
};

const MAX_FAILURES_A_MINUTE = 100;

/** By method and route, what the specification asks for. */
const neededScopes = new Map<string, Scope | null>(
  endpoints.map(({ method, path, scope }) => [`${method} ${BASE_PATH}${path.replaceAll(/\{(\w+)\}/g, ":$1")}`, scope]),
);

const neededBy = (request: FastifyRequest): Scope | null => {
  const method = request.method === "HEAD" ? "GET" : request.method;
  const needed = neededScopes.get(`${method} ${routeOf(request)}`);
  // A route that is not in the specification is closed, rather than open to all.
  if (needed === undefined) throw new Error(`${method} ${routeOf(request)} is no operation of OpenADR 3`);
  return needed;
};

/** Checks token, rate and scope of every request of `app`, before its body is read. */
export const checkCallers = (app: FastifyInstance, ports: CallerCheckPorts): void => {
  app.addHook("onRequest", async (request, reply) => {
    const scope = neededBy(request);
    if (scope === null) return;
    const token = bearerOf(request);
    if (token === null) throw new TokenNeeded("missing", "a token is needed: send Authorization: Bearer.");
    const caller = await ports.identify(token);
    if ("refused" in caller) throw refusal(caller, request, ports);
    callers.set(request, caller);
    // The operator's own programs may be long; anybody's reports are listed together.
    if (!isBusinessLogic(caller)) setBodyLimit(request, BODY_BYTES);
    ports.noteUsed(caller.client.id);
    applyRate(reply, ports.rates.count(caller.client.id, ports.rateLimit, ports.clock.now().getTime()), "this client");
    if (!allows(caller.scopes, scope))
      throw new HttpError(401, `the scope ${scope} is needed, which this token does not have`);
  });
};

/** Valid tokens are never counted, whatever else comes from their address. */
const refusal = (
  { refused, message }: RefusedToken,
  { ip }: FastifyRequest,
  { failures, clock }: CallerCheckPorts,
): HttpError => {
  if (refused === "expired") return new TokenNeeded("expired", message);
  const verdict = failures.count(`tokens ${placeOf(ip)}`, MAX_FAILURES_A_MINUTE, clock.now().getTime());
  return verdict.allowed
    ? new HttpError(401, message)
    : tooManyRequests(verdict, "too many requests without a valid token came from this address");
};
