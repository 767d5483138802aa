import type { Clock } from "../../platform/clock.js";
import { isKeyCaller, type KeyCaller, type RefusedKey } from "../operations/caller.js";

type Found = KeyCaller | RefusedKey | null;

const REMEMBERED_MS = 500;

/** Makes this process look up every key again. */
export type ForgetKeys = () => void;

interface Remembered {
  readonly caller: Promise<Found>;
  readonly untilMs: number;
}

/**
 * Caches a valid key for half a second, so that a burst of requests queries the database once. A key revoked by another
 * process is refused within a second; one revoked by this process at once (`forget`).
 */
export class KeyMemory {
  private readonly known = new Map<string, Remembered>();
  private readonly used = new Set<string>();

  constructor(
    private readonly authenticate: (apiKey: string) => Promise<Found>,
    private readonly clock: Clock,
  ) {}

  async find(apiKey: string): Promise<Found> {
    const nowMs = this.clock.now().getTime();
    const remembered = this.known.get(apiKey);
    if (remembered !== undefined && remembered.untilMs > nowMs) return remembered.caller;
    const caller = this.authenticate(apiKey);
    this.known.set(apiKey, { caller, untilMs: nowMs + REMEMBERED_MS });
    return this.keepOnlyGood(apiKey, caller);
  }

  forget(): void {
    this.known.clear();
  }

  /** Ids of the keys used since the last call. */
  takeUsed(): string[] {
    const ids = [...this.used];
    this.used.clear();
    return ids;
  }

  private async keepOnlyGood(apiKey: string, pending: Promise<Found>): Promise<Found> {
    try {
      const caller = await pending;
      if (isKeyCaller(caller)) this.used.add(caller.keyId);
      else this.known.delete(apiKey);
      return caller;
    } catch (error) {
      this.known.delete(apiKey);
      throw error;
    }
  }
}
