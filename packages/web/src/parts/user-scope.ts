import type { operator } from "@curtail/contract";
import type { Listed } from "../ui/listed.js";
import type { Invitation } from "./invitation-link.js";

type User = operator.User;

/** A user to invite; `account_id` is for operators to choose. */
export interface Invited {
  readonly email: string;
  readonly name: string;
  readonly role: User["role"];
  readonly account_id: string;
}

interface Reached {
  readonly list: Listed<User>;
  readonly invite: (user: Invited) => Promise<Invitation>;
  /** Makes another link with which somebody sets the password. */
  readonly renew: (id: string) => Promise<Invitation>;
  readonly setDisabled: (id: string, to: boolean) => Promise<User>;
  readonly signOut: (id: string) => Promise<unknown>;
}

/** The users of one account as its own people reach them. */
export interface OwnUsers extends Reached {
  readonly side: "own";
}

/** The users of all accounts or of one, as operators reach them. */
export interface OperatorUsers extends Reached {
  readonly side: "operators";
  /** null: of all, and of no account. */
  readonly accountId: string | null;
  /** Names of accounts by id, to choose from where it is of all. */
  readonly accounts: ReadonlyMap<string, string>;
  readonly edit: (id: string, to: Partial<Pick<User, "name" | "email" | "role">>) => Promise<User>;
  readonly remove: (id: string) => Promise<unknown>;
}

export type UserScope = OwnUsers | OperatorUsers;
