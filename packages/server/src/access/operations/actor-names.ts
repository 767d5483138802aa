import { personOfActor } from "../domain/account.js";
import type { UserStore } from "./user-ports.js";

/** Names of the users among the actors, including deleted ones. */
export const actorNames = async (
  users: Pick<UserStore, "namesOf">,
  actors: readonly string[],
): Promise<(actor: string) => string | null> => {
  const ids = [...new Set(actors.map(personOfActor).filter((id) => id !== null))];
  const names = ids.length === 0 ? new Map<string, string>() : await users.namesOf(ids);
  return (actor) => names.get(personOfActor(actor) ?? "") ?? null;
};
