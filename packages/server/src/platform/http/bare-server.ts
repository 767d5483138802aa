import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from "fastify";
import type { Language } from "../words.js";
import { KEYLESS_BODY_BYTES } from "./body-limits.js";
import { compressAnswers } from "./compression.js";
import { answerErrors, brokenRequestAnswerer, commonErrors, type ErrorAnswers } from "./error-replies.js";
import { takeJsonBodies } from "./json-body.js";
import type { OpenBodies } from "./open-bodies.js";
import { setPageLanguage } from "./page-language.js";
import { addHeaders, headersFor } from "./response-headers.js";
import { routeOf } from "./route-of.js";
import { checkSingularHeaders } from "./singular-headers.js";
import { readOnAfterRefusal } from "./unread-body.js";
import { compileSchema } from "./validation.js";

const HEADERS_TIMEOUT_MS = 10_000;
const IDLE_TIMEOUT_MS = 15_000;
/** Longer than serving any request takes: nothing is sent meanwhile, although the client is not idle. */
export const WORK_TIMEOUT_MS = 300_000;
const REQUEST_TIMEOUT_MS = 60_000;
const DRAIN_CHECK_MS = 100;

const connections = {
  headersTimeout: HEADERS_TIMEOUT_MS,
  connectionsCheckingInterval: 1000,
  requireHostHeader: false,
};

export interface ListenerSettings {
  /** Of pages, for browsers that ask for none of ours. Absent: English. */
  readonly language?: Language;
  /** Public address of the service; null: derived from the listening address. */
  readonly publicUrl: string | null;
  /** Name of the header with the key. */
  readonly keyHeader?: string;
  /** Proxies whose x-forwarded-for is trusted; without it, everybody behind a proxy shares one address limit. */
  readonly trustedProxies: readonly string[];
  /** Key and certificate (PEM) if it answers https itself; else a proxy does. */
  readonly tls?: { readonly key: string; readonly cert: string } | null;
}

/** What every listener needs, whatever its routes. */
export interface ListenerPorts {
  readonly logger: FastifyBaseLogger;
  /** Called for every response: route pattern, method, status, duration in seconds. */
  readonly observe: (route: string, method: string, status: number, seconds: number) => void;
  /** Default: the common error format. */
  readonly errors?: ErrorAnswers;
}

/** A listener without routes, with everything that holds for every request. */
export const bareServer = (
  settings: ListenerSettings,
  { logger, observe, errors = commonErrors }: ListenerPorts,
  bodies: OpenBodies,
): FastifyInstance => {
  const headers = headersFor(settings.publicUrl);
  const app = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: KEYLESS_BODY_BYTES,
    trustProxy: settings.trustedProxies.length > 0 && [...settings.trustedProxies],
    // Ids longer than ours are looked up and not found, like any unknown id.
    routerOptions: { maxParamLength: 16_384 },
    ...(settings.tls ? { https: { ...connections, ...settings.tls, minVersion: "TLSv1.2" } } : { http: connections }),
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: IDLE_TIMEOUT_MS,
    keepAliveTimeout: IDLE_TIMEOUT_MS,
    return503OnClosing: false,
    forceCloseConnections: "idle",
    frameworkErrors: (error, request, reply) => void errors.answer(error, request, reply.headers(headers)),
    clientErrorHandler: brokenRequestAnswerer(headers, errors),
  });
  addHeaders(app, headers);
  setPageLanguage(app, settings.language ?? "en");
  checkSingularHeaders(app, settings.keyHeader ?? null);
  app.addHook("onResponse", (request, reply, done) => {
    observe(routeOf(request) ?? "none", request.method, reply.statusCode, reply.elapsedTime / 1000);
    done();
  });
  app.addHook("preHandler", ({ raw }, _reply, done) => {
    if (raw.complete) raw.socket.setTimeout(WORK_TIMEOUT_MS);
    done();
  });
  app.addHook("onSend", ({ raw }, _reply, payload, done) => {
    raw.socket.setTimeout(app.server.timeout);
    done(null, payload);
  });
  // Node's own answer to an unknown one has no body.
  app.server.on("checkExpectation", (request, response) => app.server.emit("request", request, response));
  app.setValidatorCompiler(compileSchema);
  app.setSerializerCompiler(() => JSON.stringify);
  takeJsonBodies(app, bodies);
  compressAnswers(app);
  // After compression, which would otherwise hold the answer back until the body is read.
  readOnAfterRefusal(app);
  answerErrors(app, errors);
  closeConnectionsAsTheyFallIdle(app);
  return app;
};

/** A connection that is busy when draining begins goes idle later; it must not delay the end by 15 seconds. */
const closeConnectionsAsTheyFallIdle = (app: FastifyInstance): void => {
  app.addHook("preClose", async () => {
    const timer = setInterval(() => app.server.closeIdleConnections(), DRAIN_CHECK_MS);
    app.server.once("close", () => clearInterval(timer));
    // Accept pending connections first: the operating system resets those when a socket stops listening.
    await new Promise((resolve) => setImmediate(resolve));
  });
};
