import { setTimeout as sleep } from "node:timers/promises";
import { participantClient } from "@curtail/client";
import { uploadTelemetry } from "@curtail/contract";
import { atEnd } from "@curtail/testing/at-end";
import { type CrashPoint, crashingAt } from "@curtail/testing/crash";
import { beforeAll, expect, test, vi } from "vitest";
import { earlyAnswers } from "./support/early-answer-proxy.js";
import { newParticipant, type Participant, readPoints } from "./support/participant.js";
import { preparedFolder } from "./support/prepared-data.js";
import { type ServiceProcess, startProcess, underLoad } from "./support/service-process.js";
import { soakRounds } from "./support/soak.js";

// Whenever a service is killed while it appends to the log or folds it, every reading that was answered is there, as it was sent last.
const ROUNDS = soakRounds(3);
const SITES = 20;
const START_MS = Date.UTC(2024, 1, 20);
const CELL_MS = 30_000;
/** One and a half days, so that the log has several hours at once. */
const CELLS = 4320;

let settings: Readonly<Record<string, string>>;
let participant: Participant;
/** The latest that was started. */
let service: ServiceProcess | undefined;
/** What each site has, by time. */
const stored: Array<Map<string, number>> = [];

const start = async (its: typeof settings): Promise<ServiceProcess> => (service = await startProcess(its));

const timeAt = (cell: number): string => `${new Date(START_MS + cell * CELL_MS).toISOString().slice(0, 19)}Z`;

/** A reading of a site: its time, and kW. */
type Sent = readonly [site: number, time: string, kw: number];

const upload = async (url: string, sent: readonly Sent[]): Promise<boolean> => {
  const telemetry = sent.map(([site, timestamp, kW]) => {
    const meter_id = participant.sites[site]?.meterId ?? "";
    return { meter_id, interval_seconds: 30, timestamp, kW };
  });
  const answer = await participantClient({ url, key: participant.key })
    .send(uploadTelemetry, { body: { telemetry } })
    .catch(() => null);
  if (answer !== null) await answer.text().catch(() => "");
  return answer?.status === 200;
};

const keep = (sent: readonly Sent[]): void => {
  for (const [site, time, kw] of sent) stored[site]?.set(time, kw);
};

const read = async (url: string): Promise<Array<Map<string, number>>> => {
  const points = await readPoints(url, participant, { start: timeAt(-1), end: timeAt(CELLS + 1) });
  return participant.sites.map(
    ({ meterId }) => new Map((points.get(meterId) ?? []).map(({ timestamp, value }) => [timestamp, value])),
  );
};

let sentBefore = 0;

/** One reading of each site, somewhere in the time: some replace others. No two have the same power. */
const someReadings = (): Sent[] =>
  participant.sites.map((_, site) => [site, timeAt(1 + Math.floor(Math.random() * (CELLS - 1))), ++sentBefore / 8]);

/** Uploads until the service is gone; returns what was sent and not answered. */
const uploadUntilKilled = async (url: string, onStored: () => void): Promise<Sent[]> => {
  for (;;) {
    const sent = someReadings();
    if (!(await upload(url, sent))) return sent;
    keep(sent);
    onStored();
  }
};

/** An upload without an answer was stored as a whole or not at all. */
const settle = (unanswered: readonly Sent[], found: ReadonlyArray<ReadonlyMap<string, number>>): void => {
  if (unanswered.every(([site, time, kw]) => found[site]?.get(time) === kw)) keep(unanswered);
};

/** What an uploader did when the service was killed. */
let unanswered: Sent[] = [];

const check = async (url: string): Promise<void> => {
  const found = await read(url);
  settle(unanswered, found);
  expect(found).toEqual(stored);
  unanswered = [];
};

const foldedReadings = async (url: string): Promise<number> =>
  Number(/^curtail_folded_readings_total (\d+)/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1]);

beforeAll(async () => {
  const folder = await preparedFolder();
  atEnd(folder.remove);
  atEnd(async () => void (await service?.end("SIGTERM")));
  settings = { ...underLoad(folder.dataDir), CURTAIL_FOLD_AFTER: "1" };
  const first = await start(settings);
  participant = await newParticipant(first.url, SITES);
  for (let site = 0; site < SITES; site++) stored.push(new Map());
  await first.end("SIGTERM");
}, 120_000);

const points: readonly CrashPoint[] = [
  "after the appending to the log",
  "after the writing of folded rows",
  "before the commit of a fold",
  "after the commit of a fold",
];

test.each(points)(
  "a crash %s loses no reading",
  async (point) => {
    const victim = await start({ ...settings, ...crashingAt(point) });
    unanswered = await uploadUntilKilled(victim.url, () => {});
    expect(await victim.ended()).toBe("SIGKILL");
    const next = await start(settings);
    await check(next.url);
    await next.end("SIGTERM");
  },
  120_000,
);

test(
  `after each of ${ROUNDS} kills while readings arrive and are folded, every reading is there as it was sent last`,
  async () => {
    for (let round = 0; ; round++) {
      const victim = await start(settings);
      await check(victim.url);
      if (round === ROUNDS) return void (await victim.end("SIGTERM"));
      let hasStored = false;
      const uploading = uploadUntilKilled(victim.url, () => {
        hasStored = true;
      });
      const isFolded = async (): Promise<boolean> => (await foldedReadings(victim.url)) > 0;
      await vi.waitUntil(isFolded, { timeout: 20_000, interval: 20 });
      hasStored = false;
      await vi.waitUntil(() => hasStored, { timeout: 20_000, interval: 5 });
      // A fold comes each second.
      await sleep(Math.random() * 1100);
      await victim.end("SIGKILL");
      unanswered = await uploading;
    }
  },
  200_000 + ROUNDS * 25_000,
);

test("a service that answers before the commit is found to lose readings", async () => {
  let lost = 0;
  for (let round = 0; round < 5 && lost === 0; round++) {
    const victim = await start({ ...settings, ...crashingAt("before the appending to the log") });
    const early = await earlyAnswers(victim.url);
    const sent = someReadings();
    expect(await upload(early.url, sent)).toBe(true);
    expect(await victim.ended()).toBe("SIGKILL");
    early.close();
    const next = await start(settings);
    const found = await read(next.url);
    lost += sent.filter(([site, time, kw]) => found[site]?.get(time) !== kw).length;
    await next.end("SIGTERM");
  }
  expect(lost).toBeGreaterThan(0);
}, 120_000);
