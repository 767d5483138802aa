import { setTimeout as sleep } from "node:timers/promises";
import { participantClient } from "@curtail/client";
import { uploadTelemetry } from "@curtail/contract";
import { atEnd } from "@curtail/testing/at-end";
import { type CrashPoint, crashingAt } from "@curtail/testing/crash";
import { beforeAll, expect, test, vi } from "vitest";
import { newParticipant, type Participant, readPoints } from "./support/participant.js";
import { preparedFolder } from "./support/prepared-data.js";
import { type ServiceProcess, startProcess, underLoad } from "./support/service-process.js";
import { soakRounds } from "./support/soak.js";

// Whenever a service is killed while it packs, every reading is the same before and after.
const ROUNDS = soakRounds(2);
const SITES = 2;
const DAYS = 8;
const START_MS = Date.UTC(2024, 1, 20);
const DAY_MS = 86_400_000;
const CELL_MS = 30_000;
const CELLS_PER_DAY = DAY_MS / CELL_MS;

let settings: Readonly<Record<string, string>>;
let packing: Readonly<Record<string, string>>;
let participant: Participant;
/** The latest that was started. */
let service: ServiceProcess | undefined;
/** What each site has, by time. */
const stored: Array<Map<string, number>> = [];

const start = async (its: typeof settings): Promise<ServiceProcess> => (service = await startProcess(its));

const timeAt = (cell: number): string => `${new Date(START_MS + cell * CELL_MS).toISOString().slice(0, 19)}Z`;

/** Readings of one site of 30 s, as they are uploaded. */
type Powers = ReadonlyMap<string, number>;

const upload = async (url: string, site: number, powers: Powers): Promise<boolean> => {
  const meter_id = participant.sites[site]?.meterId ?? "";
  const telemetry = [...powers].map(([timestamp, kW]) => ({ meter_id, interval_seconds: 30, timestamp, kW }));
  const answer = await participantClient({ url, key: participant.key })
    .send(uploadTelemetry, { body: { telemetry } })
    .catch(() => null);
  if (answer !== null) await answer.text().catch(() => "");
  return answer?.status === 200;
};

const keep = (site: number, powers: Powers): void => {
  for (const [time, kw] of powers) stored[site]?.set(time, kw);
};

const read = async (url: string): Promise<Array<Map<string, number>>> => {
  const sites = participant.sites.map(() => new Map<string, number>());
  // The interface returns at most three days of such readings at once.
  for (let day = -1; day <= DAYS; day += 3) {
    const window = { start: timeAt(day * CELLS_PER_DAY), end: timeAt((day + 3) * CELLS_PER_DAY) };
    const points = await readPoints(url, participant, window);
    for (const [index, { meterId }] of participant.sites.entries()) {
      for (const { timestamp, value } of points.get(meterId) ?? []) sites[index]?.set(timestamp, value);
    }
  }
  return sites;
};

/** Some readings anywhere in the days, of an even number of tenths. */
const someReadings = (): Powers => {
  const first = Math.floor(Math.random() * (DAYS - 1) * CELLS_PER_DAY);
  return new Map(
    Array.from({ length: 300 }, (_, nth) => [timeAt(first + nth * 7), Math.round(Math.random() * 1e4) / 10]),
  );
};

/** Of each site, every other cell of all days but the last, which is the newest. */
const fill = async (url: string): Promise<void> => {
  for (let site = 0; site < SITES; site++) {
    stored.push(new Map());
    const cells = Array.from({ length: ((DAYS - 1) * CELLS_PER_DAY) / 2 }, (_, nth) => 2 * nth + 1);
    const powers = new Map([...cells, DAYS * CELLS_PER_DAY].map((cell) => [timeAt(cell), ((cell * 7919) % 997) / 10]));
    expect(await upload(url, site, powers)).toBe(true);
    keep(site, powers);
  }
};

beforeAll(async () => {
  const folder = await preparedFolder();
  atEnd(folder.remove);
  atEnd(async () => void (await service?.end("SIGTERM")));
  settings = { ...underLoad(folder.dataDir), CURTAIL_PACK_AFTER: "off" };
  packing = { ...settings, CURTAIL_PACK_AFTER: "1", CURTAIL_PACK_SHARE: "100" };
  const first = await start(settings);
  participant = await newParticipant(first.url, SITES);
  await fill(first.url);
  expect(await read(first.url)).toEqual(stored);
  await first.end("SIGTERM");
}, 120_000);

const points: readonly CrashPoint[] = [
  "after the locking of hours to pack",
  "after the writing of packed days",
  "before the commit of packed days",
  "after the commit of packed days",
];

test.each(points)(
  "a crash %s changes no reading",
  async (point) => {
    // It may die before or after it is ready; without the crash it would go on.
    await start({ ...packing, ...crashingAt(point) }).then(
      async (victim) => expect(await victim.ended()).toBe("SIGKILL"),
      (error: unknown) => expect(String(error)).toContain("the service ended before it was ready"),
    );
    const next = await start(settings);
    expect(await read(next.url)).toEqual(stored);
    await next.end("SIGTERM");
  },
  120_000,
);

/** Uploads until the service is gone; returns what was sent and not answered. */
const uploadUntilKilled = async (url: string, site: number, onStored: () => void): Promise<Powers> => {
  for (;;) {
    const powers = someReadings();
    if (!(await upload(url, site, powers))) return powers;
    keep(site, powers);
    onStored();
  }
};

/** An upload without an answer was stored as a whole or not at all. */
const settle = (site: number, unanswered: Powers, found: Powers): void => {
  const isStored = [...unanswered].every(([time, kw]) => found.get(time) === kw);
  if (isStored) keep(site, unanswered);
};

const packedDays = async (url: string): Promise<number> =>
  Number(/^curtail_packed_days_total (\d+)/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1]);

test(
  `after each of ${ROUNDS} kills while readings arrive, every reading is there, and once`,
  async () => {
    let unanswered: readonly Powers[] = [];
    for (let round = 0; ; round++) {
      const victim = await start(packing);
      // It packs while it is read.
      const found = await read(victim.url);
      for (const [site, powers] of unanswered.entries()) settle(site, powers, found[site] ?? new Map());
      expect(found).toEqual(stored);
      if (round === ROUNDS) break;
      let hasStored = false;
      const uploads = participant.sites.map((_, site) =>
        uploadUntilKilled(victim.url, site, () => {
          hasStored = true;
        }),
      );
      // The kill comes while it packs what had arrived before the last one, and leaves the next something to pack.
      if (round > 0)
        await vi.waitUntil(async () => (await packedDays(victim.url)) > 0, { timeout: 20_000, interval: 20 });
      hasStored = false;
      await vi.waitUntil(() => hasStored, { timeout: 20_000, interval: 5 });
      await sleep(Math.random() * 600);
      await victim.end("SIGKILL");
      unanswered = await Promise.all(uploads);
    }
  },
  200_000 + ROUNDS * 25_000,
);
