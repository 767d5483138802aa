import { operator } from "@curtail/contract";
import { MAX_METER_DATA_BYTES } from "@curtail/contract/constants";
import { beforeAll, expect, test, vi } from "vitest";
import { sendTimed, type TimedAnswer } from "../../support/event-loop.js";
import { expectError } from "../../support/expect-error.js";
import { firstOf } from "../../support/metering.js";
import { newBrowser } from "../../support/people.js";
import { type Running, running } from "../../support/running.js";

// The largest files of meter data. Beside nine other files each step takes ten times as long; what a test that is given up
// has sent would keep the threads for files from the next one.
vi.setConfig({ testTimeout: 180_000 });

let service: Running;

beforeAll(async () => {
  service = await running();
  service.clock.set(new Date("2026-06-10T12:00:00Z"));
});

/** Most of it is the collection of garbage, which the test's own client makes, too. */
const MOST_BLOCKED_MS = 150;
const START = Date.parse("2025-06-01T00:00:00Z") / 1000;
const YEAR = 365 * 288;

interface Importer {
  readonly siteId: string;
  readonly path: (query: string) => string;
  readonly send: (body: string, query: string, mostBlockedMs?: number) => Promise<TimedAnswer>;
}

/** An operator's own for each test: one operator's files wait for each other, so that a slow one would let the next test fail, too. */
const newImporter = async (): Promise<Importer> => {
  const { siteId } = firstOf(await service.newParticipant());
  const { token } = await newBrowser(service, "operator-admin");
  const headers = { cookie: `curtail_session=${token}`, "content-type": "text/plain" };
  const path = (query: string) => `/sites/${siteId}/meter-data?${query}`;
  return {
    siteId,
    path,
    send: (body, query, mostBlockedMs = Number.POSITIVE_INFINITY) =>
      sendTimed(`${service.url}/operator/v1${path(query)}`, { method: "PUT", headers, body }, mostBlockedMs),
  };
};

/** A year of five-minute intervals with as many spaces and tags as utilities write. */
const greenButton = (intervals: number): string => {
  const readings = Array.from(
    { length: intervals },
    (_, at) => `
            <IntervalReading>
              <cost>974</cost>
              <ReadingQuality>
                <quality>17</quality>
              </ReadingQuality>
              <timePeriod>
                <duration>300</duration>
                <start>${START + 300 * at}</start>
              </timePeriod>
              <value>${1000 + (at % 977)}</value>
            </IntervalReading>`,
  );
  const type = `<entry><content><ReadingType xmlns="http://naesb.org/espi"><uom>72</uom></ReadingType></content></entry>`;
  const block = `<entry><content><IntervalBlock xmlns="http://naesb.org/espi">${readings.join("")}</IntervalBlock></content></entry>`;
  return `<feed xmlns="http://www.w3.org/2005/Atom">${type}${block}</feed>`;
};

test("four months of five-minute intervals in XML are imported without keeping others waiting", async () => {
  const { send } = await newImporter();
  const file = greenButton(YEAR / 3);
  for (const isDryRun of [true, false]) {
    const answer = await send(file, `dry_run=${isDryRun}`, MOST_BLOCKED_MS);
    expect(JSON.parse(answer.text)).toMatchObject({ intervals: YEAR / 3, fault_count: 0 });
    expect(answer.blockedMs).toBeLessThan(MOST_BLOCKED_MS);
  }
});

test("a year of them is stored whole", async () => {
  const { send, siteId } = await newImporter();
  const file = greenButton(YEAR);
  expect(file.length).toBeGreaterThan(36_000_000);
  expect(file.length).toBeLessThan(MAX_METER_DATA_BYTES);
  const stored = await send(file, "");
  expect(JSON.parse(stored.text)).toMatchObject({ intervals: YEAR, fault_count: 0 });
  const params = { id: siteId };
  const period = { start_time: "2025-06-01T00:00:00Z", end_time: "2026-06-01T00:00:00Z" };
  const { site } = await service.made(operator.getAnySiteEnergy, { params, query: period });
  expect(site.coverage).toBe(1);
  expect(site.energy_kwh).toBeCloseTo(JSON.parse(stored.text).series[0].energy_kwh, 3);
});

test("two files at once are imported one after the other", async () => {
  const { send } = await newImporter();
  const file = greenButton(20_000);
  const [first, second] = await Promise.all([send(file, ""), send(file, "")]);
  expect([first.status, second.status]).toEqual([200, 200]);
});

test("a file of a million intervals in any order, or with a million faults, is answered without keeping others waiting", async () => {
  const { send } = await newImporter();
  const times = Array.from({ length: 900_000 }, (_, at) => new Date((START + 30 * ((at * 7919) % 900_000)) * 1000));
  const shuffled = `timestamp,kw\n${times.map((time) => `${time.toISOString()},1`).join("\n")}`;
  const sorted = await send(shuffled, "dry_run=true", 2 * MOST_BLOCKED_MS);
  expect(JSON.parse(sorted.text)).toMatchObject({ intervals: 900_000, fault_count: 0 });
  expect(sorted.blockedMs).toBeLessThan(2 * MOST_BLOCKED_MS);
  const faulty = await send(`timestamp,kw\n${"x,\n".repeat(10_000_000)}`, "dry_run=true", MOST_BLOCKED_MS);
  expect(JSON.parse(faulty.text)).toMatchObject({ fault_count: 10_001 });
  expect(faulty.blockedMs).toBeLessThan(MOST_BLOCKED_MS);
});

test("a file of the largest size is read, and one byte more is refused before it is read", async () => {
  const path = (await newImporter()).path("dry_run=true");
  const most = await service.operator("PUT", path, " ".repeat(MAX_METER_DATA_BYTES));
  expect(most.body).toMatchObject({ fault_count: 1, faults: [{ message: "the file has no intervals" }] });
  const more = await service.operator("PUT", path, " ".repeat(MAX_METER_DATA_BYTES + 1));
  expectError(more, 400, /^the body is larger than 41943040 bytes/);
});

const hour = (at: number) => new Date(Date.UTC(1971, 0, 1) + at * 3_600_000).toISOString();

test("more hours of meters than one import stores are refused", async () => {
  const { send } = await newImporter();
  const rows = Array.from({ length: 100_001 }, (_, at) => `${hour(at)},1`);
  const tooMany = await send(`interval_start,kw\n${rows.join("\n")}`, "dry_run=true");
  expect(JSON.parse(tooMany.text).faults).toEqual([
    { line: 1, message: "the file has 100001 hours of meters, and an import stores at most 100000; split it" },
  ]);
  const most = await send(`interval_start,kw\n${rows.slice(1).join("\n")}`, "");
  expect(JSON.parse(most.text)).toMatchObject({ intervals: 100_000, fault_count: 0 });
});
