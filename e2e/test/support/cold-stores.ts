import { operator } from "@curtail/contract";
import { newKey, newProgram, operate } from "./participant.js";
import { uploadLoad } from "./readings.js";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ZONE = "America/Chicago";

export interface ColdStore {
  readonly id: string;
  readonly name: string;
  readonly meterId: string;
  readonly commitmentKw: number;
}

/** A realistic participant: named sites in a program, with weeks of load before now. */
export interface ColdStores {
  readonly accountId: string;
  readonly key: string;
  readonly programId: string;
  readonly sites: readonly ColdStore[];
}

const places = [
  { name: "Northgate cold store", group: "North", commitmentKw: 150 },
  { name: "Riverside distribution centre", group: "South", commitmentKw: 220 },
  { name: "Elm Street supermarket", group: "South", commitmentKw: 60 },
] as const;

/** Load of a working day: a hill over the opening hours, with the fluctuation of compressors. */
export const usualKw = ({ commitmentKw }: Pick<ColdStore, "commitmentKw">, atMs: number): number => {
  const hour = (atMs / HOUR_MS + 18) % 24;
  const hill = Math.max(0, Math.sin(((hour - 5) / 15) * Math.PI));
  const unrest = Math.sin(atMs / 420_000) * 0.03 + Math.sin(atMs / 95_000) * 0.02;
  return Math.round(commitmentKw * (2 + 2.2 * hill + unrest) * 10) / 10;
};

const newAccount = async (url: string, name: string): Promise<{ accountId: string; key: string }> => {
  const { id } = await operate(url, operator.createAccount, { body: { name } });
  return { accountId: id, key: await newKey(url, id) };
};

/** Creates the account with its sites in a program; their data is visible on pages. */
export const newColdStores = async (url: string, name = "Northgate Foods"): Promise<ColdStores> => {
  const account = await newAccount(url, name);
  const programId = await newProgram(url, { name: "Summer capacity", timezone: ZONE, market: "MISO" });
  const sites: ColdStore[] = [];
  for (const { name, group, commitmentKw } of places) {
    const body = { name, dispatch_group: group, timezone: ZONE, meters: [{ name: "Main incomer" }] };
    const made = await operate(url, operator.createSite, { params: { id: account.accountId }, body });
    await operate(url, operator.changeSite, { params: { id: made.id }, body: { display_enabled: true } });
    await operate(url, operator.enrolSite, {
      params: { id: programId, site_id: made.id },
      body: { commitment: commitmentKw },
    });
    sites.push({ id: made.id, name, meterId: made.meters[0]?.id ?? "", commitmentKw });
  }
  return { ...account, programId, sites };
};

/** Uploads the usual load up to now: 5-minute readings for days, half-minute ones for the last two hours. */
export const runUsually = async (url: string, { key, sites }: ColdStores, days = 24): Promise<void> => {
  const now = Date.now();
  const lately = now - 2 * HOUR_MS;
  for (const site of sites) {
    const usual = (endMs: number) => usualKw(site, endMs);
    await uploadLoad(
      url,
      key,
      site.meterId,
      { fromMs: now - days * DAY_MS, toMs: lately, intervalSeconds: 300 },
      usual,
    );
    await uploadLoad(url, key, site.meterId, { fromMs: lately, toMs: now, intervalSeconds: 30 }, usual);
  }
};

/** Uploads the load of a site that curtails from a moment on: reduced by a share of its commitment. */
export const curtail = async (
  url: string,
  key: string,
  site: ColdStore,
  fromMs: number,
  share: number,
  toMs = Date.now(),
): Promise<void> => {
  const curtailed = (endMs: number) => {
    const ramp = Math.min(1, Math.max(0, (endMs - fromMs) / 240_000));
    return usualKw(site, endMs) - site.commitmentKw * share * ramp;
  };
  await uploadLoad(url, key, site.meterId, { fromMs, toMs, intervalSeconds: 30 }, curtailed);
};

const inMinutes = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString();

/** Issues a dispatch of the program that starts in some minutes. */
export const callFor = async (
  url: string,
  programId: string,
  [startMinutes, endMinutes]: readonly [start: number, end: number | null],
  rest: Readonly<Record<string, unknown>> = {},
): Promise<string> => {
  const body = {
    program_id: programId,
    start_time: inMinutes(startMinutes),
    end_time: endMinutes === null ? null : inMinutes(endMinutes),
    confirm_past: true,
    ...rest,
  };
  return (await operate(url, operator.createDispatch, { body })).id;
};
