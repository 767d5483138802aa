import { expect } from "vitest";
import {
  dispatchBetween,
  intervalsBetween,
  meanOfDays,
  measuredProgram,
  untilVersions,
  uploadIntervals,
} from "./measuring.js";
import { firstOf } from "./metering.js";
import { recomputed } from "./recomputing.js";
import { type Participant, type Running, running } from "./running.js";
import { type AnyStatement, penaltyBelow, statementMade } from "./settling.js";

export const PENALTY = penaltyBelow("1");

export const at = (service: Running, time: string): void => service.clock.set(new Date(time));
export const hour = (day: string, from: string, to: string) =>
  [`2026-06-${day}T${from}:00Z`, `2026-06-${day}T${to}:00Z`] as const;

export let service: Running;
export let participant: Participant;

/** A site that draws 100 kW for a week, and 50 kW from 18:00 to 20:00 on 10 June. */
export const prepareEach = async () => {
  service = await running();
  at(service, "2026-05-31T00:00:00Z");
  participant = await service.newParticipant();
};

export const load = async (): Promise<void> => {
  at(service, "2026-06-12T00:00:00Z");
  const { meterId } = firstOf(participant);
  await uploadIntervals(
    participant,
    meterId,
    intervalsBetween(["2026-06-05T00:00:00Z", "2026-06-12T00:00:00Z"], 300, (endMs) => {
      const isCurtailed = endMs > Date.parse("2026-06-10T18:00:00Z") && endMs <= Date.parse("2026-06-10T20:00:00Z");
      return isCurtailed ? 50 : 100;
    }),
  );
};

/** A program that the site is enrolled in a minute after the one before. */
export const program = (name: string, commitment: number | null = 48): Promise<string> => {
  service.clock.advance({ seconds: 60 });
  return measuredProgram(service, [participant], { baseline: meanOfDays(3), commitment, name });
};

/** A dispatch that is issued a minute after the one before, with its final result. */
export const dispatched = async (programId: string, period: readonly [string, string]): Promise<string> => {
  service.clock.advance({ seconds: 60 });
  const id = await dispatchBetween(service, programId, period);
  await untilVersions(service, id, 1);
  return id;
};

export const made = (month = "2026-06") => statementMade(service, participant.accountId, month);

export const linesOf = ({ sites }: AnyStatement, kind: string) =>
  sites.flatMap((site) =>
    site.lines
      .filter((line) => line.kind === kind)
      .map(({ dispatch_id, quantity, amount, words }) => [dispatch_id, quantity, amount, words]),
  );

export const expectRecomputed = async (id: string): Promise<void> => {
  expect((await recomputed(service, id)).differences).toEqual([]);
};
