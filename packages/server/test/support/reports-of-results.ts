import { changeSchedule, operator, type QueryOf } from "@curtail/contract";
import { expect } from "vitest";
import {
  dispatchBetween,
  intervalsBetween,
  meanOfDays,
  measuredProgram,
  untilVersions,
  uploadIntervals,
} from "./measuring.js";
import { type Participant, type Running, running } from "./running.js";

export let service: Running;
export let anna: Participant;
export let bert: Participant;
export let programId: string;
/** Dispatches of June by name. */
export const ids: Record<string, string> = {};

export const JUNE = { from: "2026-06-01", to: "2026-06-30" };
export const june = "from=2026-06-01&to=2026-06-30";
const hour = (day: string, from: number) =>
  [`2026-06-${day}T${from}:00:00Z`, `2026-06-${day}T${from + 1}:00:00Z`] as const;
const upload = (of: Participant, [from, to]: readonly [string, string], kw: number, site = 0) =>
  uploadIntervals(
    of,
    of.sites[site]?.meters[0] ?? "",
    intervalsBetween([from, to], 300, () => kw),
  );

// Two accounts whose sites take 100 kW, in dispatches with every outcome.
export const prepare = async () => {
  service = await running();
  service.clock.set(new Date("2026-06-01T00:00:00Z"));
  anna = await service.newParticipant({ name: "Anna's works", sites: [["main"], ["main"]] });
  bert = await service.newParticipant({ name: "=Bert", sites: [["main"]] });
  programId = await measuredProgram(service, [anna, bert], {
    name: "June program",
    timezone: "America/New_York",
    baseline: meanOfDays(3),
    commitment: 40,
  });
  const block = { available: false, start_time: "2026-06-20T00:00:00Z", end_time: "2026-06-23T00:00:00Z" };
  const blocked = await anna.call(changeSchedule, { params: { site_id: anna.sites[0]?.id ?? "" }, body: block });
  expect(blocked.status).toBe(200);
  service.clock.set(new Date("2026-06-12T00:00:00Z"));
  for (const [of, site] of [
    [anna, 0],
    [anna, 1],
    [bert, 0],
  ] as const)
    await upload(of, ["2026-06-04T00:00:00Z", "2026-06-12T00:00:00Z"], 100, site);
  await upload(anna, hour("09", 18), 70);
  await upload(bert, hour("09", 18), 50);
  await upload(anna, hour("10", 18), 61.3, 1);
  ids["first"] = await dispatchBetween(service, programId, hour("09", 18));
  ids["second"] = await dispatchBetween(service, programId, hour("10", 18));
  ids["voided"] = await dispatchBetween(service, programId, hour("11", 18));
  ids["test"] = await dispatchBetween(service, programId, hour("11", 20), { test: true });
  ids["short"] = await dispatchBetween(service, programId, hour("05", 10));
  ids["upcoming"] = await dispatchBetween(service, programId, hour("30", 18));
  for (const name of ["first", "second", "voided", "test", "short"]) await untilVersions(service, ids[name] ?? "", 1);
  await service.made(operator.changeDispatch, {
    params: { id: ids["voided"] },
    body: { authorized: false, void_reason: "by mistake" },
  });
  // On 31 May in New York.
  ids["may"] = await dispatchBetween(service, programId, ["2026-06-01T02:00:00Z", "2026-06-01T03:00:00Z"]);
};

export const report = (query: Partial<QueryOf<typeof operator.getAnyPerformanceReport>> = {}) =>
  service.made(operator.getAnyPerformanceReport, { query: { ...JUNE, ...query } });
