import { expect, test } from "vitest";
import type { Leased, Sent } from "../../../src/platform/lease.js";
import { OutcomeRecorder } from "../../../src/platform/worker/outcome-recorder.js";
import { fakeClock } from "../../support/fake-clock.js";

/** The outcome is how long the attempt took. */
const attemptOf = (id: string, durationMs = 1): Sent<Leased, number> => ({
  item: { id, leasedUntil: new Date(0) },
  outcome: durationMs,
});

/** Hung receivers answer this late. */
const isLate = (durationMs: number): boolean => durationMs >= 2000;

/** PostgreSQL's error for a text that it cannot store. */
const refusal = (ids: readonly string[]): Error =>
  Object.assign(new Error(`refused ${ids.join(" ")}`), { code: "22021" });

const recording = (refuse: (ids: readonly string[]) => boolean = () => false) => {
  const batches: string[][] = [];
  const all = async (sent: ReadonlyArray<Sent<Leased, number>>): Promise<void> => {
    const ids = sent.map(({ item }) => item.id);
    if (refuse(ids)) throw refusal(ids);
    batches.push(ids);
  };
  const recorder = new OutcomeRecorder({ gatherMs: 200, all, isLate }, fakeClock());
  return { recorder, batches };
};

test("attempts that end close together are recorded together", async () => {
  const { recorder, batches } = recording();
  await Promise.all(["a", "b", "c"].map(async (id) => recorder.add(attemptOf(id))));
  expect(batches).toEqual([["a", "b", "c"]]);
});

test("an attempt that cannot be recorded fails alone; those beside it are recorded", async () => {
  const { recorder, batches } = recording((ids) => ids.includes("bad"));
  const results = await Promise.allSettled(["a", "bad", "c"].map(async (id) => recorder.add(attemptOf(id))));
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(batches).toEqual([["a"], ["c"]]);
});

test("two attempts of one delivery are recorded one after the other", async () => {
  const { recorder, batches } = recording();
  await Promise.all(["a", "a", "b"].map(async (id) => recorder.add(attemptOf(id))));
  expect(batches).toEqual([["a", "b"], ["a"]]);
});

test("an attempt that was answered does not wait for thousands that hung", async () => {
  let letGo: (() => void) | undefined;
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const sizes: number[] = [];
  const all = async (sent: ReadonlyArray<Sent<Leased, number>>): Promise<void> => {
    sizes.push(sent.length);
    if (sent.some(({ outcome }) => outcome > 1)) await held;
  };
  const recorder = new OutcomeRecorder({ gatherMs: 200, all, isLate }, fakeClock());
  const hung = Array.from({ length: 1200 }, (_, index) => recorder.add(attemptOf(`hung-${index}`, 10_000)));
  await recorder.add(attemptOf("answered"));
  letGo?.();
  await Promise.all(hung);
  expect(sizes.toSorted((a, b) => a - b)).toEqual([1, 200, 500, 500]);
});
