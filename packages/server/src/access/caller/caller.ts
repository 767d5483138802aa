import type { FastifyRequest } from "fastify";
import { PUBLIC_KEY_BODY_BYTES, setBodyLimit } from "../../platform/http/body-limits.js";
import { placeOf } from "../../platform/http/client-place.js";
import { HttpError } from "../../platform/http/error-replies.js";
import { requestValue } from "../../platform/http/request-value.js";
import { setKeyHolder } from "../../platform/http/serve-once.js";
import type { Caller, KeyCaller } from "../operations/caller.js";

interface Calling {
  readonly caller: Caller | KeyCaller;
  /** Throws the error to return once the caller is no longer allowed to do this. */
  readonly check: () => Promise<unknown>;
}

const callers = requestValue<Calling>();

export const setCaller = (request: FastifyRequest, caller: Caller | KeyCaller, check: Calling["check"]): void => {
  callers.set(request, { caller, check });
  // A shared key is not a holder of Idempotency-Keys: no answers are stored for it.
  if ("isShared" in caller) setBodyLimit(request, PUBLIC_KEY_BODY_BYTES);
  else setKeyHolder(request, caller.actor);
};

/** The participant that sent the request; set for every route behind a check of keys or sessions. */
export const callerOf = (request: FastifyRequest): Caller => callingIn(request).caller;

/** The key that sent the request; for routes behind a check of keys. */
export const keyCallerOf = (request: FastifyRequest): KeyCaller => {
  const { caller } = callingIn(request);
  if (!("keyId" in caller)) throw new Error(`route ${request.routeOptions.url} is served to callers without a key`);
  return caller;
};

/** By whose limits the request is counted: those of a key, of an address if many share the key, or of a person. */
export const readerOf = (request: FastifyRequest): string => {
  const { caller } = callingIn(request);
  return "isShared" in caller ? `${caller.actor} ${placeOf(request.ip)}` : caller.actor;
};

/** Whether the caller of a long response may continue: the key or session may have ended meanwhile. */
export const callerMayContinue = (request: FastifyRequest): Promise<boolean> => passes(callingIn(request).check);

/** Whether a check passes. If the database does not respond, that says nothing about the caller, who is checked again. */
export const passes = async (check: () => Promise<unknown>): Promise<boolean> => {
  try {
    await check();
    return true;
  } catch (error) {
    return !(error instanceof HttpError);
  }
};

const callingIn = (request: FastifyRequest): Calling => {
  const found = callers.get(request);
  if (found === undefined) throw new Error(`route ${request.routeOptions.url} is served without a check of its caller`);
  return found;
};
