import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from "fastify";
import { KEYLESS_BODY_BYTES } from "./body-limits.js";
import { compressAnswers } from "./compression.js";
import { answer, answerErrors, brokenRequestAnswerer, HttpError } from "./error-replies.js";
import { takeJsonBodies } from "./json-body.js";
import type { OpenBodies } from "./open-bodies.js";
import { addHeaders, headersFor } from "./response-headers.js";
import { readOnAfterRefusal } from "./unread-body.js";
import { compileSchema } from "./validation.js";

const HEADERS_TIMEOUT_MS = 10_000;
const IDLE_TIMEOUT_MS = 15_000;
/** Longer than anything that is worked on: nothing is sent meanwhile, and it is not the client who keeps silent. */
const WORK_TIMEOUT_MS = 300_000;
const REQUEST_TIMEOUT_MS = 60_000;
const DRAIN_CHECK_MS = 100;

export interface ListenerSettings {
  /** Address under which people reach the service; null: made from the address that is listened on. */
  readonly publicUrl: string | null;
  /** Networks whose x-forwarded-for is believed: else everybody behind a proxy shares the limits of an address. */
  readonly trustedProxies: readonly string[];
}

/** What every listener does with a request, whatever it asks for. */
export interface ListenerPorts {
  readonly logger: FastifyBaseLogger;
}

/** A listener without routes: what holds for every request, whatever it asks for. */
export const bareServer = (
  settings: ListenerSettings,
  { logger }: ListenerPorts,
  bodies: OpenBodies,
): FastifyInstance => {
  const headers = headersFor(settings.publicUrl);
  const app = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: KEYLESS_BODY_BYTES,
    trustProxy: settings.trustedProxies.length > 0 && [...settings.trustedProxies],
    // Longer ids than any of ours are looked up and not found, like every other unknown id.
    routerOptions: { maxParamLength: 16_384 },
    http: { headersTimeout: HEADERS_TIMEOUT_MS, connectionsCheckingInterval: 1000, requireHostHeader: false },
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: IDLE_TIMEOUT_MS,
    keepAliveTimeout: IDLE_TIMEOUT_MS,
    return503OnClosing: false,
    forceCloseConnections: "idle",
    frameworkErrors: (error, request, reply) => void answer(error, request, reply.headers(headers)),
    clientErrorHandler: brokenRequestAnswerer(headers),
  });
  addHeaders(app, headers);
  // Node's own answers to these two have no body: a missing Host is ours to refuse, an unknown Expect may be ignored.
  app.addHook("onRequest", ({ headers, raw }, reply, done) => {
    if (headers.host !== undefined || raw.httpVersion !== "1.1") return done();
    // Who else is on this connection is not known: a proxy may have mixed up what it passes on.
    reply.header("connection", "close");
    return done(new HttpError(400, "the request has no Host header; HTTP/1.1 needs one"));
  });
  app.addHook("preHandler", ({ raw }, _reply, done) => {
    if (raw.complete) raw.socket.setTimeout(WORK_TIMEOUT_MS);
    done();
  });
  app.addHook("onSend", ({ raw }, _reply, payload, done) => {
    raw.socket.setTimeout(app.server.timeout);
    done(null, payload);
  });
  app.server.on("checkExpectation", (request, response) => app.server.emit("request", request, response));
  app.setValidatorCompiler(compileSchema);
  app.setSerializerCompiler(() => JSON.stringify);
  takeJsonBodies(app, bodies);
  compressAnswers(app);
  // After compression, which would hold the answer back until the body is read.
  readOnAfterRefusal(app);
  answerErrors(app);
  closeConnectionsAsTheyFallIdle(app);
  return app;
};

/** A connection that is busy when the drain begins falls idle later; it must not hold up the end for 15 seconds. */
const closeConnectionsAsTheyFallIdle = (app: FastifyInstance): void => {
  app.addHook("preClose", async () => {
    const timer = setInterval(() => app.server.closeIdleConnections(), DRAIN_CHECK_MS);
    app.server.once("close", () => clearInterval(timer));
    // What has connected is accepted first: the platform resets what still waits when a socket stops listening.
    await new Promise((resolve) => setImmediate(resolve));
  });
};
