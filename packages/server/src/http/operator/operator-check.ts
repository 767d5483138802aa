import type { FastifyInstance } from "fastify";
import { HttpError } from "../error-replies.js";
import { setActor } from "./actor.js";

/** Lets through whoever brings the operator token, before the body is read. */
export const checkOperatorToken = (
  app: FastifyInstance,
  isOperatorToken: (token: string) => Promise<boolean>,
): void => {
  app.addHook("onRequest", async (request) => {
    const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? "")?.[1];
    if (token === undefined || !(await isOperatorToken(token))) {
      throw new HttpError(401, "Permission denied: send Authorization: Bearer with the operator token.");
    }
    setActor(request, "operator");
  });
};
