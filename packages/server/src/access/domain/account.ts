/** A participant: owner of sites and keys. */
export interface Account {
  readonly id: string;
  readonly name: string;
  readonly disabled: boolean;
  readonly createdAt: Date;
}

/** A person who is mailed when an account cannot be reached. */
export interface Contact {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly email: string;
  /** To call when no mail can be sent either. */
  readonly phone: string | null;
  readonly createdAt: Date;
}

/** As many as an account may have. */
export const MAX_CONTACTS = 200;

/** As many as an account's own people may have: each of them is mailed. */
export const MAX_OWN_CONTACTS = 50;

/** Who acts: written into histories and the audit log. */
export type Actor = "operator" | "service" | `key:${string}` | `user:${string}` | `ven:${string}`;

const PERSON = "user:";

/** The id of the person who acted; null of other actors. */
export const personOfActor = (actor: string): string | null =>
  actor.startsWith(PERSON) ? actor.slice(PERSON.length) : null;
