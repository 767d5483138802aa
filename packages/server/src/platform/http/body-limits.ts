import type { FastifyInstance, FastifyRequest } from "fastify";
import { requestValue } from "./request-value.js";

/** Largest bodies (G48). For senders that are not authenticated. */
export const KEYLESS_BODY_BYTES = 16_384;
/** With a key, a session or the operator's token, except uploads. */
export const BODY_BYTES = 262_144;
/** The operator's long lists: a file of 2,000 lines, a dispatch of 50,000 sites. */
export const LIST_BODY_BYTES = 4_194_304;
/** Uploads with the sandbox's public key, which anybody may use. */
export const PUBLIC_KEY_BODY_BYTES = 1_048_576;

/** Sets the body limit of every route of `app` whose own scope sets none. */
export const limitBodies = (app: FastifyInstance, bytes: number): void =>
  void app.addHook("onRoute", (route) => {
    route.bodyLimit = bytes;
  });

const ownLimits = requestValue<number>();

/** Caps the body of one request, whatever its route allows. */
export const setBodyLimit = (request: FastifyRequest, bytes: number): void => ownLimits.set(request, bytes);

/** The largest body that a request may have. */
export const bodyLimitOf = (request: FastifyRequest): number => {
  const limit = request.routeOptions.bodyLimit ?? KEYLESS_BODY_BYTES;
  return Math.min(limit, ownLimits.get(request) ?? limit);
};
