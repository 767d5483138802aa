import { getEventListeners } from "node:events";
import { performance } from "node:perf_hooks";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { Queryable } from "../../../src/platform/database/database.js";
import { type DatabaseClock, sleep, startDatabaseClock } from "../../../src/platform/database/database-clock.js";
import { cloneDatabase } from "../../support/database.js";

const REFRESH_MS = 5000;

/** A database whose clock is this far ahead of this machine's monotonic one. */
const databaseAhead = (byMs: number) => {
  const state = { byMs, asked: 0, failing: false };
  const query = async () => {
    state.asked += 1;
    if (state.failing) throw new Error("the database is away");
    return { rows: [{ ms: performance.now() + state.byMs }] };
  };
  return { state, db: { query } as unknown as Queryable };
};

const started = async (db: Queryable, onError: (error: unknown) => void = () => {}): Promise<DatabaseClock> => {
  const clock = await startDatabaseClock(db, onError);
  onTestFinished(() => clock.stop());
  return clock;
};

/** How far the clock is ahead of this machine's monotonic one. */
const aheadMs = (clock: DatabaseClock): number => Math.round((clock.now().getTime() - performance.now()) / 1000) * 1000;

beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"] }));
afterEach(() => void vi.useRealTimers());

describe("the clock", () => {
  test("returns the database's time", async () => {
    const database = await cloneDatabase();
    onTestFinished(() => database.drop());
    const { pool } = database;
    const clock = await started(pool);
    const before = clock.now();
    const { rows } = await pool.query<{ now: Date }>("select clock_timestamp() as now");
    const told = rows[0]?.now.getTime() ?? Number.NaN;
    // The offset is known to half a round trip.
    expect(told).toBeGreaterThan(before.getTime() - 100);
    expect(told).toBeLessThan(clock.now().getTime() + 100);
  });

  test("is untouched by a jump of this machine's own", async () => {
    const clock = await started(databaseAhead(1e12).db);
    vi.setSystemTime(new Date("2040-01-01T00:00:00Z"));
    expect(aheadMs(clock)).toBe(1e12);
  });

  test("follows the database when that one moves", async () => {
    const { db, state } = databaseAhead(1e12);
    const clock = await started(db);
    state.byMs += 60_000;
    expect(aheadMs(clock)).toBe(1e12);
    await vi.advanceTimersByTimeAsync(REFRESH_MS);
    expect(aheadMs(clock)).toBe(1e12 + 60_000);
  });

  test("goes on while the database is away, says so, and recovers by itself", async () => {
    const { db, state } = databaseAhead(1e12);
    const errors: unknown[] = [];
    const clock = await started(db, (error) => errors.push(error));
    state.failing = true;
    await vi.advanceTimersByTimeAsync(2 * REFRESH_MS);
    expect(errors).toEqual([new Error("the database is away"), new Error("the database is away")]);
    expect(aheadMs(clock)).toBe(1e12);
    Object.assign(state, { failing: false, byMs: 1e12 + 5000 });
    await vi.advanceTimersByTimeAsync(REFRESH_MS);
    expect(aheadMs(clock)).toBe(1e12 + 5000);
  });

  test("ends a sleep after its time, or as soon as it is aborted", async () => {
    const clock = await started(databaseAhead(0).db);
    const startedMs = performance.now();
    await clock.sleep(50);
    expect(performance.now() - startedMs).toBeGreaterThan(48);
    const waking = new AbortController();
    const woken = clock.sleep(60_000, waking.signal);
    waking.abort();
    await woken;
    await clock.sleep(60_000, waking.signal);
    expect(performance.now() - startedMs).toBeLessThan(30_000);
  });

  test("does not start without the database", async () => {
    const { db, state } = databaseAhead(0);
    state.failing = true;
    await expect(startDatabaseClock(db, () => {})).rejects.toThrow("the database is away");
  });

  test("asks no more once it is stopped", async () => {
    const { db, state } = databaseAhead(0);
    const clock = await started(db);
    clock.stop();
    await vi.advanceTimersByTimeAsync(10 * REFRESH_MS);
    expect(state.asked).toBe(1);
  });
});

describe("a rest", () => {
  test("that ends by itself leaves no listener on a lasting signal", async () => {
    const { signal } = new AbortController();
    await sleep(1, signal);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test("ends at once when aborted, before or during it", async () => {
    const control = new AbortController();
    const resting = sleep(60_000, control.signal);
    control.abort();
    await resting;
    await sleep(60_000, control.signal);
    expect(getEventListeners(control.signal, "abort")).toEqual([]);
  });
});
