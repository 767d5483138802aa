import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { participantClient } from "@curtail/client";
import { uploadTelemetry } from "@curtail/contract";
import { atEnd } from "@curtail/testing/at-end";
import { type CrashPoint, crashingAt } from "@curtail/testing/crash";
import { parquetReadObjects } from "hyparquet";
import { beforeAll, expect, test, vi } from "vitest";
import { newParticipant, type Participant, readPoints } from "./support/participant.js";
import { preparedFolder } from "./support/prepared-data.js";
import { type ServiceProcess, startProcess, underLoad } from "./support/service-process.js";

// Wherever a service is killed while it archives, every reading is in the database or in a whole file.
const SITES = 2;
const INTERVAL_SECONDS = 30;
/** Two months of each site. */
const FROM_MS = Date.UTC(2024, 1, 29, 12);
const TO_MS = Date.UTC(2024, 2, 1, 12);

let settings: Readonly<Record<string, string>>;
let archiving: Readonly<Record<string, string>>;
let folder: string;
let participant: Participant;
let service: ServiceProcess | undefined;

/** Powers by meter and time. */
type Powers = Readonly<Record<string, number>>;

const iso = (ms: number): string => new Date(ms).toISOString();

const placeOf = (meterId: string, ms: number): string => `${meterId} ${iso(ms)}`;

let uploaded: Powers;

const start = async (its: typeof settings): Promise<ServiceProcess> => (service = await startProcess(its));

beforeAll(async () => {
  const prepared = await preparedFolder();
  atEnd(prepared.remove);
  atEnd(async () => void (await service?.end("SIGTERM")));
  folder = join(prepared.path, "archive");
  settings = underLoad(prepared.dataDir);
  archiving = {
    ...settings,
    CURTAIL_KEEP_TELEMETRY: "400",
    CURTAIL_TELEMETRY_ARCHIVE: folder,
    CURTAIL_PACK_SHARE: "100",
  };
  const first = await start(settings);
  participant = await newParticipant(first.url, SITES);
  const telemetry = participant.sites.flatMap(({ meterId }, site) =>
    Array.from({ length: (TO_MS - FROM_MS) / 1000 / INTERVAL_SECONDS }, (_, nth) => ({
      meter_id: meterId,
      interval_seconds: INTERVAL_SECONDS,
      timestamp: iso(FROM_MS + (nth + 1) * INTERVAL_SECONDS * 1000),
      // Each differs from the one before, so that none are joined.
      kW: (nth % 97) / 10 + site,
    })),
  );
  const answer = await participantClient({ url: first.url, key: participant.key }).send(uploadTelemetry, {
    body: { telemetry },
  });
  expect(answer.status).toBe(200);
  uploaded = Object.fromEntries(
    telemetry.map(({ meter_id, timestamp, kW }) => [placeOf(meter_id, Date.parse(timestamp)), kW]),
  );
  await first.end("SIGTERM");
}, 120_000);

const stored = async (url: string): Promise<Powers> => {
  const points = await readPoints(url, participant, {
    start: iso(FROM_MS),
    end: iso(TO_MS),
    intervalSeconds: INTERVAL_SECONDS,
  });
  return Object.fromEntries(
    [...points].flatMap(([meterId, its]) =>
      its.map(({ timestamp, value }) => [placeOf(meterId, Date.parse(timestamp)), value] as const),
    ),
  );
};

const files = async (): Promise<string[]> => {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  return names.filter((name) => name.endsWith(".parquet")).map((name) => join(folder, name));
};

const archived = async (): Promise<Powers> => {
  const powers: Record<string, number> = {};
  for (const file of await files()) {
    const rows = await parquetReadObjects({ file: new Uint8Array(await readFile(file)).buffer });
    for (const { timestamp, meter_id, kw } of rows) powers[placeOf(meter_id, timestamp.getTime())] = kw;
  }
  return powers;
};

const points: readonly CrashPoint[] = [
  "after the record of an archive",
  "before the commit of an archive",
  "after the commit of an archive",
];

test.each(points)(
  "a crash %s loses no reading",
  async (point) => {
    // It may die before or after it is ready; without the crash it would go on.
    await start({ ...archiving, ...crashingAt(point) }).then(
      async (victim) => expect(await victim.ended()).toBe("SIGKILL"),
      (error: unknown) => expect(String(error)).toContain("the service ended before it was ready"),
    );
    expect((await files()).length).toBeGreaterThan(0);
    const next = await start(settings);
    const left = await stored(next.url);
    expect({ ...(await archived()), ...left }).toEqual(uploaded);
    expect(Object.keys(left).length === Object.keys(uploaded).length).toBe(point !== "after the commit of an archive");
    await next.end("SIGTERM");
  },
  120_000,
);

test("in the end, every reading is in one file, and none in the database", async () => {
  const last = await start(archiving);
  await vi.waitUntil(async () => Object.keys(await stored(last.url)).length === 0, { timeout: 30_000, interval: 100 });
  expect(await archived()).toEqual(uploaded);
  expect(await files()).toHaveLength(2 * SITES);
  await last.end("SIGTERM");
}, 120_000);
