import type { FastifyRequest } from "fastify";
import { PUBLIC_KEY_BODY_BYTES, setBodyLimit } from "../../platform/http/body-limits.js";
import { placeOf } from "../../platform/http/client-place.js";
import { HttpError } from "../../platform/http/error-replies.js";
import { requestValue } from "../../platform/http/request-value.js";
import { setKeyHolder } from "../../platform/http/serve-once.js";
import type { Caller, KeyCaller } from "../operations/caller.js";

interface Calling {
  readonly caller: Caller | KeyCaller;
  /** Throws the error to return once the caller may no longer do this. */
  readonly check: () => Promise<unknown>;
}

const callers = requestValue<Calling>();

export const setCaller = (request: FastifyRequest, caller: Caller | KeyCaller, check: Calling["check"]): void => {
  callers.set(request, { caller, check });
  // Behind a shared key nothing is kept that could be made twice.
  if ("isShared" in caller) setBodyLimit(request, PUBLIC_KEY_BODY_BYTES);
  else setKeyHolder(request, caller.actor);
};

/** Which participant sent the request; every route behind a check of keys or sessions has one. */
export const callerOf = (request: FastifyRequest): Caller => callingIn(request).caller;

/** Whose share of what is limited the request takes: a key, an address where many use the key, or a person. */
export const readerOf = (request: FastifyRequest): string => {
  const { caller } = callingIn(request);
  return "isShared" in caller ? `${caller.actor} ${placeOf(request.ip)}` : caller.actor;
};

/** Whether the caller of a long response may continue: the key or session may have ended meanwhile. */
export const callerMayGoOn = async (request: FastifyRequest): Promise<boolean> => {
  try {
    await callingIn(request).check();
    return true;
  } catch (error) {
    // A database that does not answer says nothing of the caller; it is asked again.
    return !(error instanceof HttpError);
  }
};

const callingIn = (request: FastifyRequest): Calling => {
  const found = callers.get(request);
  if (found === undefined) throw new Error(`route ${request.routeOptions.url} is served without a check of its caller`);
  return found;
};
