import { parse } from "csv-parse/sync";
import {
  dispatchBetween,
  intervalsBetween,
  type MeasuredProgram,
  measuredProgram,
  untilVersions,
  uploadIntervals,
} from "./measuring.js";
import { type Participant, type Running, running } from "./running.js";
import type { FileRow } from "./table-rows.js";

export let service: Running;

export const START = "2026-06-10T18:10:00Z";
export const END = "2026-06-10T19:20:00Z";
export const minute = (minutes: number): string => new Date(Date.parse(START) + minutes * 60_000).toISOString();
export const at = (minutes: number): void => service.clock.set(new Date(minute(minutes)));
export const pathOf = (id: string, query = "") => `/operator/v1/dispatches/${id}/performance/table${query}`;

export const prepare = async () => {
  service = await running();
};

interface Dispatched {
  readonly id: string;
  readonly anna: Participant;
  readonly bert: Participant;
  /** Uploads load of a participant's site between two minutes after the start. */
  readonly load: (of: Participant, from: number, to: number, kw: number, site?: number) => Promise<void>;
}

export const rowsOf = (csv: string): FileRow[] => parse<FileRow>(csv, { columns: true });

export const METER_BEFORE = { method: { kind: "meter_before", seconds: 900, anchor: "start" } };

const load: Dispatched["load"] = (of, from, to, kw, site = 0) =>
  uploadIntervals(
    of,
    of.sites[site]?.meters[0] ?? "",
    intervalsBetween([minute(from), minute(to)], 30, () => kw),
  );

/** Two sites of one account and one of another, whose load before the dispatch was 100 kW. */
const enrolled = async (settings: MeasuredProgram = {}) => {
  at(0);
  const anna = await service.newParticipant({ sites: [["main"], ["main"]] });
  const bert = await service.newParticipant({ sites: [["main"]] });
  for (const [of, site] of [
    [anna, 0],
    [anna, 1],
    [bert, 0],
  ] as const)
    await load(of, -130, 0, 100, site);
  const programId = await measuredProgram(service, [anna, bert], {
    baseline: METER_BEFORE,
    commitment: 40,
    ...settings,
  });
  return { anna, bert, load, dispatch: () => dispatchBetween(service, programId, [START, END]) };
};

export const dispatched = async (settings: MeasuredProgram = {}): Promise<Dispatched> => {
  const { dispatch, ...found } = await enrolled(settings);
  return { ...found, id: await dispatch() };
};

/** A dispatch recorded later, final: the first site of the first account by 1/3 kW less, the second without readings from minute 20 to 40. */
export const measured = async (settings: MeasuredProgram = {}): Promise<Dispatched> => {
  const { dispatch, ...found } = await enrolled(settings);
  const { anna, bert, load } = found;
  at(131);
  await load(anna, 0, 130, 100 - 1 / 3);
  await load(anna, 0, 20, 60, 1);
  await load(anna, 40, 130, 60, 1);
  await load(bert, 0, 130, 120);
  at(5 * 60);
  const id = await dispatch();
  await untilVersions(service, id, 1);
  return { ...found, id };
};
