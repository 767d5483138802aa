import { listDispatches } from "@curtail/contract";
import { type Receiver, receiver } from "@curtail/testing/receiver";
import { expect } from "vitest";
import { type Running, running } from "./running.js";

export let service: Running;
export let call: Running["publicCall"];
export let hook: Receiver;

export const prepare = async () => {
  service = await running({ CURTAIL_RATE_LIMIT_DISPATCHES: "100000", CURTAIL_RATE_LIMIT: "100000" });
  call = service.publicCall;
  hook = await receiver();
};

export const ahead = (minutes: number): string =>
  new Date(service.clock.now().getTime() + minutes * 60_000).toISOString().replace(".000Z", "Z");
export const siteIds = ["site_sandbox_lakeside", "site_sandbox_harbour"];
export const load = (more: object = {}) => ({
  interval_seconds: 300,
  timestamp: ahead(0),
  site_id: siteIds[0],
  units: "kW",
  value: 3,
  ...more,
});

/** The fixed dispatch has times of its own in each of so many answers. */
export const expectToMoveOn = async (calls: number): Promise<void> => {
  const answers = await Promise.all(Array.from({ length: calls }, () => call(listDispatches)));
  for (const { body } of answers) expect(body.dispatches.map(({ id }) => id)).toEqual(["dis_sandbox"]);
  const starts = answers.map(({ body }) => body.dispatches[0]?.start_time);
  const ends = answers.map(({ body }) => body.dispatches[0]?.end_time);
  expect(new Set(starts).size).toBe(calls);
  expect(new Set(ends).size).toBe(calls);
};
