import type { CrashPoint } from "@curtail/testing/crash";
import { beforeAll, expect, test } from "vitest";
import { CRASHES_MS, crashStories, type Outcome } from "./support/crash-stories.js";
import type { Arrival } from "./support/hook-receiver.js";

/**
 * Points that wait for the end of a lease come first: it ends while the others are tried. The last leaves a notice to
 * the service that does not crash: another might be killed between sending it and recording that, and send it again.
 */
const points: readonly CrashPoint[] = [
  "after the making of a delivery",
  "before the record of an attempt",
  "after the claim of a retry",
  "after the record of an attempt",
  "before the commit of a dispatch",
  "after the commit of a dispatch",
];
let outcomeOf: (point: CrashPoint) => Promise<Outcome>;
beforeAll(async () => {
  outcomeOf = await crashStories(points);
}, CRASHES_MS);

const kept = (arrivals: readonly Arrival[]): boolean[] => arrivals.map(({ accepted }) => accepted);
const ids = (arrivals: readonly Arrival[]): Set<string> => new Set(arrivals.map(({ webhookId }) => webhookId));

test("before the commit of a dispatch: it was not answered, does not exist, and nobody is notified", async () => {
  const outcome = await outcomeOf("before the commit of a dispatch");
  expect(outcome).toEqual({ isAnswered: false, dispatches: [], arrivals: [] });
});

test("after the commit, before the answer: there is the dispatch, and its notice comes once", async () => {
  const { isAnswered, dispatches, arrivals } = await outcomeOf("after the commit of a dispatch");
  expect([isAnswered, dispatches.length]).toEqual([false, 1]);
  expect(arrivals).toMatchObject([{ event: "dispatch.create", dispatchId: dispatches[0], accepted: true }]);
});

test("after a delivery is made, before it is sent: it comes once", async () => {
  const { dispatches, arrivals } = await outcomeOf("after the making of a delivery");
  expect(arrivals).toMatchObject([{ event: "dispatch.create", dispatchId: dispatches[0], accepted: true }]);
});

test("after a delivery is answered 200, before that is recorded: it comes again under the same id", async () => {
  const { arrivals } = await outcomeOf("before the record of an attempt");
  expect(kept(arrivals)).toEqual([true, true]);
  expect(ids(arrivals).size).toBe(1);
});

test("after an answer of 200 is recorded: it does not come again", async () => {
  const { arrivals } = await outcomeOf("after the record of an attempt");
  expect(kept(arrivals)).toEqual([true]);
});

test("after a retry is claimed, before it is sent: it comes under the same id", async () => {
  const { arrivals } = await outcomeOf("after the claim of a retry");
  expect(kept(arrivals)).toEqual([false, true]);
  expect(ids(arrivals).size).toBe(1);
});
