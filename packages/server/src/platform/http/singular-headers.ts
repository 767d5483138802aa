import type { FastifyInstance } from "fastify";
import { HttpError } from "./error-replies.js";

/** Headers with one value. A request with two of them means one thing to a proxy and another to us. */
export const SINGULAR = [
  "authorization",
  "content-encoding",
  "content-length",
  "content-type",
  "host",
  "idempotency-key",
  "if-none-match",
  "transfer-encoding",
  "x-client-cert-fingerprint",
];

/**
 * Refuses requests that repeat a header with one value, or have no Host. The connection cannot be trusted any more.
 *
 * @param keyHeader name of the header with the key; null: none has one
 */
export const checkSingularHeaders = (app: FastifyInstance, keyHeader: string | null): void => {
  const singular = new Set(keyHeader === null ? SINGULAR : [...SINGULAR, keyHeader.toLowerCase()]);
  // Node's own answer to a missing Host has no body.
  app.addHook("onRequest", ({ headers, raw }, reply, done) => {
    const twice = repeated(raw.rawHeaders, singular);
    if (twice === null && (headers.host !== undefined || raw.httpVersion !== "1.1")) return done();
    reply.header("connection", "close");
    return done(
      new HttpError(
        400,
        twice === null
          ? "the request has no Host header; HTTP/1.1 needs one"
          : `the request has the header ${twice} more than once; send it once`,
      ),
    );
  });
};

/** The first of these that a request has more than once; names and values alternate. */
export const repeated = (rawHeaders: readonly string[], singular: ReadonlySet<string>): string | null => {
  const seen = new Set<string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? "").toLowerCase();
    if (!singular.has(name)) continue;
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return null;
};
