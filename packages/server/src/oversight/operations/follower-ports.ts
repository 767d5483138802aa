import type { FollowerFailure } from "../../platform/follower.js";

/** How far a follower of the journal is. */
export interface FollowerState {
  readonly name: string;
  /** Since when its oldest unseen entry waits; null if it has seen all. */
  readonly waitingSince: Date | null;
  /** Entries that it could not follow, and those that wait for them. */
  readonly waiting: number;
  readonly faults: readonly FollowerFaultState[];
}

export interface FollowerFaultState extends Pick<FollowerFailure, "failures" | "error" | "nextAttemptAt"> {
  readonly subject: string;
  readonly kind: string;
  readonly since: Date;
}

export interface FollowerStates {
  /** By name; null: all. */
  list(name: string | null): Promise<readonly FollowerState[]>;
  /** Makes its faults due. */
  retry(name: string, now: Date): Promise<void>;
}
