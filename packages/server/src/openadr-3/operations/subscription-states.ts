/** A subscription, and how its last notification went. */
export interface SubscriptionState {
  readonly id: string;
  readonly clientId: string;
  readonly name: string | null;
  readonly callbackUrls: readonly string[];
  readonly pendingCount: number;
  /** null: there was none. */
  readonly lastAttempt: {
    readonly at: Date;
    readonly status: number | null;
    readonly error: string | null;
  } | null;
}

export interface SubscriptionStates {
  /** In the order of creation. */
  ofClients(clientIds: readonly string[]): Promise<readonly SubscriptionState[]>;
}
