import type { FastifyInstance, FastifyRequest } from "fastify";
import type { User } from "../../domain/user.js";
import { bearerOf } from "../bearer.js";
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
      const { id, role } = await operatorOf(request, ports.sessions);
      setActor(request, { actor: `user:${id}`, role, check: () => operatorOf(request, ports.sessions) });
      return;
    }
    const token = bearerOf(request);
    if (token === null || !(await ports.isOperatorToken(token))) {
      throw new HttpError(401, "Permission denied: send Authorization: Bearer with the operator token, or sign in.");
    }
    setActor(request, { actor: "operator", role: null, check: async () => {} });
  });
};

/** The person whose session it is, if the role may do this. */
const operatorOf = async (request: FastifyRequest, sessions: SessionCheckPorts): Promise<User> => {
  const { user } = await findSignedIn(request, sessions);
  heedRole(request, user, "operator");
  return user;
};
