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

/** What every sealed text begins with, whatever the key. */
export const SEALED = "enc1:";

export const totpPlace = (userId: string): string => `totp ${userId}`;
export const webhookPlace = (webhookId: string): string => `webhook ${webhookId}`;
