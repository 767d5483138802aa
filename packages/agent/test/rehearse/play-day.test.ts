import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { localTime } from "@curtail/measure";
import { propertyRuns } from "@curtail/testing/property-runs";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Day, DayEvent } from "../../src/rehearse/day.js";
import { findingsOf } from "../../src/rehearse/findings.js";
import { playDay } from "../../src/rehearse/play-day.js";
import { rehearsalJson, rehearsalLines } from "../../src/rehearse/rehearsal-text.js";
import { usedOutside } from "./support/no-outside.js";
import { anyConfig } from "./support/random-config.js";

/** Few at the desk: each rehearsal plays most of an hour. */
const RUNS = propertyRuns(3, { atMost: 100 });
const time = localTime("Europe/Berlin");
const NOON = Date.UTC(2026, 9, 25, 12);
const MINUTE = 60_000;

const dispatch = (id: string, from: number, to: number, share: number | null): DayEvent => ({
  atMs: NOON + (from - 2) * MINUTE,
  title: id,
  act: { kind: "dispatch", dispatch: { id, startMs: NOON + from * MINUTE, endMs: NOON + to * MINUTE, share } },
});
const at = (minute: number, act: DayEvent["act"]): DayEvent => ({ atMs: NOON + minute * MINUTE, title: act.kind, act });

/** All of a day in less than an hour: a whole one takes a second. */
const day: Day = {
  fromMs: NOON,
  toMs: NOON + 50 * MINUTE,
  events: [
    dispatch("first", 5, 35, 0.25),
    at(10, { kind: "contact", isThere: false }),
    at(20, { kind: "contact", isThere: true }),
    at(24, { kind: "power", isThere: false }),
    at(30, { kind: "power", isThere: true }),
    dispatch("second", 36, 48, null),
    at(40, { kind: "clock", aheadMs: 120_000 }),
    at(44, { kind: "clock", aheadMs: 0 }),
    at(46, { kind: "cancel", id: "second" }),
  ],
};

test("no configuration makes a rehearsal open a file, a socket or a program", async () => {
  await fc.assert(
    fc.asyncProperty(anyConfig, async (config) => {
      const used = await usedOutside(async () => {
        const played = await playDay(config, day);
        const rehearsal = { ...played, date: "2026-10-25", time, findings: findingsOf(config, played) };
        JSON.parse(rehearsalJson(rehearsal));
        rehearsalLines(rehearsal);
      });
      expect(used).toEqual([]);
    }),
    { numRuns: RUNS },
  );
}, 120_000);

test.each([
  ["fs.readFileSync", async () => readFileSync("/etc/hostname")],
  ["net.listen", async () => createServer().listen(0)],
  ["global.fetch", () => fetch("http://127.0.0.1:9")],
])("what holds that finds %s", async (name, work) => {
  expect(await usedOutside(work)).toEqual([name]);
});

test("values are within their bounds, times in order, and every interval of a meter is counted once", async () => {
  await fc.assert(
    fc.asyncProperty(anyConfig, async (config) => {
      const { entries, meters } = await playDay(config, day);
      const times = entries.map(({ atMs }) => atMs);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
      for (const { intervalMs, sent, kept, missing } of meters) {
        const counted = sent + kept + Object.values(missing).reduce((sum, each) => sum + each, 0);
        const intervals = (day.toMs - day.fromMs) / intervalMs;
        // The last one may not have settled, and a clock that is ahead makes two more.
        expect(Math.abs(counted - intervals)).toBeLessThanOrEqual(5);
      }
    }),
    { numRuns: RUNS },
  );
}, 120_000);
