import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ErrorResponse, NoResponse } from "@curtail/client";
import { expect, test } from "vitest";
import { type DrainOptions, drain, type Spool, type Upload } from "../src/index.js";
import { emptyFolder, openIn, waitingIn } from "./support/folder.js";

interface Reading {
  readonly kW: number;
}

const status = (code: number, headers: Readonly<Record<string, string>> = {}) =>
  new ErrorResponse({ method: "POST", path: "/telemetry" }, new Response(null, { status: code, headers }), "{}");

/** An upload that fails as told, then stores; readings above 1000 kW are refused. */
const storing = (failures: readonly unknown[] = []) => {
  const left = [...failures];
  const stored: number[] = [];
  const upload: Upload<Reading> = async (readings) => {
    const failure = left.shift();
    if (failure !== undefined) throw failure;
    const setAside = readings.flatMap(({ kW }, index) => (kW > 1000 ? [{ index, reason: `${kW} is too much` }] : []));
    stored.push(...readings.flatMap(({ kW }) => (kW > 1000 ? [] : [kW])));
    return { setAside };
  };
  return { stored, upload };
};

const spoolWith = async (readings: readonly unknown[]): Promise<{ folder: string; spool: Spool }> => {
  const folder = await emptyFolder();
  const spool = await openIn(folder);
  await Promise.all(readings.map((each) => spool.append(typeof each === "string" ? each : JSON.stringify(each))));
  return { folder, spool };
};

const kW = (...values: readonly number[]): readonly Reading[] => values.map((each) => ({ kW: each }));
const asideIn = async (folder: string): Promise<unknown[]> =>
  (await readFile(join(folder, "set-aside.jsonl"), "utf8"))
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as { reason: unknown }).reason);

test("all readings are uploaded in their order, by batches, and retired", async () => {
  const { spool } = await spoolWith(kW(1, 2, 3, 4, 5));
  const { stored, upload } = storing();
  expect(await drain(spool, upload, { batch: 2 })).toEqual({ stored: 5, setAside: 0 });
  expect([stored, spool.state.waiting]).toEqual([[1, 2, 3, 4, 5], 0]);
});

test("refused readings, and what is no reading, are set aside, and the rest goes on", async () => {
  const { folder, spool } = await spoolWith([{ kW: 1 }, "half a", { kW: 5000 }, "[]", { kW: 2 }]);
  const { stored, upload } = storing();
  const told: Array<[number, string]> = [];
  const onSetAside: DrainOptions["onSetAside"] = ({ position }, reason) => void told.push([position, reason]);
  expect(await drain(spool, upload, { onSetAside })).toEqual({ stored: 2, setAside: 3 });
  expect(stored).toEqual([1, 2]);
  const none = "the record is not the JSON of an object";
  expect(await asideIn(folder)).toEqual([none, none, "5000 is too much"]);
  expect(told).toEqual([
    [1, none],
    [3, none],
    [2, "5000 is too much"],
  ]);
});

test("a failure that passes is waited for, with Retry-After, and nothing overtakes", async () => {
  const { spool } = await spoolWith(kW(1, 2, 3));
  const lost = new NoResponse("no response", {});
  const { stored, upload } = storing([lost, status(503), status(429, { "retry-after": "7" })]);
  const waits: number[] = [];
  const sleep = async (ms: number) => void waits.push(ms);
  await drain(spool, upload, { batch: 2, sleep, random: () => 0.5 });
  expect([stored, waits]).toEqual([
    [1, 2, 3],
    [500, 1000, 7000],
  ]);
});

test("a failure that does not pass is thrown, and the readings stay", async () => {
  const { spool } = await spoolWith(kW(1, 2));
  const denied = status(401);
  await expect(drain(spool, storing([denied]).upload)).rejects.toBe(denied);
  expect(await waitingIn(spool)).toHaveLength(2);
});

test("readings are retired after the upload only", async () => {
  const { spool } = await spoolWith(kW(1, 2));
  let seen = 0;
  const upload: Upload<Reading> = async () => {
    seen = spool.state.waiting;
    return { setAside: [] };
  };
  await drain(spool, upload);
  expect([seen, spool.state.waiting]).toEqual([2, 0]);
});

test("a drain that follows goes on with what is appended later, until its signal", async () => {
  const { spool } = await spoolWith(kW(1));
  const { stored, upload } = storing();
  const stop = new AbortController();
  const draining = drain(spool, upload, { follow: true, signal: stop.signal });
  await expect.poll(() => stored).toEqual([1]);
  await spool.append('{"kW":2}');
  await expect.poll(() => stored).toEqual([1, 2]);
  stop.abort(new Error("shutting down"));
  await expect(draining).rejects.toThrow("shutting down");
});

test("an aborted signal ends the wait after a failure", async () => {
  const { spool } = await spoolWith(kW(1));
  const stop = new AbortController();
  const { upload } = storing([status(429, { "retry-after": "60" })]);
  const draining = drain(spool, upload, { signal: stop.signal, onWait: () => stop.abort(new Error("shutting down")) });
  await expect(draining).rejects.toThrow("shutting down");
});

test("a Retry-After of a month rests for an hour: a timer of a month would end at once", async () => {
  const { spool } = await spoolWith(kW(1));
  const { upload } = storing([status(503, { "retry-after": "2592000" }), status(429, { "retry-after": "90" })]);
  const waits: number[] = [];
  await drain(spool, upload, { sleep: async (ms) => void waits.push(ms) });
  expect(waits).toEqual([3_600_000, 90_000]);
});
