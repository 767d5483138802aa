import type { FastifyRequest } from "fastify";
import type { Actor } from "../../domain/account.js";

const actors = new WeakMap<FastifyRequest, Actor>();

export const setActor = (request: FastifyRequest, actor: Actor): void => void actors.set(request, actor);

/** Who acts, for the audit log; every route behind the operator check has one. */
export const actorOf = (request: FastifyRequest): Actor => {
  const actor = actors.get(request);
  if (actor === undefined) throw new Error(`route ${request.routeOptions.url} is served without the operator check`);
  return actor;
};
