import type { FastifyRequest } from "fastify";
import { requestValue } from "../../platform/http/request-value.js";
import { may, type User } from "../domain/user.js";
import type { Manager } from "../operations/caller.js";

/** A participant's user, who manages objects of the own account. */
export interface Person extends Manager {
  readonly within: string;
  /** Whether the user may make changes, or only read. */
  readonly mayChange: boolean;
}

const people = requestValue<Person>();

export const setPerson = (request: FastifyRequest, { id, role, accountId }: User): Person => {
  if (accountId === null) throw new Error(`user ${id} has a participant's role and no account`);
  const mayChange = may(role, { of: "participant", writes: true, forAdmins: false });
  const person = { actor: `user:${id}`, within: accountId, mayChange } as const;
  people.set(request, person);
  return person;
};

/** The signed-in user; set for every route behind the check of participants. */
export const personOf = (request: FastifyRequest): Person => {
  const found = people.get(request);
  if (found === undefined) throw new Error(`route ${request.routeOptions.url} is served without the console's check`);
  return found;
};
