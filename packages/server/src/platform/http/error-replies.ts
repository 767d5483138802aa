import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";
import type { ConflictReply, ErrorReply } from "@curtail/contract";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AWAY_RETRY_SECONDS, isDatabaseAway } from "../database-away.js";
import { NewerFormat } from "../newer-format.js";
import { bounded } from "../quote.js";
import type { Refusal } from "../refusal.js";
import { requestValue } from "./request-value.js";

type Status = 400 | 401 | 404 | 409 | 429 | 500;

/** The `type` of each status (G2). */
const types = {
  400: "Bad Request",
  401: "Unauthorized",
  404: "Not Found",
  409: "Conflict",
  429: "Too Many Requests",
  500: "Internal Server Error",
} as const satisfies Record<Status, (ErrorReply | ConflictReply)["type"]>;

/** A failure with a known answer; thrown by hooks and parsers, answered by the error handler. */
export class HttpError extends Error {
  constructor(
    readonly status: Status,
    message: string,
    readonly retryAfterSeconds: number | null = null,
  ) {
    super(bounded(message));
  }
}

/** A 401 with WWW-Authenticate. */
export class Unproven extends HttpError {
  /** @param challenge scheme and parameters, for example `Bearer` */
  constructor(
    readonly challenge: string,
    message: string,
  ) {
    super(401, message);
  }
}

export const BEARER = 'Bearer realm="Curtail"';
/** For browsers that have to sign in: a cookie is no HTTP scheme, but a 401 needs one. */
const SESSION = 'Session realm="Curtail"';

const statusOfRefusal: Record<Refusal["code"], Status> = {
  invalid: 400,
  denied: 401,
  not_found: 404,
  conflict: 409,
  too_many: 429,
};

export const refused = (refusal: Refusal): HttpError =>
  new HttpError(statusOfRefusal[refusal.code], refusal.message, refusal.retryAfterSeconds);

export const errorReply = (status: Status, message: string) => ({ message, type: types[status] });

/** Our messages for what the framework rejects before a route sees the request; all are a 400 (G2). */
const frameworkMessages: Readonly<Record<string, string>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "the body must be JSON: send Content-Type: application/json",
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "the length of the body differs from Content-Length",
  FST_ERR_BAD_URL: "the address is not a valid URL: percent signs must introduce two hexadecimal digits",
};

const answered = requestValue<string>();

/** The error message that a request was answered with; null for a success. */
export const answeredMessageOf = (request: FastifyRequest): string | null => answered.get(request) ?? null;

/** Records what the request log shows of an error. */
export const setAnsweredMessage = (request: FastifyRequest, message: string): void => answered.set(request, message);

/** A failure while a request was served. */
export type RequestError = Error & { readonly code?: string; readonly statusCode?: number };

/** How a listener words its errors. */
export interface ErrorAnswers {
  readonly answer: (error: RequestError, request: FastifyRequest, reply: FastifyReply) => FastifyReply;
  /** The body of a 400 for what is not a complete request. */
  readonly broken: (message: string) => object;
}

/** Answers every error in the format of the listener. */
export const answerErrors = (app: FastifyInstance, { answer }: ErrorAnswers): void => {
  app.setErrorHandler<FastifyError>((error, request, reply) => answer(error, request, reply));
};

/** What to answer if the framework blames the caller; null if it does not. */
export const callersFault = ({ code, statusCode }: RequestError): string | null => {
  const known = frameworkMessages[code ?? ""];
  if (known !== undefined) return known;
  return statusCode !== undefined && statusCode >= 400 && statusCode < 500 ? "the request could not be read" : null;
};

/** Logs an unexpected failure; returns the reference that the answer and the log line have in common. */
export const logFailure = (error: Error, request: FastifyRequest): string => {
  const reference = randomUUID();
  request.log.error({ err: error, reference, route: request.routeOptions.url }, "request failed");
  return reference;
};

const answer = (error: RequestError, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  if (error instanceof HttpError) {
    if (error.retryAfterSeconds !== null) reply.header("retry-after", error.retryAfterSeconds);
    if (error.status === 401) reply.header("www-authenticate", error instanceof Unproven ? error.challenge : SESSION);
    return sendError(request, reply, error.status, error.message);
  }
  if (error instanceof NewerFormat) {
    request.log.warn({ err: error, route: request.routeOptions.url }, "stored by a newer version");
    return sendError(request, reply, 500, error.message);
  }
  const fault = callersFault(error);
  if (fault !== null) return sendError(request, reply, 400, fault);
  if (isDatabaseAway(error)) reply.header("retry-after", AWAY_RETRY_SECONDS);
  return sendError(request, reply, 500, internalError(logFailure(error, request)));
};

export const internalError = (reference: string): string =>
  `internal error; no partial change was made, so the request may be sent again. Reference ${reference}`;

/** The common error format. */
export const commonErrors: ErrorAnswers = { answer, broken: (message) => errorReply(400, message) };

export const sendError = (
  request: FastifyRequest,
  reply: FastifyReply,
  status: Status,
  message: string,
): FastifyReply => {
  setAnsweredMessage(request, message);
  return reply.status(status).send(errorReply(status, message));
};

/** Answers what is not a complete request: endless headers, a body that never comes, broken HTTP. */
export const brokenRequestAnswerer =
  (headers: Readonly<Record<string, string>>, { broken }: ErrorAnswers) =>
  (error: Error & { code?: string }, socket: Socket): void => {
    // Browsers open connections in advance: an unsolicited answer would be taken for that to the next request.
    if (error.code === "ECONNRESET" || !socket.writable || socket.bytesRead === 0) {
      socket.destroy();
      return;
    }
    const body = JSON.stringify(broken(brokenMessages[error.code ?? ""] ?? "the request is not valid HTTP"));
    const lines = Object.entries({
      "content-type": "application/json; charset=utf-8",
      "content-length": Buffer.byteLength(body),
      connection: "close",
      ...headers,
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 400 Bad Request\r\n${lines.join("")}\r\n${body}`);
  };

const brokenMessages: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: "the address and headers are longer than 16 kB",
  ERR_HTTP_REQUEST_TIMEOUT: "the request did not arrive in time",
};
