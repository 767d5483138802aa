import type { Clock } from "../../platform/clock.js";
import { StampedMemory } from "../../platform/stamped-memory.js";
import type { KnownStamp } from "../../platform/stamps.js";
import { isExpired } from "../domain/api-key.js";
import { isKeyCaller, type KeyCaller, type RefusedKey } from "../operations/caller.js";

type Found = KeyCaller | RefusedKey | null;

/** Of a key that is to be looked up again. */
const NO_STAMP = "";

/** A valid key, with the stamp under which it was looked up. */
interface Stamped {
  readonly caller: KeyCaller;
  readonly stamp: string;
}

/**
 * Remembers valid keys while the stamp of all keys stays the same. `find` asks for the stamp that this process knows: a
 * key revoked by another process is refused within a second, one revoked by this process at once. `known` gets one
 * that was just read, so no key is accepted after it was revoked.
 */
export class KeyMemory {
  private readonly recent = new StampedMemory<Found>(isKeyCaller);
  private readonly stamped = new Map<string, Stamped>();
  private readonly used = new Set<string>();

  constructor(
    private readonly authenticate: (apiKey: string) => Promise<Found>,
    private readonly stamp: KnownStamp,
    private readonly clock: Clock,
  ) {}

  async find(apiKey: string): Promise<Found> {
    const found = await this.recent.find(apiKey, this.stamp(), () => this.authenticate(apiKey));
    if (!isKeyCaller(found)) return found;
    if (isExpired(found, this.clock.now())) return this.authenticate(apiKey);
    this.accept(apiKey, found);
    return found;
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
   * are thus looked up once, by the route that refuses them.
   *
   * @param stamp read before this call
   */
  async lookUp(apiKey: string, stamp: string): Promise<KeyCaller | undefined> {
    if (!this.stamped.has(apiKey)) return undefined;
    const caller = await this.authenticate(apiKey);
    if (isKeyCaller(caller)) this.stamped.set(apiKey, { caller, stamp });
    else this.stamped.delete(apiKey);
    return this.known(apiKey, stamp);
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
}
