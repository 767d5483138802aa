/** Encrypts what has to be stored and read again, such as the secrets that webhooks' requests are signed with. */
export interface SecretBox {
  /** What every text begins with that was sealed with the key in use. */
  readonly prefix: string;
  /** @param place where it is stored: it can be opened for that place alone */
  seal(plain: string, place: string): string;
  /** Throws `UnreadableSecret` where no key opens it; what was stored before there were keys is plain. */
  open(stored: string, place: string): string;
}

export class UnreadableSecret extends Error {}

/** Prefix of every sealed text, for any key; the number is its format. */
export const SEALED = "enc1:";

/** What sealed texts of every version begin with. */
export const SEALED_BY_ANY = /^enc[0-9]+:/;

export const isSealedByNewer = (stored: string): boolean => SEALED_BY_ANY.test(stored) && !stored.startsWith(SEALED);

export const totpPlace = (userId: string): string => `totp ${userId}`;
export const answerPlace = (id: string): string => `answer ${id}`;
export const webhookPlace = (webhookId: string): string => `webhook ${webhookId}`;
