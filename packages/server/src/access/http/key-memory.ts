import type { Clock } from "../../platform/clock.js";
import { isExpired } from "../domain/api-key.js";
import { isKeyCaller, type KeyCaller, type RefusedKey } from "../operations/caller.js";

type Found = KeyCaller | RefusedKey | null;

const REMEMBERED_MS = 500;

/** Makes this process look up every key again. */
export type ForgetKeys = () => void;

interface Remembered {
  readonly caller: Promise<Found>;
  readonly untilMs: number;
}

/** Of a key that is to be looked up again. */
const NO_STAMP = "";

/** A valid key, with the stamp under which it was looked up. */
interface Stamped {
  readonly caller: KeyCaller;
  readonly stamp: string;
}

/**
 * Remembers valid keys. `find` does so for half a second, so that a burst of requests queries the database once: a key
 * revoked by another process is refused within a second; one revoked by this process at once (`forget`). `known` does so
 * while the stamp of all keys stays the same, so no key is accepted after it was revoked.
 */
export class KeyMemory {
  private readonly recent = new Map<string, Remembered>();
  private readonly stamped = new Map<string, Stamped>();
  private readonly used = new Set<string>();

  constructor(
    private readonly authenticate: (apiKey: string) => Promise<Found>,
    private readonly clock: Clock,
  ) {}

  async find(apiKey: string): Promise<Found> {
    const nowMs = this.clock.now().getTime();
    const remembered = this.recent.get(apiKey);
    if (remembered !== undefined && remembered.untilMs > nowMs) return remembered.caller;
    const caller = this.authenticate(apiKey);
    this.recent.set(apiKey, { caller, untilMs: nowMs + REMEMBERED_MS });
    return this.keepOnlyGood(apiKey, caller);
  }

  /** The caller of a key that was looked up under this stamp and is still valid; undefined: look it up. */
  known(apiKey: string, stamp: string): KeyCaller | undefined {
    const held = this.stamped.get(apiKey);
    if (held?.stamp !== stamp || isExpired(held.caller, this.clock.now())) return undefined;
    this.used.add(held.caller.keyId);
    return held.caller;
  }

  /**
   * The caller of a key that `find` has accepted before and that is still valid; undefined for any other. Wrong keys
   * are thus looked up once, by whoever refuses them.
   *
   * @param stamp read before this call
   */
  async lookUp(apiKey: string, stamp: string): Promise<KeyCaller | undefined> {
    if (!this.stamped.has(apiKey)) return undefined;
    const caller = await this.authenticate(apiKey);
    if (isKeyCaller(caller)) this.stamped.set(apiKey, { caller, stamp });
    else for (const memory of [this.stamped, this.recent]) memory.delete(apiKey);
    return this.known(apiKey, stamp);
  }

  forget(): void {
    this.recent.clear();
  }

  /** Ids of the keys used since the last call. */
  takeUsed(): string[] {
    const ids = [...this.used];
    this.used.clear();
    return ids;
  }

  private accept(apiKey: string, caller: KeyCaller): void {
    this.used.add(caller.keyId);
    if (!this.stamped.has(apiKey)) this.stamped.set(apiKey, { caller, stamp: NO_STAMP });
  }

  private async keepOnlyGood(apiKey: string, pending: Promise<Found>): Promise<Found> {
    try {
      const caller = await pending;
      if (isKeyCaller(caller)) this.accept(apiKey, caller);
      else this.recent.delete(apiKey);
      return caller;
    } catch (error) {
      this.recent.delete(apiKey);
      throw error;
    }
  }
}
