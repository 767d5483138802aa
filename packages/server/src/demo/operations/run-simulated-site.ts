import { type Call, firstSite } from "@curtail/simulation";
import type { FillPeriod } from "../domain/demo.js";
import { nextReadings, type SimulatedSite } from "../domain/simulated-site.js";
import type { Fleet, FleetAccount } from "./fleet.js";
import type { SimulatedSitePorts } from "./simulated-site.js";

/** Lets one process at a time work on the simulated site. */
export interface SimulatedSiteLease {
  /** The site, if this process may work on it now; null also if there is none. */
  claim(now: Date): Promise<SimulatedSite | null>;
  release(): Promise<void>;
}

export interface SimulatedSiteRun extends SimulatedSitePorts {
  readonly fleet: Pick<Fleet, "poll" | "upload">;
  readonly lease: SimulatedSiteLease;
  /** What the site knows of dispatches that end later, from what its account has read. */
  readonly learned: (accountId: string, endingAfter: Date) => Promise<ReadonlyMap<string, readonly Call[]>>;
  /** Deletes everything that belongs to it, all or nothing. */
  readonly deleteAll: () => Promise<void>;
}

interface SimulatedStep {
  readonly isDone: boolean;
  /** Whether there is a simulated site; another process may be at work on it. */
  readonly isThere: boolean;
}

/** Takes the next step: its account polls, its meter sends what is due, or it is deleted. */
export const simulatedSiteStep = async (ports: SimulatedSiteRun): Promise<SimulatedStep> => {
  const site = await ports.lease.claim(ports.clock.now());
  if (site === null) return { isDone: true, isThere: (await ports.stores.simulatedSite.find()) !== null };
  if (site.state !== "removing") return { isDone: await live(ports, site), isThere: true };
  // By the process that feeds it, so that no reading is under way.
  await ports.deleteAll();
  return { isDone: true, isThere: false };
};

/** Returns whether nothing is left to do for now. */
const live = async (ports: SimulatedSiteRun, site: SimulatedSite): Promise<boolean> => {
  const account = await accountOf(ports, site);
  if (account === null) return true;
  await ports.fleet.poll([account]);
  const stretch = nextReadings(site.filledUntil, ports.clock.now());
  if (stretch !== null) await send(ports, site, { account, stretch });
  const isComplete = nextReadings(stretch?.to ?? site.filledUntil, ports.clock.now()) === null;
  if (stretch !== null || (isComplete && site.state === "preparing"))
    await advance(ports, stretch?.to ?? site.filledUntil, isComplete);
  return isComplete;
};

const send = async (
  { fleet, learned }: SimulatedSiteRun,
  { accountId }: SimulatedSite,
  { account, stretch }: { readonly account: FleetAccount; readonly stretch: FillPeriod },
): Promise<void> => {
  // Load of an earlier dispatch may still snap back.
  const calls = await learned(accountId, new Date(stretch.from.getTime() - 60_000));
  await fleet.upload([account], stretch, ({ id }) => calls.get(id) ?? []);
};

/** It is on as soon as the past is complete. */
const advance = (ports: SimulatedSiteRun, filledUntil: Date, isComplete: boolean) =>
  ports.transact(async ({ simulatedSite }) => {
    const current = await simulatedSite.lock();
    if (current === null || current.state === "removing") return;
    await simulatedSite.save({ state: isComplete ? "on" : current.state, filledUntil });
  });

/** Null while an operator has disabled it: systems of such accounts are refused. */
const accountOf = async (
  { stores }: SimulatedSiteRun,
  { accountId, siteId }: SimulatedSite,
): Promise<FleetAccount | null> => {
  const [account, site] = await Promise.all([stores.accounts.find(accountId), stores.sites.find(siteId)]);
  const [meter] = site?.meters ?? [];
  if (account === null || account.disabled || site === null || meter === undefined) return null;
  return { id: accountId, sites: [{ id: siteId, spec: firstSite(site.timezone), meterIds: [meter.id] }] };
};
