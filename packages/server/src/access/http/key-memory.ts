import type { Clock } from "../../platform/clock.js";
import { StampedMemory } from "../../platform/stamped-memory.js";
import type { KnownStamp } from "../../platform/stamps.js";
import { isExpired } from "../domain/api-key.js";
import { isKeyCaller, type KeyCaller, type RefusedKey } from "../operations/caller.js";

type Found = KeyCaller | RefusedKey | null;

/** A valid key, with the stamp under which it was looked up. */
interface Stamped {
  readonly caller: KeyCaller;
  readonly stamp: string;
}

interface KeyMemoryPorts {
  readonly authenticate: (apiKey: string) => Promise<Found>;
  readonly stamp: KnownStamp;
  readonly clock: Clock;
  /** Called for each use of a valid key. */
  readonly noteUsed: (keyId: string) => void;
}

/**
 * Remembers valid keys while the stamp of all keys stays the same. `find` asks for the stamp that this process knows: a
 * key revoked by another process is refused within a second, one revoked by this process at once. `known` gets one
 * that was just read, so no key is accepted after it was revoked.
 */
export class KeyMemory {
  private readonly recent = new StampedMemory<Found>(isKeyCaller);
  private readonly stamped = new Map<string, Stamped>();

  constructor(private readonly ports: KeyMemoryPorts) {}

  async find(apiKey: string): Promise<Found> {
    const { authenticate, stamp, clock } = this.ports;
    const before = stamp();
    const found = await this.recent.find(apiKey, before, () => authenticate(apiKey));
    if (!isKeyCaller(found)) return found;
    if (isExpired(found, clock.now())) return authenticate(apiKey);
    this.accept(apiKey, found, before);
    return found;
  }

  /** The caller of a key that `find` would accept without a look; undefined for any other. */
  recently(apiKey: string): KeyCaller | undefined {
    return this.known(apiKey, this.ports.stamp());
  }

  /** The caller of a key that was looked up under this stamp and is still valid; undefined: look it up. */
  known(apiKey: string, stamp: string): KeyCaller | undefined {
    const held = this.stamped.get(apiKey);
    if (held?.stamp !== stamp || isExpired(held.caller, this.ports.clock.now())) return undefined;
    this.ports.noteUsed(held.caller.keyId);
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
    const caller = await this.ports.authenticate(apiKey);
    if (isKeyCaller(caller)) this.stamped.set(apiKey, { caller, stamp });
    else this.stamped.delete(apiKey);
    return this.known(apiKey, stamp);
  }

  private accept(apiKey: string, caller: KeyCaller, stamp: string): void {
    this.ports.noteUsed(caller.keyId);
    if (this.stamped.get(apiKey)?.stamp !== stamp) this.stamped.set(apiKey, { caller, stamp });
  }
}
