import type { FastifyInstance, FastifyRequest } from "fastify";
import { HttpError } from "../../platform/http/error-replies.js";
import { requestValue } from "../../platform/http/request-value.js";
import { routeOf } from "../../platform/http/route-of.js";
import { isWrite, refuseOtherSites } from "../../platform/http/same-site.js";
import { type Access, may, type User } from "../domain/user.js";
import type { SessionPorts, SignedIn } from "../operations/sign-in-ports.js";
import { cookieOf } from "./session-cookie.js";

export interface SessionCheckPorts {
  /** The user and session of a token; null if invalid. */
  identify(token: string): Promise<SignedIn | null>;
  /** Public address of the service. */
  readonly publicUrl: string;
}

const signedIn = requestValue<SignedIn>();

/** The signed-in user; set for every route behind `checkSessions`. */
export const signedInOf = (request: FastifyRequest): SignedIn => {
  const found = signedIn.get(request);
  if (found === undefined) throw new Error(`route ${routeOf(request)} is served without the session check`);
  return found;
};

/** Accepts signed-in users; checked before the body is read. */
export const checkSessions = (app: FastifyInstance, ports: SessionCheckPorts): void => {
  app.addHook("onRequest", async (request) => {
    signedIn.set(request, await findSignedIn(request, ports));
  });
};

/** The user of the request's cookie. */
export const findSignedIn = async (request: FastifyRequest, ports: SessionCheckPorts): Promise<SignedIn> => {
  const token = cookieOf(request, "session", ports.publicUrl);
  const found = token === null ? null : await ports.identify(token);
  if (found === null) throw new HttpError(401, "Permission denied: sign in first.");
  if (isWrite(request)) refuseOtherSites(request, ports.publicUrl);
  return found;
};

/** What a role may not use does not exist for it: 401 means not signed in, and we never answer 403 (G2). */
export const requireRole = (request: FastifyRequest, { role }: User, of: Access["of"]): void => {
  const route = routeOf(request) ?? "";
  const isForAdmins = /\/(users|demo)(\/|$)/.test(route);
  // Who reads a page says so by a PUT.
  const writes = isWrite(request) && !route.endsWith("/page-read");
  if (may(role, { of, writes, forAdmins: isForAdmins })) return;
  throw new HttpError(404, `There is nothing at this address and method for the role ${role}.`);
};

/** Ports of the routes below /auth. */
export type SessionRoutePorts = SessionPorts & SessionCheckPorts;
