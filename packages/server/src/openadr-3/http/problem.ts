import type { Problem } from "@curtail/openadr-3";
import type { FastifyReply, FastifyRequest } from "fastify";
import { AWAY_RETRY_SECONDS, isDatabaseAway } from "../../platform/database-away.js";
import {
  callersFault,
  type ErrorAnswers,
  HttpError,
  internalError,
  logFailure,
  type RequestError,
  setAnsweredMessage,
  Unproven,
} from "../../platform/http/error-replies.js";
import { PeerAway } from "../../platform/peer-away.js";

type Status = 400 | 401 | 403 | 404 | 405 | 409 | 429 | 500 | 501 | 503;

const titles: Readonly<Record<Status, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  409: "Conflict",
  429: "Too Many Requests",
  500: "Internal Server Error",
  501: "Not Implemented",
  503: "Service Unavailable",
};

export const problem = (status: Status, detail: string): Problem => ({ title: titles[status], status, detail });

/** Without a token, or with one that has expired: a new one helps. RFC 6750 names the scheme and the reason. */
export class TokenNeeded extends Unproven {
  constructor(why: "missing" | "expired", message: string) {
    super(why === "missing" ? CHALLENGE : `${CHALLENGE}, error="invalid_token"`, message);
  }
}

const CHALLENGE = 'Bearer realm="OpenADR"';

/**
 * Errors as the specification's `problem`. What the service calls "denied" is a 403 here: the caller is known and may
 * not do this.
 */
export const problemAnswers: ErrorAnswers = {
  answer(error, request, reply) {
    if (error instanceof HttpError) {
      if (error.retryAfterSeconds !== null) reply.header("retry-after", error.retryAfterSeconds);
      if (error instanceof Unproven) reply.header("www-authenticate", error.challenge);
      const isForbidden = error.status === 401 && !(error instanceof Unproven);
      return send(request, reply, isForbidden ? 403 : error.status, error.message);
    }
    const fault = callersFault(error);
    if (fault !== null) return send(request, reply, 400, fault);
    return answerFailure(error, request, reply);
  },
  broken: (message) => problem(400, message),
};

const answerFailure = (error: RequestError, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  const reference = logFailure(error, request);
  const away = awayOf(error);
  if (away === null) return send(request, reply, 500, internalError(reference));
  const detail = `${away} at the moment; send the request again in a few seconds. Reference ${reference}`;
  return send(request, reply.header("retry-after", AWAY_RETRY_SECONDS), 503, detail);
};

/** What is away, in words; null: the request failed for another reason. */
const awayOf = (error: RequestError): string | null => {
  if (error instanceof PeerAway) return error.message;
  return isDatabaseAway(error) ? "the service cannot reach its database" : null;
};

const send = (request: FastifyRequest, reply: FastifyReply, status: Status, detail: string): FastifyReply => {
  setAnsweredMessage(request, detail);
  return reply.status(status).send(problem(status, detail));
};
