import type { FastifyInstance } from "fastify";
import { HttpError } from "../error-replies.js";
import { findSignedIn, heedRole, type SessionCheckPorts } from "../session-check.js";
import { sessionTokenOf } from "../session-cookie.js";
import { setActor } from "./actor.js";

export interface OperatorCheckPorts {
  readonly isOperatorToken: (token: string) => Promise<boolean>;
  readonly sessions: SessionCheckPorts;
}

/** Lets through whoever brings the operator token, or a session whose role may do this; before the body is read. */
export const checkOperators = (app: FastifyInstance, ports: OperatorCheckPorts): void => {
  app.addHook("onRequest", async (request) => {
    const { authorization } = request.headers;
    if (authorization === undefined && sessionTokenOf(request) !== null) {
      const { user } = await findSignedIn(request, ports.sessions);
      heedRole(request, user, "operator");
      setActor(request, `user:${user.id}`);
      return;
    }
    const token = /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
    if (token === undefined || !(await ports.isOperatorToken(token))) {
      throw new HttpError(401, "Permission denied: send Authorization: Bearer with the operator token, or sign in.");
    }
    setActor(request, "operator");
  });
};
