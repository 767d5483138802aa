import { type Call, fleetOf, readingsOf, type Simulator, type SiteSpec, simulatorOf } from "@curtail/simulation";
import type { AccountStore } from "../../access/operations/access-stores.js";
import type { Caller } from "../../access/operations/caller.js";
import type { DispatchService } from "../../dispatch/operations/dispatch-service.js";
import { everyItem, type PageRequest } from "../../platform/page.js";
import { isRefusal } from "../../platform/refusal.js";
import type { SiteStore } from "../../portfolio/operations/portfolio-stores.js";
import { ReadingColumns } from "../../telemetry/domain/reading.js";
import type { UploadService } from "../../telemetry/operations/telemetry-service.js";
import type { FillPeriod } from "../domain/demo.js";

/** Sites of the fleet: as many as there are names. */
export const fleet: readonly SiteSpec[] = fleetOf(Number.POSITIVE_INFINITY);

/** A site of the fleet as the service knows it. */
export interface FleetSite {
  readonly spec: SiteSpec;
  readonly id: string;
  /** In the order of the specification. */
  readonly meterIds: readonly string[];
}

export interface FleetAccount {
  readonly id: string;
  readonly sites: readonly FleetSite[];
}

/** What participants' systems call. */
export type FleetInterface = Pick<DispatchService, "listDispatches" | "findDispatch"> &
  Pick<UploadService, "recordTelemetry">;

interface FleetStores {
  readonly accounts: Pick<AccountStore, "list">;
  readonly sites: Pick<SiteStore, "ofAccount">;
}

interface FleetPorts {
  readonly stores: FleetStores;
  readonly participant: FleetInterface;
  /** Readings of an upload. */
  readonly maxReadings: number;
}

/** The systems of the demo's accounts: they call what systems of real ones call, with the same checks. */
export class Fleet {
  /** Batteries keep their charge from one reading to the next. */
  private readonly simulators = new Map<string, Simulator>();

  constructor(private readonly ports: FleetPorts) {}

  /** Accounts with their sites, found by the owner's identifier; disabled accounts send nothing. */
  async accounts({ accounts, sites }: FleetStores = this.ports.stores): Promise<readonly FleetAccount[]> {
    const found: FleetAccount[] = [];
    for await (const { id, disabled } of everyItem((page: PageRequest) => accounts.list(page)))
      if (!disabled) found.push({ id, sites: (await sites.ofAccount(id)).flatMap(fleetSiteOf) });
    return found;
  }

  /** Polls for dispatches, which records what each account has learned. */
  async poll(accounts: readonly FleetAccount[]): Promise<void> {
    for (const { id } of accounts) await this.ports.participant.listDispatches(callerOf(id), "seen");
  }

  /** Uploads the readings of a stretch. */
  async upload(
    accounts: readonly FleetAccount[],
    stretch: FillPeriod,
    callsOf: (site: FleetSite) => readonly Call[],
  ): Promise<void> {
    for (const { id, sites } of accounts)
      for (const readings of this.readingsOf(sites, stretch, callsOf)) await this.send(id, readings);
  }

  private async send(accountId: string, readings: ReadingColumns): Promise<void> {
    const stored = await this.ports.participant.recordTelemetry(callerOf(accountId), readings.filled());
    if (isRefusal(stored)) throw new Error(`simulated readings were refused: ${stored.message}`);
  }

  /** In uploads of at most so many readings as are accepted at once. */
  private *readingsOf(
    sites: readonly FleetSite[],
    { from, to, seconds }: FillPeriod,
    callsOf: (site: FleetSite) => readonly Call[],
  ): Generator<ReadingColumns> {
    const { maxReadings } = this.ports;
    const span = { fromMs: from.getTime(), untilMs: to.getTime(), seconds };
    let [columns, count] = [new ReadingColumns(maxReadings), 0];
    for (const site of sites) {
      for (const { meter, endMs, kw } of readingsOf(this.simulatorOf(site), span, callsOf(site))) {
        columns.add(endMs, seconds, kw, columns.sourceOf("meter", site.meterIds[meter] ?? ""));
        if (++count < maxReadings) continue;
        yield columns;
        [columns, count] = [new ReadingColumns(maxReadings), 0];
      }
    }
    if (count > 0) yield columns;
  }

  private simulatorOf({ id, spec }: FleetSite): Simulator {
    const known = this.simulators.get(id) ?? simulatorOf(spec);
    this.simulators.set(id, known);
    return known;
  }
}

const fleetSiteOf = (site: { readonly id: string; readonly customerLocationId: string } & WithMeters): FleetSite[] => {
  const spec = fleet.find(({ code }) => code === site.customerLocationId);
  return spec === undefined || site.meters.length < spec.meters.length
    ? []
    : [{ spec, id: site.id, meterIds: site.meters.map(({ id }) => id) }];
};

interface WithMeters {
  readonly meters: ReadonlyArray<{ readonly id: string }>;
}

const callerOf = (accountId: string): Caller => ({
  accountId,
  actor: "service",
  environment: "production",
  sees: "own sites",
});
