import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Clock } from "../../platform/clock.js";
import { bearerOf } from "../../platform/http/bearer.js";
import { placeOf } from "../../platform/http/client-place.js";
import { BEARER, type HttpError, Unproven } from "../../platform/http/error-replies.js";
import { setActor } from "../caller/actor.js";
import { tooManyRequests } from "../caller/request-rate.js";
import { findSignedIn, requireRole, type SessionCheckPorts } from "../caller/session-check.js";
import { cookieOf } from "../caller/session-cookie.js";
import type { WindowsOf } from "../caller/shared-limits.js";
import type { User } from "../domain/user.js";
import type { NoteRefused } from "../operations/note-refused.js";

export interface OperatorCheckPorts {
  readonly isOperatorToken: (token: string) => Promise<boolean>;
  readonly sessions: SessionCheckPorts;
  readonly clock: Clock;
  readonly noteRefused: NoteRefused;
  readonly windowsOf: WindowsOf;
}

const MAX_FAILURES_A_MINUTE = 100;

/** Accepts the operator token, or a session whose role has the right; before the body is read. */
export const checkOperators = (app: FastifyInstance, ports: OperatorCheckPorts): void => {
  const failures = ports.windowsOf("wrong operator tokens");

  /** Valid tokens are never counted, whatever else comes from their address. */
  const refusal = ({ ip, headers }: FastifyRequest): HttpError => {
    // A page polls without knowing that it is signed out: it is not guessing, and has to learn it.
    if (headers.authorization === undefined) return notAuthenticated();
    const verdict = failures.count(placeOf(ip), MAX_FAILURES_A_MINUTE, ports.clock.now().getTime());
    const kind = verdict.allowed ? "operator_token" : "operator_token_barred";
    ports.noteRefused({ kind, address: ip, userId: null });
    return verdict.allowed
      ? notAuthenticated()
      : tooManyRequests(verdict, "too many wrong operator tokens came from this address");
  };

  app.addHook("onRequest", async (request) => {
    const { authorization } = request.headers;
    if (authorization === undefined && cookieOf(request, "session", ports.sessions.publicUrl) !== null) {
      const { id, role } = await operatorOf(request, ports.sessions);
      setActor(request, { actor: `user:${id}`, role, check: () => operatorOf(request, ports.sessions) });
      return;
    }
    const token = bearerOf(request);
    if (token === null || !(await ports.isOperatorToken(token))) throw refusal(request);
    setActor(request, { actor: "operator", role: null, check: async () => {} });
  });
};

const notAuthenticated = (): HttpError =>
  new Unproven(BEARER, "Permission denied: send Authorization: Bearer with the operator token, or sign in.");

/** The user of the session, if the role has the right. */
const operatorOf = async (request: FastifyRequest, sessions: SessionCheckPorts): Promise<User> => {
  const { user } = await findSignedIn(request, sessions);
  requireRole(request, user, "operator");
  return user;
};
