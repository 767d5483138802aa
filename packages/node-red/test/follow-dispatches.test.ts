import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Dispatch, NoResponse } from "@curtail/client";
import { afterEach, beforeEach, expect, test } from "vitest";
import { dispatchMemory } from "../src/dispatch-memory.js";
import { DispatchFollower, type Following } from "../src/follow-dispatches.js";
import { at, dispatch } from "./support.js";

let folder = "";
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), "curtail-node-red-"))));
afterEach(() => rm(folder, { recursive: true, force: true }));

const fileIn = (): string => join(folder, "state", "dispatch.json");

/** A clock that moves only when everybody sleeps, to the next one who wakes. */
class StepClock {
  private readonly sleepers = new Map<() => void, number>();
  constructor(private nowMs: number) {}
  readonly now = (): number => this.nowMs;
  readonly sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const stop = () => {
        this.sleepers.delete(resolve);
        reject(signal?.reason as Error);
      };
      if (signal?.aborted === true) return stop();
      signal?.addEventListener("abort", stop, { once: true });
      this.sleepers.set(resolve, this.nowMs + Math.max(0, ms));
    });
  step(): void {
    const [next] = [...this.sleepers].toSorted(([, a], [, b]) => a - b);
    if (next === undefined) return;
    this.sleepers.delete(next[0]);
    this.nowMs = Math.max(this.nowMs, next[1]);
    next[0]();
  }
}

/** Follows what the service lists at each time until a time; returns what was told. */
const followed = async (
  from: string,
  until: string,
  listedAt: (nowMs: number) => readonly Dispatch[] | Error,
  path: string | null = fileIn(),
): Promise<{ told: string[]; failures: unknown[] }> => {
  const clock = new StepClock(at(from));
  const stopping = new AbortController();
  const [told, failures]: [string[], unknown[]] = [[], []];
  const timeNow = () => new Date(clock.now()).toISOString().slice(11, 19);
  const listDispatches = async () => {
    const dispatches = listedAt(clock.now());
    if (dispatches instanceof Error) throw dispatches;
    return { page: 0, perPage: 0, dispatches };
  };
  const following: Following = {
    participant: { listDispatches, getDispatch: async ({ id }) => dispatch(id), clock },
    memory: dispatchMemory(path),
    intervalMs: 30_000,
    overlaps: "sum",
    signal: stopping.signal,
    onChange: ({ type, dispatch: { id } }) => void told.push(`${type} ${id}`),
    onSignal: ({ isStart, window }) => void told.push(`${timeNow()} ${isStart ? `+${window.commitment}` : "-"}`),
    onState: () => {},
    onFailure: (error) => void failures.push(error),
  };
  const running = new DispatchFollower(following).run();
  while (clock.now() < at(until)) {
    // Files are written in between.
    await new Promise((resolve) => setTimeout(resolve, 3));
    clock.step();
  }
  stopping.abort();
  await running;
  return { told, failures };
};

test("starts and ends come at their second, between two polls", async () => {
  const short = dispatch("1", { start_time: "2026-07-01T18:00:10Z", end_time: "2026-07-01T18:01:05Z" });
  const { told } = await followed("18:00:00", "18:02:00", () => [short]);
  expect(told.slice(0, 2)).toEqual(["created 1", "18:00:10 +40"]);
  // Of the same second, in either order.
  expect(told.slice(2).toSorted()).toEqual(["18:01:05 -", "over 1"]);
});

test("a restart tells nothing twice, and what was cancelled meanwhile never starts", async () => {
  const [running, next] = [dispatch("1"), dispatch("2", { start_time: "2026-07-01T18:00:30Z" })];
  const first = await followed("18:00:00", "18:00:20", () => [running, next]);
  expect(first.told.toSorted()).toEqual(["18:00:00 +40", "created 1", "created 2"]);
  const cancelled = { ...next, authorized: false };
  expect((await followed("18:05:00", "18:05:20", () => [running, cancelled])).told).toEqual(["cancelled 2"]);
});

test("known windows start and end while the service cannot be reached, over a restart", async () => {
  const lost = new NoResponse("no response", {});
  const short = dispatch("1", { start_time: "2026-07-01T18:01:00Z", end_time: "2026-07-01T18:02:00Z" });
  expect((await followed("18:00:00", "18:00:10", () => [short])).told).toEqual(["created 1"]);
  const { told, failures } = await followed("18:00:30", "18:03:00", () => lost);
  expect(told.toSorted()).toEqual(["18:01:00 +40", "18:02:00 -", "over 1"]);
  expect(failures).toContain(lost);
});

test("a damaged file is reported, and upcoming dispatches are told again", async () => {
  await followed("17:00:00", "17:00:10", () => [dispatch("1")]);
  expect(JSON.parse(await readFile(fileIn(), "utf8"))).toHaveProperty("seen.1");
  await writeFile(fileIn(), '{"seen":');
  const { told, failures } = await followed("17:01:00", "17:01:10", () => [dispatch("1")]);
  expect(told).toEqual(["created 1"]);
  expect(failures).toEqual([expect.stringContaining("is damaged")]);
});

test("a file that cannot be written does not keep a site from curtailing", async () => {
  await writeFile(join(folder, "file"), "");
  const { told, failures } = await followed(
    "18:00:00",
    "18:00:10",
    () => [dispatch("1")],
    join(folder, "file", "x.json"),
  );
  expect(told).toEqual(["created 1", "18:00:00 +40"]);
  expect(failures).not.toEqual([]);
});
