import { Batcher } from "../../platform/batcher.js";
import type { Ports } from "../../platform/ports.js";
import type { Openadr3Caller } from "./caller.js";
import { addToReports, boundChanges, type ClientLimits } from "./client-volume.js";
import type { Created } from "./object-ports.js";
import type { Openadr3Stores } from "./openadr-3-stores.js";

interface RoomPorts extends Pick<Ports<Pick<Openadr3Stores, "openadr3Volume">>, "transact" | "clock"> {
  readonly limits: ClientLimits;
}

interface Crowded {
  readonly caller: Openadr3Caller;
  readonly created: Created;
}

/** Changes that somebody has yet to receive are kept for a minute: looking for old ones sooner finds none. */
const FULL_MS = 5000;

/**
 * Makes room after what was created is stored, for clients beyond a limit; once for requests that wait at the same time. A
 * kill in between leaves it to the next request.
 */
export class RoomForCreated {
  private readonly batches = new Batcher<Crowded>({ work: (crowded) => this.makeEach(crowded) });
  /** Clients whose changes could not be dropped, and until when that is so. */
  private readonly full = new Map<string, number>();

  constructor(private readonly ports: RoomPorts) {}

  async make(caller: Openadr3Caller, created: Created): Promise<void> {
    const { reportBytes, changeBytes } = created;
    const most = this.ports.limits.reportBytes;
    if (reportBytes > most || (changeBytes > most && !this.isFull(caller))) await this.batches.add({ caller, created });
  }

  private isFull({ client }: Openadr3Caller): boolean {
    return this.ports.clock.now().getTime() < (this.full.get(client.id) ?? 0);
  }

  private async makeEach(crowded: readonly Crowded[]): Promise<void> {
    const byClient = new Map(crowded.map((each) => [each.caller.client.id, each]));
    for (const each of byClient.values()) await this.makeOne(each);
  }

  private async makeOne({ caller, created }: Crowded): Promise<void> {
    const { transact, clock, limits } = this.ports;
    const { id } = caller.client;
    const { clientId } = created.object;
    const left = await transact(async ({ openadr3Volume: volume }) => {
      if (clientId !== null) await addToReports(volume, limits, { clientId, bytes: 0 });
      await boundChanges(volume, limits, caller, { objects: [], at: clock.now() });
      return volume.addChange(id, 0);
    });
    if (typeof left === "number" && left > limits.reportBytes) this.full.set(id, clock.now().getTime() + FULL_MS);
    else this.full.delete(id);
  }
}
