import type { FastifyRequest } from "fastify";
import { requestValue } from "../../platform/http/request-value.js";
import { setKeyHolder } from "../../platform/http/serve-once.js";
import type { Actor } from "../domain/account.js";
import { type Role, seesSecrets } from "../domain/user.js";
import type { Manager } from "../operations/caller.js";
import { passes } from "./caller.js";

interface Acting {
  readonly actor: Actor;
  /** null for the operator token, which may do everything. */
  readonly role: Role | null;
  /** Throws the error to return once the actor is no longer allowed to do this. */
  readonly check: () => Promise<unknown>;
}

const acting = requestValue<Acting>();

export const setActor = (request: FastifyRequest, as: Acting): void => {
  acting.set(request, as);
  setKeyHolder(request, as.actor);
};

/** Who acts, for the audit log; set for every route behind the operator check. */
export const actorOf = (request: FastifyRequest): Actor => actingIn(request).actor;

/** Operators may act on any account. */
export const managerOf = (request: FastifyRequest): Manager => ({ actor: actorOf(request), within: null });

/** Whether the actor may see the secrets that webhook requests are signed with. */
export const maySeeSecrets = (request: FastifyRequest): boolean => {
  const { role } = actingIn(request);
  return role === null || seesSecrets(role);
};

/** Whether the caller of a long response may continue: the session may have ended meanwhile. */
export const mayContinue = (request: FastifyRequest): Promise<boolean> => passes(actingIn(request).check);

const actingIn = (request: FastifyRequest): Acting => {
  const found = acting.get(request);
  if (found === undefined) throw new Error(`route ${request.routeOptions.url} is served without the operator check`);
  return found;
};
