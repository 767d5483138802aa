import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type IntervalSeconds, newParticipant, type Participant, readPoints } from "./support/participant.js";
import { type PreparedFolder, preparedFolder } from "./support/prepared-data.js";
import { command, OPERATOR_TOKEN, type ServiceProcess, startProcess, underLoad } from "./support/service-process.js";

const fixtures = process.env["TEST_FIXTURES"];
const file = join(fixtures ?? "", "data", "commercial-building-1min-2022.csv");
const DAY_SECONDS = 86_400;

interface Reading {
  readonly endSeconds: number;
  readonly kw: number;
}

/** The recorded one-minute readings, in order. */
const recorded = (): Reading[] =>
  readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .slice(1)
    .map((line) => line.split(","))
    .map(([, , end = "", , kw]) => ({ endSeconds: Date.parse(end) / 1000, kw: Number(kw) }));

/** Means over UTC intervals, from the minutes themselves: the service must agree with these. */
const meansOver = (readings: readonly Reading[], intervalSeconds: number): Map<number, number> => {
  const groups = new Map<number, number[]>();
  for (const { endSeconds, kw } of readings) {
    const label = Math.ceil(endSeconds / intervalSeconds) * intervalSeconds;
    groups.set(label, [...(groups.get(label) ?? []), kw]);
  }
  const whole = [...groups].filter(([, values]) => values.length * 120 >= intervalSeconds);
  return new Map(
    whole.map(([label, values]) => [label, values.reduce((sum, value) => sum + value, 0) / values.length]),
  );
};

describe.skipIf(fixtures === undefined)("the recorded building (needs TEST_FIXTURES)", () => {
  let folder: PreparedFolder;
  let service: ServiceProcess;
  let participant: Participant;
  let readings: Reading[];

  beforeAll(async () => {
    folder = await preparedFolder("memory");
    service = await startProcess(underLoad(folder.dataDir));
    participant = await newParticipant(service.url, 1, { meter: "egauge_main" });
    readings = recorded();
    await replay();
  }, 120_000);

  afterAll(async () => {
    await service.end("SIGTERM");
    await folder.remove();
  });

  const replay = () =>
    promisify(execFile)(
      process.execPath,
      [
        command,
        "admin",
        "replay",
        file,
        "--account",
        participant.accountId,
        "--state",
        join(folder.path, "state.json"),
      ],
      { env: { PATH: process.env["PATH"], CURTAIL_OPERATOR_TOKEN: OPERATOR_TOKEN, CURTAIL_PUBLIC_URL: service.url } },
    );

  /** All points, read in windows of less than 10,000 points. */
  const readBack = async (intervalSeconds: IntervalSeconds): Promise<Map<number, number>> => {
    const first = (readings[0]?.endSeconds ?? 0) - DAY_SECONDS;
    const last = (readings.at(-1)?.endSeconds ?? 0) + DAY_SECONDS;
    const points = new Map<number, number>();
    for (let start = first; start < last; start += 3 * DAY_SECONDS) {
      const window = { start: iso(start), end: iso(start + 3 * DAY_SECONDS), intervalSeconds };
      const series = [...(await readPoints(service.url, participant, window)).values()].flat();
      for (const { timestamp, value } of series) points.set(Date.parse(timestamp) / 1000, value);
    }
    return points;
  };

  test("reads back at 30 s exactly as it was recorded", async () => {
    const points = await readBack(30);
    expect(points.size).toBe(readings.length * 2);
    const wrong = readings.filter(
      ({ endSeconds, kw }) => points.get(endSeconds) !== kw || points.get(endSeconds - 30) !== kw,
    );
    expect(wrong).toEqual([]);
  });

  test.each([300, 3600] as const)("reads back at %d s as the means of its minutes", async (intervalSeconds) => {
    const points = await readBack(intervalSeconds);
    const means = meansOver(readings, intervalSeconds);
    expect(points.size).toBe(means.size);
    const wrong = [...means].filter(([label, mean]) => !(Math.abs((points.get(label) ?? Number.NaN) - mean) < 1e-9));
    expect(wrong).toEqual([]);
  });

  test("replayed a second time, changes nothing", async () => {
    const before = await readBack(30);
    await replay();
    expect(await readBack(30)).toEqual(before);
  }, 120_000);
});

const iso = (seconds: number): string => new Date(seconds * 1000).toISOString();
