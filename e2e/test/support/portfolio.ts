import { NoResponse, participantClient } from "@curtail/client";
import { operator, uploadTelemetry } from "@curtail/contract";
import { atEnd } from "@curtail/testing/at-end";
import { newKey, newProgram, operate } from "./participant.js";

/** A site of a portfolio, and its load before and during a dispatch. */
interface Load {
  readonly name: string;
  readonly group: string;
  readonly commitment: number | null;
  readonly beforeKw: number;
  /** null: silent since the start. */
  readonly duringKw: number | null;
}

export interface Member {
  readonly id: string;
  readonly key: string;
  readonly sites: ReadonlyArray<Load & { readonly id: string; readonly meterId: string }>;
}

export interface Portfolio {
  readonly programId: string;
  readonly members: readonly Member[];
}

const CELL_MS = 30_000;
const MINUTE_MS = 60_000;

const accounts: ReadonlyArray<readonly [name: string, sites: readonly Load[]]> = [
  [
    "North Cold Storage",
    [
      { name: "Freezer hall 1", group: "north", commitment: 120, beforeKw: 410, duringKw: 285 },
      { name: "Freezer hall 2", group: "north", commitment: 90, beforeKw: 350, duringKw: 340 },
    ],
  ],
  [
    "Harbour Steel",
    [
      { name: "Arc furnace", group: "south", commitment: 2400, beforeKw: 6800, duringKw: 4350 },
      { name: "Rolling mill", group: "south", commitment: 600, beforeKw: 1900, duringKw: 1420 },
    ],
  ],
  ["City Water", [{ name: "Pumping station Oak Hill", group: "", commitment: 200, beforeKw: 540, duringKw: null }]],
];

/** Creates accounts with sites, and a program that all of them are enrolled in. */
export const newPortfolio = async (url: string, program = "Capacity 2026"): Promise<Portfolio> => {
  const members: Member[] = [];
  for (const [name, sites] of accounts) members.push(await newMember(url, name, sites));
  const id = await newProgram(url, {
    name: program,
    timezone: "America/Chicago",
    market: "ERCOT",
    baseline: { method: { kind: "meter_before", seconds: 900, anchor: "start" } },
  });
  for (const site of members.flatMap(({ sites }) => sites))
    await operate(url, operator.enrolSite, { params: { id, site_id: site.id }, body: { commitment: site.commitment } });
  return { programId: id, members };
};

const newMember = async (url: string, name: string, loads: readonly Load[]): Promise<Member> => {
  const { id } = await operate(url, operator.createAccount, { body: { name } });
  const sites: Array<Member["sites"][number]> = [];
  for (const load of loads) {
    const body = {
      name: load.name,
      dispatch_group: load.group,
      timezone: "America/Chicago",
      meters: [{ name: "main" }],
    };
    const made = await operate(url, operator.createSite, { params: { id }, body });
    await operate(url, operator.changeSite, { params: { id: made.id }, body: { display_enabled: true } });
    sites.push({ ...load, id: made.id, meterId: made.meters[0]?.id ?? "" });
  }
  return { id, key: await newKey(url, id), sites };
};

/** Uploads a constant load with small variations, from one moment to another. */
export const uploadLoad = async (
  url: string,
  key: string,
  meterId: string,
  { from, to, kw }: { readonly from: Date; readonly to: Date; readonly kw: number },
): Promise<void> => {
  const first = Math.floor(from.getTime() / CELL_MS) + 1;
  const last = Math.floor(to.getTime() / CELL_MS);
  const telemetry = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => ({
    interval_seconds: 30,
    meter_id: meterId,
    timestamp: new Date((first + index) * CELL_MS).toISOString(),
    kW: kw * (1 + 0.03 * Math.sin((first + index) / 4)),
  }));
  await participantClient({ url, key }).call(uploadTelemetry, { body: { telemetry } });
};

/**
 * Keeps uploading the load of the sites during the dispatch, until the test file ends. Returns a function that uploads
 * a lower load at once, because the next half-minute may be far off.
 */
export const keepMeasured = (url: string, { members }: Portfolio): (() => Promise<void>) => {
  let share = 1;
  const upload = async (): Promise<void> => {
    const to = new Date();
    const from = new Date(to.getTime() - 2 * MINUTE_MS);
    for (const { key, sites } of members)
      for (const { meterId, duringKw } of sites)
        if (duringKw !== null) await uploadLoad(url, key, meterId, { from, to, kw: duringKw * share });
  };
  let latest: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    // While the service is down nothing is lost: the next upload repeats the readings.
    latest = upload().catch((fault: unknown) => {
      if (!(fault instanceof NoResponse)) throw fault;
    });
  }, CELL_MS / 2);
  atEnd(async () => {
    clearInterval(timer);
    await latest;
  });
  return () => {
    share *= 0.99;
    return upload();
  };
};

/** Issues a dispatch of all sites that began some minutes ago, with all readings until now. */
export const runningDispatch = async (
  url: string,
  { programId, members }: Portfolio,
  { minutesAgo = 20, minutesLeft = 40 }: { readonly minutesAgo?: number; readonly minutesLeft?: number } = {},
): Promise<string> => {
  const now = Date.now();
  const start = new Date(now - minutesAgo * MINUTE_MS);
  for (const { key, sites } of members)
    for (const { meterId, beforeKw, duringKw } of sites) {
      await uploadLoad(url, key, meterId, { from: new Date(now - 120 * MINUTE_MS), to: start, kw: beforeKw });
      if (duringKw !== null) await uploadLoad(url, key, meterId, { from: start, to: new Date(now), kw: duringKw });
    }
  const body = {
    program_id: programId,
    start_time: start.toISOString(),
    end_time: new Date(now + minutesLeft * MINUTE_MS).toISOString(),
    confirm_past: true,
  };
  return (await operate(url, operator.createDispatch, { body })).id;
};
