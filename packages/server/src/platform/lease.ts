/** An item claimed from a queue until its lease ends. */
export interface Leased {
  readonly id: string;
  readonly leasedUntil: Date;
}

/** Which items to claim, and for how long. */
export interface Lease {
  readonly now: Date;
  readonly leasedUntil: Date;
  /** Leases that ended before this are over. */
  readonly lapsedBefore: Date;
}

/** The same, for at most `limit` items. */
export interface Claim extends Lease {
  readonly limit: number;
}

/** An item that was sent, with what it came to. */
export interface Sent<T, O> {
  readonly item: T;
  readonly outcome: O;
}

/** What a claim found. */
export interface Look<T> {
  readonly claimed: readonly T[];
  /** Whether there may be more at once; unless said, if as many were claimed as there was room for. */
  readonly hasMore?: boolean;
}
