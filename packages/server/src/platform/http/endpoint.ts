import type { Readable } from "node:stream";
import type { BodyOf, Endpoint, ParamsOf, QueryOf, ReplyOf } from "@curtail/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isLong, jsonInTurns, WrittenJson } from "../long-json.js";
import { isRefusal, type Result } from "../refusal.js";
import { edgeOf } from "./dated-edge.js";
import { entityTag, isKnown, revalidated } from "./entity-tag.js";
import { refused } from "./error-replies.js";
import { queryValues, storable } from "./query.js";

/** A request that was validated against its contract. */
export interface Call<E extends Endpoint> {
  readonly params: ParamsOf<E>;
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
  readonly request: FastifyRequest;
  /** For cookies and headers; the body is the handler's result. */
  readonly reply: FastifyReply;
}

/** The result is not ready yet; answered with 202 and Retry-After. */
export class NotYet {
  constructor(
    readonly body: object,
    readonly retryAfterSeconds: number,
  ) {}
}

type Handled<T> = Result<T> | NotYet;

/** Serves one operation of the contract; a refusal becomes an error answer. */
export const serve = <E extends Endpoint & { readonly once?: never }>(
  app: FastifyInstance,
  endpoint: E,
  handler: (call: Call<E>) => Promise<Handled<ReplyOf<E>>>,
): void => serveResult(app, endpoint, handler);

/** The same for operations that honour Idempotency-Key, which `serveOnce` handles. */
export const serveResult = <E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  handler: (call: Call<E>) => Promise<Handled<ReplyOf<E> | WrittenJson>>,
): void =>
  route(app, endpoint, handler, async (reply, result) => {
    const sent = await written(result);
    reply.status(endpoint.status ?? 200);
    return sent instanceof WrittenJson ? reply.type(JSON_TYPE).send(sent.bytes) : reply.send(sent);
  });

const JSON_TYPE = "application/json; charset=utf-8";

/** Replies with long lists are written in steps. */
const written = async <T>(result: T): Promise<T | WrittenJson> =>
  !(result instanceof WrittenJson) && isLong(result) ? new WrittenJson(await jsonInTurns(result)) : result;

/**
 * Serves an operation whose reply clients compare by its tag (G74). The handler runs in any case: a 304 is the same
 * read as the 200 that it confirms.
 *
 * @param credentialHeader header that says who asks
 */
export const serveTagged = <E extends Endpoint & { readonly isTagged: true }>(
  app: FastifyInstance,
  endpoint: E,
  credentialHeader: string,
  handler: (call: Call<E>) => Promise<Handled<ReplyOf<E>>>,
): void =>
  route(app, endpoint, handler, async (reply, result) => {
    const body = isLong(result) ? await jsonInTurns(result) : JSON.stringify(result);
    const tag = entityTag(body);
    reply.headers({ ...revalidated(credentialHeader), etag: tag });
    if (isKnown(tag, reply.request.headers["if-none-match"])) return reply.status(304).send();
    return reply.type(JSON_TYPE).send(body);
  });

/** Serves an operation whose handler writes the JSON itself, because building objects first would be too slow. */
export const serveJson = <E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  handler: (call: Call<E>) => Promise<Result<Buffer | Readable>>,
): void => route(app, endpoint, handler, (reply, json) => reply.type(JSON_TYPE).send(json));

/** A body in the format that the request chose. */
interface Formed {
  readonly type: string;
  readonly body: string;
}

/** Serves an operation with several response formats. */
export const serveAs = <E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  handler: (call: Call<E>) => Promise<Handled<Formed>>,
): void => route(app, endpoint, handler, (reply, { type, body }) => reply.type(type).send(body));

/** A file that is generated while it is sent, at the client's pace. */
export interface SentFile {
  readonly type: string;
  readonly name: string;
  readonly body: Readable;
}

export const serveFile = <E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  handler: (call: Call<E>) => Promise<Handled<SentFile>>,
): void =>
  route(app, endpoint, handler, (reply, { type, name, body }) =>
    reply
      .type(type)
      .header("content-disposition", `attachment; filename="${name}"`)
      // Proxies that buffer answers would hold back a long file.
      .header("x-accel-buffering", "no")
      .send(body),
  );

const route = <E extends Endpoint, T>(
  app: FastifyInstance,
  current: E,
  handler: (call: Call<E>) => Promise<Handled<T>>,
  send: (reply: FastifyReply, result: T) => FastifyReply | Promise<FastifyReply>,
): void => {
  const edge = edgeOf(app, current);
  if (edge === null) return;
  const { endpoint } = edge;
  app.route({
    method: endpoint.method,
    // A HEAD would generate a whole file for nothing.
    exposeHeadRoute: endpoint.files === undefined,
    url: endpoint.path.replaceAll(/\{(\w+)\}/g, ":$1"),
    schema: {
      ...(endpoint.query === undefined ? {} : { querystring: endpoint.query }),
      // A file is read by its own parser.
      ...(endpoint.body === undefined || endpoint.takes !== undefined ? {} : { body: endpoint.body }),
    },
    preValidation: async (request) => {
      request.params = storable(request.params as Record<string, string>);
      if (endpoint.query !== undefined) request.query = queryValues(endpoint.query, request.query);
    },
    handler: async (request, reply) => {
      const { params, query, body } = request as unknown as Pick<Call<E>, "params" | "query" | "body">;
      const result = await handler({ ...(await edge.taken({ params, query, body }, request)), request, reply });
      if (isRefusal(result)) throw refused(result);
      if (!(result instanceof NotYet)) return send(reply, await edge.given(result, request));
      return reply.status(202).header("retry-after", result.retryAfterSeconds).send(result.body);
    },
  });
};
