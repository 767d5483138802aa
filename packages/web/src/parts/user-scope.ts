import type { operator } from "@curtail/contract";
import type { Listed } from "../ui/listed.js";
import type { Invitation } from "./invitation-link.js";

type User = operator.User;

/** A user to invite; `account_id` is chosen by operators. */
export interface Invited {
  readonly email: string;
  readonly name: string;
  readonly role: User["role"];
  readonly account_id: string;
}

interface Reached {
  readonly list: Listed<User>;
  readonly invite: (user: Invited) => Promise<Invitation>;
  /** Creates another link for setting a password. */
  readonly renew: (id: string) => Promise<Invitation>;
  readonly setDisabled: (id: string, to: boolean) => Promise<User>;
  readonly signOut: (id: string) => Promise<unknown>;
}

/** The users of one account, for its own users. */
export interface OwnUsers extends Reached {
  readonly side: "own";
}

/** The users of all accounts or of one, for operators. */
export interface OperatorUsers extends Reached {
  readonly side: "operators";
  /** null: users of all accounts, and operators. */
  readonly accountId: string | null;
  /** Names of accounts by id, to choose from if the list has all accounts. */
  readonly accounts: ReadonlyMap<string, string>;
  readonly edit: (id: string, to: Partial<Pick<User, "name" | "email" | "role">>) => Promise<User>;
  readonly remove: (id: string) => Promise<unknown>;
}

export type UserScope = OwnUsers | OperatorUsers;
