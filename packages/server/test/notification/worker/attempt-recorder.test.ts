import { expect, test } from "vitest";
import type { AttemptRecord } from "../../../src/notification/domain/delivery.js";
import { AttemptRecorder } from "../../../src/notification/worker/attempt-recorder.js";
import { fakeClock } from "../../support/fake-clock.js";

const attemptOf = (id: string, durationMs = 1): AttemptRecord => ({
  delivery: {
    id,
    webhookId: "wh_1",
    dispatchId: "dis_1",
    event: "dispatch.create",
    url: "http://127.0.0.1/",
    interfaceVersion: "2022-04-15",
    secrets: [],
    failures: 0,
    isResend: false,
    noticedAt: new Date(0),
    leasedUntil: new Date(0),
  },
  attempt: {
    at: new Date(0),
    status: 200,
    durationMs,
    address: null,
    error: null,
    responseType: null,
    responseBody: null,
  },
  outcome: { state: "delivered" },
});

/** PostgreSQL's error for a text that it cannot store. */
const refusal = (ids: readonly string[]): Error =>
  Object.assign(new Error(`refused ${ids.join(" ")}`), { code: "22021" });

const recording = (refuse: (ids: readonly string[]) => boolean = () => false) => {
  const batches: string[][] = [];
  const recorder = new AttemptRecorder(async (records) => {
    const ids = records.map(({ delivery }) => delivery.id);
    if (refuse(ids)) throw refusal(ids);
    batches.push(ids);
  }, fakeClock());
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
  const recorder = new AttemptRecorder(async (records) => {
    sizes.push(records.length);
    if (records.some(({ attempt }) => attempt.durationMs > 1)) await held;
  }, fakeClock());
  const hung = Array.from({ length: 1200 }, (_, index) => recorder.add(attemptOf(`hung-${index}`, 10_000)));
  await recorder.add(attemptOf("answered"));
  letGo?.();
  await Promise.all(hung);
  expect(sizes.toSorted((a, b) => a - b)).toEqual([1, 200, 500, 500]);
});
