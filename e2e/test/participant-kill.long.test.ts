import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { AsideLine } from "@curtail/spool";
import { beforeAll, expect, test } from "vitest";
import { setAsideOf } from "./support/killed-upload.js";
import { FILE_READINGS, type Outage, preparedOutage, type UploadedFile } from "./support/outage.js";
import { UNKNOWN_METER } from "./support/outage-config.js";
import { comparedAgent, comparedFile, REFUSED_KW } from "./support/outage-readings.js";
import { passOutage } from "./support/pass-outage.js";
import { soakRounds } from "./support/soak.js";

const ROUNDS = soakRounds(2);

let outage: Outage;

/** Ends only when the dispatch of each round has reached the agent's output. */
beforeAll(
  async () => {
    outage = await preparedOutage(ROUNDS);
    await passOutage(outage, ROUNDS);
  },
  240_000 + ROUNDS * 30_000,
);

const linesOf = (file: string): readonly unknown[] =>
  readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);

test(`48 hours without the service and ${ROUNDS} rounds of kills lose no reading of the agent, and double none`, async ({
  annotate,
}) => {
  const { expected, lost, doubled } = await comparedAgent(outage);
  const { kills } = outage.agent;
  await annotate(`agent: ${kills} kills, ${expected} readings, ${lost.length} lost, ${doubled.length} doubled`);
  expect({ lost, doubled }).toEqual({ lost: [], doubled: [] });
  expect(expected).toBeGreaterThan(100);
  expect(kills).toBeGreaterThan(ROUNDS);
});

test("readings of the agent that the service refuses are set aside once, with the reason", async ({ annotate }) => {
  const aside = linesOf(join(outage.spoolFolder, "set-aside.jsonl")) as readonly AsideLine[];
  expect(new Set(aside.map(({ position }) => position)).size).toBe(aside.length);
  expect(aside.filter(({ reason }) => !reason.includes("meter_id names no meter of this account"))).toEqual([]);
  const records = new Set(
    aside.map(({ record }) => {
      const { meter_id, timestamp } = JSON.parse(record) as { meter_id: string; timestamp: string };
      return `${meter_id} ${Date.parse(timestamp)}`;
    }),
  );
  const refused = [...outage.agent.promised.keys()].filter((place) => place.startsWith(UNKNOWN_METER));
  expect(refused.filter((place) => !records.has(place))).toEqual([]);
  await annotate(`agent: ${aside.length} readings set aside`);
});

const stored = (FILE_READINGS - REFUSED_KW.length).toLocaleString("en-US");
/** How an upload ends that was not killed any more: not all is stored, but all that the service takes. */
const answerTo = ({ by }: UploadedFile) => ({
  code: 1,
  // What a killed run read from standard input comes first, and the whole input again after it.
  stdout:
    by === "-"
      ? expect.stringMatching(/^[\d,]+ readings stored, \d+ set aside\.\n$/)
      : `${stored} readings stored, ${REFUSED_KW.length} set aside.\n`,
  stderr: expect.stringContaining("not all readings are stored"),
});

/** Each once, by the order of the first. */
const distinct = <T>(all: readonly T[]): readonly T[] => [...new Set(all)];

test(
  `${ROUNDS + 1} files are uploaded without loss or repetition, and what is refused is set aside once`,
  async ({ annotate }) => {
    for (const file of outage.files) {
      expect(await file.upload.finish()).toEqual(answerTo(file));
      const { lost, doubled } = await comparedFile(outage, file);
      expect({ lost, doubled }).toEqual({ lost: [], doubled: [] });
      const aside = linesOf(setAsideOf(file)) as ReadonlyArray<{ kW: number; reason: string }>;
      const refused = aside.map(({ kW }) => kW);
      expect(file.by === "-" ? distinct(refused) : refused).toEqual(REFUSED_KW);
      expect(aside.filter(({ reason }) => !reason.includes("interval_seconds is 45; it must be"))).toEqual([]);
    }
    const kills = outage.files.reduce((sum, { upload }) => sum + upload.kills, 0);
    await annotate(`curtail upload: ${kills} kills, ${outage.files.length * FILE_READINGS} readings`);
    await annotate(`service: ${outage.service.kills} kills`);
    expect(kills).toBeGreaterThanOrEqual(ROUNDS);
  },
  60_000 + ROUNDS * 5000,
);

test("control: an uploader that records its progress before readings are stored loses some under the same kills", async ({
  annotate,
}) => {
  const { lost } = await comparedFile(outage, outage.careless);
  await annotate(`control: ${lost.length} readings lost`);
  expect(lost.length).toBeGreaterThan(0);
});
