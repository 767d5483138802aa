import { isExpired } from "../../access/domain/api-key.js";
import type { KeyStore } from "../../access/operations/access-stores.js";
import type { KeyCaller } from "../../access/operations/caller.js";
import type { Clock } from "../../platform/clock.js";
import { earliest } from "../../platform/earliest.js";
import { type Refusal, tooMany } from "../../platform/refusal.js";
import type { ReadStamps, Stamps } from "../../platform/stamps.js";
import { RARELY_MS } from "../../platform/timetable.js";
import { turns } from "../../platform/turns.js";
import type { Dispatch } from "../domain/dispatch.js";

/** What the list of an account shows. */
export interface ShownList {
  readonly dispatches: readonly Dispatch[];
  /** Until then it holds if nothing changes; null: forever. */
  readonly until: Date | null;
}

export interface FollowPorts {
  readonly readStamps: ReadStamps;
  /** What the list of each account shows now, in the order of the accounts; the stamps were read before. */
  readonly listsOf: (accountIds: readonly string[], stamps: Stamps) => Promise<readonly ShownList[]>;
  readonly keys: Pick<KeyStore, "accepted">;
  readonly clock: Clock;
  /** Makes it look at once. */
  readonly wake: () => void;
  /** Most followers of this process. */
  readonly most: number;
}

export interface DispatchFollower {
  readonly caller: KeyCaller;
  /** Called at each look with the account's list. */
  listed(dispatches: readonly Dispatch[]): void;
  /** The key is not accepted any more; nothing follows. */
  refused(): void;
}

const ROOM_AGAIN_SECONDS = 5;
/** After a look that failed. */
const RETRY_MS = 1000;

/** Shows followers the lists of their accounts whenever these may have changed, as GET /dispatches would. */
export class LiveDispatches {
  /** Each with the stamp of all keys under which its own was accepted. */
  private readonly followers = new Map<DispatchFollower, string | null>();
  /** When a list or a key changes next by itself, as of the latest look; null: never. */
  private until: Date | null = null;
  private hasFailed = false;

  constructor(private readonly ports: FollowPorts) {}

  /** Follows until the returned function is called. */
  follow(follower: DispatchFollower): () => void {
    this.followers.set(follower, null);
    this.ports.wake();
    return () => void this.followers.delete(follower);
  }

  refuseWhenFull(): Refusal | null {
    const { most } = this.ports;
    if (this.followers.size < most) return null;
    return tooMany(`the service has ${most} streams of dispatches open, its maximum`, ROOM_AGAIN_SECONDS);
  }

  /** How long to rest after a look if nothing is committed: until the time changes what is listed. */
  restMs(): number {
    if (this.hasFailed) return RETRY_MS;
    const { until } = this;
    return until === null ? RARELY_MS : Math.min(until.getTime() - this.ports.clock.now().getTime(), RARELY_MS);
  }

  /** Call when something was committed that lists or keys depend on. Reads once for all followers; does nothing without any. */
  async look(): Promise<void> {
    this.until = null;
    this.hasFailed = this.followers.size > 0;
    if (!this.hasFailed) return;
    const stamps = await this.ports.readStamps();
    await this.refuseKeys(stamps.access);
    const followers = [...this.followers.keys()];
    const accountIds = [...new Set(followers.map(({ caller }) => caller.accountId))];
    const lists = await this.ports.listsOf(accountIds, stamps);
    const listOf = new Map(accountIds.map((id, index) => [id, lists[index]?.dispatches ?? []]));
    this.until = earliest([...lists.map(({ until }) => until), ...followers.map(({ caller }) => caller.expiresAt)]);
    const turn = turns();
    for (const follower of followers) {
      if (this.followers.has(follower)) follower.listed(listOf.get(follower.caller.accountId) ?? []);
      await turn();
    }
    this.hasFailed = false;
  }

  /** Keys are looked up again only when any key or account changed. */
  private async refuseKeys(stamp: string): Promise<void> {
    const now = this.ports.clock.now();
    const doubtful = [...this.followers].filter(([{ caller }, seen]) => seen !== stamp && caller.isShared !== true);
    const ids = doubtful.map(([{ caller }]) => caller.keyId);
    const accepted = new Set(ids.length === 0 ? [] : await this.ports.keys.accepted(ids, now));
    for (const [follower] of doubtful) {
      if (!accepted.has(follower.caller.keyId)) this.refuse(follower);
      else if (this.followers.has(follower)) this.followers.set(follower, stamp);
    }
    for (const follower of this.followers.keys()) if (isExpired(follower.caller, now)) this.refuse(follower);
  }

  private refuse(follower: DispatchFollower): void {
    if (this.followers.delete(follower)) follower.refused();
  }
}
