import { EventEmitter } from "node:events";
import { atEnd } from "@curtail/testing/at-end";
import { beforeAll, expect, test, vi } from "vitest";
import { cursorLease } from "../../../src/platform/database/cursor-lease.js";
import { cursorAt } from "../../../src/platform/database/journal-reader.js";
import { CURSOR_LEASE_MS, LeasedCursor } from "../../../src/platform/worker/leased-cursor.js";
import { cloneDatabase, type TestDatabase } from "../../support/database.js";

let database: TestDatabase;

beforeAll(async () => {
  database = await cloneDatabase();
  atEnd(() => database.drop());
});

let count = 0;

/** The cursor of a follower, in the hands of processes that look when they are told to. */
const shared = async () => {
  const name = `cursor ${++count}`;
  await database.pool.query("insert into followers (name, seen) values ($1, '10:10:')", [name]);
  const lease = cursorLease(database.pool, name);
  let nowMs = Date.now();
  return {
    lease,
    pass: (ms: number) => void (nowMs += ms),
    stored: async () =>
      (await database.pool.query("select seen::text from followers where name = $1", [name])).rows[0]?.seen,
    process: ({ isWanted = () => true }: { readonly isWanted?: () => boolean } = {}) => {
      const changed = vi.fn();
      const resting = new EventEmitter();
      let isResting = false;
      const clock = {
        now: () => new Date(nowMs),
        monotonicMs: () => nowMs,
        sleep: (_: number, signal?: AbortSignal) =>
          new Promise<void>((resolve) => {
            isResting = true;
            resting.once("end", resolve);
            signal?.addEventListener("abort", () => resolve());
          }),
      };
      const leased = new LeasedCursor({ lease, clock, isWanted, onChange: changed, onError: () => {} });
      leased.start();
      atEnd(() => leased.stop());
      const looked = async (): Promise<boolean> => {
        await vi.waitUntil(() => isResting, { timeout: 20_000, interval: 5 });
        return leased.held?.isHeld === true;
      };
      return {
        leased,
        changed,
        look: () => {
          isResting = false;
          resting.emit("end");
          return looked();
        },
        looked,
      };
    },
  };
};

test("one of two processes holds a cursor; the other has it when the lease of a killed one is over, where it was moved to", async () => {
  const { process, pass } = await shared();
  const one = process();
  expect(await one.looked()).toBe(true);
  const other = process();
  expect(await other.looked()).toBe(false);
  expect(await one.leased.held?.move(cursorAt("20:20:"))).toBe(true);
  pass(CURSOR_LEASE_MS - 1);
  expect(await other.look()).toBe(false);
  pass(1);
  expect(await other.look()).toBe(true);
  expect(other.leased.held?.cursor).toEqual(cursorAt("20:20:"));
  expect(other.changed).toHaveBeenCalledTimes(1);
});

test("a renewed lease stays; one that is given up is free at once", async () => {
  const { process, pass } = await shared();
  const [one, other] = [process(), process()];
  await other.looked();
  const [holder, waiting] = one.leased.held === null ? [other, one] : [one, other];
  for (let time = 0; time < 4; time++) {
    pass(CURSOR_LEASE_MS / 2);
    expect([await holder.look(), await waiting.look()]).toEqual([true, false]);
  }
  await holder.leased.giveUp();
  expect(await waiting.look()).toBe(true);
});

test("a process that was suspended for longer moves nothing once another has it, and learns of it", async () => {
  const { process, pass, stored } = await shared();
  const suspended = process();
  await suspended.looked();
  const { held } = suspended.leased;
  pass(CURSOR_LEASE_MS);
  expect(held?.isHeld).toBe(false);
  const other = process();
  expect(await other.looked()).toBe(true);
  expect(await other.leased.held?.move(cursorAt("30:30:"))).toBe(true);
  expect(await held?.move(cursorAt("20:20:"))).toBe(false);
  // Also once the other one is gone: what was begun before it was lost is begun again.
  await other.leased.giveUp();
  expect(await suspended.look()).toBe(false);
  expect(await suspended.look()).toBe(true);
  expect(suspended.leased.held?.cursor).toEqual(cursorAt("30:30:"));
  expect(await held?.move(cursorAt("20:20:"))).toBe(false);
  expect(await stored()).toBe("30:30:");
});

test("a lease that ended is renewed if no other process took it", async () => {
  const { process, pass } = await shared();
  const one = process();
  await one.looked();
  const { held } = one.leased;
  pass(5 * CURSOR_LEASE_MS);
  expect(held?.isHeld).toBe(false);
  expect(await one.look()).toBe(true);
  expect(one.leased.held).toBe(held);
  expect(await held?.move(cursorAt("20:20:"))).toBe(true);
});

test("a cursor that is of no use to a process is left to others", async () => {
  const { process, pass } = await shared();
  let isWanted = true;
  const one = process({ isWanted: () => isWanted });
  await one.looked();
  isWanted = false;
  pass(CURSOR_LEASE_MS);
  expect(await one.look()).toBe(false);
  const other = process();
  expect(await other.looked()).toBe(true);
});
