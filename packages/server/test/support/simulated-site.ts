import { operator, type ReplyOf } from "@curtail/contract";
import { vi } from "vitest";
import { ahead, newDispatch } from "./dispatching.js";
import type { Running } from "./running.js";

type SimulatedSite = ReplyOf<typeof operator.getSimulatedSite>;
/** One that is there. */
export type Simulated = Record<"account_id" | "program_id" | "site_id", string>;

export const SIMULATED_MS = 60_000;
const until = (condition: () => Promise<boolean>) => vi.waitUntil(condition, { timeout: SIMULATED_MS, interval: 100 });

export const untilSimulated = async (service: Running, state: SimulatedSite["state"]): Promise<SimulatedSite> => {
  await until(async () => (await service.made(operator.getSimulatedSite)).state === state);
  return service.made(operator.getSimulatedSite);
};

/** Adds the simulated site and waits until it is on. */
export const addSimulated = async (service: Running, timezone = "America/Chicago"): Promise<Simulated> => {
  await service.made(operator.addSimulatedSite, { body: { timezone } });
  const { account_id, program_id, site_id } = await untilSimulated(service, "on");
  return { account_id: account_id ?? "", program_id: program_id ?? "", site_id: site_id ?? "" };
};

/** The last moment of which its meter has a reading. */
const filledUntil = async ({ database }: Running): Promise<number> =>
  (await database.pool.query("select filled_until from simulated_site")).rows[0]?.filled_until?.getTime() ?? 0;

/** Moves the clock in steps of its readings. */
const playSimulated = async (service: Running, minutes: number): Promise<void> => {
  for (let step = 0; step < minutes * 2; step++) {
    service.clock.advance({ seconds: 30 });
    const now = service.clock.now().getTime();
    await until(async () => (await filledUntil(service)) >= now - 30_000);
  }
};

/** A test of five minutes, from a minute on, until its readings are there; returns its id. */
export const testedSimulated = async (service: Running, { program_id }: Simulated): Promise<string> => {
  const [start_time, end_time] = [ahead(service, { minutes: 1 }), ahead(service, { minutes: 6 })];
  const { id } = await newDispatch(service, program_id, { start_time, end_time, test: true });
  await playSimulated(service, 8);
  return id;
};
