import { dateOf, dayOfDate, localTime } from "@curtail/measure";
import { propertyRuns } from "@curtail/testing/property-runs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseConfig } from "../../src/config/read-config.js";
import { clockOf, type Day, dayOf } from "../../src/rehearse/day.js";
import { playDay } from "../../src/rehearse/play-day.js";

const MINUTE = 60_000;

const clockChange = ({ events }: Day): string | null =>
  events.find(({ title }) => title.startsWith("The clocks"))?.title.replace(/.*after/, "after") ?? null;

test.each([
  ["America/Santiago", "2027-09-05", "after 23:59:59 comes 01:00:00"],
  ["America/Santiago", "2027-04-03", "after 23:59:59 comes 23:00:00"],
  ["Africa/Cairo", "2027-04-30", "after 23:59:59 comes 01:00:00"],
  ["Africa/Cairo", "2027-10-28", "after 23:59:59 comes 23:00:00"],
  ["America/Havana", "2027-03-14", "after 23:59:59 comes 01:00:00"],
  ["America/Havana", "2027-11-07", "after 00:59:59 comes 00:00:00"],
  ["America/Godthab", "2024-03-30", "after 22:59:59 comes 00:00:00"],
  ["America/Godthab", "2024-10-26", "after 23:59:59 comes 23:00:00"],
  ["America/Godthab", "2024-03-31", null],
  ["Atlantic/Azores", "2027-03-28", "after 23:59:59 comes 01:00:00"],
  ["Australia/Lord_Howe", "2027-04-04", "after 01:59:59 comes 01:30:00"],
  ["Europe/Berlin", "2027-03-28", "after 01:59:59 comes 03:00:00"],
])("%s changes its clocks on %s: %s", (zone, date, change) => {
  expect(clockChange(dayOf(date, localTime(zone)))).toBe(change);
});

test("in any zone, days of another length have the change of clocks, others none, and all that happens is played", () => {
  const zones = fc.constantFrom(...Intl.supportedValuesOf("timeZone"));
  fc.assert(
    fc.property(zones, fc.integer({ min: 2000, max: 2040 }), (zone, year) => {
      const time = localTime(zone);
      const first = dayOfDate(`${year}-01-01`);
      const lengthOf = (day: number) => time.startOf(day + 1) - time.startOf(day);
      const changes = Array.from({ length: 365 }, (_, index) => first + index).filter(
        (day) => lengthOf(day) !== 86_400,
      );
      for (const day of changes.flatMap((each) => [each - 1, each, each + 1])) {
        // A day that a zone skipped as a whole cannot be played, and the next one begins as the one before it ended.
        if (lengthOf(day) === 0 || lengthOf(day - 1) === 0) continue;
        const played = dayOf(dateOf(day), time);
        expect(clockChange(played) === null).toBe(lengthOf(day) === 86_400);
        expect(played.fromMs).toBeLessThanOrEqual(time.startOf(day) * 1_000);
        expect(played.toMs).toBeGreaterThanOrEqual(time.startOf(day + 1) * 1_000);
        const evening = played.events.find(({ title }) => title === "The evening dispatch starts")?.atMs ?? 0;
        expect(clockOf(evening, time)).toBe("19:30:00");
        for (const { atMs } of played.events) {
          expect(atMs).toBeGreaterThanOrEqual(played.fromMs + 30 * MINUTE);
          expect(atMs).toBeLessThanOrEqual(played.toMs - 30 * MINUTE);
        }
      }
    }),
    { numRuns: propertyRuns(10, { atMost: 500 }) },
  );
});

test("a clock time that the change of clocks skips comes as much later", () => {
  const time = localTime("America/Nuuk");
  const clocks = dayOf("2022-03-26", time).events.filter(({ title }) => title.startsWith("The machine's clock"));
  expect(clocks.map(({ atMs }) => clockOf(atMs, time))).toEqual(["23:00:00", "23:20:00"]);
});

const config = () => {
  const read = parseConfig(
    `
service: { url: "https://curtail.example.com", key: key_1 }
state: /unused
sites:
  - { id: site_1, name: Mill, outputs: [{ name: relay, to: { command: { file: /bin/true } }, curtail: 1, normal: 0 }] }
`,
    { environment: {}, readText: () => "" },
  );
  if ("faults" in read) throw new Error(JSON.stringify(read.faults));
  return read.config;
};

test.each([
  ["America/Santiago", "2027-04-03"],
  ["America/Santiago", "2027-09-05"],
  ["Africa/Cairo", "2027-10-28"],
  ["Africa/Cairo", "2027-04-30"],
])("in %s the night dispatch of %s is played from its start to what follows its end", async (zone, date) => {
  const day = dayOf(date, localTime(zone));
  const events = day.events.filter(({ title }) => /night dispatch/.test(title));
  const [announced, started, ended] = events.map(({ atMs }) => atMs);
  if (announced === undefined || started === undefined || ended === undefined) throw new Error("there is no night");
  const toMs = Math.min(day.toMs, ended + 5 * MINUTE);
  const { entries } = await playDay(config(), { events, fromMs: announced - 5 * MINUTE, toMs });
  const writes = entries.filter((entry) => entry.kind === "write").map(({ atMs, value }) => [atMs, value]);
  expect(writes.slice(-2)).toEqual([
    [started, 1],
    [ended, 0],
  ]);
  expect(ended - started).toBe(90 * MINUTE);
});
