import type { Clock } from "../../platform/clock.js";
import type { ClientRecord } from "../domain/client.js";
import type { ClientFinder } from "./token-ports.js";

const REMEMBERED_MS = 500;

interface Remembered {
  readonly record: Promise<ClientRecord | null>;
  readonly untilMs: number;
}

/**
 * Remembers clients for half a second, so that a burst of requests queries the database once. A client revoked by
 * another process is refused within a second; one revoked by this process at once (`forget`).
 */
export class ClientMemory implements ClientFinder {
  private readonly recent = new Map<string, Remembered>();
  private readonly used = new Set<string>();

  constructor(
    private readonly finder: ClientFinder,
    private readonly clock: Clock,
  ) {}

  byId(id: string): Promise<ClientRecord | null> {
    return this.remembered(`id ${id}`, () => this.finder.byId(id));
  }

  byExternalId(externalId: string): Promise<ClientRecord | null> {
    return this.remembered(`external ${externalId}`, () => this.finder.byExternalId(externalId));
  }

  forget(): void {
    this.recent.clear();
  }

  /** Notes that a client sent a request. */
  noteUsed(id: string): void {
    this.used.add(id);
  }

  /** Ids of the clients used since the last call. */
  takeUsed(): string[] {
    const ids = [...this.used];
    this.used.clear();
    return ids;
  }

  private async remembered(name: string, find: () => Promise<ClientRecord | null>): Promise<ClientRecord | null> {
    const nowMs = this.clock.now().getTime();
    const known = this.recent.get(name);
    if (known !== undefined && known.untilMs > nowMs) return known.record;
    const record = find();
    this.recent.set(name, { record, untilMs: nowMs + REMEMBERED_MS });
    try {
      const found = await record;
      // Made-up names must not fill the memory.
      if (found === null) this.recent.delete(name);
      return found;
    } catch (error) {
      this.recent.delete(name);
      throw error;
    }
  }
}
