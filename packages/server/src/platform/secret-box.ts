/** Encrypts secrets that are stored and read again, such as those that sign webhook requests. */
export interface SecretBox {
  /** Prefix of every text that was sealed with the current key. */
  readonly prefix: string;
  /** @param place where it is stored; it can be opened only for the same place */
  seal(plain: string, place: string): string;
  /** Throws `UnreadableSecret` if no key opens it; secrets stored before there were keys are plain text. */
  open(stored: string, place: string): string;
  /** Keys for another purpose than sealing: the current one first, then those that were. */
  derive(purpose: string): readonly [DerivedKey, ...DerivedKey[]];
}

export interface DerivedKey {
  /** Reveals nothing of the key. */
  readonly id: string;
  readonly key: Buffer;
}

export class UnreadableSecret extends Error {}

/** Prefix of every sealed text, for any key; the number is the format. */
export const SEALED = "enc1:";

/** Prefix of sealed texts of any version. */
export const SEALED_BY_ANY = /^enc[0-9]+:/;

export const isSealedByNewer = (stored: string): boolean => SEALED_BY_ANY.test(stored) && !stored.startsWith(SEALED);

export const totpPlace = (userId: string): string => `totp ${userId}`;
export const answerPlace = (id: string): string => `answer ${id}`;
export const addressPlace = (id: string): string => `channel address ${id}`;
export const webhookPlace = (webhookId: string): string => `webhook ${webhookId}`;
export const pushKeyPlace = (id: string): string => `push key ${id}`;
export const bearerTokensPlace = (subscriptionId: string): string => `bearer tokens ${subscriptionId}`;
export const pushTargetPlace = (subscriptionId: string): string => `push subscription ${subscriptionId}`;
