/** Limits of what a client may have notified. */
export const MAX_SUBSCRIPTIONS = 100;
export const MAX_OPERATIONS = 20;
/** As in the contract. */
export const MAX_CALLBACK_CHARACTERS = 8000;

/** A notification to one address of a subscription, held by one worker until its lease ends. */
export interface ClaimedNotification {
  readonly id: string;
  readonly subscriptionId: string;
  readonly url: string;
  /** null: the client gave none, or it cannot be decrypted. */
  readonly bearerToken: string | null;
  readonly operation: "CREATE" | "UPDATE" | "DELETE";
  readonly objectType: string;
  readonly object: object;
  /** The targets that the subscriber may see of the object; null: all. */
  readonly targets: readonly string[] | null;
  readonly failures: number;
  readonly leasedUntil: Date;
}
