/** A participant: owns sites and keys. */
export interface Account {
  readonly id: string;
  readonly name: string;
  readonly disabled: boolean;
  /** Of what its people are sent unless they chose another; null: that of the service. */
  readonly language: string | null;
  /** Of the simulated site: what it has counts nowhere. */
  readonly isSimulated: boolean;
  readonly createdAt: Date;
}

/** A person who gets email if an account cannot be reached, and SMS or calls if asked for. */
export interface Contact {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly email: string;
  /** For phone calls if email cannot be sent either. */
  readonly phone: string | null;
  /** Whether dispatches and their changes are sent as SMS, or spoken in a call. */
  readonly sms: boolean;
  readonly voice: boolean;
  /** null: that of the account. */
  readonly language: string | null;
  readonly createdAt: Date;
}

/** The number as gateways need it (E.164): `+15550100200` for `+1 (555) 010-0200`; null if it is not international. */
export const e164 = (phone: string): string | null => {
  const digits = phone.replaceAll(/[\s().\-/]/g, "");
  return /^\+[1-9]\d{6,14}$/.test(digits) ? digits : null;
};

/** The most that an account may have. */
export const MAX_CONTACTS = 200;

/** The most that an account's own users may add: each contact gets email. */
export const MAX_OWN_CONTACTS = 50;

/** The actor in histories and the audit log. */
export type Actor = "operator" | "service" | `key:${string}` | `user:${string}` | `ven:${string}`;

const PERSON = "user:";

/** The user id of an actor; null if the actor is not a user. */
export const personOfActor = (actor: string): string | null =>
  actor.startsWith(PERSON) ? actor.slice(PERSON.length) : null;
