import { expect, onTestFinished, test } from "vitest";
import { type Carrier, Timetable } from "../../src/platform/timetable.js";

/** A clock on which time passes by sleeping only; what sleeps longest ends last. */
const steppingClock = () => {
  let nowMs = Date.UTC(2026, 6, 1);
  const beganMs = nowMs;
  return {
    now: () => new Date(nowMs),
    sinceMs: () => nowMs - beganMs,
    async sleep(ms: number, signal?: AbortSignal) {
      await new Promise((resolve) => setImmediate(resolve));
      if (signal?.aborted !== true) nowMs += ms;
    },
    at: (ms: number) => new Date(beganMs + ms),
  };
};

/** When a kind is due, in milliseconds from the start, as are `nowMs` and the times at which it was told. */
type DueMs = (kind: string, nowMs: number, told: readonly number[]) => number | null;

const started = (dueMs: DueMs, kinds: readonly string[]) => {
  const clock = steppingClock();
  const told = new Map(kinds.map((kind) => [kind, [] as number[]]));
  const errors: unknown[] = [];
  const looks: number[] = [];
  const timetable = new Timetable<string>({
    read: async (all) => {
      looks.push(clock.sinceMs());
      return all.map((kind) => {
        const ms = dueMs(kind, clock.sinceMs(), told.get(kind) ?? []);
        return ms === null ? null : clock.at(ms);
      });
    },
    clock,
    onError: (error) => errors.push(error),
  });
  for (const kind of kinds) timetable.on(kind, { wake: () => told.get(kind)?.push(clock.sinceMs()) });
  timetable.start();
  onTestFinished(() => timetable.stop());
  const until = (ms: number) => expect.poll(clock.sinceMs).toBeGreaterThanOrEqual(ms);
  return { clock, told, errors, looks, timetable, until };
};

test("asks once a second for all kinds together while nothing is due", async () => {
  const { looks, told, until } = started(() => null, ["notices", "mails"]);
  await until(5000);
  expect(looks.slice(0, 5)).toEqual([0, 1000, 2000, 3000, 4000]);
  expect([...told.values()].flat()).toEqual([]);
});

/** Notices are carried out as soon as they are told. */
const onceTold: DueMs = (kind, _, told) => (kind === "notices" && told.length === 0 ? 2345 : null);

test("wakes at the moment when work becomes due, and only who carries it out", async () => {
  const { told, until } = started(onceTold, ["notices", "mails"]);
  await until(6000);
  expect(told.get("notices")).toEqual([2345]);
  expect(told.get("mails")).toEqual([]);
});

test("tells again and again of what stays due, ever less often, and none of it delays what is due later", async () => {
  const { told, until } = started(
    (kind, nowMs) => (kind === "held" ? 0 : 700 * Math.ceil((nowMs + 1) / 700)),
    ["held", "steps"],
  );
  await until(8000);
  const held = told.get("held") ?? [];
  expect(held.slice(0, 6)).toEqual([0, 20, 60, 140, 300, 620]);
  // Once a second, and whenever another is due.
  expect(held.filter((ms) => ms >= 2000 && ms < 8000).length).toBeLessThan(20);
});

test("what was done and is due anew is told soon again", async () => {
  let isDue = true;
  const { told, until, clock } = started(() => (isDue ? 0 : null), ["notices"]);
  await until(10_000);
  isDue = false;
  await until(clock.sinceMs() + 2000);
  isDue = true;
  const before = told.get("notices")?.length ?? 0;
  await expect.poll(() => told.get("notices")?.length).toBeGreaterThan(before + 3);
  const again = told.get("notices")?.slice(before, before + 3) ?? [];
  expect(again.map((ms) => ms - (again[0] ?? 0))).toEqual([0, 20, 60]);
});

test("looks at once when something was committed", async () => {
  let isWritten = false;
  const { told, looks, timetable, until, clock } = started(() => (isWritten ? 0 : null), ["notices"]);
  await until(3000);
  isWritten = true;
  timetable.wake();
  const before = looks.length;
  await expect.poll(() => told.get("notices")?.length).toBeGreaterThan(0);
  expect(told.get("notices")?.[0]).toBe(looks.find((ms, index) => index >= before - 1 && ms <= clock.sinceMs()));
});

test("a look that fails is told to everybody, reported, and repeated", async () => {
  let isAway = true;
  const { errors, timetable, until, looks, clock } = started(() => {
    if (isAway) throw new Error("the database is away");
    return null;
  }, ["notices"]);
  const heard: string[] = [];
  const carrier: Carrier = {
    wake: () => heard.push("wake"),
    answered: () => heard.push("answered"),
    failed: () => heard.push("failed"),
  };
  timetable.on("mails", carrier);
  await until(3000);
  expect(errors.length).toBeGreaterThan(1);
  expect(new Set(heard)).toEqual(new Set(["failed"]));
  isAway = false;
  const failed = looks.length;
  await until(clock.sinceMs() + 2000);
  expect(looks.length).toBeGreaterThan(failed);
  expect(heard.at(-1)).toBe("answered");
});

test("a timetable without work asks nothing", async () => {
  const { looks, until } = started(() => null, []);
  await until(5000);
  expect(looks).toEqual([]);
});
