import type { FastifyRequest } from "fastify";
import type { Caller } from "../operations/ports.js";

const callers = new WeakMap<FastifyRequest, Caller>();

export const setCaller = (request: FastifyRequest, caller: Caller): void => void callers.set(request, caller);

/** Which participant sent the request; every route behind a check of keys or sessions has one. */
export const callerOf = (request: FastifyRequest): Caller => {
  const caller = callers.get(request);
  if (caller === undefined)
    throw new Error(`route ${request.routeOptions.url} is served without a check of its caller`);
  return caller;
};
