import { personOfActor } from "../domain/account.js";
import type { UserStore } from "./user-ports.js";

/** The names of the people among actors, deleted ones too. */
export const actorNames = async (
  users: Pick<UserStore, "namesOf">,
  actors: readonly string[],
): Promise<(actor: string) => string | null> => {
  const ids = [...new Set(actors.map(personOfActor).filter((id) => id !== null))];
  const names = ids.length === 0 ? new Map<string, string>() : await users.namesOf(ids);
  return (actor) => names.get(personOfActor(actor) ?? "") ?? null;
};
