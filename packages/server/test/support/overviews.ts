import { operator as contract, participantConsole } from "@curtail/contract";
import { expect } from "vitest";
import { enableDisplay } from "./display.js";
import { dispatchBetween, type MeasuredProgram, measuredProgram } from "./measuring.js";
import { kwReading, series, upload } from "./metering.js";
import { type Browser, newBrowser } from "./people.js";
import { type Participant, type Running, running } from "./running.js";

export const NOW = "2026-06-10T18:00:00Z";
export const at = (minutes: number): string =>
  new Date(Date.parse(NOW) + minutes * 60_000).toISOString().replace(".000", "");

export let service: Running;
export let anna: Participant;
let viewer: Browser;

export const prepare = async () => {
  service = await running();
};

export const prepareEach = async () => {
  service.clock.set(new Date(NOW));
  anna = await service.newParticipant({ sites: [["main", "roof"], ["main"]] });
  await enableDisplay(service, anna);
  viewer = await newBrowser(service, "participant-viewer", anna.accountId);
};

/** A board has everything that its service knows. */
export const prepareBoard = async () => {
  service = await running();
  service.clock.set(new Date(NOW));
  anna = await service.newParticipant({ sites: [["main", "roof"], ["main"], []] });
};

export const siteId = (site: number): string => anna.sites[site]?.id ?? "";
export const meterId = (site: number, meter = 0): string => anna.sites[site]?.meters[meter] ?? "";

/** One reading of a meter, minutes from now. */
export const reads = async (meter: string, minutes: number, kw: number): Promise<void> => {
  expect((await upload(anna, [kwReading(meter, at(minutes), kw)])).status).toBe(200);
};

export const overview = async (browser = viewer) => (await browser.console(participantConsole.getAccountOverview)).body;

/** The first site has reduced by 40 of 40 kW for ten minutes; returns the dispatch's id. */
export const measured = async (settings: MeasuredProgram = {}): Promise<string> => {
  await upload(
    anna,
    series(meterId(0), at(-55), 12).map((each) => ({ ...each, kW: 100 })),
  );
  const baseline = { method: { kind: "meter_before", seconds: 900, anchor: "start" } };
  const programId = await measuredProgram(service, [anna], { baseline, commitment: 40, ...settings });
  const sites = [{ site_id: siteId(0) }];
  const dispatchId = await dispatchBetween(service, programId, [NOW, at(60)], { sites });
  service.clock.set(new Date(at(10)));
  await upload(
    anna,
    series(meterId(0), at(5), 2).map((each) => ({ ...each, kW: 60 })),
  );
  return dispatchId;
};

export const board = async () => (await service.operator(contract.getOverview)).body;
