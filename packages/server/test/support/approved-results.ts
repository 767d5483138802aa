import { operator } from "@curtail/contract";
import {
  dispatchBetween,
  intervalsBetween,
  type MeasuredProgram,
  meanOfDays,
  measuredProgram,
  untilVersions,
  uploadIntervals,
} from "./measuring.js";
import { firstOf } from "./metering.js";
import { type Running, running } from "./running.js";

// Results that an operator approved, or whose time for corrections is over, do not change any more (M15).
export let service: Running;

export const prepare = async () => {
  service = await running();
};

const [START, END] = ["2026-06-10T18:00:00Z", "2026-06-10T19:00:00Z"] as const;
export const at = (time: string): void => service.clock.set(new Date(time));

/** A dispatch with a final result of 40 kW, and a way to correct its readings. */
export const finished = async (program: MeasuredProgram = {}) => {
  at("2026-06-10T20:03:00Z");
  const participant = await service.newParticipant();
  const { meterId, siteId } = firstOf(participant);
  const load = (from: string, to: string, kwAt: (endMs: number) => number) =>
    uploadIntervals(participant, meterId, intervalsBetween([from, to], 300, kwAt));
  await load("2026-06-05T00:00:00Z", "2026-06-10T20:00:00Z", (endMs) =>
    endMs > Date.parse(START) && endMs <= Date.parse(END) ? 60 : 100,
  );
  const programId = await measuredProgram(service, [participant], {
    baseline: meanOfDays(3),
    commitment: 40,
    ...program,
  });
  const id = await dispatchBetween(service, programId, [START, END]);
  await untilVersions(service, id, 1);
  const correct = (kw: number) => load(START, END, () => kw);
  return { id, participant, siteId, programId, correct };
};

export const approve = (id: string, version: number, note = "agreed with the account") =>
  service.operator(operator.approvePerformance, { params: { id }, body: { version, note } });
