import { StampedMemory } from "../../platform/stamped-memory.js";
import type { KnownStamp } from "../../platform/stamps.js";
import type { ClientRecord } from "../domain/client.js";
import type { ClientFinder } from "./token-ports.js";

/**
 * Remembers clients while the stamp of all clients stays the same, so that a burst of requests queries the database once.
 * A client revoked by another process is refused within a second; one revoked by this process at once.
 */
export class ClientMemory implements ClientFinder {
  private readonly recent = new StampedMemory<ClientRecord | null>((record) => record !== null);

  constructor(
    private readonly finder: ClientFinder,
    private readonly stamp: KnownStamp,
  ) {}

  byId(id: string): Promise<ClientRecord | null> {
    return this.recent.find(`id ${id}`, this.stamp(), () => this.finder.byId(id));
  }

  byExternalId(externalId: string): Promise<ClientRecord | null> {
    return this.recent.find(`external ${externalId}`, this.stamp(), () => this.finder.byExternalId(externalId));
  }
}
