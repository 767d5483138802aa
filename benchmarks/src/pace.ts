import { setTimeout as sleep } from "node:timers/promises";
import { Agent } from "undici";
import type { BenchCluster } from "./database.js";
import { expectCells, untilFolded, walOf } from "./ingest.js";
import { postReadings } from "./load.js";
import { counting, type Spent, spentLines } from "./parts.js";
import { type ReadingSet, uploadBody } from "./readings.js";
import { figure, report } from "./report.js";
import { startService } from "./service.js";

const METERS = Number(process.env["BENCH_PACE_METERS"] ?? 2000);
const HOURS = Number(process.env["BENCH_PACE_HOURS"] ?? 6);
/** An hour of readings is sent within so long, and what is set for an hour is shortened alike. */
const HOUR_SECONDS = 12;
const A_REQUEST = 500;
const MINUTES = 60;
/** One of so many meters sends its last reading of an hour two minutes late. */
const LATE_OF = 50;
const LATE_MINUTES = 2;

/** How often the log is folded, by what is set for it where an hour takes `HOUR_SECONDS`. */
const FOLDS = { "each hour": "12", "each five minutes": "1", "never: rows": "off" };

/** Meters that send one reading a minute, the clock sixty times as fast and more, with a checkpoint in each hour. */
export const pace = async (cluster: BenchCluster): Promise<void> => {
  for (const [often, foldAfter] of Object.entries(FOLDS)) await once(cluster, often, foldAfter);
};

const once = async (cluster: BenchCluster, often: string, foldAfter: string): Promise<void> => {
  const database = await cluster.fresh("bench_pace");
  const service = await startService(database, { settings: { CURTAIL_FOLD_AFTER: foldAfter } });
  const { key, meterIds } = await service.newParticipant(METERS);
  const dispatcher = new Agent({ connections: 2, pipelining: 1 });
  const send = (body: Buffer) => postReadings(service.url, key, body, dispatcher);
  await untilHour();
  const [before, spent] = [await walOf(database), counting({ service: service.pid, database: cluster.pid })];
  for (let minute = 1; minute <= HOURS * MINUTES; minute++) {
    // The first minute is over when its readings are sent.
    await untilMinute(minute);
    for (const body of bodiesOf(meterIds, minute)) await send(body);
    if (minute % MINUTES === MINUTES / 2) await database.pool.query("checkpoint");
  }
  if (foldAfter !== "off") await untilFolded(database);
  tell(often, { walBytes: (await walOf(database)) - before, spent: spent() });
  await expectCells(database, 2 * READINGS);
  await dispatcher.close();
  await service.stop();
  await database.drop();
};

const HOUR_MS = HOUR_SECONDS * 1000;
let startMs = 0;

/** Until an hour begins by which the log is folded, too. */
const untilHour = async (): Promise<void> => {
  startMs = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS;
  await sleep(startMs - Date.now());
};

const untilMinute = async (minute: number): Promise<void> => {
  await sleep(Math.max(startMs + (minute * HOUR_MS) / MINUTES - Date.now(), 0));
};

const set: ReadingSet = { meters: A_REQUEST, steps: HOURS * MINUTES, intervalSeconds: 60 };

/** What is sent when a minute is over; the set counts them from 0. */
const bodiesOf = (meterIds: readonly string[], minute: number): Buffer[] => {
  const isLast = (nth: number): boolean => nth % MINUTES === 0;
  const sentNow = isLast(minute) && minute < HOURS * MINUTES ? meterIds.filter((_, nth) => !isLate(nth)) : meterIds;
  const late = minute > LATE_MINUTES && isLast(minute - LATE_MINUTES) ? meterIds.filter((_, nth) => isLate(nth)) : [];
  return [...inRequests(sentNow, minute - 1), ...inRequests(late, minute - LATE_MINUTES - 1)];
};

const isLate = (nth: number): boolean => nth % LATE_OF === 0;

const inRequests = (meterIds: readonly string[], step: number): Buffer[] => {
  const bodies = [];
  for (let from = 0; from < meterIds.length; from += A_REQUEST) {
    const own = meterIds.slice(from, from + A_REQUEST);
    bodies.push(uploadBody({ ...set, meters: own.length }, own, step));
  }
  return bodies;
};

const READINGS = METERS * HOURS * MINUTES;

const tell = (often: string, { walBytes, spent }: { readonly walBytes: number; readonly spent: Spent }): void =>
  report(`${METERS} meters, a reading a minute for ${HOURS} hours, folded ${often}`, {
    "bytes of PostgreSQL's log a reading": figure(walBytes / READINGS),
    ...spentLines([{ spent }], READINGS, "reading"),
  });
