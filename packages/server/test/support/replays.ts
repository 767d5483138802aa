import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listSites, operator } from "@curtail/contract";
import { adminOf, type Ran, type RunOptions } from "../app/admin-run.js";
import { type FaultyFront, faultyFront } from "../app/faulty-front.js";
import { type Participant, type Running, running } from "./running.js";

const HEADER = "meter,asset_type,interval_end_utc,interval_seconds,kw";
const START_MS = Date.parse("2022-07-01T05:00:00Z");
export let folder: string;
export const clear = () => rmSync(folder, { recursive: true });

export let service: Running;
export let front: FaultyFront;
let run: (args: readonly string[], options?: RunOptions) => Promise<Ran>;
export let anna: Participant;

export const actAs = (participant: Participant): void => {
  anna = participant;
};
let files = 0;

export const prepare = async () => {
  folder = mkdtempSync(join(tmpdir(), "curtail-replay-"));
  service = await running();
  front = await faultyFront(service.url);
  run = adminOf(service);
};

export const prepareEach = async () => {
  front.faults.length = 0;
  (front.uploads as unknown[]).length = 0;
  front.onUpload = () => {};
  anna = await service.newParticipant({ sites: [["main"]] });
};

export const at = (seconds: number): string => new Date(START_MS + seconds * 1000).toISOString();

export const csv = (...lines: string[]): string => {
  const file = join(folder, `readings-${++files}.csv`);
  writeFileSync(file, `${[HEADER, ...lines].join("\n")}\n`);
  return file;
};

/** Consecutive minutes of 1, 2, 3 … kW. */
export const minutes = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `main,load,${at((index + 1) * 60)},60,${index + 1}`);

export const replay = (file: string, ...more: string[]) => run(["replay", file, "--account", anna.accountId, ...more]);
export const throughFront = (file: string, ...more: string[]) => replay(file, "--url", front.url, ...more);

/** What GET /telemetry/kw returns for the account's sites. */
export const stored = async (hours = 2): Promise<Array<[string, number]>> => {
  const { body: list } = await anna.call(listSites);
  const ids = list.sites.map(({ id }) => `site_id=${id}`).join("&");
  const times = `start_time=${at(0)}&end_time=${at(hours * 3600)}`;
  const { body } = await anna.call("GET", `/telemetry/kw?${ids}&${times}&interval_seconds=30`);
  return body.data.sites.flatMap((site: Stored) =>
    site.meters.flatMap((meter) => meter.telemetry.map(({ timestamp, value }) => [timestamp, value])),
  );
};

interface Stored {
  meters: Array<{ telemetry: Array<{ timestamp: string; value: number }> }>;
}

export const openKeys = async (): Promise<string[]> => {
  const { items } = await service.made(operator.listKeys, { params: { id: anna.accountId } });
  return items.filter(({ id, state }) => id !== anna.keyId && state !== "revoked").map(({ id }) => id);
};

/** Sends two batches of two lines of the file, then is interrupted. */
export const stopInTheMiddle = (file: string) => {
  let interrupt: (() => void) | undefined;
  front.onUpload = () => {
    if (front.uploads.length === 2) interrupt?.();
  };
  const args = ["replay", file, "--account", anna.accountId, "--url", front.url, "--batch", "2", "--concurrency", "1"];
  return run(args, { onInterruptible: (stop) => (interrupt = stop) });
};
